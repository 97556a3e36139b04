"""Hard points of a vehicle: given for its left side, mirrored to the right, in meters from an
origin of the drawing.

x forward, y left, z up. Names of parts end with the wheel they belong to: FL, FR, RL, RR.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np

import kinetree as kt

from ...kernel.frames import IDENTITY
from ...kernel.linalg import norm, product

Point = tuple[float, float, float]


class Side(NamedTuple):
    """One side of a vehicle: name of the wheel, origin of the drawing, initial speed.

    Parameters
    ----------
    name : str
        Name of the wheel, with which the names of its parts end: "FL", "FR", "RL", "RR".
    left : bool
        Whether it is the left side; hard points are mirrored to the right side.
    origin : (float, float, float), default (0.0, 0.0, 0.0)
        Origin of the drawing in world axes (m).
    speed : float, default 0.0
        Initial speed along x (m/s).

    Examples
    --------
    >>> from kinetree.models.vehicles import Side
    >>> Side("FR", left=False, origin=(1.0, 0.0, 0.0)).at((0.0, 0.7, 0.3))
    array([ 1. , -0.7,  0.3])
    """

    name: str
    left: bool
    origin: Point = (0.0, 0.0, 0.0)
    speed: float = 0.0

    def at(self, point) -> np.ndarray:
        """Return a hard point of this side in world axes.

        Parameters
        ----------
        point : (float, float, float)
            The hard point as drawn for the left side (m).

        Returns
        -------
        ndarray, shape (3,)
            The point, mirrored if this is the right side (m).
        """
        x, y, z = point
        return np.asarray(self.origin) + np.array([x, y if self.left else -y, z])

    @property
    def velocity(self) -> tuple[float, float, float]:
        """Initial velocity of the parts in world axes (m/s)."""
        return (self.speed, 0.0, 0.0)


def placed(table: Any, side: Side) -> dict[str, np.ndarray]:
    """The hard points of a dataclass in world axes, by name: its fields of type Point."""
    return {f.name: side.at(getattr(table, f.name)) for f in fields(table) if f.type == "Point"}


def both_sides(axle: str, origin, speed: float) -> tuple[Side, Side]:
    """Return the left and the right side of an axle.

    Parameters
    ----------
    axle : str
        Name of the axle, "F" or "R".
    origin : (float, float, float)
        Origin of the drawing in world axes (m).
    speed : float
        Initial speed along x (m/s).

    Returns
    -------
    tuple of Side
        The sides, named "FL" and "FR", or "RL" and "RR".

    Examples
    --------
    >>> from kinetree.models.vehicles import both_sides
    >>> [side.name for side in both_sides("F", (0.0, 0.0, 0.0), 20.0)]
    ['FL', 'FR']
    """
    return Side(f"{axle}L", True, tuple(origin), speed), Side(
        f"{axle}R", False, tuple(origin), speed
    )


class Part(NamedTuple):
    """Mass properties of a part of a vehicle.

    Parameters
    ----------
    mass : float
        Mass (kg).
    inertia : (float, float, float)
        Moments of inertia about x, y, z at the mass center (kg m^2).

    Examples
    --------
    >>> from kinetree.models.vehicles import Part
    >>> Part(mass=12.0, inertia=(0.1, 0.2, 0.1)).mass
    12.0
    """

    mass: float
    inertia: tuple[float, float, float]


class Rod(NamedTuple):
    """A slender straight part along a line.

    Parameters
    ----------
    mass : float
        Mass (kg).
    across : float
        Moment of inertia about an axis across the line, at the middle (kg m^2).
    axial : float
        Moment of inertia about the line (kg m^2).

    Examples
    --------
    >>> from kinetree.models.vehicles import Rod
    >>> Rod(mass=1.0, across=0.01, axial=1e-4).inertia((0.0, 1.0, 0.0)).diagonal()
    array([0.01  , 0.0001, 0.01  ])
    """

    mass: float
    across: float
    axial: float

    def inertia(self, along: np.ndarray) -> np.ndarray:
        """Return the inertia matrix in the axes in which the line is given.

        Parameters
        ----------
        along : array_like, shape (3,)
            Direction of the line.

        Returns
        -------
        ndarray, shape (3, 3)
            Inertia about the middle (kg m^2).
        """
        u = np.asarray(along, float) / norm(np.asarray(along, float))
        return self.across * (np.eye(3) - np.outer(u, u)) + self.axial * np.outer(u, u)


def joined(*parts: tuple[float, np.ndarray, np.ndarray]) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, mass center and inertia about it of several parts, given in the same way."""
    mass = sum(m for m, _, _ in parts)
    centre = sum((m * c for m, c, _ in parts), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for m, c, own in parts:
        d = c - centre
        inertia = inertia + own + m * (product(d, d) * np.eye(3) - np.outer(d, d))
    return mass, centre, inertia


def marker(body, point: np.ndarray):
    """A marker on a body at a world point of the reference position."""
    pose = body.pose or IDENTITY
    return body.at(*product(pose.R.T, point - pose.p))


class Strut(NamedTuple):
    """Spring and damper between two points of a suspension.

    Parameters
    ----------
    stiffness : float
        Stiffness of the spring (N/m).
    damping : float
        Damping coefficient (N s/m).
    preload : float
        Force in the drawn position (N), positive in compression.

    Examples
    --------
    >>> from kinetree.models.vehicles import Strut
    >>> Strut(stiffness=30e3, damping=2.5e3, preload=4e3).preload
    4000.0
    """

    stiffness: float
    damping: float
    preload: float


def add_spring(m: kt.Model, name: str, strut: Strut, low, top) -> None:
    """A spring and damper between (body, world point) pairs, with its preload as drawn."""
    (a, p), (b, q) = low, top
    length = norm(q - p) + strut.preload / strut.stiffness
    m.force(
        name,
        kt.SpringDamper(strut.stiffness, strut.damping, length=length),
        marker(a, p),
        marker(b, q),
    )


class Wheel(NamedTuple):
    """A wheel with its tire.

    Parameters
    ----------
    part : Part
        Mass (kg) and moments of inertia (kg m^2) of the wheel, which rotates about y.
    tyre : kt.Tyre
        The tire, with radius, stiffness, slip law and road.
    width : float, default 0.2
        Width as drawn (m).

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.vehicles import Part, Wheel
    >>> law = kt.tyres.Linear(longitudinal=8e4, cornering=6e4)
    >>> wheel = Wheel(Part(18.0, (0.5, 0.9, 0.5)), kt.Tyre(0.3, 2e5, law))
    >>> wheel.width
    0.2
    """

    part: Part
    tyre: kt.Tyre
    width: float = 0.2


def add_wheel(m: kt.Model, carrier, side: Side, wheel: Wheel, centre: np.ndarray):
    """Add wheel, hub and tyre: "wheel FL", "hub FL", "tyre FL"; the wheel rolls at the start."""
    tyre = wheel.tyre
    spin = side.speed / (tyre.rolling_radius or tyre.radius)
    body = m.body(
        f"wheel {side.name}",
        kt.mass(*wheel.part),
        position=centre,
        velocity=side.velocity,
        angular_velocity=(0.0, spin, 0.0),
        look=kt.look.wheel(tyre.radius, wheel.width),
    )
    m.joint(f"hub {side.name}", kt.Revolute(), carrier, body, at=centre, axis="y")
    m.force(f"tyre {side.name}", tyre, body)
    return body
