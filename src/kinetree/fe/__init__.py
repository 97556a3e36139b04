"""Flexible bodies from finite elements: matrices of a part, its reduction, and the report of both.

A part comes from a mesh (`read`), from a drawing (`mesh`), from the matrices of another program
(`matrices`) or from a formula (`block`). `reduce` makes a reduced part of it, which is saved, and
opened again with `open`::

    part = kt.fe.read("rod.msh", E=2.1e11, poisson=0.3, density=7850.0, unit="mm")
    holes = {"big": kt.fe.cylinder((0, 0, 0), "z", 25.0), "small": kt.fe.cylinder((150, 0, 0), "z", 12.0)}
    rod = part.reduce(holes, upto=2000.0)
    print(rod)
    rod.save("rod.h5")
"""

from ..description.reduced.reduced_part import ReducedPart
from ..description.reduced.storage import read as open  # as `kt.fe.open`
from .block import block
from .loads import Load, heating, pressure
from .matrices import matrices
from .meshing import mesh
from .part import Part
from .reading import CoarseElements, read
from .reduction import LargeError, reduce
from .selections import Interface, Selection, cylinder, interface, plane

__all__ = [
    "CoarseElements",
    "Interface",
    "LargeError",
    "Load",
    "Part",
    "ReducedPart",
    "Selection",
    "block",
    "cylinder",
    "heating",
    "interface",
    "matrices",
    "mesh",
    "open",
    "plane",
    "pressure",
    "read",
    "reduce",
]
