"""The constraint primitives in the order of their stored kind (append only), and the constraints
that
users can name.
"""

from collections.abc import Callable

from ...kernel.decorators import inline, switch
from ..joints.catalogue import JOINTS
from . import (
    distance,
    inplane,
    knife_edge,
    orientation,
    perpendicular,
    point,
    rolling,
    user_rows,
)
from .cam_follower import CamFollower
from .contract import Constraint, Primitive, follow_itself
from .coupling import Coupling, Differential, Gear, PlanetaryGear, RackAndPinion
from .distance import Distance
from .driver import Driver
from .knife_edge import KnifeEdge
from .pose_driver import PoseDriver
from .rolling import Rolling
from .user_constraint import UserConstraint

PRIMITIVES: tuple[Primitive, ...] = (  # the rows that joints bring themselves come after these
    Primitive("point", point.value, point.pair, point.bias, rows=3),
    Primitive(
        "perpendicular",
        perpendicular.value,
        perpendicular.pair,
        perpendicular.bias,
        is_length=False,
    ),
    Primitive("in-plane", inplane.value, inplane.pair, inplane.bias),
    Primitive("distance", distance.value, distance.pair, distance.bias, distance.follow),
    Primitive(
        "orientation",
        orientation.value,
        orientation.pair,
        orientation.bias,
        rows=3,
        is_length=False,
    ),
    Primitive("rolling", rolling.value, rolling.pair, rolling.bias, rows=3, rates=(0, 1)),
    Primitive("knife-edge", knife_edge.value, knife_edge.pair, knife_edge.bias, rates=(0,)),
    Primitive("user-constraint", user_rows.value, user_rows.pair, user_rows.bias),
    *(Primitive(e.joint.kind, *e.rows[:3], follow_itself, *e.rows[3:]) for e in JOINTS if e.rows),
)
PRIMITIVE_KIND = {primitive.name: k for k, primitive in enumerate(PRIMITIVES)}
USER = PRIMITIVE_KIND["user-constraint"]
CURVED = PRIMITIVE_KIND["rolling"]  # this, and all after it, are not bilinear in points and axes


def _pair_and_bias(primitive: Primitive) -> Callable:
    """Join both kernels in one function, so that points and axes are computed once."""
    pair, bias = primitive.pair, primitive.bias

    def both(tables, p, k, bodies, aims):
        F_i, F_j = pair(tables, p, k, bodies, aims)
        return F_i, F_j, bias(tables, p, k, bodies, aims)

    return inline(both)


value = switch("value", [p.value for p in PRIMITIVES], "tables, p, k, bodies, aims")
pair = switch("pair", [p.pair for p in PRIMITIVES], "tables, p, k, bodies, aims")
pair_and_bias = switch(
    "pair_and_bias", [_pair_and_bias(p) for p in PRIMITIVES], "tables, p, k, bodies, aims"
)
follow = switch("follow", [p.follow for p in PRIMITIVES], "p, f")


@inline
def pose_drift(tables, p, k, bodies, aims):
    """g_t of a primitive with an aim."""
    if p.kind == USER:
        return user_rows.drift(tables, p, bodies, aims)
    return orientation.drift(p, k, bodies, aims)


CONSTRAINTS: tuple[type[Constraint], ...] = (
    Distance,
    Driver,
    Coupling,
    PoseDriver,
    Rolling,
    KnifeEdge,
    UserConstraint,
    CamFollower,
)
COUPLINGS = (Gear, RackAndPinion, Differential, PlanetaryGear)  # functions that make one
