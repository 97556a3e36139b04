"""The projection method of [Kim1997] as printed and corrected: the effect of its errata in numbers.

A point of 1 kg on a rod of 1 m, in space, without gravity; Adams-Bashforth-Moulton PECE of second
order unless stated otherwise.

    (3.7), (4.7)  V <- P_N V shortens the basis: artificial damping of first order
    (4.13)        zddot without -V+ P_N Gdot^T (G G^T)^-1 b: a wrong limit under drivers
    (4.11)        lam = I_R^T (M qddot - f): the wrong sign
"""

from __future__ import annotations

import math

import numpy as np

import kinetree as kt

from ...assembly.system import System
from ...models.rssr import rssr
from .claim import Claim, agrees

STEPS, DRIVEN_STEPS = (0.02, 0.01, 0.005), (0.01, 0.005, 0.0025)
LOST = (-0.2647, -0.1525, -0.0826)  # share of the energy, by NumPy alone with Heun's method
WRONG = 2.256428  # angular momentum the printed formula tends to, likewise


def check() -> list[Claim]:
    """All claims about the method."""
    return [*_damping(), *_drivers(), _sign(), _derivative()]


def pendulum(speed: float, length: float | kt.Sine = 1.0) -> kt.Model:
    """Return a point on a rod with a velocity across the rod."""
    m = kt.Model("point", gravity=(0, 0, 0))
    point = m.body("point", kt.sphere(1.0, 0.1), position=(1, 0, 0), velocity=(0, speed, 0))
    m.float(point)
    m.constraint("rod", kt.Distance(length), m.ground, point)
    return m


def energy_error(formulation: str, **how) -> float:
    """Return the relative change of energy in 2 s at 3 rad/s; exactly 0."""
    end = kt.simulate(pendulum(3.0), 2.0, formulation=formulation, output_interval=1.0, **how)[
        "point.velocity"
    ][-1]
    return float(end @ end / 9.0 - 1.0)


def swept(formulation: str, step: float) -> float:
    """Return x vy - y vx at 0.9 s of a rod of length 1 + 0.3 sin 3t; exactly 2 at all times."""
    model = pendulum(2.0, kt.Sine(0.3, 3.0 / (2.0 * math.pi), offset=1.0))
    run = kt.simulate(
        model, 0.9, formulation=formulation, integrator="adams-fixed", order=2, step=step
    )
    p, v = run["point.position"][-1], run["point.velocity"][-1]
    return float(p[0] * v[1] - p[1] * v[0])


def _damping() -> list[Claim]:
    printed, ours = (
        np.array([energy_error(f, integrator="adams-fixed", order=2, step=h) for h in STEPS])
        for f in ("projection-literal", "projection")
    )
    ratios, tight = (
        printed[:-1] / printed[1:],
        energy_error("projection", integrator="adams", rtol=1e-10),
    )
    return [
        Claim(
            "as printed, a free pendulum loses energy: h = 0.02, 0.01, 0.005 s over 2 s",
            "conserved",
            np.round(printed, 4),
            agrees(printed, LOST, atol=1e-3),
            "share of the energy; NumPy alone gives -0.2647, -0.1525, -0.0826 (erratum E-9)",
        ),
        Claim(
            "that damping is of first order, with an integrator of second order",
            None,
            np.round(ratios, 2),
            bool(np.all((ratios > 1.7) & (ratios < 2.1))),
            "errors of halved steps: 2 for first order, 4 for second",
        ),
        Claim(
            "with the basis renormalized the error is that of the integrator, at the same steps",
            None,
            ours,
            abs(ours[0]) <= 1e-3 and bool(np.all(ours[:-1] / ours[1:] >= 3.5)),
            "share of the energy; halved steps must divide it by 4 or more, here by 8",
        ),
        Claim(
            "with variable step at rtol 1e-10 energy is conserved to nine digits",
            None,
            tight,
            abs(tight) <= 1e-9,
            "share of the energy",
        ),
    ]


def _drivers() -> list[Claim]:
    printed, ours = (
        np.array([swept(f, h) for h in DRIVEN_STEPS])
        for f in ("projection-literal-drive", "projection")
    )
    return [
        Claim(
            "as printed, a rod of driven length gives a wrong limit: h = 0.01, 0.005, 0.0025 s",
            2.0,
            np.round(printed, 6),
            agrees(printed, WRONG, atol=1e-4),
            "angular momentum, exactly 2; the formula lacks a term of dzdot/dt due to the drivers "
            "(erratum E-9b)",
        ),
        Claim(
            "integrating velocities gives the right one",
            2.0,
            np.round(ours, 6),
            agrees(ours, 2.0, atol=5e-5) and abs(ours[2] - 2.0) <= 1e-5,
            "kg m^2/s",
        ),
    ]


def _sign() -> Claim:
    """G^T lam of both formulas at the start, where the rod pulls with m v^2 / l = 9 N."""
    pulls = []
    for formulation in ("projection-literal", "projection"):
        run = kt.simulate(
            pendulum(3.0),
            0.01,
            formulation=formulation,
            integrator="adams-fixed",
            step=0.01,
            order=2,
        )
        system = System(run.compiled)
        system.values(0.0, run.q[0], run.x[0])
        pulls.append(float((system.jacobian().T @ run.lam[0])[0]))
    return Claim(
        "eq. (4.11): the printed multiplier has the wrong sign",
        "M qddot + G^T lam = f",
        np.round(pulls, 9),
        agrees(pulls, (-9.0, 9.0), atol=1e-9),
        "N along the rod, as printed and ours; m v^2 / l = 9 with the paper's own eq. (2.4) "
        "(erratum E-8)",
    )


def _derivative() -> Claim:
    """d/dt I_R = -I_R Gdot I_R + P_N Gdot^T (G G^T)^-1 along a run of the RSSR mechanism, compared
    with central differences.
    """
    run, h = (
        kt.simulate(rssr(), 0.6, rtol=1e-10, output_interval=1e-4),
        50,
    )  # samples 5 ms to either side
    system = System(run.compiled)

    def jacobian(row: int) -> np.ndarray:
        system.values(0.0, run.q[row], run.x[row])
        return system.jacobian().copy()

    before, G, after = (jacobian(row) for row in (5000 - h, 5000, 5000 + h))
    step = 2.0 * h * 1e-4
    Gdot, inverse = (after - before) / step, np.linalg.pinv(G)
    measured = (np.linalg.pinv(after) - np.linalg.pinv(before)) / step
    printed = -inverse @ Gdot @ inverse
    whole = printed + (np.eye(G.shape[1]) - inverse @ G) @ Gdot.T @ np.linalg.inv(G @ G.T)
    size = max(float(np.abs(measured).max()), 1e-12)
    errors = [float(np.abs(measured - formula).max()) / size for formula in (printed, whole)]
    return Claim(
        "the printed derivative of the right inverse lacks its part in the null space",
        0.0,
        errors,
        errors[0] > 0.1 and errors[1] <= 2e-2,
        "largest error of -I_R Gdot I_R, and with P_N Gdot^T (G G^T)^-1, over the largest entry; "
        "allowed 2 %, the error of differences over 10 ms (erratum E-9b)",
    )
