"""The lane change by hand: a car of nine degrees of freedom, linear about straight motion at a
speed V, by SciPy.

    q = (y, z, roll, pitch, yaw of the chassis; travels of four wheels)
    w = (v, zdot, p, pitch rate, r; rates of the travels)
    M (w' + V r e_y) = -K q - C w - G w + sum of J_i^T F_i,     F_i = C_a (heading_i - J_i w / V)

The axes move with the car. M comes from the masses at their positions, K from the energy of
gravity, springs and tyres, J_i from the contact point of wheel i, G from the spins of the wheels;
headings and positions of the wheels come from the suspensions by hand. Shares no code with the
engine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from scipy.integrate import solve_ivp

from ....models.car import (
    CENTRE,
    CHASSIS,
    CORNERING,
    FRONT,
    GRAVITY,
    LOADS,
    RACK,
    RACK_AT,
    REAR,
    SPEED,
    TYRE,
    WHEEL,
)
from ..lane_change_suspensions import Corner, front, rear

STEP = 1e-3  # m, of the differences along a travel
MIRROR = np.array([1.0, -1.0, 1.0])
ORIGIN = np.array(
    CENTRE
)  # of the coordinates: the mass center of the chassis, in the axes of the drawing
GROUND = TYRE["radius"] - 0.5 * sum(LOADS) / TYRE["stiffness"]  # m, height of the drawing's origin
SPIN = WHEEL.inertia[1] * SPEED / TYRE["rolling_radius"]  # N m s


class Part:
    """A rigid part: mass, inertia in chassis axes, position, and the derivatives of position and
    rotation by the nine coordinates.
    """

    def __init__(
        self,
        mass: float,
        inertia,
        at: np.ndarray,
        along: dict[int, tuple[np.ndarray, np.ndarray]] | None = None,
    ) -> None:
        self.mass, self.inertia, r = (
            mass,
            np.diag(inertia) if np.ndim(inertia) == 1 else np.asarray(inertia),
            at - ORIGIN,
        )
        self.J, self.W = np.zeros((3, 9)), np.zeros((3, 9))
        self.J[1, 0] = self.J[2, 1] = 1.0
        for k in range(3):
            axis = np.eye(3)[k]
            self.J[:, 2 + k], self.W[:, 2 + k] = np.cross(axis, r), axis
        for k, (shift, turn) in (along or {}).items():
            self.J[:, 5 + k], self.W[:, 5 + k] = shift, turn

    def mass_matrix(self) -> np.ndarray:
        return self.mass * self.J.T @ self.J + self.W.T @ self.inertia @ self.W


def _turn(R: np.ndarray) -> np.ndarray:
    """Return a small rotation as a vector."""
    return 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])


def _motion(plus: Corner, minus: Corner, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the changes of position and rotation along a wheel travel, by central differences."""
    return (plus.moved(point) - minus.moved(point)) / (2.0 * STEP), (
        _turn(plus.R) - _turn(minus.R)
    ) / (2.0 * STEP)


def _flipped(motion: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    return motion[0] * MIRROR, -motion[1] * MIRROR


@cache
def system() -> dict[str, np.ndarray]:
    """Return M, K, C, G, and for the wheels FL, FR, RL, RR the Jacobians J and the headings over
    the travels.
    """
    parts, wheels, headings = (
        [
            Part(CHASSIS.mass, CHASSIS.inertia, ORIGIN),
            Part(RACK.mass, RACK.inertia, np.array(RACK_AT)),
        ],
        [],
        np.zeros((4, 9)),
    )
    plus, minus = front(STEP, 0.0), front(-STEP, 0.0)
    u = np.array(FRONT.strut_top) - FRONT.strut_low
    u /= np.linalg.norm(u)
    for k, flip in ((0, False), (1, True)):

        def place(point, flip=flip):
            return np.array(point) * MIRROR if flip else np.array(point)

        def moving(point, k=k, flip=flip, share=1.0):
            shift, turn = _motion(plus, minus, np.array(point))
            return {k: _flipped((share * shift, turn)) if flip else (share * shift, turn)}

        tube = np.array(FRONT.strut_low) + FRONT.tube_up * u
        for part, point in ((FRONT.knuckle, FRONT.knuckle_centre), (WHEEL, FRONT.wheel)):
            parts.append(Part(part.mass, part.inertia, place(point), moving(point)))
        parts.append(Part(FRONT.tube.mass, FRONT.tube.inertia(place(u)), place(tube), moving(tube)))
        parts.append(
            Part(
                FRONT.arm.mass,
                FRONT.arm.inertia,
                place(FRONT.arm_centre),
                moving(FRONT.ball, share=0.5),
            )
        )
        parts.append(
            Part(
                FRONT.rod.mass,
                FRONT.rod.inertia(place(u)),
                place(np.array(FRONT.strut_top) - FRONT.rod_down * u),
            )
        )
        parts.append(
            Part(
                FRONT.tie.mass,
                (0.0, 0.0, 0.0),
                place(FRONT.tie_outer),
                moving(FRONT.tie_outer, share=0.5),
            )
        )
        wheels.append(_contact(place(FRONT.wheel), moving(FRONT.wheel)))
        headings[k, 5 + k] = (plus.heading - minus.heading) / (2.0 * STEP) * (-1.0 if flip else 1.0)
    stencil = {
        (k, s): rear(*(s * STEP * e for e in np.eye(2)[k])) for k in (0, 1) for s in (1.0, -1.0)
    }
    for half in (0, 1):

        def at(point, half=half):
            return np.array(point) * (MIRROR if half else 1.0)

        def moving_rear(point, half=half):
            return {
                2 + k: _motion(stencil[k, 1.0][0][half], stencil[k, -1.0][0][half], point)
                for k in (0, 1)
            }

        parts.append(
            Part(REAR.half.mass, REAR.half.inertia, at(REAR.centre), moving_rear(at(REAR.centre)))
        )
        parts.append(Part(WHEEL.mass, WHEEL.inertia, at(REAR.wheel), moving_rear(at(REAR.wheel))))
        wheels.append(_contact(at(REAR.wheel), moving_rear(at(REAR.wheel))))
        for k in (0, 1):
            headings[2 + half, 7 + k] = (
                stencil[k, 1.0][0][half].heading - stencil[k, -1.0][0][half].heading
            ) / (2.0 * STEP)
    J, vertical, turns = (np.array([w[i] for w in wheels]) for i in range(3))
    K, C = _stiffness(parts, vertical, stencil)
    H = SPIN * sum(
        np.outer(W[0], W[2]) - np.outer(W[2], W[0]) for W in turns
    )  # torque (r, 0, -p) of a spin along y
    return {
        "M": sum(part.mass_matrix() for part in parts),
        "K": K,
        "C": C,
        "G": -H,
        "J": J,
        "headings": headings,
    }


def _contact(wheel: np.ndarray, along: dict) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the rows of the lateral velocity of the contact point, of the vertical velocity of the
    wheel, and of its angular velocity.
    """
    down = np.array([0.0, 0.0, -(GROUND + wheel[2])])
    part = Part(0.0, (0.0, 0.0, 0.0), wheel, along)
    lateral = part.J[1] + np.cross(part.W.T, down)[:, 1]
    return lateral, part.J[2], part.W


def _stiffness(
    parts: list[Part], vertical: np.ndarray, stencil: dict
) -> tuple[np.ndarray, np.ndarray]:
    """Return K = sum k l_q l_q^T + sum of forces times second derivatives, and C of the dampers."""
    K, C = np.zeros((9, 9)), np.zeros((9, 9))
    centre = front(0.0, 0.0)
    ends = [front(s * STEP, 0.0) for s in (1.0, -1.0)]
    loads = (LOADS[0], LOADS[0], LOADS[1], LOADS[1])
    for k in (0, 1):
        _spring(
            K,
            C,
            FRONT.strut,
            {(5 + k,): _first(ends[0].spring, ends[1].spring)},
            {(5 + k, 5 + k): (ends[0].spring - 2.0 * centre.spring + ends[1].spring) / STEP**2},
        )
    rest = rear(0.0, 0.0)
    both = {s: rear(s * STEP, s * STEP) for s in (1.0, -1.0)}
    for half in (0, 1):

        def length(corners, half=half) -> float:
            return corners[0][half].spring

        slopes = {
            (7 + k,): _first(length(stencil[k, 1.0]), length(stencil[k, -1.0])) for k in (0, 1)
        }
        own = [
            (length(stencil[k, 1.0]) - 2.0 * length(rest) + length(stencil[k, -1.0])) / STEP**2
            for k in (0, 1)
        ]
        total = (length(both[1.0]) - 2.0 * length(rest) + length(both[-1.0])) / STEP**2
        _spring(
            K,
            C,
            REAR.strut,
            slopes,
            {(7, 7): own[0], (8, 8): own[1], (7, 8): 0.5 * (total - sum(own))},
        )
    twist = np.zeros(9)
    twist[7:] = [_first(stencil[k, 1.0][1], stencil[k, -1.0][1]) for k in (0, 1)]
    K += REAR.twist * np.outer(twist, twist)
    for row in vertical:
        K += TYRE["stiffness"] * np.outer(row, row)
        C += TYRE["damping"] * np.outer(row, row)
    _tilt(K, parts, loads)
    return K, C


def _first(plus: float, minus: float) -> float:
    return (plus - minus) / (2.0 * STEP)


def _spring(K: np.ndarray, C: np.ndarray, strut, slopes: dict, curves: dict) -> None:
    """Return the stiffness of the energy k (l - l0)^2 / 2 with a preload at rest: k l_q l_q - F
    l_qq.
    """
    row = np.zeros(9)
    for (k,), value in slopes.items():
        row[k] = value
    K += strut.stiffness * np.outer(row, row)
    C += strut.damping * np.outer(row, row)
    for (a, b), value in curves.items():
        K[a, b] -= strut.preload * value
        if a != b:
            K[b, a] -= strut.preload * value


def _tilt(K: np.ndarray, parts: list[Part], loads) -> None:
    """Return the stiffness of weights and wheel loads under roll and pitch: second derivatives of
    heights such as z cos(roll).
    """
    for part in parts:
        height = part.J[0, 3]  # above the center: what x gains by pitching
        for k in (2, 3):
            K[k, k] -= part.mass * GRAVITY * height
        for k in range(5, 9):
            shift = part.J[:, k]
            K[2, k] += part.mass * GRAVITY * shift[1]
            K[k, 2] += part.mass * GRAVITY * shift[1]
            K[3, k] -= part.mass * GRAVITY * shift[0]
            K[k, 3] -= part.mass * GRAVITY * shift[0]
    places = [
        np.array(FRONT.wheel),
        np.array(FRONT.wheel) * MIRROR,
        np.array(REAR.wheel),
        np.array(REAR.wheel) * MIRROR,
    ]
    for place, load, row in zip(places, loads, _wheel_rows()):
        height = place[2] - ORIGIN[2]
        for k in (2, 3):
            K[k, k] += load * height
        for k in range(5, 9):
            K[2, k] -= load * row[1, k]
            K[k, 2] -= load * row[1, k]
            K[3, k] += load * row[0, k]
            K[k, 3] += load * row[0, k]


@cache
def _wheel_rows() -> list[np.ndarray]:
    plus, minus = front(STEP, 0.0), front(-STEP, 0.0)
    rows = []
    for k in (0, 1):
        shift, turn = _motion(plus, minus, np.array(FRONT.wheel))
        place = np.array(FRONT.wheel) * (MIRROR if k else 1.0)
        rows.append(Part(0.0, (0, 0, 0), place, {k: (shift * (MIRROR if k else 1.0), turn)}).J)
    for half in (0, 1):
        place = np.array(REAR.wheel) * (MIRROR if half else 1.0)
        ends = {k: [rear(*(s * STEP * np.eye(2)[k]))[0][half] for s in (1.0, -1.0)] for k in (0, 1)}
        along = {2 + k: _motion(ends[k][0], ends[k][1], place) for k in (0, 1)}
        rows.append(Part(0.0, (0, 0, 0), place, along).J)
    return rows


@cache
def _headings_of_rack() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the headings of the front wheels over the displacement of the rack."""
    travel = np.linspace(-0.012, 0.012, 13)
    left = np.array([front(0.0, s).heading for s in travel])
    right = np.array([-front(0.0, -s).heading for s in travel])
    return travel, left, right


def histories(t: np.ndarray, rack: Callable[[float], float]) -> dict[str, np.ndarray]:
    """Return yaw rate, roll rate, lateral acceleration and displacement at the times t, from
    straight motion at t[0].
    """
    s = system()
    inverse = np.linalg.inv(s["M"])
    travel, left, right = _headings_of_rack()

    def rates(time: float, x: np.ndarray) -> np.ndarray:
        q, w = x[:9], x[9:18]
        heading = s["headings"] @ q
        heading[0] += np.interp(rack(time), travel, left)
        heading[1] += np.interp(rack(time), travel, right)
        push = s["J"].T @ (CORNERING * (heading - s["J"] @ w / SPEED))
        turning = inverse @ (push - s["K"] @ q - (s["C"] + s["G"]) @ w)
        turning[0] -= SPEED * w[4]
        path = SPEED * np.sin(q[4]) + w[0] * np.cos(q[4])
        return np.concatenate([w, turning, [path]])

    run = solve_ivp(
        rates,
        (t[0], t[-1]),
        np.zeros(19),
        method="LSODA",
        rtol=1e-8,
        atol=1e-10,
        t_eval=t,
        max_step=0.05,
    )
    change = np.array([rates(time, x) for time, x in zip(run.t, run.y.T)])
    return {
        "yaw rate": run.y[13],
        "roll rate": run.y[11],
        "lateral acceleration": change[:, 9] + SPEED * run.y[13],
        "lateral displacement": run.y[18],
    }
