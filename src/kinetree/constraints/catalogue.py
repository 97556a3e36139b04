"""The constraint primitives, in the order of their stored kind (append only), and the constraints a user can name."""

from ..num.jit import switch
from . import distance, inplane, perpendicular, point
from .contract import Constraint
from .coupling import Coupling
from .distance import Distance
from .driver import Driver

_PRIMITIVES = (point, perpendicular, inplane, distance)
POINT, PERPENDICULAR, IN_PLANE, DISTANCE, RELATION = range(5)  # RELATION (coordinates.py) reads sensors, not frames
PRIMITIVE_KIND = {"point": POINT, "perpendicular": PERPENDICULAR, "in-plane": IN_PLANE, "distance": DISTANCE,
                  "relation": RELATION}

pair = switch("pair", [m.pair for m in _PRIMITIVES], "p, k, bodies")
value = switch("value", [m.value for m in _PRIMITIVES], "p, k, bodies")
bias = switch("bias", [m.bias for m in _PRIMITIVES], "p, k, bodies")

CONSTRAINTS: tuple[type[Constraint], ...] = (Distance, Driver, Coupling)
