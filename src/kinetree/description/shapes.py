"""Mass, center of mass and inertia of simple bodies; the origin of a shape is its center of mass
unless noted.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, TypeVar, cast

import numpy as np

from ..core.checks import together
from ..core.quantities import (
    Axis,
    BodyInertia,
    Kilograms,
    KilogramSquareMetres,
    Metres,
    Position,
    Sides,
)
from ..errors import ModelError, short
from ..kernel.frames import ORIGIN, number, numbers, unit_vector
from ..kernel.linalg import eigvalsh
from .look import Box, Cylinder, Outline, Sphere

Shape = TypeVar("Shape", bound=Callable)


@dataclass(frozen=True, slots=True)
class MassProperties:
    """Mass (kg), centre of mass (m) and inertia about it (kg m^2) in body axes; `ends` are named
    points.
    """

    mass: float
    inertia: np.ndarray
    com: np.ndarray = field(default_factory=lambda: ORIGIN)
    ends: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    outline: Outline | None = None  # what a drawing shows
    # the shape by name and numbers, as the user gave them
    arguments: dict[str, Any] | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        moments = ", ".join(f"{a:g}" for a in np.diag(self.inertia))
        shape = "mass properties" if self.outline is None else type(self.outline).__name__.lower()
        return f"<{shape}: {self.mass:g} kg, moments {moments} kg m^2>"


def shape(function: Shape) -> Shape:
    """Decorator for functions that create mass properties, which then record the call."""
    names = tuple(inspect.signature(function).parameters)

    @wraps(function)
    def made(*args, **options):
        found = function(*args, **options)
        object.__setattr__(
            found, "arguments", {"type": function.__name__, **dict(zip(names, args)), **options}
        )
        return found

    return cast(Shape, made)


@shape
def mass(
    mass: Kilograms, inertia: BodyInertia = (0.0, 0.0, 0.0), com: Position = (0.0, 0.0, 0.0)
) -> MassProperties:
    """A body by its numbers: inertia about the centre of mass as (Ixx, Iyy, Izz[, Ixy, Ixz, Iyz])
    or a 3x3 tensor.

    Products of inertia are tensor entries (Ixy = -sum m x y).

    mass      (kg)
    inertia   about the centre of mass, in body axes (kg m^2)
    com       centre of mass from the origin of the body (m)
    """
    m = number(mass, "mass: mass", at_least_zero=True)
    shape = together("mass", inertia=inertia)[0].shape
    if shape == (3, 3):
        I = together("mass", inertia=inertia)[0]
        if np.abs(I - I.T).max() > 1e-9 * max(np.abs(I).max(), 1e-300):
            raise ModelError(f"mass: inertia is not symmetric: {short(inertia)}.")
        I = 0.5 * (I + I.T)
    elif shape == (6,):
        xx, yy, zz, xy, xz, yz = numbers(inertia, 6, "mass: inertia")
        I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    else:
        I = np.diag(
            numbers(inertia, 3, "mass: inertia (three moments, six entries or a 3x3 tensor)")
        )
    _check_moments(m, eigvalsh(I).tolist(), "mass")
    return MassProperties(m, I, numbers(com, 3, "mass: com"))


def _check_moments(m: float, moments: list[float], what: str) -> None:
    """Raise an error unless the principal moments are non-negative and satisfy the triangle
    inequality, with a tolerance for printed digits.
    """
    if m == 0.0 and moments[2] > 0.0:
        raise ModelError(f"{what}: a body without mass cannot have inertia.")
    room = 1e-3 * max(moments[2], 0.0)
    if moments[0] < -1e-9 * max(abs(moments[2]), 1e-300):
        raise ModelError(
            f"{what}: inertia has a negative principal moment {moments[0]:.6g} kg m^2."
        )
    if moments[0] + moments[1] < moments[2] - room:
        raise ModelError(
            f"{what}: principal moments {moments[0]:.6g}, {moments[1]:.6g}, {moments[2]:.6g} break "
            "the triangle "
            "inequality (no two may add up to less than the third); check axes and units."
        )


@shape
def rod(
    mass: Kilograms, length: Metres, along: Axis = "x", axial: KilogramSquareMetres = 0.0
) -> MassProperties:
    """A slender rod: m l^2 / 12 across, `axial` about its own line; ends "-" and "+".

    mass     (kg)
    length   from end to end (m)
    along    direction from "-" to "+" in body axes: "x", "-y", or three numbers
    axial    inertia about its own line (kg m^2)
    """
    m, l = (
        number(mass, "rod: mass", at_least_zero=True),
        number(length, "rod: length", positive=True),
    )
    u = unit_vector(along, "rod")
    across = m * l * l / 12.0
    spin, line = number(axial, "rod: axial", at_least_zero=True), np.outer(u, u)
    I = across * (np.eye(3) - line) + spin * line
    _check_moments(m, sorted([across, across, spin]), "rod")
    return MassProperties(m, I, ends=_ends(u, l), outline=Cylinder(-0.5 * l * u, 0.5 * l * u))


@shape
def cylinder(mass: Kilograms, radius: Metres, length: Metres, along: Axis = "x") -> MassProperties:
    """A solid cylinder with ends "-" and "+" on its axis.

    mass             (kg)
    radius, length   (m)
    along            direction from "-" to "+" in body axes
    """
    m, r, l = (
        number(mass, "cylinder: mass", at_least_zero=True),
        number(radius, "cylinder: radius", positive=True),
        number(length, "cylinder: length", positive=True),
    )
    u = unit_vector(along, "cylinder")
    across, axial = m * (3.0 * r * r + l * l) / 12.0, 0.5 * m * r * r
    I = across * (np.eye(3) - np.outer(u, u)) + axial * np.outer(u, u)
    return MassProperties(m, I, ends=_ends(u, l), outline=Cylinder(-0.5 * l * u, 0.5 * l * u, r))


@shape
def tube(
    mass: Kilograms, radius: Metres, inner: Metres, length: Metres, along: Axis = "x"
) -> MassProperties:
    """A hollow cylinder with outer `radius` and `inner` one, ends "-" and "+" on its axis.

    mass                    (kg)
    radius, inner, length   (m)
    along                   direction from "-" to "+" in body axes
    """
    m, r, l = (
        number(mass, "tube: mass", at_least_zero=True),
        number(radius, "tube: radius", positive=True),
        number(length, "tube: length", positive=True),
    )
    i = number(inner, "tube: inner", positive=True)
    if i >= r:
        raise ModelError(f"tube: inner {short(inner)} must be less than radius {short(radius)}.")
    u = unit_vector(along, "tube")
    across, axial = m * (3.0 * (r * r + i * i) + l * l) / 12.0, 0.5 * m * (r * r + i * i)
    I = across * (np.eye(3) - np.outer(u, u)) + axial * np.outer(u, u)
    return MassProperties(
        m, I, ends=_ends(u, l), outline=Cylinder(-0.5 * l * u, 0.5 * l * u, r, inner=i)
    )


@shape
def rotor(
    inertia: KilogramSquareMetres,
    along: Axis = "z",
    mass: Kilograms = 0.0,
    radius: Metres | None = None,
) -> MassProperties:
    """A thin disc known by its inertia about its axis (kg m^2): flywheels, gears, motors; half of
    it across the axis.

    inertia   about the axis (kg m^2)
    along     the axis in body axes
    mass      without it the disc is only hard to turn (kg)
    radius    for drawings; by default such that the mass gives the inertia (m)
    """
    J, m = (
        number(inertia, "rotor: inertia", positive=True),
        number(mass, "rotor: mass", at_least_zero=True),
    )
    r = (
        number(radius, "rotor: radius", positive=True)
        if radius is not None
        else np.sqrt(2.0 * J / m)
        if m
        else None
    )
    u = unit_vector(along, "rotor")
    I = 0.5 * J * (np.eye(3) + np.outer(u, u))
    outline = None if r is None else Cylinder(-0.05 * r * u, 0.05 * r * u, r)
    return MassProperties(m, I, outline=outline)


@shape
def box(mass: Kilograms, sides: Sides) -> MassProperties:
    """A solid box with sides (x, y, z).

    mass    (kg)
    sides   along x, y and z (m)
    """
    m = number(mass, "box: mass", at_least_zero=True)
    x, y, z = sides = numbers(sides, 3, "box: sides")
    if min(sides) <= 0.0:
        raise ModelError(f"box: sides must be positive, got {tuple(sides.tolist())}.")
    I = m / 12.0 * np.diag([y * y + z * z, x * x + z * z, x * x + y * y])
    return MassProperties(m, I, outline=Box(sides))


@shape
def sphere(mass: Kilograms, radius: Metres) -> MassProperties:
    """A solid sphere.

    mass     (kg)
    radius   (m)
    """
    m, r = (
        number(mass, "sphere: mass", at_least_zero=True),
        number(radius, "sphere: radius", positive=True),
    )
    return MassProperties(m, 0.4 * m * r * r * np.eye(3), outline=Sphere(r))


SHAPES = (rod, cylinder, tube, box, sphere, mass, rotor)


def _ends(u: np.ndarray, length: float) -> dict[str, tuple[float, float, float]]:
    x, y, z = (0.5 * length * u).tolist()
    return {"-": (-x, -y, -z), "+": (x, y, z)}
