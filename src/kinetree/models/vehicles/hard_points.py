"""Hard points of a vehicle: given for its left side, mirrored to the right, in meters from an
origin of the drawing.

x forward, y left, z up. Names of parts end with the wheel they belong to: FL, FR, RL, RR.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np

import kinetree as kt

from ...kernel.linalg import norm, product

Point = tuple[float, float, float]


class Side(NamedTuple):
    """One side of a vehicle in world axes: origin of its drawing, and initial speed."""

    name: str  # of the wheel: "FL"
    left: bool
    origin: Point = (0.0, 0.0, 0.0)
    speed: float = 0.0  # m/s along x at the start

    def at(self, point) -> np.ndarray:
        """A hard point of the left side in world axes, on this side."""
        x, y, z = point
        return np.asarray(self.origin) + np.array([x, y if self.left else -y, z])

    @property
    def velocity(self) -> tuple[float, float, float]:
        return (self.speed, 0.0, 0.0)


def placed(table: Any, side: Side) -> dict[str, np.ndarray]:
    """The hard points of a dataclass in world axes, by name: its fields of type Point."""
    return {f.name: side.at(getattr(table, f.name)) for f in fields(table) if f.type == "Point"}


def both_sides(axle: str, origin, speed: float) -> tuple[Side, Side]:
    """Left and right side of an axle "F" or "R"."""
    return Side(f"{axle}L", True, tuple(origin), speed), Side(
        f"{axle}R", False, tuple(origin), speed
    )


class Part(NamedTuple):
    """Mass (kg), and moments of inertia (kg m^2) about x, y, z at the mass center."""

    mass: float
    inertia: tuple[float, float, float]


class Rod(NamedTuple):
    """A straight part along a line: mass, and moments of inertia across and along it."""

    mass: float
    across: float
    axial: float

    def inertia(self, along: np.ndarray) -> np.ndarray:
        """Inertia matrix in the axes in which the line is given."""
        u = along / norm(along)
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
    return body.at(*product(body.pose.R.T, point - body.pose.p))


class Strut(NamedTuple):
    """Spring and damper between two points: N/m, N s/m, and the force (N) in the drawn position."""

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
    """Wheel and tyre: mass, inertia (rotation about y), the tyre, and its drawn width (m)."""

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
