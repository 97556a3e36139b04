"""A torque on a body."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.quantities import Couple
from ...kernel.decorators import kernel
from .contract import ZERO, no_energy, point_motion, push
from .point_force import PointForce, vector


@dataclass(frozen=True)
class Torque(PointForce):
    """Torque (N m) on a body, in "world" axes or in those of the marker ("body").

    components   three, each a number, a time function or a controller's output by name, like
                 "pid.push" (N m)
    frame        "world": they keep their direction; "body": they turn with the marker
    """

    components: Couple

    kind = "torque"


@kernel
def apply(tables, work, force, t, q, v, x):
    marker = tables.markers[force.im]
    push(
        marker,
        work.bodies,
        vector(tables, work, force, t),
        ZERO,
        point_motion(marker, work.bodies)[0],
    )


energy = no_energy
