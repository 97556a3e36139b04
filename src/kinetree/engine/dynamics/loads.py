"""Applied forces: each force element adds its wrenches to the bodies and its torques to f.

Controllers run first, so that the elements can read their outputs; both add the rates of their
states to xdot. After those rates xdot has the power of each element, for the energy balance. An
element may reduce `report.longest`, the longest step that may follow.
"""

from __future__ import annotations

import math

from ...elements.controllers.catalogue import control
from ...elements.forces.catalogue import APPLY, ENERGY, KIND, apply_force, force_energy
from ...elements.joints.sensors import TREE
from ...kernel.algebra.blas1 import fill
from ...kernel.algebra.spatial import dot6, load6, store6
from ...kernel.decorators import inline, internal_kernel, kernel
from ...kernel.tables.fault import FORCE, set_fault_element
from ...kernel.tables.records import Tables
from ...kernel.tables.workspace import Work
from ...kernel.types import Vector

_STRAIN = KIND["modal-strain"]


@inline
def body_power(work, i):
    """F.V of a body."""
    return dot6(load6(work.bodies[i].F), load6(work.bodies[i].V))


@inline
def applied_power(tables, work, force, v):
    """Power of all loads so far on the bodies, or the joint, that this element acts on."""
    if force.sensor >= 0:
        sensor = tables.sensors[force.sensor]
        on_frames = body_power(work, sensor.i) + body_power(work, sensor.j)
        return work.f[sensor.iv] * v[sensor.iv] if sensor.kind == TREE else on_frames
    total = 0.0
    if force.kind == _STRAIN:
        for k in range(force.input[1], force.input[1] + force.count):
            total += work.f[k] * v[k]
    for m in range(force.im, force.im + force.nm):
        if tables.markers[m].again == 0:
            total += body_power(work, tables.markers[m].body)
    return total


@kernel
def loads(tables, work, t, q, v, x):
    """All applied forces."""
    some_loads(tables, work, t, q, v, x, 0, tables.forces.shape[0])


@internal_kernel
def some_loads(tables, work, t, q, v, x, first, last):
    """Applied forces of the elements first .. last - 1; needs positions and velocities.

    Writes bodies (F), f = tau, xdot of all controllers and elements, and the powers.
    """
    for i in range(work.bodies.shape[0]):
        store6(work.bodies[i].F, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    fill(work.f, 0.0)
    fill(work.xdot, 0.0)
    fill(work.outputs, 0.0)
    work.report[0].longest = math.inf
    if tables.controllers.shape[0] > 0:
        control(tables.control_kernel[0], tables, work, t, q, v, x)
    for k in range(first, last):
        force = tables.forces[k]
        before = applied_power(tables, work, force, v)
        apply_force(tables.kernels[force.kind, APPLY], tables, work, force, t, q, v, x)
        work.xdot[tables.settings[0].nx + k] = applied_power(tables, work, force, v) - before
        set_fault_element(work.report[0], FORCE, k)


@kernel
def load_energy(tables: Tables, work: Work, t: float, q: Vector, x: Vector):
    """Potential energy of all force elements."""
    return some_energy(tables, work, t, q, x, 0, tables.forces.shape[0])


@internal_kernel
def some_energy(tables, work, t, q, x, first, last):
    """Potential energy of the elements first .. last - 1."""
    total = 0.0
    for k in range(first, last):
        force = tables.forces[k]
        total += force_energy(tables.kernels[force.kind, ENERGY], tables, work, force, t, q, x)
    return total
