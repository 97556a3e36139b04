"""Elimination of one joint from the equations of an implicit step (articulated_step.py).

    D da  =  u - R.y_P,        phi  =  B (y_P + sum h da) + b

With da eliminated, the change phi of the wrench of the joint depends on the motion y_P of its
parent alone: B and b inboard of the joint. Columns h that are fixed in the parent turn with it,
those that are fixed in the body with the body. Storage in run.factors: B of every body, then R of
every degree of freedom and its row of D.
"""

from ....kernel.algebra.full_inertia import (
    add_to36,
    apply36,
    apply36_transposed,
    load36,
    minus_outer36,
    store36,
)
from ....kernel.algebra.spatial import (
    add6,
    add_to6,
    cross_force,
    dot6,
    load6,
    scale6,
    store6,
)
from ....kernel.decorators import inline, internal_kernel
from ....kernel.tables.joint_inertia import joint_inertia
from .element_matrices import BY_PARENT, OF_PARENT, place_of, tie
from .matrix import BY_POSITION, BY_VELOCITY


@inline
def articulated(run, i):
    """The numbers B of body i."""
    return run.factors[36 * i : 36 * i + 36]


@inline
def hinge_row(tables, run, k):
    """The row R of a degree of freedom (eliminate_hinge), then its entries of D (a block)."""
    first = 36 * tables.links.shape[0] + 12 * k
    return run.factors[first : first + 12]


@inline
def eliminate_hinge(dof, row, B, b, Phi, tau, stiffness, g):
    """B and b inboard of a joint with one degree of freedom; g = c^2. Writes U, d, u and R.

    da = d (u - R.y_P),    phi = (B - U d R^T) y_P + b + U d u
    """
    h = load6(dof.h)
    U, R = apply36(B, h), add6(apply36_transposed(B, h), scale6(g, cross_force(h, Phi)))
    d = 1.0 / (dot6(h, U) + stiffness)
    u = tau - dot6(h, add6(Phi, b))
    store6(dof.U, U)
    dof.d = d
    dof.u = u
    store6(row, R)
    return minus_outer36(B, U, d, R), add6(b, scale6(d * u, U))


@inline
def joint_block(tables, work, run, i, c, a):
    """U, R, D and u of a joint with several degrees of freedom, or with elements beside it.

    D da = u - R.y_P,    phi = B (y_P + sum h da) + b. Columns fixed in the body turn with it, those
    fixed in the parent with the parent.
    """
    link, body, dofs = tables.links[i], work.bodies[i], work.dofs
    C, K, g = run.entries[BY_VELOCITY], run.entries[BY_POSITION], c * c
    B, b, Phi = load36(articulated(run, i)), load6(body.F), load6(body.bias)
    first, last = link.iv, link.iv + link.nv
    for k in range(first, last):
        store6(dofs[k].U, apply36(B, load6(dofs[k].h)))
    for k in range(first, last):
        h, row, J = load6(dofs[k].h), hinge_row(tables, run, k), joint_inertia(tables, link, k)
        s = scale6(g, cross_force(h, Phi))
        store6(row, add6(apply36_transposed(B, h), s))
        for j in range(first, last):
            D = dot6(h, load6(dofs[j].U))
            if k >= first + link.leading:
                D += dot6(s, load6(dofs[j].h))
            row[6 + j - first] = D + (J + c * (C[k] + c * K[k]) if j == k else 0.0)
        dofs[k].u = work.f[k] - J * a[k] - dot6(h, add6(Phi, b))


@inline
def tie_to_parent(tables, work, run, i, c):
    """Add the elements between body i and its parent to U, R and B of its joint."""
    link, dofs = tables.links[i], work.dofs
    by_parent, of_parent = (
        tie(tables, work, run, i, BY_PARENT, c),
        tie(tables, work, run, i, OF_PARENT, c),
    )
    for k in range(link.iv, link.iv + link.nv):
        h = load6(dofs[k].h)
        add_to6(hinge_row(tables, run, k), apply36_transposed(by_parent, h))
        add_to6(dofs[k].U, apply36(of_parent, h))
    add_to36(articulated(run, i), by_parent)
    add_to36(articulated(run, i), of_parent)


@inline
def eliminate_block(tables, work, run, i):
    """B and b inboard of a joint, in place; its degrees of freedom one by one, the last one first."""
    link, body, dofs = tables.links[i], work.bodies[i], work.dofs
    first, B = link.iv, articulated(run, i)
    for k in range(first + link.nv - 1, first - 1, -1):
        row = hinge_row(tables, run, k)
        U, R, d, u = load6(dofs[k].U), load6(row), 1.0 / row[6 + k - first], dofs[k].u
        dofs[k].d = d
        store36(B, minus_outer36(load36(B), U, d, R))
        add_to6(body.F, scale6(d * u, U))
        for j in range(first, k):
            other = hinge_row(tables, run, j)
            m = d * other[6 + k - first]
            add_to6(dofs[j].U, scale6(-d * row[6 + j - first], U))
            add_to6(other, scale6(-m, R))
            dofs[j].u -= m * u
            for n in range(first, k):
                other[6 + n - first] -= m * row[6 + n - first]


@internal_kernel
def eliminate_joint(tables, work, run, i, c, a):
    """The same as `eliminate_hinge` for any joint, in place: B in run.factors, b in body.F."""
    joint_block(tables, work, run, i, c, a)
    if place_of(tables, run.lists, i)[1] > 0:
        tie_to_parent(tables, work, run, i, c)
    eliminate_block(tables, work, run, i)
