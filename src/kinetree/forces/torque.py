"""A torque on a body."""

from __future__ import annotations

from dataclasses import dataclass

from ..num.jit import kernel
from .contract import end_points, no_energy, push
from .point_force import PointForce, vector

_ZERO = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Torque(PointForce):
    """Torque (N m) on a body, in "world" axes or in those of the marker ("body").

    Each of the three components is a number, a time function or a controller's output by name ("pid.push").
    """

    kind = "torque"


@kernel
def apply(force, t, q, v, x, tables, work):
    _, _, p_j, _ = end_points(force, work.bodies)
    push(work.bodies[force.j], vector(force, t, tables, work), _ZERO, p_j)


energy = no_energy
