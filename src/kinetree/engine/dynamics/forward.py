"""Accelerations of an open tree by the articulated-body algorithm, O(bodies).

A joint with n degrees of freedom is n joints of one each with massless links between them, so that
one recursion serves all joints:

    U = I h,   d = 1 / (h.U + J),   u = tau - h.p                per degree of freedom, tips to root
    I <- I - U d U^T,   p <- p + U d u
    I_P += I,  p_P += p + I c                                    per body
    vdot = d (u - U.A),   A <- A + h vdot                        root to tips

with the inertia J of the joint coordinate (kernel/tables/joint_inertia.py).
"""

from __future__ import annotations

from ...kernel.algebra.spatial import (
    add6,
    add_to6,
    add_to21,
    apply,
    load6,
    load21,
    store6,
    sub6,
)
from ...kernel.decorators import inline, internal_kernel, kernel
from ...kernel.tables.joint_inertia import joint_inertia
from ...kernel.tables.records import Tables
from ...kernel.tables.workspace import Work
from ...kernel.types import Vector
from .eliminate import accelerate_one, eliminate, is_bad
from .kinematics import kinematics
from .modal_sweep import accelerate_parts, articulate_parts


@internal_kernel
def articulate(tables, work, tau):
    """Tips to root: articulated inertias and biases.

    Writes bodies (I, bias) in place and dofs (U, d, u). Returns the index of a pivot that is not
    positive, or -1.
    """
    if tables.flexible.shape[0] > 0:
        return articulate_parts(tables, work, tau)
    links, bodies, bad = tables.links, work.bodies, -1
    for i in range(links.shape[0] - 1, 0, -1):
        link, body = links[i], bodies[i]
        if link.nv == 1:
            k, dof = link.iv, work.dofs[link.iv]
            I, p = load21(body.I), sub6(load6(body.bias), load6(body.F))
            I, p = eliminate(dof, I, p, tau[k], joint_inertia(tables, link, k))
            pass_on(link, bodies, body, I, p)
            bad = k if is_bad(dof, link) else bad
        else:
            several = eliminate_all(tables, work, i, tau)
            bad = several if several >= 0 else bad
    return bad


@inline
def pass_on(link, bodies, body, I, p):
    """Add the articulated inertia and bias of a body to those of its parent."""
    if link.parent > 0:
        P = bodies[link.parent]
        add_to21(P.I, I)
        add_to6(P.bias, add6(p, apply(I, load6(body.c))))


@internal_kernel
def eliminate_all(tables, work, i, tau):
    """`articulate` for a body whose joint has no degree of freedom or several."""
    link, body, bad = tables.links[i], work.bodies[i], -1
    I, p = load21(body.I), sub6(load6(body.bias), load6(body.F))
    for k in range(link.iv + link.nv - 1, link.iv - 1, -1):
        I, p = eliminate(work.dofs[k], I, p, tau[k], joint_inertia(tables, link, k))
        bad = k if is_bad(work.dofs[k], link) else bad
    pass_on(link, work.bodies, body, I, p)
    return bad


@internal_kernel
def accelerate(tables, work, vdot):
    """Root to tips: accelerations. Writes vdot and bodies (A), relative to free fall."""
    if tables.flexible.shape[0] > 0:
        accelerate_parts(tables, work, vdot)
        return
    links, bodies, dofs, gravity = tables.links, work.bodies, work.dofs, tables.settings[0].gravity
    store6(bodies[0].A, (0.0, 0.0, 0.0, -gravity[0], -gravity[1], -gravity[2]))
    A = load6(bodies[0].A)
    for i in range(1, links.shape[0]):
        link, body = links[i], bodies[i]
        if link.parent != i - 1:  # else A is still at hand
            A = load6(bodies[link.parent].A)
        A = add6(A, load6(body.c))
        if link.nv == 1:
            A = accelerate_one(dofs, vdot, link.iv, A)
        else:
            for k in range(link.iv, link.iv + link.nv):
                A = accelerate_one(dofs, vdot, k, A)
        store6(body.A, A)
    store6(bodies[0].A, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))  # the ground is at rest again


@kernel
def forward_dynamics(tables: Tables, work: Work, q: Vector, v: Vector, tau: Vector, vdot: Vector):
    """vdot of a tree for generalized forces tau; bodies.F holds applied wrenches.

    Returns the index of a bad pivot, or -1.
    """
    kinematics(tables, work, q, v)
    bad = articulate(tables, work, tau)
    accelerate(tables, work, vdot)
    return bad
