"""The flying beam of Simo and Vu-Quoc at a large step: the energy-conserving rule of [Yun2005]
beside rules that keep nothing.
"""

from __future__ import annotations

from functools import cache

import numpy as np

import kinetree as kt

from .claim import Claim

ELEMENTS, RULES = 10, ("energy-conserving", "trapezoidal", "midpoint")
H, UNTIL, FREE = 0.1, 200.0, 5.0  # s: step, end, and from when on nothing acts on the beam
ROUNDING = 1e-10  # of the energy, over 2000 steps of ten elements


def flying_beam() -> kt.Model:
    """The flying beam of Simo and Vu-Quoc: free in space, pushed and twisted at one end for five
    seconds.
    """
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
    """The beam by the three rules, as far as they go."""
    found = {}
    for rule in RULES:
        try:
            found[rule] = kt.simulate(
                flying_beam(), until, integrator=rule, step=H, output_interval=H, progress=False
            )
        except kt.SimulationError as error:
            found[rule] = error.solution
    return found


def free_energy(run) -> tuple[np.ndarray, np.ndarray]:
    """Times after the push, and the energy over its first value there."""
    free = run.t > FREE + 2.0 * H
    return run.t[free], run.energy.total[free] / run.energy.total[free][0]


def check() -> list[Claim]:
    """That one rule keeps the energy where the others explode."""
    claims = []
    for rule, run in flights().items():
        t, ratio = free_energy(run)
        if rule == "energy-conserving":
            error = float(np.abs(ratio - 1.0).max())
            claims.append(
                Claim(
                    "flying beam, h = 0.1 s: the energy-conserving rule keeps the energy over 2000 "
                    "steps",
                    "constant",
                    error,
                    error <= ROUNDING and t[-1] == UNTIL,
                    f"largest change; allowed {ROUNDING:g}, the rounding of the steps",
                )
            )
        else:
            claims.append(
                Claim(
                    f"flying beam, h = 0.1 s: the {rule} rule explodes",
                    "diverges",
                    [float(ratio.max()), float(t[-1])],
                    ratio.max() > 1e3 and t[-1] < 0.5 * UNTIL,
                    "largest E / E after the push, and the time (s) at which no step can be solved "
                    "any more",
                )
            )
    return claims
