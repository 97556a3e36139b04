"""Suspensions of the car by hand: where its wheels go for a travel of the wheel and of the rack,
from the hard points.

A strut of the front: two lengths of the arm, the length of the tie rod, the strut's axis through
its top (2), the travel: six equations for the six coordinates of the knuckle. The axle behind: a
cylindrical joint between its halves (4) and two travels, for two rotations about the pivots. Shares
the data of the model and no code with the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from ...models.car import FRONT, REAR

Moved = Callable[[np.ndarray], np.ndarray]


class Corner(NamedTuple):
    """A wheel carrier: rotation, positions of its points, heading (rad), and length of its spring
    (m).
    """

    R: np.ndarray
    moved: Moved
    heading: float
    spring: float


def _solved(equations: Callable, unknowns: int) -> np.ndarray:
    x = np.zeros(unknowns)
    for _ in range(8):  # Newton, with differences for the matrix: travels are small
        f = np.array(equations(x))
        x = x - np.linalg.solve(
            np.array([(np.array(equations(x + 1e-7 * e)) - f) / 1e-7 for e in np.eye(unknowns)]).T,
            f,
        )
    return x


def _heading(R: np.ndarray) -> float:
    """Return the angle about z of the axis of the wheel."""
    return float(np.arctan2(-R[0, 1], R[1, 1]))


def _about(pivot: np.ndarray, R: np.ndarray, point: np.ndarray) -> np.ndarray:
    return pivot + R @ (point - pivot)


def front(travel: float, rack: float) -> Corner:
    """Return the left corner in chassis axes; the right one is its mirror image, with the rack
    mirrored too.
    """
    p = {
        name: np.array(getattr(FRONT, name))
        for name in (
            "arm_front",
            "arm_rear",
            "ball",
            "strut_top",
            "strut_low",
            "tie_inner",
            "tie_outer",
            "wheel",
        )
    }
    u = (p["strut_top"] - p["strut_low"]) / np.linalg.norm(p["strut_top"] - p["strut_low"])
    across = np.linalg.svd(u[None, :])[2][1:]
    inner = p["tie_inner"] + [0.0, rack, 0.0]

    def carrier(x: np.ndarray) -> tuple[np.ndarray, Moved]:
        R = Rotation.from_rotvec(x[:3]).as_matrix()
        return R, lambda point: p["wheel"] + x[3:] + R @ (point - p["wheel"])

    def equations(x: np.ndarray) -> list[float]:
        R, moved = carrier(x)
        lengths = [
            np.linalg.norm(moved(p[a]) - b) - np.linalg.norm(p[a] - c)
            for a, b, c in (
                ("ball", p["arm_front"], p["arm_front"]),
                ("ball", p["arm_rear"], p["arm_rear"]),
                ("tie_outer", inner, p["tie_inner"]),
            )
        ]
        return [
            *lengths,
            *((R @ n) @ (p["strut_top"] - moved(p["strut_low"])) for n in across),
            x[5] - travel,
        ]

    R, moved = carrier(_solved(equations, 6))
    return Corner(
        R, moved, _heading(R), float(np.linalg.norm(p["strut_top"] - moved(p["strut_low"])))
    )


def rear(left: float, right: float) -> tuple[list[Corner], float]:
    """Return both corners and the twist of the beam (rad)."""
    mirror = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, 1.0]])
    pivots, wheels, lows, tops = (
        mirror * np.array(getattr(REAR, name))
        for name in ("pivot", "wheel", "spring_low", "spring_top")
    )
    beam, travels = np.array(REAR.beam) * [1.0, 0.0, 1.0], (left, right)

    def halves(x: np.ndarray) -> list[tuple[np.ndarray, Moved]]:
        made: list[tuple[np.ndarray, Moved]] = []
        for k in (0, 1):
            R = Rotation.from_rotvec(x[3 * k : 3 * k + 3]).as_matrix()
            made.append((R, partial(_about, pivots[k], R)))
        return made

    def equations(x: np.ndarray) -> list[float]:
        (R, one), (S, two) = halves(x)
        gap = two(beam) - one(beam)
        return [
            R[:, 0] @ S[:, 1],
            R[:, 2] @ S[:, 1],
            R[:, 0] @ gap,
            R[:, 2] @ gap,
            *(
                moved(wheels[k])[2] - wheels[k][2] - travels[k]
                for k, (_, moved) in enumerate(((R, one), (S, two)))
            ),
        ]

    made = halves(_solved(equations, 6))
    (R, _), (S, _) = made
    corners = [
        Corner(Q, moved, _heading(Q), float(np.linalg.norm(tops[k] - moved(lows[k]))))
        for k, (Q, moved) in enumerate(made)
    ]
    return corners, float(np.arctan2(R[:, 2] @ S[:, 0], R[:, 0] @ S[:, 0]))
