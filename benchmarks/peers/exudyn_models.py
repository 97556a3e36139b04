"""Three closed-loop mechanisms in Exudyn, set up for the least time at a given error: RSSR,
Andrews, four-bar.

What was found fastest and is used here:
* bodies hinged to the ground are one-coordinate `RotationalMass1D`, which saves the constraints of
  their hinges;
* couplers: Euler-parameter rigid body (RSSR), planar body with its node in the centre of mass,
  hence a constant mass
  matrix (Andrews), link of a two-link `KinematicTree` (four-bar: the parallelogram branch is linear
  in joint angles, which makes the error 20 times smaller than with the planar body);
* a new Jacobian in every step (2 to 2.5 Newton iterations, against 6 when it is kept over many
  steps), and for RSSR and
  four-bar a tolerance so loose that one iteration is done;
* trapezoidal rule with index-2 constraints, half the error of generalised-alpha; the four-bar,
  singular when its links
  are horizontal, gets through reliably only with some dissipation: generalised-alpha, spectral
  radius 0.95.
Exudyn's explicit solvers (DOPRI5 with step control) refuse algebraic constraints, so the steps are
of fixed size.
"""

from collections.abc import Callable
from math import inf, pi

import numpy as np

from search import Search

from . import references
from .exudyn_system import ALPHA, Mechanism, System, exu, solver
from .references import (
    A3,
    CRANK,
    FRAME1,
    FRAME3,
    PIVOT_B,
    RR,
    SPRING_POINT,
    START1,
    START3,
    G,
    arm,
    turn,
)


def rssr() -> Mechanism:
    """Result: centres of body 1 and body 3 at 2 s."""
    s = System(gravity=(0.0, 0.0, -G))
    cranks = [
        s.hinged(CRANK**2 / 3, START1, frame=FRAME1),
        s.hinged(CRANK**2 / 3, START3, A3, FRAME3),
    ]
    tip1, tip3 = arm(FRAME1, START1), A3 + arm(FRAME3, START3)
    length = np.linalg.norm(tip3 - tip1)
    x = (tip3 - tip1) / length
    y = np.cross((0.0, 0.0, 1.0), x) / np.hypot(x[0], x[1])
    inertia = (1e-4, length**2 / 12, length**2 / 12)
    coupler = s.spatial(1.0, inertia, (tip1 + tip3) / 2, np.column_stack((x, y, np.cross(x, y))))
    centres = tuple(crank(CRANK / 2, 0.0, 0.0) for crank in cranks)
    for crank, centre, end in zip(cranks, centres, (-length / 2, length / 2)):
        s.push(centre, s.gravity)
        s.ball(crank(CRANK, 0.0, 0.0), coupler(end, 0.0, 0.0))
    return s.finish(solver(2.0, newton=1e-4), centres, axes=(0, 1, 2))


# Andrews: cranks 1, 3, 5, 7 on O, B, A, A; couplers 2, 4, 6 meet crank 3 in the point E
A, C = np.array([[-0.06934, -0.00227, 0.0], [0.014, 0.072, 0.0]])
BETA, GAMMA, DELTA, EPSILON = (
    -0.06171389001427645,
    0.4552798191630704,
    0.48736497954384255,
    1.2305474445498212,
)
PHI = 0.22266839016588588


def andrews() -> Mechanism:
    """Result: crank tip F and spring point D at 0.03 s."""
    s, z = System(), 0.0
    k1 = s.hinged(2.194e-6 + 0.04325 * 0.00092**2, BETA, torque=0.033)
    k3 = s.hinged(5.255e-6 + 0.02373 * (0.01874**2 + 0.01043**2), GAMMA, PIVOT_B)
    k5 = s.hinged(1.169e-5 + 0.07050 * (0.02308**2 + 0.00916**2), DELTA, A)
    k7 = s.hinged(1.912e-5 + 0.05498 * (0.01228**2 + 0.00449**2), EPSILON, A)
    f, h, g = (
        turn(BETA) @ (RR, z, z),
        A + turn(DELTA) @ (0.04, z, z),
        A + turn(EPSILON) @ (z, -0.04, z),
    )
    k2 = s.planar(0.00365, 4.410e-7, f, BETA, com=(-0.0115, z, z))
    k4 = s.planar(0.00706, 5.667e-7, h, PHI + DELTA, com=(z, 0.01421 - 0.02, z))
    k6 = s.planar(0.00706, 5.667e-7, g, EPSILON - PHI, com=(0.02 - 0.01421, z, z))
    for crank, point in ((k1(RR, z, z), k2), (k5(0.04, z, z), k4), (k7(z, -0.04, z), k6)):
        s.pin(crank, point(z, z, z))
    e = k3(z, -0.035, z)
    for coupler in (k2(-0.028, z, z), k4(z, -0.02, z), k6(0.02, z, z)):
        s.pin(e, coupler)
    d = k3(*SPRING_POINT)
    s.spring(s.ground()(*C), d, stiffness=4530.0, length=0.07785)
    return s.finish(solver(0.03, newton=1e-9), (k1(RR, z, z), d))


def four_bar(windows: int = 2) -> Mechanism:
    """Links of 1 m and 1 kg, released upright with 1 m/s. Result: tip B0 of the first vertical link
    at 10 s.
    """
    s = System(gravity=(0.0, -G, 0.0))
    pairs = [s.double_rod((i, 0.0, 0.0), (pi / 2, -pi / 2), (-1.0, 1.0)) for i in range(windows)]
    last = s.hinged(1 / 3, pi / 2, (windows, 0.0, 0.0), rate=-1.0)
    s.push(last(0.5, 0.0, 0.0), s.gravity)
    tips = [link(1.0, 0.0, 0.0) for link in (*(vertical for vertical, _ in pairs), last)]
    for (_, horizontal), tip in zip(pairs, tips[1:]):
        s.pin(horizontal(1.0, 0.0, 0.0), tip)
    return s.finish(solver(10.0, newton=1e-4, kind=ALPHA), (tips[0],))


MOST_STEPS = 400_000
TIGHTER = 4  # further numbers of steps that must pass, too

CASES: dict[str, tuple[Callable[[], Mechanism], Callable[[], np.ndarray]]] = {
    "rssr": (rssr, references.rssr),
    "andrews": (andrews, references.andrews),
    "four-bar": (four_bar, references.four_bar),
}


def build(case: str) -> Mechanism:
    """The assembled mechanism of a case, ready to `run(steps)`."""
    return CASES[case][0]()


def reference(case: str) -> np.ndarray:
    """The result vector of a case, independent of Exudyn."""
    return CASES[case][1]()


def relative_error(mechanism: Mechanism, reference: np.ndarray, steps: int) -> float:
    """Largest deviation over largest component of the reference; infinite when the solver gives up."""
    try:
        return np.abs(mechanism.run(steps)[1] - reference).max() / np.abs(reference).max()
    except exu.SolverError:
        return inf


def search(
    mechanism: Mechanism, reference: np.ndarray, start: int = 20, factor: float = 1.05
) -> Search:
    """Looks for the fewest steps."""
    return Search(
        lambda steps: relative_error(mechanism, reference, int(steps)),
        start,
        factor,
        MOST_STEPS,
        TIGHTER,
    )
