"""The public names of `kt.fe`."""

from ..description.reduced.reduced_part import ReducedPart
from ..description.reduced.storage import read as open  # as `kt.fe.open`
from .block import block
from .loads import Load, heating, pressure
from .matrices import matrices
from .meshing import mesh
from .part import Part
from .reading import DoubtfulMesh, read
from .reduction import LargeError, reduce
from .selections import Interface, Selection, cylinder, interface, plane

__all__ = [
    "DoubtfulMesh",
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
