"""Mechanisms of rigid bodies with exact or official solutions."""

from __future__ import annotations

from ..problems import four_bar_chain, heavy_top, simple_pendulum
from ..problems import governor as flyball
from ..problems import squeezer as andrews
from . import runs
from .results import Case


def pendulum() -> tuple[Case, ...]:
    exact = [
        Case(
            f"x of the mass at {t:g} s (m)",
            f"{simple_pendulum.EXACT[t][0]:.12f}",
            1e-9,
            "exact",
            runs.of_run("pendulum", "point.position", t, 0),
        )
        for t in (1, 10, 100)
    ]
    official = [
        Case(
            f"x of the mass at {t:g} s (m)",
            str(simple_pendulum.OFFICIAL[t][0]),
            8e-7,
            "Adams",
            runs.of_run("pendulum", "point.position", t, 0),
        )
        for t in (7.5, 50, 100)
    ]
    return tuple(exact + official)


def _tip(name: str, t: float, component: int):
    return runs.of_run(name, "crank0.end+.position", t, component)


def four_bars() -> tuple[Case, ...]:
    two, forty, official = four_bar_chain.TWO, four_bar_chain.FORTY, four_bar_chain.OFFICIAL
    return (
        Case(
            "2 loops: x of the tip at 10 s (m)",
            f"{two[10][0]:.12f}",
            1e-6,
            "exact",
            _tip("two four-bars", 10, 0),
        ),
        Case(
            "2 loops: x of the tip at 10 s (m)",
            "0.3284573768",
            1e-6,
            "Exudyn",
            _tip("two four-bars", 10, 0),
        ),
        Case(
            "40 loops: x of the tip at 20 s (m)",
            f"{forty[20][0]:.12f}",
            2e-6,
            "exact",
            _tip("forty four-bars", 20, 0),
        ),
        Case(
            "40 loops: x of the tip at 10 s (m)",
            str(official[10][0]),
            1.6e-6,
            "Adams",
            _tip("forty four-bars", 10, 0),
        ),
        Case(
            "40 loops: y of the tip at 15 s (m)",
            str(official[15][1]),
            1e-5,
            "Adams",
            _tip("forty four-bars", 15, 1),
        ),
    )


def squeezer() -> tuple[Case, ...]:
    ends = zip(andrews.ANGLES, ("beta", "Theta", "gamma", "Phi", "delta"), andrews.END)
    angles = [
        Case(
            f"{angle} at 0.03 s (rad)",
            f"{end:.13g}",
            1.5e-9,
            "PSIDE",
            runs.of_run("squeezer", f"{joint}.angle", 0.03),
        )
        for joint, angle, end in ends
    ]
    return (
        *angles,
        Case(
            "rate of beta at 0.03 s (rad/s)",
            f"{andrews.END_RATE[0]:.13g}",
            6e-7,
            "PSIDE",
            runs.of_run("squeezer", "O.rate", 0.03),
        ),
        Case(
            "force at E, x, at the start (N)",
            f"{andrews.START_PUSH[0]:.15g}",
            1e-11,
            "PSIDE",
            lambda: runs.run("squeezer").reactions["E3"].force[0, 0],
        ),
    )


def governor() -> tuple[Case, ...]:
    def height(t: float):
        return lambda: runs.governor()["slide.displacement"][round(10 * t)]

    heights = [
        Case(
            f"height of the slider at {t:g} s (m)",
            f"{h:.10f}",
            1e-7,
            "reduced equations",
            height(t),
        )
        for t, h in flyball.HEIGHTS.items()
        if t >= 1.0
    ]
    spin = Case(
        "spin at 10 s (rad/s)",
        f"{flyball.SPIN:.10f}",
        1e-8,
        "reduced equations",
        lambda: runs.governor()["spin.rate"][-1],
    )
    return (*heights, spin)


def top() -> tuple[Case, ...]:
    return tuple(
        Case(
            f"{axis} at 2 s (m)",
            f"{published:.12f}",
            1.3e-6,
            "step 2e-6 s",
            runs.of_run("top", "top.position", 2.0, k),
        )
        for k, (axis, published) in enumerate(zip("xyz", heavy_top.PUBLISHED))
    )
