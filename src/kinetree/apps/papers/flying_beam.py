"""The flying beam of Simo and Vu-Quoc at a large step: the energy-conserving rule of [Yun2005],
corrected and as printed, beside rules that do not conserve energy.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import kinetree as kt

from .claim import Claim

ELEMENTS, AS_PRINTED = 10, "eq. (25) as printed"
RULES: dict[str, dict[str, Any]] = {
    "energy-conserving": {"integrator": "energy-conserving"},
    "trapezoidal": {"integrator": "trapezoidal"},
    "midpoint": {"integrator": "midpoint"},
    AS_PRINTED: {"integrator": "energy-conserving", "history": True, "convected": True},
}
H, UNTIL, FREE = 0.1, 200.0, 5.0  # s: step, end, and end of the push
ROUNDING = 1e-10  # of the energy, over 2000 steps of ten elements


def flying_beam() -> kt.Model:
    """A beam free in space, pushed and twisted at one end for five seconds."""
    m = kt.Model("flying beam", gravity=(0, 0, 0))
    section = kt.Section(
        np.array([1e4, 1e4, 1e4, 500.0, 500.0, 500.0]), 1.0, np.array([10.0, 10.0, 10.0])
    )
    beam = m.beam("b", [(6.0, 0, 0), (0, 8.0, 0)], section, elements=ELEMENTS)
    m.float(beam)
    push = [
        kt.Table((0.0, 2.5, FREE, FREE + 1.0), (0.0, f, 0.0, 0.0), smooth=False)
        for f in (20.0, 100.0, 200.0)
    ]
    m.force("push", kt.PointForce((push[0], 0.0, 0.0)), beam.end("-"))
    m.force("twist", kt.Torque((0.0, push[1], push[2])), beam.end("-"))
    return m


@cache
def flights(until: float = UNTIL) -> dict:
    """The run by each rule, up to the time at which no step can be solved any more."""
    found = {}
    for name, options in RULES.items():
        try:
            found[name] = kt.simulate(
                flying_beam(), until, step=H, output_interval=H, progress=False, **options
            )
        except kt.SimulationError as error:
            found[name] = error.solution
    return found


def free_energy(run) -> tuple[np.ndarray, np.ndarray]:
    """Times after the push, and the energy over its first value there."""
    free = run.t > FREE + 2.0 * H
    return run.t[free], run.energy.total[free] / run.energy.total[free][0]


def angular_change(run) -> np.ndarray:
    """Change of the angular momentum after the push, over its size."""
    L = run.momentum.angular[run.t > FREE + 2.0 * H]
    return np.linalg.norm(L - L[0], axis=1) / np.linalg.norm(L[0])


def check() -> list[Claim]:
    """One rule conserves energy and angular momentum where the others explode."""
    runs = flights()
    claims = []
    t, ratio = free_energy(runs["energy-conserving"])
    error = float(np.abs(ratio - 1.0).max())
    claims.append(
        Claim(
            "flying beam, h = 0.1 s: the energy-conserving rule conserves the energy over 2000 "
            "steps",
            "constant",
            error,
            error <= ROUNDING and t[-1] == UNTIL,
            f"largest relative change; allowed {ROUNDING:g}, the rounding of the steps",
        )
    )
    for rule in ("trapezoidal", "midpoint"):
        t, ratio = free_energy(runs[rule])
        claims.append(
            Claim(
                f"flying beam, h = 0.1 s: the energy of the {rule} rule explodes",
                "diverges",
                [float(ratio.max()), float(t[-1])],
                ratio.max() > 1e3 and t[-1] < 0.5 * UNTIL,
                "largest energy over that after the push, and the time (s) at which no step can "
                "be solved any more",
            )
        )
    (t, ratio), lost = free_energy(runs[AS_PRINTED]), float(angular_change(runs[AS_PRINTED]).max())
    kept = float(angular_change(runs["energy-conserving"]).max())
    claims.append(
        Claim(
            "flying beam, h = 0.1 s: eq. (25) as printed is stable, but loses angular momentum",
            "constant",
            [float(np.abs(ratio - 1.0).max()), lost, kept],
            np.abs(ratio - 1.0).max() < 0.01 and t[-1] == UNTIL and lost > 1e-3 > 1e6 * kept,
            "largest relative changes: of the energy of the shape, of the angular momentum, and "
            "of the angular momentum of the corrected rule",
        )
    )
    return claims
