"""Derivatives of the force elements of a tree, element by element (articulated_step.py).

    C_k = -tau_v,  K_k = -tau_q                 of an element on one joint coordinate
    C = -F_V,      K = -F_X    (6x6)            of an element on a body i, or on i and its parent P

No element on one joint or one body depends on others, so each is evaluated alone, with its own
coordinate or its own bodies perturbed. Storage: element_matrices.py.
"""

import math

from ....elements.forces.catalogue import APPLY, apply_force
from ....kernel.algebra.blas1 import copy, fill
from ....kernel.algebra.spatial import load6, store6, sub6
from ....kernel.algebra.vec3 import load3, load9, store3, store9
from ....kernel.decorators import inline, internal_kernel
from ....kernel.tables.fault import FORCE, NO_FAULT, clear_fault, set_fault_element
from ....kernel.tables.state import parts
from ...dynamics.anchors import about_origin, arm
from ...dynamics.kinematics import kinematics
from ...sparsity.step_elements import ON_BODIES, ON_JOINT
from ..methods.adams_formulas import NEXT, WEIGHT
from ..methods.bdf_formulas import START
from ..stepping import INTERRUPTED, NOT_FINITE, OK, checked_status, count_evaluation
from .body_equations import perturb_body
from .direct_differences import TURN
from .element_matrices import (
    BY_PARENT,
    OF_PARENT,
    OWN,
    PER_BODY,
    element_entry,
    place_of,
)
from .full_jacobian import increment
from .matrix import BY_POSITION, BY_VELOCITY

_NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@inline
def apply_alone(tables, work, force, i, P, t, q, v, x):
    """Evaluate one element on bodies i and P; whether all is finite."""
    store6(work.bodies[i].F, _NOTHING)
    store6(work.bodies[P].F, _NOTHING)
    clear_fault(work.report[0])
    apply_force(tables.kernels[force.kind, APPLY], tables, work, force, t, q, v, x)
    total = 0.0
    for d in range(6):
        total += work.bodies[i].F[d] + work.bodies[P].F[d]
    return work.report[0].fault == NO_FAULT and math.isfinite(total)


@internal_kernel
def joint_derivatives(tables, work, run, t, y, k):
    """C and K of an element on one joint coordinate; whether they are finite."""
    vectors, force, nq = run.vectors, tables.forces[k], tables.settings[0].nq
    sensor, trial = tables.sensors[force.sensor], run.vectors[START]
    iv, (q, v, x) = sensor.iv, parts(tables, trial)
    work.f[iv] = 0.0
    finite = apply_alone(tables, work, force, 0, 0, t, q, v, x)
    base = work.f[iv]
    for by_velocity in range(2):
        at = nq + iv if by_velocity else sensor.iq
        size = (
            increment(y[at], 1.0, vectors[WEIGHT, at], 0.0)
            if by_velocity
            else TURN * (1.0 if tables.turns[iv] > 0.0 else tables.settings[0].length)
        )
        for _ in range(2):
            trial[at], work.f[iv] = y[at] + size, 0.0
            good = apply_alone(tables, work, force, 0, 0, t, q, v, x) and math.isfinite(work.f[iv])
            trial[at] = y[at]
            if good:
                break
            size = -size
        run.entries[by_velocity, iv] += (base - work.f[iv]) / size
        finite = finite and good
    return finite and math.isfinite(base)


@inline
def store_column(entries, first, d, size, before, after, r):
    """Column d of a matrix: the change of a wrench about the point r, divided by -size."""
    change = about_origin(sub6(before, after), r)
    for k in range(6):
        entries[first + 6 * k + d] += change[k] / size


@internal_kernel
def body_derivatives(tables, work, run, t, y, k):
    """C and K of an element on a body, or on a body and its parent; whether they are finite."""
    force, bodies, length = tables.forces[k], work.bodies, tables.settings[0].length
    _, i, P = element_entry(run.lists, k)
    q, v, x = parts(tables, y)
    r_i, r_P, first = arm(bodies[i]), arm(bodies[P]), tables.settings[0].nv
    own = first + PER_BODY * place_of(tables, run.lists, i)[0]
    parent = first + PER_BODY * place_of(tables, run.lists, P)[0] if P > 0 else own
    finite = apply_alone(tables, work, force, i, P, t, q, v, x)
    F_i, F_P = load6(bodies[i].F), load6(bodies[P].F)
    for which in range(1 if P == 0 else 2):
        body = bodies[i] if which == 0 else bodies[P]
        R, p, V = load9(body.R), load3(body.p), load6(body.V)
        for column in range(12):
            by_velocity, d = column // 6, column % 6
            size = TURN * (1.0 if d < 3 else length)
            for _ in range(2):
                perturb_body(body, d, by_velocity, size)
                good = apply_alone(tables, work, force, i, P, t, q, v, x)
                store9(body.R, R)
                store3(body.p, p)
                store6(body.V, V)
                if good:
                    break
                size = -size
            finite = finite and good
            entries, G_i, G_P = run.entries[by_velocity], load6(bodies[i].F), load6(bodies[P].F)
            if which == 0:
                store_column(entries, own + OWN, d, size, F_i, G_i, r_i)
                if P > 0:
                    store_column(entries, own + OF_PARENT, d, size, F_P, G_P, r_P)
            else:
                store_column(entries, own + BY_PARENT, d, size, F_i, G_i, r_i)
                store_column(entries, parent + OWN, d, size, F_P, G_P, r_P)
    return finite


@internal_kernel
def linearize_elements(tables, work, run, t):
    """Compute C and K of all elements at the state in NEXT; returns a Status."""
    memory, vectors, y = run.memory[0], run.vectors, run.vectors[NEXT]
    if not count_evaluation(memory, work.report[0]):
        return INTERRUPTED
    work.report[0].evaluations += 1
    memory.jacobians, memory.jacobian_age = memory.jacobians + 1, 0
    q, v, _ = parts(tables, y)
    kinematics(tables, work, q, v)
    copy(y, vectors[START])
    fill(run.entries[BY_POSITION], 0.0)
    fill(run.entries[BY_VELOCITY], 0.0)
    for k in range(tables.forces.shape[0]):
        what, finite = element_entry(run.lists, k)[0], True
        if what == ON_JOINT:
            finite = joint_derivatives(tables, work, run, t, y, k)
        elif what == ON_BODIES:
            finite = body_derivatives(tables, work, run, t, y, k)
        if not finite:
            set_fault_element(work.report[0], FORCE, k)
            return checked_status(work, NOT_FINITE, t, y)
    return OK
