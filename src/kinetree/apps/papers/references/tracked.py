"""The tracked vehicle at rest by hand: its energy in eighteen coordinates, the minimum of this
energy, and small motions about it.

    q = (x, y, z, yaw, pitch, roll of the hull; angles of the arms)
    K = V_qq,   M = sum m J^T J + W^T I W,   w^2 = eig(M^-1 K)

Shares the data of the model and no code with the engine. Gradients are computed by complex steps,
which have no rounding errors of differences.
"""

from __future__ import annotations

import math

import numpy as np

from ....models.tracked_vehicle import (
    ARM,
    BAR,
    GRAVITY,
    HALF_GAUGE,
    HEIGHT,
    HULL,
    INERTIA,
    LOAD,
    STATIONS,
    TORQUE,
    UNIT,
    UNITS,
)

Y = np.array([0.0, 1.0, 0.0])
WHEELS = np.array(
    [
        (x, y, ARM.radius - LOAD / ARM.stiffness - HEIGHT)
        for y in (HALF_GAUGE, -HALF_GAUGE)
        for x in STATIONS
    ]
)
HAS_UNIT = np.array([k in UNITS for _ in "LR" for k in range(1, 7)])
SHARE = 0.25 * math.pi * UNIT["bore"] ** 2 * UNIT["lever"] / UNIT["volume"]
HULL_INERTIA = np.diag([INERTIA[1], INERTIA[0], INERTIA[2]])  # about x forward, y left, z


def turns(q: np.ndarray) -> list[np.ndarray]:
    """Return the rotations by yaw; yaw and pitch; yaw, pitch and roll."""
    (cy, cp, cr), (sy, sp, sr) = np.cos(q[3:6]), np.sin(q[3:6])
    yaw = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    pitch, roll = (
        np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]]),
        np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]]),
    )
    return [yaw, yaw @ pitch, yaw @ pitch @ roll]


def points(q: np.ndarray, reach: float) -> np.ndarray:
    """Return points of the arms at this distance from their pivots in world axes, (12, 3)."""
    angle = (
        q[6:] + math.pi - ARM.drop
    )  # about y: the arm hangs back and down, and jounce lifts its end
    along = np.stack([np.cos(angle), 0.0 * angle, -np.sin(angle)], axis=1)
    pivots = WHEELS - ARM.length * ARM.direction
    return q[:3] + (pivots + reach * along) @ turns(q)[2].T


def energy(q: np.ndarray) -> complex:
    """Return the energy of gravity, suspensions and wheels; all wheels touch the ground."""
    a = q[6:]
    gas = (
        TORQUE
        / SHARE
        * ((1.0 - SHARE * a) ** (1.0 - UNIT["exponent"]) - 1.0)
        / (UNIT["exponent"] - 1.0)
    )
    bars = TORQUE * a + 0.5 * BAR * a * a
    depth = ARM.radius - points(q, ARM.length)[:, 2]
    weight = GRAVITY * (HULL * q[2] + ARM.mass * points(q, ARM.com)[:, 2].sum())
    return (
        weight + np.where(HAS_UNIT, gas, bars).sum() + 0.5 * ARM.stiffness * (depth * depth).sum()
    )


def derivative(f, q: np.ndarray) -> np.ndarray:
    """Return the derivative by complex steps, along the last axis."""
    return np.stack([np.imag(f(q + 1e-30j * e)) / 1e-30 for e in np.eye(len(q))], axis=-1)


def stiffness(q: np.ndarray) -> np.ndarray:
    """Return central differences of the gradient; their error is 1e-9 of its size."""
    h = 1e-5
    K = np.array(
        [
            (derivative(energy, q + h * e) - derivative(energy, q - h * e)) / (2.0 * h)
            for e in np.eye(len(q))
        ]
    )
    return 0.5 * (K + K.T)


def equilibrium() -> np.ndarray:
    """Return the equilibrium by Newton's method; x, y and yaw, along which no force acts, do not
    change.
    """
    q = np.zeros(18)
    q[2] = HEIGHT
    for _ in range(20):
        q = q - np.linalg.lstsq(stiffness(q), derivative(energy, q), rcond=1e-9)[0]
    return q


def wheel_loads(q: np.ndarray) -> np.ndarray:
    """Return the loads (N): left side from front to rear, then right side."""
    return ARM.stiffness * (ARM.radius - points(q, ARM.length)[:, 2])


def frequencies(q: np.ndarray) -> np.ndarray:
    """Return the undamped frequencies (Hz) in rising order; the first three belong to x, y and yaw."""
    R_yaw, R_pitch, R = turns(q)
    spin = np.zeros((3, 18))
    spin[:, 3:6] = R.T @ np.column_stack(
        [[0.0, 0.0, 1.0], R_yaw @ Y, R_pitch @ [1.0, 0.0, 0.0]]
    )  # in hull axes
    M = spin.T @ HULL_INERTIA @ spin
    M[:3, :3] += HULL * np.eye(3)
    J = derivative(lambda p: points(p, ARM.com), q)
    for k in range(12):
        own = spin.copy()
        own[:, 6 + k] += Y
        c, s = math.cos(q[6 + k]), math.sin(q[6 + k])
        turned = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
        M += ARM.mass * J[k].T @ J[k] + own.T @ turned @ np.diag(ARM.inertia) @ turned.T @ own
    values = np.linalg.eigvals(np.linalg.solve(M, stiffness(q))).real
    return np.sqrt(np.sort(np.abs(values))) / (2.0 * math.pi)
