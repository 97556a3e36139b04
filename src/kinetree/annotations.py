"""What users may give, as annotations of the description: model files are read, checked and mirrored by them.

To a type checker they are all Any, because lists, tuples and arrays are welcome alike; frames.py has the checks.
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
Motion = Annotated[Any, "motion"]  # a number, a time function, or a Python function
Input = Annotated[Any, "input"]  # the same, or the output of a controller by name
Push = Annotated[Any, "push"]  # three inputs; a mirror turns them like a vector
Couple = Annotated[Any, "couple"]  # three inputs; a mirror turns them like an angular velocity
Travel = Annotated[Any, "travel"]  # three motions; a mirror turns them like a point
Turning = Annotated[Any, "turning"]  # three motions; a mirror turns them like an angular velocity
TurnAxis = Annotated[Any, "turn axis"]  # an axis that something turns about: a mirror turns it like an angular velocity
Sequence = Annotated[str, "sequence"]  # axes that something turns about, one after the other
Reference = Annotated[str, "reference"]  # the name of another element, or of its coordinate, state or output
Start = Annotated[Any, "start"]  # numbers by label, and a quaternion
ForceLaw = Annotated[Any, "law"]  # kt.Polynomial, kt.Characteristic, or a Python function
Line = Annotated[Any, "line"]  # points, or a Python function of 0 .. 1
Ring = Annotated[Any, "ring"]  # points, one after the other
Points = Annotated[Any, "points"]  # vectors by name
Look = Annotated[Any, "look"]  # one outline of kt.look, or several
Place = Annotated[Any, "place"]  # a body or a marker
File = Annotated[Any, "file"]  # the path of a file
