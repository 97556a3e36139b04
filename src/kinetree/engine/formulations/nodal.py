"""Nodal coordinates: accelerations and multipliers of free bodies by sparse block elimination.

    [ M  G^T ] [vdot]   [  f  ]
    [ G   0  ] [lam ] = [gamma]

The structural integrators start from these values, and samples between their steps are completed
with them. States are not projected: the steps themselves end on the constraints.
"""

from __future__ import annotations

from ...kernel.algebra.blas1 import copy, fill
from ...kernel.algebra.rodrigues import transposed
from ...kernel.algebra.spatial import angular, load6
from ...kernel.algebra.vec3 import cross, load3, load9, matmul, rotate, rotate_t, scale, sub
from ...kernel.decorators import inline, kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.state import parts
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import Work
from ...kernel.types import Vector
from ..beams.assembly import support_rows
from ..beams.blocks import factorise, solve_blocks
from ..beams.nodal import in_space, node_inertia
from ..beams.rows import first_row, rows_at_rest
from ..beams.shared import shared_masses
from ..dynamics.bias import bias_forces
from ..dynamics.constraint import constraint_accelerations
from ..dynamics.kinematics import bias_accelerations, coordinate_rates, kinematics
from ..dynamics.loads import loads

_OK, _SINGULAR = int(Status.OK), int(Status.SINGULAR_MASS)


@inline
def fill_masses(tables, work):
    """M about the centers of mass in world axes, block by block."""
    first, size = tables.primitives.shape[0] + tables.forces.shape[0], tables.freedoms.shape[0]
    for b in range(1, tables.links.shape[0]):
        R, o = load9(work.bodies[b].R), tables.spots[first + b]
        J = matmul(matmul(R, node_inertia(tables, b)), transposed(R))
        for i in range(size):
            for j in range(size):
                p, q = tables.freedoms[i], tables.freedoms[j]
                if p < 3 and p == q:
                    work.matrix[o + size * i + j] += tables.links[b].mass
                elif p >= 3 and q >= 3:
                    work.matrix[o + size * i + j] += J[3 * (p - 3) + q - 3]


@inline
def put_forces(tables, work):
    """Generalized forces of v on the centers of mass:  F,  R tau - c x F."""
    size = tables.freedoms.shape[0]
    for b in range(1, tables.links.shape[0]):
        k, R = tables.links[b].iv, load9(work.bodies[b].R)
        F, tau = load3(work.f[k:]), rotate(R, load3(work.f[k + 3 :]))
        tau = sub(tau, cross(rotate(R, load3(tables.links[b].com)), F))
        for j in range(size):
            i = tables.freedoms[j]
            work.unbalanced[size * (b - 1) + j] = F[i] if i < 3 else tau[i - 3]
    for e in range(tables.elements.shape[0]):
        element = tables.elements[e]
        push_turning(tables, work, element.i, turning_of(tables, work, e, element.i))
        push_turning(tables, work, element.j, scale(-1.0, turning_of(tables, work, e, element.j)))
        inward = scale(
            element.mass,
            sub(inward_of(tables, work, element.j), inward_of(tables, work, element.i)),
        )
        push_inward(tables, work, element.i, inward)
        push_inward(tables, work, element.j, scale(-1.0, inward))


@inline
def inward_of(tables, work, b):
    """Centripetal acceleration of the center of mass relative to the origin:  w x (w x R c)."""
    w, R = angular(load6(work.bodies[b].V)), load9(work.bodies[b].R)
    return cross(w, cross(w, rotate(R, load3(tables.links[b].com))))


@inline
def turning_of(tables, work, e, b):
    """Rate of the shared angular momentum of an element by the rotation of node b:  R (w x pi)."""
    element, R = tables.elements[e], load9(work.bodies[b].R)
    R1, R2 = load9(work.bodies[element.i].R), load9(work.bodies[element.j].R)
    w1 = rotate_t(R1, angular(load6(work.bodies[element.i].V)))
    w2 = rotate_t(R2, angular(load6(work.bodies[element.j].V)))
    pi = rotate(load9(element.J), sub(w2, w1))
    return rotate(R, cross(w1 if b == element.i else w2, pi))


@inline
def push_turning(tables, work, b, m):
    """Subtract the moment m on node b from the right-hand side."""
    size = tables.freedoms.shape[0]
    for j in range(size):
        i = tables.freedoms[j]
        if i >= 3:
            work.unbalanced[size * (b - 1) + j] -= m[i - 3]


@inline
def push_inward(tables, work, b, f):
    """Subtract the force f on node b from the right-hand side."""
    size = tables.freedoms.shape[0]
    for j in range(size):
        i = tables.freedoms[j]
        if i < 3:
            work.unbalanced[size * (b - 1) + j] -= f[i]


@inline
def take_accelerations(tables, work):
    """vdot from the accelerations of the centers of mass:  a - alpha x c,  R^T alpha.

    The velocity-dependent part is in the forces.
    """
    for b in range(1, tables.links.shape[0]):
        k, R = tables.links[b].iv, load9(work.bodies[b].R)
        a, alpha = in_space(tables, work.unbalanced, tables.freedoms.shape[0] * (b - 1))
        a, alpha = sub(a, cross(alpha, rotate(R, load3(tables.links[b].com)))), rotate_t(R, alpha)
        for j in range(3):
            work.vdot[k + j], work.vdot[k + 3 + j] = a[j], alpha[j]


@kernel
def accelerate_nodes(tables, work):
    """vdot and lam from f and gamma. Returns a Status."""
    fill(work.matrix, 0.0)
    fill_masses(tables, work)
    shared_masses(tables, work)
    rows_at_rest(tables, work)
    support_rows(tables, work)
    singular = factorise(tables, work)
    if singular >= 0:
        work.report[0].index = singular
        return _SINGULAR
    put_forces(tables, work)
    copy(work.gamma, work.unbalanced[first_row(tables) :])
    solve_blocks(tables, work, work.unbalanced)
    take_accelerations(tables, work)
    copy(work.unbalanced[first_row(tables) :], work.lam)
    return _OK


@kernel
def rhs(tables: Tables, work: Work, t: float, y: Vector, ydot: Vector):
    """Derivative of the state. Returns a Status."""
    q, v, x = parts(tables, y)
    qdot, vdot, xdot = parts(tables, ydot)
    work.report[0].evaluations += 1
    work.report[0].fresh = 0
    kinematics(tables, work, q, v)
    bias_accelerations(tables, work)
    loads(tables, work, t, q, v, x)
    bias_forces(tables, work)
    constraint_accelerations(tables, work, t)
    status = accelerate_nodes(tables, work)
    coordinate_rates(tables, q, v, qdot)
    copy(work.vdot, vdot)
    fill(xdot, 0.0)
    copy(work.xdot, xdot[: tables.settings[0].nx])
    return status


@kernel
def project(tables: Tables, work: Work, t: float, y: Vector):
    """States are not projected."""
    return _OK
