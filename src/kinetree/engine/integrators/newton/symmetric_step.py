"""The sweeps of articulated_step.py without the terms that make their matrix unsymmetric.

    (M + c C + c^2 K) da = tau - bias - M a,        C, K: of elements on joint coordinates, diagonal

Gyroscopic terms and those of turning forces and hinge columns are left out. A sweep takes two
thirds of the time of the other one, and most stiff chains converge as quickly with it. Where they do
not, the run continues with the other one (articulated_iteration.py).
"""

from ....kernel.algebra.spatial import (
    add6,
    add_to6,
    add_to21,
    apply,
    apply_rigid,
    load6,
    load21,
    minus_outer,
    scale6,
    short_dot6,
    store6,
    sub6,
)
from ....kernel.decorators import inline, internal_kernel
from ....kernel.tables.joint_inertia import joint_inertia
from .matrix import BY_POSITION, BY_VELOCITY

_NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@inline
def is_symmetric(run):
    """Whether the present sweeps are these: until they converge slowly, without elements on bodies."""
    return run.memory[0].whole_matrix == 0 and run.lists[run.lists.shape[0] - 1] == 0


@inline
def unbalance_bodies(tables, work, a):
    """Root to tips: accelerations, and in place of `bias` the unbalanced wrenches on the bodies."""
    links, bodies, dofs, gravity = tables.links, work.bodies, work.dofs, tables.settings[0].gravity
    store6(bodies[0].A, (0.0, 0.0, 0.0, -gravity[0], -gravity[1], -gravity[2]))
    for i in range(1, links.shape[0]):
        link, body = links[i], bodies[i]
        acc = add6(load6(bodies[link.parent].A), load6(body.c))
        for k in range(link.iv, link.iv + link.nv):
            acc = add6(acc, scale6(a[k], load6(dofs[k].h)))
        store6(body.A, acc)
        store6(
            body.bias, sub6(add6(apply_rigid(load21(body.I), acc), load6(body.bias)), load6(body.F))
        )
    store6(bodies[0].A, _NOTHING)


@inline
def articulate_symmetrically(tables, work, run, c, a):
    """Tips to root, as in forward dynamics; the pivots have damping and stiffness."""
    links, bodies = tables.links, work.bodies
    for i in range(links.shape[0] - 1, 0, -1):
        link, body = links[i], bodies[i]
        if link.nv == 1:
            I, p = load21(body.I), load6(body.bias)
            pass_on(link, bodies, *eliminate_one(tables, work, run, link, link.iv, I, p, c, a))
        else:
            eliminate_several(tables, work, run, i, c, a)


@internal_kernel
def eliminate_several(tables, work, run, i, c, a):
    """The same for a body whose joint has no degree of freedom or several."""
    link, body = tables.links[i], work.bodies[i]
    I, p = load21(body.I), load6(body.bias)
    for k in range(link.iv + link.nv - 1, link.iv - 1, -1):
        I, p = eliminate_one(tables, work, run, link, k, I, p, c, a)
    pass_on(link, work.bodies, I, p)


@inline
def eliminate_one(tables, work, run, link, k, I, p, c, a):
    """Inertia and unbalanced wrench inboard of one degree of freedom. Writes U, d and u."""
    dof = work.dofs[k]
    h = load6(dof.h)
    U = apply(I, h)
    J = joint_inertia(tables, link, k)
    stiffness = c * (run.entries[BY_VELOCITY][k] + c * run.entries[BY_POSITION][k])
    d = 1.0 / (short_dot6(h, U) + J + stiffness)
    u = work.f[k] - J * a[k] - short_dot6(h, p)
    store6(dof.U, U)
    dof.d = d
    dof.u = u
    return minus_outer(I, U, d), add6(p, scale6(d * u, U))


@inline
def pass_on(link, bodies, I, p):
    """Add them to those of the parent."""
    if link.parent > 0:
        add_to21(bodies[link.parent].I, I)
        add_to6(bodies[link.parent].bias, p)


@inline
def accelerate_symmetrically(tables, work, c, out):
    """Root to tips: out = c da."""
    links, bodies, dofs = tables.links, work.bodies, work.dofs
    for i in range(1, links.shape[0]):
        link = links[i]
        y = load6(bodies[link.parent].A)
        for k in range(link.iv, link.iv + link.nv):
            da = dofs[k].d * (dofs[k].u - short_dot6(load6(dofs[k].U), y))
            out[k] = c * da
            y = add6(y, scale6(da, load6(dofs[k].h)))
        store6(bodies[i].A, y)
