"""Kinds of arguments as annotations: model files are read, checked and mirrored by them.

To a type checker they are all Any, because lists, tuples and arrays are welcome alike; frames.py
has the checks.
"""

from __future__ import annotations

from typing import Annotated, Any

Vector = Annotated[Any, "vector"]  # three numbers; a mirror turns them like a point
Sides = Annotated[Any, "sides"]  # three lengths; a mirror leaves them
Axial = Annotated[Any, "axial"]  # three numbers; a mirror turns them like an angular velocity
Rotation = Annotated[Any, "rotation"]  # a 3x3 matrix, a quaternion (w, x, y, z), or ("zyx", angles)
Axis = Annotated[Any, "axis"]  # "x", "-y", or three numbers
Inertia = Annotated[Any, "inertia"]  # three moments, six entries or a 3x3 tensor
Matrix = Annotated[Any, "matrix"]  # numbers in a row, or rows of numbers
Across = Annotated[
    Any, "across"
]  # a number, or numbers in the axes of a section, which knows its mirror image
Motion = Annotated[Any, "motion"]  # a number, a time function, or a Python function
Profile = Annotated[Any, "profile"]  # the same over a way, as of a road
Input = Annotated[Any, "input"]  # the same, or the output of a controller by name
Push = Annotated[Any, "push"]  # three inputs; a mirror turns them like a vector
Couple = Annotated[Any, "couple"]  # three inputs; a mirror turns them like an angular velocity
Travel = Annotated[Any, "travel"]  # three motions; a mirror turns them like a point
Turning = Annotated[Any, "turning"]  # three motions; a mirror turns them like an angular velocity
TurnAxis = Annotated[
    Any, "turn axis"
]  # an axis that something turns about: a mirror turns it like an angular velocity
Reference = Annotated[
    str, "reference"
]  # the name of another element, or of its coordinate, state or output
Start = Annotated[Any, "start"]  # numbers by label, and a quaternion
ForceLaw = Annotated[Any, "law"]  # kt.Polynomial, kt.Characteristic, or a Python function
Line = Annotated[Any, "line"]  # points, or a Python function of 0 .. 1
Ring = Annotated[Any, "ring"]  # points, one after the other
Points = Annotated[Any, "points"]  # vectors by name
Look = Annotated[Any, "look"]  # one outline of kt.look, or several
Place = Annotated[Any, "place"]  # a body or a marker
File = Annotated[Any, "file"]  # the path of a file


class In(tuple):
    """Units of a number, one of which text in model files must have (or an equivalent one). Numbers
    without a unit are SI.
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
Value = Annotated[float, "value"]  # of a time function: in the unit of what it drives
Slope = Annotated[float, "slope"]  # ... the same per second, or per metre
TimeOrWay = Annotated[
    float, "along", In("s", "m")
]  # of time functions, which are profiles of roads, too
PerTimeOrWay = Annotated[float, "per along", In("Hz", "1/m")]
CoordinateValue = Annotated[
    float, In("rad", "m")
]  # of a joint coordinate, which is an angle or a travel
CoordinateSpeed = Annotated[float, In("rad/s", "m/s")]
CoordinateEffort = Annotated[float, In("N m", "N")]
CoordinateStiffness = Annotated[float, In("N m/rad", "N/m")]
CoordinateDamping = Annotated[float, In("N m s/rad", "N s/m")]
SixStiffness = Annotated[
    Matrix, In("N/m", "N m/rad", "N")
]  # of a flexible joint: travels, turns, and what couples them
SixDamping = Annotated[Matrix, In("N s/m", "N m s/rad", "N s")]
Position = Annotated[Vector, In("m")]
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
InputInNewtons = Annotated[Input, In("N")]
InputInNewtonSecondsPerMetre = Annotated[Input, In("N s/m")]
InputInMetresPerSecond = Annotated[Input, In("m/s")]
InputInSquareMetres = Annotated[Input, In("m^2")]
CoordinateEffortInput = Annotated[Input, In("N m", "N")]
CoordinateDampingInput = Annotated[Input, In("N m s/rad", "N s/m")]
