"""Anchors: bodies whose twist is an unknown of its own in the linear equations, their tree joints
rows (engine/sparsity/paths.py).

With the velocities v of the tree and the unknowns u of the forest that is left without the joints
of anchors,

    u = T v          twists of anchors (about their own origin, world axes), freedoms of all others
    T^T w            generalised forces of the tree for pushes w on the unknowns

T is a sweep over the bodies and nobody stores it. The joint of an anchor b on body P has the hinge
columns H; its wrenches

    D with D^T H = 1  read its speeds off,  v = D^T (V_b - V_P);     C with C^T H = 0  are its rows,
                      C^T (V_b - V_P) = 0

are the rows of `work.basis`, first D and then C, by reflections [Golub2013, alg. 5.2.1]; a force f
on its freedoms is the wrench D f on b and its reaction on P.
"""

import math

from ...kernel.algebra.blas1 import fill
from ...kernel.algebra.spatial import (
    add6,
    add_to6,
    angular,
    dot6,
    join,
    load6,
    scale6,
    store6,
    sub6,
    velocity_at,
    wrench,
)
from ...kernel.algebra.vec3 import load3, sub
from ...kernel.decorators import inline, internal_kernel, kernel

_NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@inline
def arm(body):
    """The origin of a body from O."""
    return sub(load3(body.p), load3(body.O))


@inline
def about_itself(h, r):
    """A twist about O, about the point r from O."""
    return join(angular(h), velocity_at(h, r))


@inline
def reflect(basis, first, k, h, y):
    """Turn rows k .. 5 so that only row k feels the twist h."""
    square = 0.0
    for j in range(k, 6):
        y[j] = dot6(load6(basis[first + j]), h)
        square += y[j] * y[j]
    y[k] += math.copysign(math.sqrt(square), y[k])
    square = 0.0
    for j in range(k, 6):
        square += y[j] * y[j]
    for c in range(6):
        total = 0.0
        for j in range(k, 6):
            total += y[j] * basis[first + j, c]
        total *= 2.0 / square
        for j in range(k, 6):
            basis[first + j, c] -= total * y[j]


@internal_kernel
def span_joint(tables, work, i, first):
    """Rows `first` .. of the basis: D and C of the joint of body i."""
    link, basis, dofs, r = tables.links[i], work.basis, work.dofs, arm(work.bodies[i])
    for j in range(6):
        store6(basis[first + j], _NOTHING)
        basis[first + j, j] = 1.0
    for k in range(link.nv):
        reflect(
            basis, first, k, about_itself(load6(dofs[link.iv + k].h), r), basis[basis.shape[0] - 1]
        )
    for j in range(link.nv - 1, -1, -1):
        row = load6(basis[first + j])
        d = row
        for k in range(j + 1, link.nv):
            d = sub6(
                d,
                scale6(
                    dot6(row, about_itself(load6(dofs[link.iv + k].h), r)), load6(basis[first + k])
                ),
            )
        store6(
            basis[first + j],
            scale6(1.0 / dot6(row, about_itself(load6(dofs[link.iv + j].h), r)), d),
        )
    for j in range(6):
        row = load6(basis[first + j])
        store6(basis[first + j], wrench(angular(row), (row[3], row[4], row[5]), r))


@internal_kernel
def place_anchors(tables, work):
    """Columns of the six unknowns of each anchor, and the basis of its joint; needs positions."""
    first = tables.settings[0].nv
    for i in range(1, tables.anchor.shape[0]):
        n = tables.anchor[i]
        if n < 0:
            continue
        x, y, z = arm(work.bodies[i])
        store6(work.dofs[first + 6 * n].h, (1.0, 0.0, 0.0, 0.0, z, -y))
        store6(work.dofs[first + 6 * n + 1].h, (0.0, 1.0, 0.0, -z, 0.0, x))
        store6(work.dofs[first + 6 * n + 2].h, (0.0, 0.0, 1.0, y, -x, 0.0))
        store6(work.dofs[first + 6 * n + 3].h, (0.0, 0.0, 0.0, 1.0, 0.0, 0.0))
        store6(work.dofs[first + 6 * n + 4].h, (0.0, 0.0, 0.0, 0.0, 1.0, 0.0))
        store6(work.dofs[first + 6 * n + 5].h, (0.0, 0.0, 0.0, 0.0, 0.0, 1.0))
        span_joint(tables, work, i, 6 * n)


@kernel
def tree_to_unknowns(tables, work, v, u):
    """u <- T v."""
    links, dofs, twists = tables.links, work.dofs, work.twists
    for i in range(1, links.shape[0]):
        link, V, at = links[i], load6(twists[links[i].parent]), tables.u_first[i]
        for k in range(link.nv):
            V = add6(V, scale6(v[link.iv + k], load6(dofs[link.iv + k].h)))
        store6(twists[i], V)
        if tables.anchor[i] >= 0:
            store6(u[at : at + 6], about_itself(V, arm(work.bodies[i])))
        else:
            for k in range(link.nv):
                u[at + k] = v[link.iv + k]


@kernel
def add_pushes(tables, work, w, out):
    """out += T^T w."""
    links, dofs, wrenches = tables.links, work.dofs, work.twists
    for i in range(links.shape[0]):
        store6(wrenches[i], _NOTHING)
    for i in range(links.shape[0] - 1, 0, -1):
        link, F, at = links[i], load6(wrenches[i]), tables.u_first[i]
        if tables.anchor[i] >= 0:
            push = load6(w[at : at + 6])
            F = add6(F, wrench(angular(push), (push[3], push[4], push[5]), arm(work.bodies[i])))
        else:
            for k in range(link.nv):
                out[link.iv + k] += w[at + k]
        for k in range(link.nv):
            out[link.iv + k] += dot6(F, load6(dofs[link.iv + k].h))
        if link.parent > 0:
            add_to6(wrenches[link.parent], F)
    store6(wrenches[0], _NOTHING)


@inline
def push_along(tables, work, walk, c, F, w):
    """w += F.h along one path of group c."""
    for n in range(tables.walk_first[walk], tables.walk_first[walk + 1]):
        u = tables.support[tables.support_first[c] + tables.walk_to[n]]
        w[u] += dot6(F, load6(work.dofs[tables.walk_dof[n]].h))


@kernel
def forces_on_unknowns(tables, work, f, w):
    """w <- pushes with T^T w = f."""
    links, groups, walks = tables.links, tables.group_first.shape[0] - 1, tables.settings[0].walks
    fill(w, 0.0)
    for i in range(1, links.shape[0]):
        link, n, at = links[i], tables.anchor[i], tables.u_first[i]
        if n < 0:
            for k in range(link.nv):
                w[at + k] += f[link.iv + k]
            continue
        F = _NOTHING
        for k in range(link.nv):
            F = add6(F, scale6(f[link.iv + k], load6(work.basis[6 * n + k])))
        push_along(tables, work, walks + 2 * n, groups + n, F, w)
        push_along(tables, work, walks + 2 * n + 1, groups + n, scale6(-1.0, F), w)


@kernel
def unknowns_to_tree(tables, work, u, v):
    """v of unknowns that meet the rows of the joints of anchors."""
    links, dofs, twists, first = tables.links, work.dofs, work.twists, tables.settings[0].nv
    for i in range(1, links.shape[0]):
        link, n, at, V_P = (
            links[i],
            tables.anchor[i],
            tables.u_first[i],
            load6(twists[links[i].parent]),
        )
        V = V_P
        if n >= 0:
            V = _NOTHING
            for k in range(6):
                V = add6(V, scale6(u[at + k], load6(dofs[first + 6 * n + k].h)))
            for k in range(link.nv):
                v[link.iv + k] = dot6(load6(work.basis[6 * n + k]), sub6(V, V_P))
        else:
            for k in range(link.nv):
                v[link.iv + k] = u[at + k]
                V = add6(V, scale6(u[at + k], load6(dofs[link.iv + k].h)))
        store6(twists[i], V)
