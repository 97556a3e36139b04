"""Translational spring-damper-actuator (TSDA) between two points.  [Lee1994, sec. 5]

    l = |p_j - p_i|,  u = (p_j - p_i) / l,  F on j = u F(l, ldot),  F on i = -u F(l, ldot)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..frames import number
from ..num.jit import kernel
from ..num.vec3 import norm, scale, store3, sub
from .contract import Force, end_points, line, push_pair
from .laws import law_energy, law_force, lower_law

_ZERO = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class SpringDamper(Force):
    """Spring (N/m), damper (N s/m, or a function of time) and actuator `force` (N, positive pushes the ends apart).

    The actuator is a number, a time function or a controller's output by name ("pid.force").

    `length` is the free length; None takes the distance in the initial position.
    """

    stiffness: float = 0.0
    damping: Any = 0.0
    length: float | None = None
    force: Any = 0.0
    law: Any = None

    kind = "spring-damper"
    markers = (2, 2)
    readings = (("length", "m"), ("rate", "m/s"), ("force", "N"))

    def __post_init__(self) -> None:
        number(self.stiffness, "SpringDamper: stiffness")
        if self.length is not None:
            number(self.length, "SpringDamper: length", at_least_zero=True)

    def lower(self, row, to) -> None:
        lower_law(row, to, self.law, self.stiffness, self.damping, self.force, "SpringDamper")
        row["rest"] = to.initial_distance(row) if self.length is None else self.length


@kernel
def apply(force, t, q, v, x, tables, work):
    p_i, p_j, u, length, rate = line(force, work.bodies)
    f = law_force(force, tables, work, t, length, rate)
    push_pair(force, work.bodies, _ZERO, scale(f, u), p_i, p_j)


@kernel
def read(force, t, q, v, x, tables, work, out):
    _, _, _, length, rate = line(force, work.bodies)
    store3(out, (length, rate, law_force(force, tables, work, t, length, rate)))


@kernel
def energy(force, t, q, x, tables, work):
    p_i, _, p_j, _ = end_points(force, work.bodies)
    return law_energy(force, tables.pool, norm(sub(p_j, p_i)))
