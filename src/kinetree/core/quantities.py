"""Types of the arguments that users give, with the metadata by which model files are read, checked
and mirrored; and the base of the classes that users make.

An alias is an ordinary type for editors and type checkers. `Annotated` adds a tag, which says how a
model file writes such a value and what a mirror does to it, and a unit (`In`). frames.py and
checks.py check the values themselves.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, ClassVar, Literal, Protocol

import numpy.typing as npt

Numbers = Sequence[float] | npt.NDArray[Any]  # numbers in a row
Rows = Sequence[float] | Sequence[Sequence[float]] | npt.NDArray[Any]  # or rows of numbers


class TimeFunction(Protocol):
    """A time function: `kt.Sine`, `kt.Ramp`, `kt.Table`, ... (base class `signals.contract.Signal`)."""

    kind: ClassVar[str]

    def breaks(self) -> tuple[float, ...]:
        """Return the times at which the function or a derivative may jump."""


class SpringLaw(Protocol):
    """A spring law: `kt.Polynomial` or `kt.Characteristic`."""

    def lower(self, row: Any, to: Any) -> None:
        """Write the law into a record of the force table."""


class Outlined(Protocol):
    """An outline of `kt.look`."""

    @property
    def paint(self) -> str | None:
        """Color of the outline."""


Scalar = float | TimeFunction | Callable[[float], float]

Vector = Annotated[Numbers, "vector"]  # three numbers; a mirror maps them like a point
Sides = Annotated[Numbers, "sides"]  # three lengths; a mirror leaves them unchanged
Axial = Annotated[Numbers, "axial"]  # three numbers; a mirror maps them like an angular velocity
Rotation = Annotated[
    Rows | tuple[str, float | Numbers] | None, "rotation"
]  # a 3x3 matrix, a quaternion (w, x, y, z), or ("zyx", angles); None: no rotation
Axis = Annotated[
    Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers, "axis"
]  # a letter, or three numbers of any length but zero
Inertia = Annotated[Rows, "inertia"]  # three moments, six entries or a 3x3 tensor
Matrix = Annotated[Any, "matrix"]  # numbers in a row, or rows of numbers; stored as an array
Across = Annotated[
    Any, "across"
]  # a number, or numbers in the axes of a section, which maps itself in a mirror; an array
Motion = Annotated[Scalar, "motion"]  # a number, a time function, or a Python function of time
Profile = Annotated[Any, "profile"]  # the same over the distance along a road, or points (x, z)
Input = Annotated[Scalar | str, "input"]  # the same, or the output of a controller by name
Push = Annotated[Sequence[Scalar | str], "push"]  # three inputs, mapped like a vector
Couple = Annotated[
    Sequence[Scalar | str], "couple"
]  # three inputs, mapped like an angular velocity
Travel = Annotated[Sequence[Scalar], "travel"]  # three motions, mapped like a point
Turning = Annotated[Sequence[Scalar], "turning"]  # three motions, mapped like an angular velocity
TurnAxis = Annotated[
    Literal["x", "y", "z", "-x", "-y", "-z"] | Numbers, "turn axis"
]  # an axis of rotation, mapped like an angular velocity
Reference = Annotated[
    str, "reference"
]  # the name of another element, or of its coordinate, state or output
Reading = Annotated[
    str | TimeFunction, "reading"
]  # what a controller reads: the name of a quantity, or a time function
Start = Annotated[dict[str, Any], "start"]  # numbers by label, and a quaternion
Limits = Annotated[dict[str, Any], "limits"]  # pairs of numbers by label
ForceLaw = Annotated[
    SpringLaw | Callable[[float, float, float], float], "law"
]  # kt.Polynomial, kt.Characteristic, or a Python function (t, x, xdot)
Line = Annotated[
    Sequence[Numbers] | Callable[[float], Any], "line"
]  # points, or a Python function of 0 .. 1
Ring = Annotated[Any, "ring"]  # points, one after the other; stored as an array
Points = Annotated[Mapping[str, Numbers], "points"]  # vectors by name
Look = Annotated[
    Outlined | Sequence[Outlined | Sequence[Outlined]], "look"
]  # one outline of kt.look, or several
Place = Annotated[Any, "place"]  # a body or a marker
File = Annotated[str | os.PathLike[str], "file"]  # the path of a file


class PublicNames(type):
    """Metaclass that makes `dir()` and `help()` of a class list what its users need.

    The base class of a family (`Joint`, `Force`, ...) declares the interface between its elements
    and the solver. Every name of that interface, and the names in `_internal`, are left out of
    `dir(cls)`; they can be used as before. The standard library does the same for `enum.Enum`.
    """

    _internal: tuple[str, ...]  # names of the class that are not for users
    _shown: tuple[str, ...]  # names of the family's interface that users may read

    def __dir__(cls) -> list[str]:
        if cls is UserClass:
            return []
        bases = cls.__mro__[: cls.__mro__.index(UserClass)]
        family = bases[-1]
        found = {name for base in bases for name in (*vars(base), *_annotated(base))}
        if len(bases) > 1:
            found -= {*vars(family), *_annotated(family)} - {*cls._shown, *_fields(cls)}
        return sorted(name for name in found - {*cls._internal} if not name.startswith("_"))


def _annotated(cls: type) -> tuple[str, ...]:
    return tuple(vars(cls).get("__annotations__", ()))


def _fields(cls: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cls)) if is_dataclass(cls) else ()


class UserClass(metaclass=PublicNames):
    """Base of the classes that users make: joints, forces, constraints, time functions, ..."""

    _internal: ClassVar[tuple[str, ...]] = ()
    _shown: ClassVar[tuple[str, ...]] = ()

    def __dir__(self) -> list[str]:
        return dir(type(self))


class In(tuple):
    """Units that a number may have; model files refuse a unit of another dimension.

    A number without a unit is in SI units.
    """

    def __new__(cls, *units: str) -> In:
        return super().__new__(cls, units)


Metres = Annotated[float, In("m")]
SquareMetres = Annotated[float, In("m^2")]
CubicMetres = Annotated[float, In("m^3")]
SecondMoment = Annotated[float, In("m^4")]
Radians = Annotated[float, In("rad")]
Seconds = Annotated[float, In("s")]
MetresPerSecond = Annotated[float, In("m/s")]
CubicMetresPerSecond = Annotated[float, In("m^3/s")]
Kilograms = Annotated[float, In("kg")]
KilogramsPerMetre = Annotated[float, In("kg/m")]
KilogramsPerCubicMetre = Annotated[float, In("kg/m^3")]
KilogramSquareMetres = Annotated[float, In("kg m^2")]
Newtons = Annotated[float, In("N")]
NewtonMetres = Annotated[float, In("N m")]
NewtonSquareMetres = Annotated[float, In("N m^2")]
NewtonsPerMetre = Annotated[float, In("N/m")]
NewtonsPerRadian = Annotated[float, In("N/rad")]
NewtonSecondsPerMetre = Annotated[float, In("N s/m")]
Pascals = Annotated[float, In("Pa")]
Leakage = Annotated[float, In("m^3/s/Pa")]
SecondsPerMetre = Annotated[float, In("s/m")]
DriveGain = Annotated[float, In("N m s/m")]
Plain = Annotated[float, In("%")]  # a number without a unit
Value = Annotated[float, "value"]  # of a time function, in the unit of the quantity it drives
Slope = Annotated[float, "slope"]  # the same per second, or per meter
TimeOrWay = Annotated[
    float, "along", In("s", "m")
]  # of time functions, which can also be profiles of roads
PerTimeOrWay = Annotated[float, "per along", In("Hz", "1/m")]
CoordinateValue = Annotated[
    float, In("rad", "m")
]  # of a joint coordinate: an angle or a displacement
CoordinateSpeed = Annotated[float, In("rad/s", "m/s")]
CoordinateEffort = Annotated[float, In("N m", "N")]
CoordinateStiffness = Annotated[float, In("N m/rad", "N/m")]
CoordinateDamping = Annotated[float, In("N m s/rad", "N s/m")]
SixStiffness = Annotated[
    Matrix, In("N/m", "N m/rad", "N")
]  # of a flexible joint: displacements, rotations, and their coupling
SixDamping = Annotated[Matrix, In("N s/m", "N m s/rad", "N s")]
Position = Annotated[Vector, In("m")]
StoredPosition = Annotated[Any, "vector", In("m")]  # stored as an array
StoredRotation = Annotated[Any, "rotation"]
Velocity = Annotated[Vector, In("m/s")]
Gravity = Annotated[Vector, In("m/s^2")]
AngularVelocity = Annotated[Axial, In("rad/s")]
BodyInertia = Annotated[Inertia, In("kg m^2")]
SectionInertia = Annotated[Across, In("kg m")]
SectionMass = Annotated[Across, In("kg/m", "kg", "kg m")]
SectionPoint = Annotated[Across, In("m")]
MotionInMetres = Annotated[Motion, In("m")]
ProfileInMetres = Annotated[Profile, In("m")]
MotionInRadians = Annotated[Motion, In("rad")]
MotionOfCoordinate = Annotated[Motion, In("rad", "m")]
InputWithoutUnit = Annotated[Input, In("%")]
InputInMetres = Annotated[Input, In("m")]
InputInNewtons = Annotated[Input, In("N")]
InputInNewtonSecondsPerMetre = Annotated[Input, In("N s/m")]
InputInMetresPerSecond = Annotated[Input, In("m/s")]
InputInSquareMetres = Annotated[Input, In("m^2")]
CoordinateEffortInput = Annotated[Input, In("N m", "N")]
CoordinateDampingInput = Annotated[Input, In("N m s/rad", "N s/m")]
