"""Mass, center of mass and inertia of simple bodies; the origin of a shape is its center of mass
unless
another point is given.
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
from ..errors import ModelError, explains_arguments, short
from ..kernel.frames import ORIGIN, number, numbers, unit_vector
from ..kernel.linalg import eigvalsh
from .look import Box, Cylinder, Outline, Sphere

Shape = TypeVar("Shape", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class MassProperties:
    """Mass properties of a body, as the shapes `kt.rod`, `kt.box`, ... return them.

    Attributes
    ----------
    mass : float
        Mass of the body (kg).
    inertia : ndarray, shape (3, 3)
        Inertia about the center of mass, in body axes (kg m^2).
    com : ndarray, shape (3,)
        Center of mass relative to the origin of the body (m).
    ends : dict
        Named points of the body, such as the ends "-" and "+" of a rod (m).
    outline : Outline or None
        Outline for pictures.
    arguments : dict or None
        Name and arguments of the shape, as they were given.

    See Also
    --------
    kt.mass : Body given by mass, inertia and center of mass.
    kt.rod, kt.box, kt.cylinder, kt.sphere : Shapes.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.sphere(mass=10.0, radius=0.5)
    <sphere: 10 kg, moments 1, 1, 1 kg m^2>
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
    """Return the function, whose result records how it was made."""
    names = tuple(inspect.signature(function).parameters)
    explained = explains_arguments(function)

    @wraps(function)
    def made(*args: Any, **options: Any) -> Any:
        found = explained(*args, **options)
        object.__setattr__(
            found, "arguments", {"type": function.__name__, **dict(zip(names, args)), **options}
        )
        return found

    return cast(Shape, made)


@shape
def mass(
    mass: Kilograms, inertia: BodyInertia = (0.0, 0.0, 0.0), com: Position = (0.0, 0.0, 0.0)
) -> MassProperties:
    """Describe a body by mass, inertia and center of mass.

    Parameters
    ----------
    mass : float
        Mass (kg).
    inertia : (3,), (6,) or (3, 3) array_like, default (0.0, 0.0, 0.0)
        Inertia about the center of mass in body axes (kg m^2): three moments, six entries (Ixx,
        Iyy, Izz, Ixy, Ixz, Iyz), or a symmetric matrix. Products are entries of the matrix: Ixy is
        minus the sum of m x y.
    com : (3,) array_like, default (0.0, 0.0, 0.0)
        Center of mass relative to the origin of the body (m).

    Returns
    -------
    MassProperties
        Mass, center of mass, inertia, ends and outline of the body.

    See Also
    --------
    kt.rod, kt.box, kt.cylinder : Shapes.

    Notes
    -----
    Principal moments must not be negative, and none may exceed the sum of the other two.

    Examples
    --------
    A body with its center of mass 0.1 m above its origin.

    >>> import kinetree as kt
    >>> body = kt.mass(2.0, inertia=(0.1, 0.2, 0.25), com=(0.0, 0.0, 0.1))
    >>> print(body.com)
    [0.  0.  0.1]
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
    """Check that the sorted principal moments are not negative and obey the triangle inequality.

    A small violation, as of printed digits, is accepted.
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
    r"""Describe a slender rod.

    Parameters
    ----------
    mass : float
        Mass (kg).
    length : float
        Distance of its ends (m).
    along : str or (3,) array_like, default 'x'
        Direction from end "-" to end "+" in body axes: "x", "y", "z", "-x", "-y", "-z" or a vector.
    axial : float, default 0.0
        Inertia about its own line (kg m^2).

    Returns
    -------
    MassProperties
        Mass, center of mass, inertia, ends and outline of the body.

    See Also
    --------
    kt.cylinder : With a radius.

    Notes
    -----
    .. math:: I = \frac{m l^2}{12} \quad \text{across the rod}

    The ends are `body.end("-")` and `body.end("+")`. The origin is the middle.

    Examples
    --------
    A rod along x.

    >>> import kinetree as kt
    >>> body = kt.rod(mass=3.0, length=2.0, along="x")
    >>> print(body.inertia.diagonal())
    [0. 1. 1.]
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
    r"""Describe a solid cylinder.

    Parameters
    ----------
    mass : float
        Mass (kg).
    radius : float
        Radius (m).
    length : float
        Length (m).
    along : str or (3,) array_like, default 'x'
        Direction from end "-" to end "+" in body axes: "x", "y", "z", "-x", "-y", "-z" or a vector.

    Returns
    -------
    MassProperties
        Mass, center of mass, inertia, ends and outline of the body.

    See Also
    --------
    kt.tube : Hollow cylinder.
    kt.rotor : Disc given by its inertia.

    Notes
    -----
    .. math::

        I_\parallel = \frac{m r^2}{2} \quad \text{about the axis}, \qquad
        I_\perp = \frac{m (3 r^2 + l^2)}{12} \quad \text{across}

    The ends on its axis are `body.end("-")` and `body.end("+")`. The origin is the middle.

    Examples
    --------
    A cylinder along z.

    >>> import kinetree as kt
    >>> body = kt.cylinder(mass=4.0, radius=1.0, length=3.0, along="z")
    >>> print(body.inertia.diagonal())
    [4. 4. 2.]
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
    r"""Describe a hollow cylinder.

    Parameters
    ----------
    mass : float
        Mass (kg).
    radius : float
        Outer radius (m).
    inner : float
        Inner radius (m), smaller than `radius`.
    length : float
        Length (m).
    along : str or (3,) array_like, default 'x'
        Direction from end "-" to end "+" in body axes: "x", "y", "z", "-x", "-y", "-z" or a vector.

    Returns
    -------
    MassProperties
        Mass, center of mass, inertia, ends and outline of the body.

    See Also
    --------
    kt.cylinder : Solid cylinder.

    Notes
    -----
    With the outer radius r, the inner radius i and the length l,

    .. math::

        I_\parallel = \frac{m (r^2 + i^2)}{2} \quad \text{about the axis}, \qquad
        I_\perp = \frac{m (3 (r^2 + i^2) + l^2)}{12} \quad \text{across}

    The ends on its axis are `body.end("-")` and `body.end("+")`. The origin is the middle.

    Examples
    --------
    A tube along z.

    >>> import kinetree as kt
    >>> body = kt.tube(mass=2.0, radius=0.4, inner=0.3, length=1.0, along="z")
    >>> print(round(float(body.inertia[2, 2]), 6))
    0.25
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
    r"""Describe a thin disc by its inertia: a flywheel, a gear, a motor.

    Parameters
    ----------
    inertia : float
        Inertia about the axis (kg m^2). Across the axis it is half of this.
    along : str or (3,) array_like, default 'z'
        Axis in body axes: "x", "y", "z", "-x", "-y", "-z" or a vector.
    mass : float, default 0.0
        Mass (kg). Without mass the disc has rotary inertia only.
    radius : float, optional
        Radius for drawing (m). By default the radius of a disc with this mass and inertia.

    Returns
    -------
    MassProperties
        Mass, center of mass, inertia, ends and outline of the body.

    See Also
    --------
    kt.cylinder : Solid cylinder.

    Notes
    -----
    With J the argument `inertia`,

    .. math::

        I_\parallel = J \quad \text{about the axis}, \qquad
        I_\perp = \frac{J}{2} \quad \text{across}

    Examples
    --------
    A flywheel.

    >>> import kinetree as kt
    >>> body = kt.rotor(inertia=0.5, along="z", mass=4.0)
    >>> print(body.inertia.diagonal())
    [0.25 0.25 0.5 ]
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
    r"""Describe a solid box.

    Parameters
    ----------
    mass : float
        Mass (kg).
    sides : (3,) array_like
        Lengths along x, y and z (m).

    Returns
    -------
    MassProperties
        Mass, center of mass, inertia, ends and outline of the body.

    See Also
    --------
    kt.mass : Body given by its inertia.

    Notes
    -----
    .. math::

        I_{xx} = \frac{m (y^2 + z^2)}{12}, \qquad
        I_{yy} = \frac{m (x^2 + z^2)}{12}, \qquad
        I_{zz} = \frac{m (x^2 + y^2)}{12}

    The origin is the middle.

    Examples
    --------
    A box.

    >>> import kinetree as kt
    >>> body = kt.box(mass=12.0, sides=(1.0, 2.0, 3.0))
    >>> print(body.inertia.diagonal())
    [13. 10.  5.]
    """
    m = number(mass, "box: mass", at_least_zero=True)
    x, y, z = sides = numbers(sides, 3, "box: sides")
    if min(sides) <= 0.0:
        raise ModelError(f"box: sides must be positive, got {tuple(sides.tolist())}.")
    I = m / 12.0 * np.diag([y * y + z * z, x * x + z * z, x * x + y * y])
    return MassProperties(m, I, outline=Box(sides))


@shape
def sphere(mass: Kilograms, radius: Metres) -> MassProperties:
    r"""Describe a solid sphere.

    Parameters
    ----------
    mass : float
        Mass (kg).
    radius : float
        Radius (m).

    Returns
    -------
    MassProperties
        Mass, center of mass, inertia, ends and outline of the body.

    See Also
    --------
    kt.box : Solid box.

    Notes
    -----
    .. math:: I = \frac{2}{5} m r^2

    Examples
    --------
    A ball.

    >>> import kinetree as kt
    >>> body = kt.sphere(mass=10.0, radius=0.5)
    >>> print(body.inertia.diagonal())
    [1. 1. 1.]
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
