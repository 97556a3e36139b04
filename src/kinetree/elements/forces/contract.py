"""Force elements: a user class and two kernels each, or more.

    apply(tables, work, force, t, q, v, x)            add wrenches to bodies[.].F and generalised
                                                      forces to work.f
    energy(tables, work, force, t, q, x) -> float     potential energy (0 for what stores none)
    read(tables, work, force, t, q, v, x, out)        the numbers that `readings` names, for the
                                                      results
    discrete(tables, work, force, t, h, x)            optional: as `apply`, the mean over a step in
                                                      node coordinates that does
                                                      exactly the work by which its energy
                                                      changes
                                                      (engine/beams/loads.py)

An element with states declares them in `own_states`; its record has the first as `ix`, and `apply`
adds their rates to work.xdot.

The class writes itself into a record of the force table with `lower(row, to)`; `to` (the compiler)
has placed its markers, any number of them, and registers sensors, inputs and numbers. All else that
other packages need from an element is a method here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...core.quantities import UserClass
from ...kernel.algebra.spatial import add_to6, load6, scale6, velocity_at, wrench
from ...kernel.algebra.vec3 import add, dot, load3, load9, matmul, neg, norm, rotate, scale, sub
from ...kernel.decorators import inline, kernel
from ...kernel.frames import Pose
from ...kernel.tables.poses import node_pose
from ..controllers.contract import State
from ..joints.contract import refuse_turned
from ..joints.sensors import TREE, sensor_wrench


@dataclass(frozen=True)
class Force(UserClass):
    """Base of the force elements; `markers` is the range of the number of markers."""

    kind: ClassVar[str]
    markers: ClassVar[tuple[int, int | None]]  # fewest and most; None: any number
    actuators: ClassVar[
        tuple[str, ...]
    ] = ()  # labels of its inputs that push, in the order of its record; "": the element
    look: ClassVar[str] = ""  # what it is drawn as, see viewer/element_looks.py; nothing by default
    meanings: ClassVar[dict[str, str]] = {}  # of its readings and states: what, and which sign

    @property
    def readings(self) -> tuple[tuple[str, str], ...]:
        """Labels and units of its channels."""
        return ()

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Joint coordinates on which it acts."""
        return ()

    @property
    def breakpoints(self) -> Sequence[float]:
        """Times at which it jumps, besides those of its time functions."""
        return ()

    @property
    def kinks(self) -> Sequence[tuple[str, float]]:
        """Readings and levels at which its law is not smooth; steps can be made to end there
        (kt.kinks).
        """
        return ()

    def longest_steps(self) -> tuple[float | None, ...]:
        """Return the longest step (s) of each Python function that it calls, an attribute of
        the function.
        """
        functions = [value for value in vars(self).values() if callable(value)]
        return tuple(getattr(function, "longest_step", None) for function in functions)

    def mirrored(self, S: np.ndarray) -> Force:
        """Return it in a mirror that maps points to S p and the axes of its markers to S R S."""
        return self

    def counted(self, signs: Mapping[str, float]) -> Force:
        """Return it with the coordinates in `signs` multiplied by their signs."""
        refuse_turned(signs, type(self).__name__)
        return self

    def lower(self, row, to) -> None:
        raise NotImplementedError

    def idle(self) -> Force:
        """Return it at rest: its actuators alone, all at zero."""
        raise NotImplementedError(f"{type(self).__name__} has no actuators.")

    def readings_on(self, units: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """Return labels and units of its readings, given the units of its coordinates."""
        return self.readings

    def meaning(self, label: str) -> str:
        """Return what a reading or state is, with its sign."""
        return self.meanings.get(label, label)

    def sums(self, name: str, forces: Mapping[str, Any]) -> dict[str, tuple[str, str, list[str]]]:
        """Return further channels that are sums: label -> (unit, description, names of the
        channels).
        """
        return {}

    def check_start(self, length: float, nothing: float) -> None:
        """Raise an error for an invalid start.

        `length` is that of the path through its markers; up to `nothing` it has no direction.
        """

    def check_place(self, poses: Sequence[Pose]) -> None:
        """Raise an error for an invalid initial place of its markers, in world axes."""

    def own_states(self) -> tuple[State, ...]:
        """Return its states x, in the order of its record."""
        return ()


@kernel
def no_reading(tables, work, force, t, q, v, x, out):
    return


class Entry(NamedTuple):
    """One line of the catalogue."""

    force: type[Force]
    apply: Callable
    energy: Callable
    read: Callable = no_reading
    discrete: Callable | None = None
    meet: Callable | None = None  # of a unilateral element (unilateral.py)


ZERO = (0.0, 0.0, 0.0)


@inline
def ends(tables, force):
    """First two markers."""
    return tables.markers[force.im], tables.markers[force.im + 1]


@inline
def point_motion(marker, bodies):
    """World position and velocity of a marker."""
    body = bodies[marker.body]
    p = add(load3(body.p), rotate(load9(body.R), load3(marker.p)))
    return p, velocity_at(load6(body.V), sub(p, load3(body.O)))


@inline
def point_at(work, marker, place):
    """World position of a marker at a row of `work.poses`, in node coordinates."""
    x, R = node_pose(work.poses[place], marker.body)
    return add(x, rotate(R, sub(load3(marker.p), load3(work.nodes[marker.body].com))))


@inline
def frame(marker, bodies):
    """World rotation of a marker."""
    return matmul(load9(bodies[marker.body].R), load9(marker.R))


@inline
def line(a, b, bodies):
    """Line between two markers: their points, unit vector u from a to b, length and its rate.

    Points that coincide have no direction: u is zero, and by symmetry the force along it too.
    """
    (p_a, v_a), (p_b, v_b) = point_motion(a, bodies), point_motion(b, bodies)
    d = sub(p_b, p_a)
    length = norm(d)
    u = scale(1.0 / length if length > 0.0 else 0.0, d)
    return p_a, p_b, u, length, dot(u, sub(v_b, v_a))


@inline
def push(marker, bodies, couple, f, p):
    """Apply a torque, and a force at the world point p, to the body of a marker."""
    body = bodies[marker.body]
    add_to6(body.F, wrench(couple, f, sub(p, load3(body.O))))


@inline
def push_apart(a, b, bodies, f, p_a, p_b):
    """Apply a force to b at p_b and the opposite force to a at p_a."""
    push(b, bodies, ZERO, f, p_b)
    push(a, bodies, ZERO, neg(f), p_a)


@inline
def act_on(tables, work, sensor, tau):
    """Apply an effort along a joint coordinate."""
    if sensor.kind == TREE:
        work.f[sensor.iv] += tau
        return
    F_i, F_j = sensor_wrench(tables, sensor, work.bodies)
    add_to6(work.bodies[sensor.i].F, scale6(tau, F_i))
    add_to6(work.bodies[sensor.j].F, scale6(tau, F_j))


@kernel
def no_energy(tables, work, force, t, q, x):
    return 0.0
