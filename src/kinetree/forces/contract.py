"""Force elements: a user class and two kernels each, or three.

    apply(force, t, q, v, x, tables, work)            add wrenches to bodies[.].F and generalised forces to work.f
    energy(force, t, q, x, tables, work) -> float     potential energy (0 for what stores none)
    read(force, t, q, v, x, tables, work, out)        the numbers that `readings` names, for the results

An element with states declares them in `own_states`; its record has the first as `ix`, and `apply` adds their rates to
work.xdot.

The class writes itself into a record of the force table with `lower(row, to)`; `to` (the compiler) places markers and
registers sensors, inputs and numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from ..control.contract import State
from ..num.jit import inline, kernel
from ..num.spatial import add_to6, load6, velocity_at, wrench
from ..num.vec3 import add, dot, load3, load9, matmul, neg, norm, rotate, scale, sub


@dataclass(frozen=True)
class Force:
    """Base of the force elements; `markers` says how many markers the model must give."""

    kind: ClassVar[str]
    markers: ClassVar[tuple[int, int]]  # fewest and most

    @property
    def readings(self) -> tuple[tuple[str, str], ...]:
        """Label and unit of what it shows of itself."""
        return ()

    @property
    def breakpoints(self) -> Sequence[float]:
        """Times at which it jumps, besides those of its time functions."""
        return ()

    @property
    def kinks(self) -> Sequence[tuple[str, float]]:
        """Its own readings, and the levels at which the law is not smooth: steps may be made to end there (kt.kinks)."""
        return ()

    def lower(self, row, to) -> None:
        raise NotImplementedError

    def own_states(self) -> tuple[State, ...]:
        """States x of this element, in the order of its record."""
        return ()


@kernel
def no_reading(force, t, q, v, x, tables, work, out):
    return


class Entry(NamedTuple):
    """One line of the catalogue."""

    force: type[Force]
    apply: Callable
    energy: Callable
    read: Callable = no_reading


_ZERO = (0.0, 0.0, 0.0)


@inline
def end_points(force, bodies):
    """World positions and velocities (p_i, v_i, p_j, v_j) of the two marker points."""
    i, j = bodies[force.i], bodies[force.j]
    p_i = add(load3(i.p), rotate(load9(i.R), load3(force.p_iF)))
    p_j = add(load3(j.p), rotate(load9(j.R), load3(force.p_jM)))
    v_i = velocity_at(load6(i.V), sub(p_i, load3(i.O)))
    v_j = velocity_at(load6(j.V), sub(p_j, load3(j.O)))
    return p_i, v_i, p_j, v_j


@inline
def line(force, bodies):
    """The line between the two marker points: p_i, p_j, unit vector u from i to j, length and its rate.

    Points that coincide have no direction: u is zero, and by symmetry the force along it too.
    """
    p_i, v_i, p_j, v_j = end_points(force, bodies)
    d = sub(p_j, p_i)
    length = norm(d)
    u = scale(1.0 / length if length > 0.0 else 0.0, d)
    return p_i, p_j, u, length, dot(u, sub(v_j, v_i))


@inline
def end_frames(force, bodies):
    """World rotations of the two marker frames."""
    return (matmul(load9(bodies[force.i].R), load9(force.R_iF)), matmul(load9(bodies[force.j].R), load9(force.R_jM)))


@inline
def push(body, couple, f, p):
    """Couple and force at the world point p act on a body."""
    add_to6(body.F, wrench(couple, f, sub(p, load3(body.O))))


@inline
def push_pair(force, bodies, couple, f, p_i, p_j):
    """Couple and force on body j at p_j, the opposite on body i at p_i."""
    push(bodies[force.j], couple, f, p_j)
    push(bodies[force.i], neg(couple), neg(f), p_i)


@kernel
def no_energy(force, t, q, x, tables, work):
    return 0.0
