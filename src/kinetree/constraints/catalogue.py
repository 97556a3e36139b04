"""The constraint primitives, in the order of their stored kind (append only), and the constraints a user can name."""

from ..num.jit import switch
from . import distance, inplane, perpendicular, point
from .contract import Constraint, Primitive
from .coupling import Coupling, Gear, RackAndPinion
from .distance import Distance
from .driver import Driver

PRIMITIVES: tuple[Primitive, ...] = (
    Primitive("point", point.value, point.pair, point.bias, rows=3),
    Primitive("perpendicular", perpendicular.value, perpendicular.pair, perpendicular.bias, is_length=False),
    Primitive("in-plane", inplane.value, inplane.pair, inplane.bias),
    Primitive("distance", distance.value, distance.pair, distance.bias, distance.follow),
)
PRIMITIVE_KIND = {primitive.name: k for k, primitive in enumerate(PRIMITIVES)}

value = switch("value", [p.value for p in PRIMITIVES], "p, k, bodies")
pair = switch("pair", [p.pair for p in PRIMITIVES], "p, k, bodies")
bias = switch("bias", [p.bias for p in PRIMITIVES], "p, k, bodies")
follow = switch("follow", [p.follow for p in PRIMITIVES], "p, f")

CONSTRAINTS: tuple[type[Constraint], ...] = (Distance, Driver, Coupling)
COUPLINGS = (Gear, RackAndPinion)  # functions that make one
