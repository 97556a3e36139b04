"""Numbers with which the built-in models were checked: each with a reference from elsewhere, the
value of Kinetree, computed at the build, and the tolerance that a test allows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class Check(NamedTuple):
    """One number: `tolerance` is absolute."""

    quantity: str
    reference: float
    ours: float
    tolerance: float
    source: str

    @property
    def holds(self) -> bool:
        return bool(abs(self.ours - self.reference) <= self.tolerance)

    def row(self) -> list[str]:
        """The cells of a table, with the digits that the tolerance allows."""
        digits = max(0, -math.floor(math.log10(self.tolerance)))
        if isinstance(self.reference, int):
            return [self.quantity, str(self.reference), str(self.ours), self.source]
        if self.reference == 0.0:
            return [self.quantity, "0", f"{self.ours:.0e}", self.source]
        return [
            self.quantity,
            f"{self.reference:.{digits}f}",
            f"{self.ours:.{digits}f}",
            self.source,
        ]


def checks(name: str) -> list[Check]:
    """Compute the checks of a model."""
    from .checks_papers import PAPERS

    return {**CHECKS, **PAPERS}[name]()


def _pendulum() -> list[Check]:
    from scipy.special import ellipk

    import kinetree as kt
    from kinetree.models.pendulum import pendulum

    down = kt.Event("hinge.angle", direction=-1, name="down")
    times = kt.simulate(pendulum(), 5.0, rtol=1e-10, events=[down]).events["down"].t
    exact = 4.0 * ellipk(math.sin(0.5) ** 2) * math.sqrt((1.0 / 3.0) / (9.81 / 2.0))
    return [
        Check("period, s", exact, float(times[1] - times[0]), 1e-7, "complete elliptic integral K")
    ]


def _double_pendulum() -> list[Check]:
    from scipy.integrate import solve_ivp

    import kinetree as kt
    from kinetree.models.double_pendulum import double_pendulum

    def lagrange(t, y, g=9.81):
        """Two equal rods of 1 kg and 1 m, angles from the vertical."""
        c, s = 0.5 * math.cos(y[0] - y[1]), 0.5 * math.sin(y[0] - y[1])
        M = np.array([[4.0 / 3.0, c], [c, 1.0 / 3.0]])
        f = [-s * y[3] ** 2 - 1.5 * g * math.sin(y[0]), s * y[2] ** 2 - 0.5 * g * math.sin(y[1])]
        return [y[2], y[3], *np.linalg.solve(M, f)]

    start = [-math.pi / 2, 0.0, 0.0, 0.0]
    exact = solve_ivp(lagrange, (0.0, 1.0), start, "DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    sol = kt.simulate(double_pendulum(), 1.0, rtol=1e-10)
    by_hand = "Lagrange's equations by hand, SciPy DOP853"
    return [
        Check(
            "angle of the shoulder at 1 s, rad", exact[0], sol["shoulder.angle"][-1], 1e-6, by_hand
        ),
        Check(
            "angle of the elbow at 1 s, rad",
            exact[1] - exact[0],
            sol["elbow.angle"][-1],
            1e-6,
            by_hand,
        ),
    ]


def _four_bar() -> list[Check]:
    import kinetree as kt
    from kinetree.models.four_bar import four_bar

    sol = kt.simulate(four_bar(), 3.0, rtol=1e-9)
    a, d = sol["A.angle"], sol["D.angle"]
    x = 0.5 * np.cos(a) - 1.1 - 0.75 * np.cos(d)
    z = 0.75 * np.sin(d) - 0.5 * np.sin(a)
    length = np.hypot(x, z)
    farthest = float(length[np.abs(length - 1.2).argmax()])
    return [
        Check(
            "distance of the pins B and C from the angles of crank and rocker, m (largest error of "
            "the run)",
            1.2,
            farthest,
            1e-8,
            "length of the coupler (Freudenstein's relation)",
        ),
        Check("degrees of freedom", 1, four_bar().topology().mobility, 0.1, "textbook"),
    ]


def _slider_crank() -> list[Check]:
    import kinetree as kt
    from kinetree.models.slider_crank import slider_crank

    sol = kt.simulate(slider_crank(), 2.0, rtol=1e-9)
    phi = float(sol["crankshaft.angle"][-1])
    exact = 0.15 * math.cos(phi) + math.sqrt(0.5**2 - (0.15 * math.sin(phi)) ** 2)
    return [
        Check(
            "position of the piston at 2 s, m",
            exact,
            float(sol["piston.position.x"][-1]),
            1e-8,
            "x = r cos φ + √(l² - r² sin² φ) at the crank angle φ",
        )
    ]


def _door() -> list[Check]:
    from scipy.special import ellipk

    import kinetree as kt
    from kinetree.models.door import door

    shut = kt.Event("lower.angle", name="shut")
    sol = kt.simulate(door(), 5.0, rtol=1e-10, events=[shut])
    inertia = (0.9**2 + 0.04**2) / 12.0 + 0.45**2  # per kg, about the hinge line
    exact = ellipk(0.5) * math.sqrt(inertia / (9.81 * math.sin(0.05) * 0.45))
    spare = sum(n for _, n in door().topology().redundant)
    return [
        Check(
            "time until it is shut, s",
            exact,
            float(sol.events["shut"].t[0]),
            1e-7,
            "quarter of a period of a pendulum in gravity g sin(0.05)",
        ),
        Check("redundant equations", 5, spare, 0.1, "all five of the second hinge"),
    ]


def _flexible_four_bar() -> list[Check]:
    import kinetree as kt
    from kinetree.models.flexible_four_bar import flexible_four_bar

    sol = kt.simulate(flexible_four_bar(), 1.0, integrator="energy-conserving", step=0.05)
    return [
        Check(
            "change of the total energy at a step of 0.05 s, relative",
            0.0,
            float(sol.energy.imbalance),
            1e-11,
            "conservation of energy",
        )
    ]


def _flexible_slider_crank() -> list[Check]:
    import kinetree as kt
    from kinetree.models.flexible_slider_crank import CRANK, ROD, flexible_slider_crank

    sol = kt.simulate(flexible_slider_crank(), 0.3, progress=False)
    phi = sol["A.angle"]
    rigid = CRANK * np.cos(phi) + np.sqrt(ROD**2 - (CRANK * np.sin(phi)) ** 2)
    return [
        Check(
            "energy balance with the work of driver and damping, relative",
            0.0,
            float(sol.energy.imbalance),
            1e-9,
            "first law",
        ),
        Check(
            "largest shift of the block by bending of the rod, m",
            0.0,
            float(np.abs(sol["block.position.x"] - rigid).max()),
            1e-5,
            "position with a rigid rod",
        ),
    ]


def _flexible_crank() -> list[Check]:
    import kinetree as kt
    from kinetree.models.flexible_crank import CRANK, ROD, flexible_crank

    sol = kt.simulate(flexible_crank(), 0.02, rtol=1e-6, progress=False)
    phi = sol["A.angle"]
    rigid = CRANK * np.cos(phi) + np.sqrt(ROD**2 - (CRANK * np.sin(phi)) ** 2)
    travel = sol["slide.displacement"] + CRANK + ROD - 0.015
    return [
        Check(
            "energy balance with the work of driver and damping, over the kinetic energy",
            0.0,
            float(np.abs(sol.energy.imbalance).max() / sol.energy.kinetic.max()),
            1e-6,
            "first law",
        ),
        Check(
            "largest shift of the piston by strain of the rod, m",
            0.0,
            float(np.ptp(travel - rigid)),
            1e-4,
            "position with a rigid rod",
        ),
    ]


CHECKS: dict[str, Callable[[], list[Check]]] = {
    "pendulum": _pendulum,
    "double-pendulum": _double_pendulum,
    "four-bar": _four_bar,
    "slider-crank": _slider_crank,
    "door": _door,
    "flexible-four-bar": _flexible_four_bar,
    "flexible-slider-crank": _flexible_slider_crank,
    "flexible-crank": _flexible_crank,
}
