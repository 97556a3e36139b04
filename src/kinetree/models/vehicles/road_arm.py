"""A road-arm station of a tracked vehicle: a trailing arm on the hull with a road wheel at its end."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

import kinetree as kt


@dataclass(frozen=True)
class RoadArm:
    """Trailing arm and wheel, SI units; the angle of its pivot is 0 as drawn and increases in
    jounce.
    """

    length: float  # from the pivot to the wheel center
    drop: float  # rad below the horizontal, as drawn
    mass: float  # of arm and wheel
    com: float  # distance of their mass center from the pivot
    inertia: tuple[float, float, float]  # about x, y, z at that center
    radius: float
    stiffness: float
    damping: float = 0.0
    width: float = 0.35  # as drawn

    def pivot(self, wheel) -> np.ndarray:
        """Position of the pivot, for a wheel center in world axes."""
        return np.asarray(wheel, float) - self.length * self.direction

    @property
    def direction(self) -> np.ndarray:
        """Direction from the pivot to the wheel: backward and down."""
        return np.array([-math.cos(self.drop), 0.0, -math.sin(self.drop)])

    def static_torque(self, load: float, gravity: float = 9.81) -> float:
        """Torque (N m) about the pivot that carries a ground load (N), less that of the weight of
        the arm.
        """
        return (load * self.length - self.mass * gravity * self.com) * math.cos(self.drop)


def add_road_arm(
    m: kt.Model, hull, name: str, wheel, arm: RoadArm, road: kt.Road | None = None, *, velocity=None
):
    """Add arm, pivot and wheel: "arm NAME", "pivot NAME", "wheel NAME"; `wheel` is the wheel center
    as drawn.

    The caller adds the suspension, on the coordinate "pivot NAME.angle". The track keeps the load
    under the middle of a tilted wheel, so the wheel has the crown of a ball.
    """
    pivot, u = arm.pivot(wheel), arm.direction
    body = m.body(
        f"arm {name}",
        kt.mass(arm.mass, arm.inertia),
        position=pivot + arm.com * u,
        velocity=velocity,
        points={"wheel": tuple((arm.length - arm.com) * u)},
        look=_look(arm, u),
    )
    m.joint(f"pivot {name}", kt.Revolute(), hull, body, at=pivot, axis="y")
    wheel_force = kt.Wheel(
        arm.radius, arm.stiffness, arm.damping, road or kt.Road(), crown=arm.radius
    )
    m.force(f"wheel {name}", wheel_force, body.point("wheel"))
    return body


def _look(arm: RoadArm, u: np.ndarray) -> tuple:
    a, b = -arm.com * u, (arm.length - arm.com) * u
    return (
        kt.look.Cylinder(a, b, 0.07, paint="steel"),
        *kt.look.wheel(arm.radius, arm.width, at=b),
    )
