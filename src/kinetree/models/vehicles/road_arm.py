"""A road-arm station of a tracked vehicle: a trailing arm on the hull with a road wheel at its end."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

import kinetree as kt


@dataclass(frozen=True)
class RoadArm:
    """A trailing arm of a tracked vehicle with its road wheel.

    The angle of its pivot is 0 as drawn and increases in jounce.

    Parameters
    ----------
    length : float
        Distance from the pivot to the wheel center (m).
    drop : float
        Angle of the arm below the horizontal, as drawn (rad).
    mass : float
        Mass of arm and wheel (kg).
    com : float
        Distance of their mass center from the pivot (m).
    inertia : (float, float, float)
        Moments of inertia about x, y, z at that center (kg m^2).
    radius : float
        Radius of the wheel (m).
    stiffness : float
        Radial stiffness of the wheel on the ground (N/m).
    damping : float, default 0.0
        Radial damping of the wheel on the ground (N s/m).
    width : float, default 0.35
        Width of the wheel as drawn (m).

    See Also
    --------
    kinetree.models.vehicles.add_road_arm : Add the arm to a model.

    Examples
    --------
    >>> from kinetree.models.vehicles import RoadArm
    >>> arm = RoadArm(0.4, 0.5, 300.0, 0.2, (5.0, 8.0, 8.0), radius=0.3, stiffness=1e6)
    >>> round(arm.static_torque(load=25e3))
    8259
    """

    length: float
    drop: float
    mass: float
    com: float
    inertia: tuple[float, float, float]
    radius: float
    stiffness: float
    damping: float = 0.0
    width: float = 0.35

    def pivot(self, wheel) -> np.ndarray:
        """Return the position of the pivot.

        Parameters
        ----------
        wheel : array_like, shape (3,)
            Wheel center in world axes (m).

        Returns
        -------
        ndarray, shape (3,)
            The pivot in world axes (m).
        """
        return np.asarray(wheel, float) - self.length * self.direction

    @property
    def direction(self) -> np.ndarray:
        """Unit vector from the pivot to the wheel: backward and down, shape (3,)."""
        return np.array([-math.cos(self.drop), 0.0, -math.sin(self.drop)])

    def static_torque(self, load: float, gravity: float = 9.81) -> float:
        """Return the torque about the pivot that carries a ground load.

        Parameters
        ----------
        load : float
            Force of the ground on the wheel (N).
        gravity : float, default 9.81
            Acceleration of gravity (m/s^2).

        Returns
        -------
        float
            The torque without that of the weight of the arm (N m).
        """
        return (load * self.length - self.mass * gravity * self.com) * math.cos(self.drop)


def add_road_arm(
    m: kt.Model, hull, name: str, wheel, arm: RoadArm, road: kt.Road | None = None, *, velocity=None
):
    """Add a trailing arm with its road wheel to a model.

    The body is "arm NAME", the joint "pivot NAME", the force "wheel NAME". The caller adds the
    suspension, on the coordinate "pivot NAME.angle". The track keeps the load under the middle of a
    tilted wheel, so the wheel has the crown of a ball.

    Parameters
    ----------
    m : kt.Model
        The model.
    hull : kt.Body
        The hull.
    name : str
        Name of the station, with which the names of its parts end.
    wheel : (float, float, float)
        Center of the wheel as drawn, in world axes (m).
    arm : RoadArm
        The arm.
    road : kt.Road, optional
        The road; by default a flat one.
    velocity : (float, float, float), optional
        Initial velocity in world axes (m/s).

    Returns
    -------
    kt.Body
        The arm.
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
