"""The run of the tracked vehicle over the bump by hand, in the plane of symmetry of the vehicle.

Both sides do the same, so that nine coordinates suffice: q = (x, z, pitch of the hull; angles of
the six arms of one side). With e(phi) = (cos phi, -sin phi) and the pivots P of the hull,

    wheel_k = (x, z) + R(pitch) P_k + l e(phi_k),     phi_k = pitch + a_k + 180 deg - drop
    M q'' = Q - sum m J^T (J' q')

where arms and forces count twice. A wheel is a disc on a spring along the shortest way to a place
at which it enters neither the ground nor the bump. Shares the data of the model and no code with
the engine; the integrator is SciPy's.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.integrate import solve_ivp

from ....models.tracked_vehicle import (
    ARM,
    BAR,
    BUMP,
    BUMP_AT,
    GRAVITY,
    HEIGHT,
    HULL,
    INERTIA,
    LOAD,
    SEAT,
    SPEED,
    STATIONS,
    STOP,
    STOP_STIFFNESS,
    TORQUE,
    UNIT,
    UNITS,
)

FADE = 0.01  # m: depth within which the damper of a wheel comes in
WHEELS = np.array([(x, ARM.radius - LOAD / ARM.stiffness - HEIGHT) for x in STATIONS])
PIVOTS = WHEELS - ARM.length * np.array([-math.cos(ARM.drop), -math.sin(ARM.drop)])
HAS_UNIT = np.array([k in UNITS for k in range(1, 7)])
SHARE = 0.25 * math.pi * UNIT["bore"] ** 2 * UNIT["lever"] / UNIT["volume"]
REACH = ARM.radius + BUMP  # from the center of the bump to that of a wheel that touches it
FOOT = math.sqrt(REACH**2 - ARM.radius**2)  # along the ground, of a wheel that touches both


def seat_acceleration(times: np.ndarray) -> np.ndarray:
    """Return the vertical acceleration of the seat (m/s^2) at these times."""
    start = np.zeros(18)
    start[1], start[9] = HEIGHT, SPEED
    run = solve_ivp(
        lambda _, y: np.concatenate([y[9:], accelerations(y[:9], y[9:])]),
        (0.0, times[-1]),
        start,
        method="DOP853",
        t_eval=times,
        rtol=1e-9,
        atol=1e-10,
        max_step=5e-3,  # so that no wheel passes the bump within a step
    )
    return np.array([_seat(y) for y in run.y.T])


def _seat(y: np.ndarray) -> float:
    """Return z'' + pitch'' (z component of dR/dpitch d) - pitch'^2 (z component of R d)."""
    q, v = y[:9], y[9:]
    a, (c, s) = accelerations(q, v), (math.cos(q[2]), math.sin(q[2]))
    forward, up = SEAT[1], SEAT[2]
    return a[1] + a[2] * (-c * forward - s * up) - v[2] ** 2 * (-s * forward + c * up)


def accelerations(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    c, s = math.cos(q[2]), math.sin(q[2])
    arm = PIVOTS @ np.array([[c, -s], [s, c]])  # R P
    across = PIVOTS @ np.array([[-s, -c], [c, -s]])  # its derivative by the pitch
    phi, rate = q[2] + q[3:] + math.pi - ARM.drop, v[2] + v[3:]
    along = np.column_stack([np.cos(phi), -np.sin(phi)])
    turned = np.column_stack([-np.sin(phi), -np.cos(phi)])
    hub = q[:2] + arm + ARM.length * along
    hub_rate = v[:2] + v[2] * across + ARM.length * rate[:, None] * turned
    pull = wheel_forces(hub, hub_rate)
    # twice: force on the mass center of each arm, less what its centripetal acceleration needs
    drift = -(v[2] ** 2) * arm - ARM.com * (rate**2)[:, None] * along
    load = -2.0 * ARM.mass * drift
    load[:, 1] -= 2.0 * ARM.mass * GRAVITY
    by_com = np.einsum("ij,ij->i", load, turned) * ARM.com
    by_hub = 2.0 * np.einsum("ij,ij->i", pull, turned) * ARM.length
    Q = np.empty(9)
    Q[:2] = load.sum(0) + 2.0 * pull.sum(0) - [0.0, HULL * GRAVITY]
    Q[2] = ((load + 2.0 * pull) * across).sum() + by_com.sum() + by_hub.sum()
    Q[3:] = by_com + by_hub + 2.0 * torques(q[3:], v[3:])
    return np.linalg.solve(mass_matrix(across, turned), Q)


def mass_matrix(across: np.ndarray, turned: np.ndarray) -> np.ndarray:
    """Return the mass matrix of hull and arms of both sides; columns of J are (1, 0), (0, 1),
    dR/dpitch P + com e', com e'.
    """
    own, m = ARM.com * turned, 2.0 * ARM.mass
    both = across + own
    M = np.zeros((9, 9))
    M[0, 0] = M[1, 1] = HULL + 6.0 * m
    M[:2, 2] = M[2, :2] = m * both.sum(0)
    M[2, 2] = INERTIA[0] + m * (both * both).sum() + 12.0 * ARM.inertia[1]
    M[:2, 3:], M[3:, :2] = m * own.T, m * own
    M[2, 3:] = M[3:, 2] = m * (both * own).sum(1) + 2.0 * ARM.inertia[1]
    M[range(3, 9), range(3, 9)] = m * ARM.com**2 + 2.0 * ARM.inertia[1]
    return M


def torques(a: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Return the torques of hydropneumatic units or torsion bars and of the stops, on one side."""
    gas = TORQUE * (1.0 - SHARE * a) ** -UNIT["exponent"]
    damper = UNIT["limit"] * np.tanh(UNIT["damping"] * rate / UNIT["limit"])
    spring = np.where(HAS_UNIT, gas + damper, TORQUE + BAR * a)
    return -spring - STOP_STIFFNESS * np.maximum(a - STOP, 0.0)


def wheel_forces(hub: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Return the force on each wheel center of one side."""
    way = np.array([nearest(x, z) for x, z in hub]) - hub
    size = np.sqrt((way * way).sum(1))
    n = way / np.where(size > 0.0, size, 1.0)[:, None]
    closing = -(n * rate).sum(1)
    push = ARM.stiffness * size + ARM.damping * np.minimum(size / FADE, 1.0) * closing
    return np.maximum(push, 0.0)[:, None] * n


def nearest(x: float, z: float) -> tuple[float, float]:
    """Return the nearest place at which a wheel with its center at (x, z) enters neither ground nor
    bump.
    """
    u = x - BUMP_AT
    d = math.hypot(u, z)
    if z >= ARM.radius and d >= REACH:
        return x, z
    places = [(BUMP_AT - FOOT, ARM.radius), (BUMP_AT + FOOT, ARM.radius)]
    if abs(u) >= FOOT:
        places.append((x, max(z, ARM.radius)))
    if z * REACH >= ARM.radius * d:
        places.append((BUMP_AT + u * REACH / d, z * REACH / d))
    return min(places, key=lambda p: (p[0] - x) ** 2 + (p[1] - z) ** 2)
