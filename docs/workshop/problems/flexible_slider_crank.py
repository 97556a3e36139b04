"""Slider-crank with a flexible connecting rod (Simeon 1996; Test Set for IVP Solvers 2.4, problem
"crank").

The crank turns at 150 rad/s. The rod has two sine shapes across and one quadratic element along it,
of linear elasticity, without damping and gravity; its frame has the axis through both pins. SI units.
`equations` are those of the test set; its mass of the element along the rod is 15 times the
consistent one, which is kept here. The published start has nine digits.
"""

from __future__ import annotations

from functools import cache

import numpy as np

import kinetree as kt
from kinetree.description.reduced.reduced_part import ReducedPart

CRANK, ROD, SPEED = 0.15, 0.30, 150.0
CRANK_MASS, ROD_MASS, BLOCK_MASS = 0.36, 0.151104, 0.075552
CRANK_INERTIA, ROD_INERTIA = 0.002727, 0.0045339259  # about the first pin of each
SIDE, E, PI = 0.008, 0.2e12, 3.1415927
START = np.array([0, 0, 0.103339863e-4, 0.169327969e-4])  # q1 .. q4, m
START_RATE = np.array([0.444896105, 0.463434311e-2, -0.178591076e-5, -0.268938672e-5])
ROD_RATE = -74.9957670
UNTIL = 0.1
END = {
    "angle of the rod": -3.311734987910881e-1,
    "position of the block": 1.697373326718410e-1,
    "q1": 1.893192460247178e-4,
    "q2": 2.375751865617931e-5,
    "q3": -5.323907988763734e-6,
    "q4": -8.363283141616840e-6,
}
END_RATE = 6.025346682645789e1  # of the rod, rad/s

# Integrals over the mass of the shapes: along (x) q3 and q4, across (y) q1 and q2.
ALONG = ROD_MASS * np.array([0, 0, 2 / 3, 1 / 6])
ACROSS = ROD_MASS * np.array([2 / PI, 0, 0, 0])
X_ALONG = ROD_MASS * ROD * np.array([0, 0, 1 / 3, 1 / 6])
X_ACROSS = ROD_MASS * ROD * np.array([1 / PI, -0.5 / PI, 0, 0])
M = ROD_MASS * np.array([[0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 8, 1], [0, 0, 1, 2]])
_BEND = PI**4 * (SIDE / ROD) ** 2
K = (
    E
    * SIDE**2
    / ROD
    * np.array(
        [
            [_BEND / 24, 0, 0, 0],
            [0, _BEND / 1.5, 0, 0],
            [0, 0, 16 / 3, -8 / 3],
            [0, 0, -8 / 3, 7 / 3],
        ]
    )
)
XY = np.zeros((4, 4))  # int phi_lx phi_ky
XY[2, 0], XY[3, 0], XY[3, 1] = 16 / PI**3, 1 / PI - 8 / PI**3, -0.5 / PI
XY *= ROD_MASS


@cache
def modes() -> tuple[np.ndarray, np.ndarray]:
    """Squares of the frequencies (rad/s) and V with V^T M V = 1 and V^T K V diagonal."""
    root = np.linalg.inv(np.linalg.cholesky(M)).T
    squares, Q = np.linalg.eigh(root.T @ K @ root)
    return squares, root @ Q


def part() -> ReducedPart:
    """The rod without terms of second order, with the pins "big" and "small"."""
    squares, V = modes()
    a, A0, A = np.zeros((3, 4)), np.zeros((3, 3, 4)), np.zeros((3, 3, 4, 4))
    a[0], a[1], A0[0, 0], A0[0, 1] = ALONG, ACROSS, X_ALONG, X_ACROSS
    A[0, 0, 2:, 2:], A[1, 1, :2, :2], A[0, 1], A[1, 0] = M[2:, 2:], M[:2, :2], XY, XY.T
    P = np.zeros((2, 3, 4))
    P[1, 0, 3] = 1.0
    return ReducedPart(
        name="rod",
        markers=("big", "small"),
        frame="big",
        origin=np.zeros(3),
        axes=np.eye(3),
        positions=np.array([[0, 0, 0], [ROD, 0, 0]]),
        rotations=np.array([np.eye(3), np.eye(3)]),
        P=P @ V,
        Theta=np.zeros((2, 3, 4)),  # nothing hangs on the rotation of a pin
        mass=ROD_MASS,
        S0=np.array([0.5 * ROD * ROD_MASS, 0, 0]),
        A00=np.diag([ROD_INERTIA, 0, 0]),
        a=a @ V,
        A0=A0 @ V,
        A=V.T @ A @ V,
        K=squares,
        Z=np.zeros(4),
        frequencies=np.sqrt(squares) / (2 * np.pi),
        E=np.zeros((16, 3, 3)),
        E_marker=np.zeros((2, 6, 3, 3)),
    )


def slider_crank() -> kt.Model:
    own = modes()[1].T @ M / np.sqrt(ROD_MASS)
    start = {f"mode{k + 1}": float(x) for k, x in enumerate(own @ START)}
    speed = {f"mode{k + 1}": float(x) for k, x in enumerate(own @ START_RATE)}
    m = kt.Model("slider-crank", gravity=(0, 0, 0))
    crank = m.body("crank", kt.MassProperties(CRANK_MASS, np.eye(3) * CRANK_INERTIA))
    rod = m.flexible("rod", part(), position=(CRANK, 0, 0), start=start, speed=speed)
    place = (CRANK + ROD + START[3], 0, 0)
    block = m.body("block", kt.sphere(mass=BLOCK_MASS, radius=0.01), position=place)
    m.joint("A", kt.Revolute(axis="z"), m.ground, crank, speed={"angle": SPEED})
    m.joint(
        "B",
        kt.Revolute(axis="z"),
        crank.at(CRANK, 0, 0),
        rod.at("big"),
        speed={"angle": ROD_RATE - SPEED},
    )
    m.joint("slide", kt.Translational(axis="x"), m.ground, block)
    m.joint("C", kt.Cylindrical(axis="z"), rod.at("small"), block)
    m.constraint("drive", kt.Driver("A.angle", kt.Ramp(slope=SPEED)))
    return m


def shapes(sol) -> np.ndarray:
    """q1 .. q4 (m) of the test set over the samples of a run."""
    own = [sol[f"rod.mode{k}"] for k in range(1, 5)]
    return np.sqrt(ROD_MASS) * np.transpose(modes()[1] @ own)


def state(sol) -> np.ndarray:
    """Angle of the rod, position of the block and q1 .. q4 over the samples, as `END` has them."""
    block = sol["block.position"][:, 0]
    return np.column_stack([sol["A.angle"] + sol["B.angle"], block, shapes(sol)])


def equations(x: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Accelerations of phi1, phi2, x3, q1 .. q4 by the equations of the test set.

    [ M  G^T ] [ a      ]   [ f      ]
    [ G   0  ] [ lambda ] = [ -gamma ]
    """
    q, rate, (w1, w2) = x[3:], v[3:], v[:2]
    c, s = np.cos(x[0] - x[1]), np.sin(x[0] - x[1])
    along, across = ALONG @ q, ACROSS @ q
    B = XY - XY.T
    A = np.zeros((10, 10))
    A[0, 0] = CRANK_INERTIA + ROD_MASS * CRANK**2
    A[0, 1] = CRANK * (0.5 * ROD * ROD_MASS * c + s * across + c * along)
    A[1, 1] = ROD_INERTIA + q @ M @ q + 2 * X_ALONG @ q
    A[2, 2], A[3:7, 3:7] = BLOCK_MASS, M
    A[0, 3:7] = CRANK * (c * ACROSS - s * ALONG)
    A[1, 3:7] = X_ACROSS + q @ B
    length, (c1, c2), (s1, s2) = ROD + q[3], np.cos(x[:2]), np.sin(x[:2])
    A[0, 7:], A[1, 7:] = (CRANK * c1, CRANK * s1, 1), (length * c2, length * s2, 0)
    A[2, 7:], A[6, 7:] = (0, 1, 0), (s2, -c2, 0)
    A = np.triu(A) + np.triu(A, 1).T
    f = np.zeros(10)
    heavy = 0.5 * ROD * ROD_MASS
    f[0] = CRANK * w2 * (w2 * (c * across - s * along - heavy * s))
    f[0] -= 2 * CRANK * w2 * (c * ALONG + s * ACROSS) @ rate
    f[1] = CRANK * w1**2 * (heavy * s + s * along - c * across)
    f[1] -= 2 * w2 * (X_ALONG @ rate + rate @ M @ q) + rate @ B @ rate
    f[3:7] = w2**2 * (M @ q + X_ALONG) + CRANK * w1**2 * (c * ALONG + s * ACROSS)
    f[3:7] += 2 * w2 * B @ rate - K @ q
    f[7] = CRANK * s1 * w1**2 + length * s2 * w2**2 - 2 * w2 * c2 * rate[3]
    f[8] = -CRANK * c1 * w1**2 - length * c2 * w2**2 - 2 * w2 * s2 * rate[3]
    return np.linalg.solve(A, f)[:7]


def published(t: np.ndarray) -> np.ndarray:
    """`state` over the times t by the published equations, integrated by SciPy.

    The constraint gives the rate of the rod at the start; nine digits would let it drift.
    """
    from scipy.integrate import solve_ivp

    x = [0.0, 0.0, CRANK + ROD + START[3], *START]
    v = [SPEED, -CRANK * SPEED / (ROD + START[3]), START_RATE[3], *START_RATE]
    found = solve_ivp(
        lambda _, y: np.concatenate([y[7:], equations(y[:7], y[7:])]),
        (0.0, UNTIL),
        np.concatenate([x, v]),
        method="DOP853",
        rtol=1e-11,
        atol=1e-14,
        t_eval=t,
    )
    return found.y[1:7].T
