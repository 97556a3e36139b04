"""Anchors: bodies whose twist is an unknown of the linear equations; their tree joints are rows.

With the velocities v of the tree and the unknowns u of the forest without the joints of anchors
(engine/sparsity/paths.py),

    u = T v          twists of anchors (about their own origin, world axes), v of all other bodies
    T^T w            generalized forces of the tree for forces w on the unknowns

T is a sweep over the bodies and is never stored. The joint of an anchor b on body P has the hinge
columns H and the wrenches

    D with D^T H = 1:  v = D^T (V_b - V_P);     C with C^T H = 0:  its rows are C^T (V_b - V_P) = 0

in `work.joint_wrenches`, first D and then C, computed by reflections [Golub2013, alg. 5.2.1]. A
generalized force f on the joint is the wrench D f on b and its reaction on P.
"""

import math

from ...kernel.algebra.blas1 import fill
from ...kernel.algebra.spatial import (
    add6,
    add_to6,
    angular,
    dot6,
    join,
    linear,
    load6,
    scale6,
    store6,
    sub6,
    velocity_at,
    wrench,
)
from ...kernel.algebra.vec3 import cross, load3, sub
from ...kernel.decorators import inline, internal_kernel, kernel

_ZERO = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@inline
def arm(body):
    """The origin of a body from O."""
    return sub(load3(body.p), load3(body.O))


@inline
def about_itself(h, r):
    """A twist about O, converted to the point r from O."""
    return join(angular(h), velocity_at(h, r))


@inline
def about_origin(F, r):
    """A wrench about O, moved to the point r from O."""
    return join(sub(angular(F), cross(r, linear(F))), linear(F))


@inline
def reflect(basis, first, k, h, y):
    """Reflect rows k .. 5 so that only row k has a component along the twist h."""
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
    """Rows `first` .. of joint_wrenches: D and C of the joint of body i."""
    link, basis, dofs, r = tables.links[i], work.joint_wrenches, work.dofs, arm(work.bodies[i])
    for j in range(6):
        store6(basis[first + j], _ZERO)
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
    """Hinge columns of the six unknowns of each anchor, and D and C of its joint.

    Needs positions.
    """
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
def add_tree_forces(tables, work, w, out):
    """out += T^T w."""
    links, dofs, wrenches = tables.links, work.dofs, work.twists
    for i in range(links.shape[0]):
        store6(wrenches[i], _ZERO)
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
    store6(wrenches[0], _ZERO)


@inline
def add_force_along(tables, work, path, c, F, w):
    """w += F.h along one path of group c."""
    for n in range(tables.path_first[path], tables.path_first[path + 1]):
        u = tables.support[tables.support_first[c] + tables.path_to[n]]
        w[u] += dot6(F, load6(work.dofs[tables.path_dof[n]].h))


@kernel
def forces_on_unknowns(tables, work, f, w):
    """w <- forces on the unknowns with T^T w = f."""
    links, groups, paths = tables.links, tables.group_first.shape[0] - 1, tables.settings[0].paths
    fill(w, 0.0)
    for i in range(1, links.shape[0]):
        link, n, at = links[i], tables.anchor[i], tables.u_first[i]
        if n < 0:
            for k in range(link.nv):
                w[at + k] += f[link.iv + k]
            continue
        F = _ZERO
        for k in range(link.nv):
            F = add6(F, scale6(f[link.iv + k], load6(work.joint_wrenches[6 * n + k])))
        add_force_along(tables, work, paths + 2 * n, groups + n, F, w)
        add_force_along(tables, work, paths + 2 * n + 1, groups + n, scale6(-1.0, F), w)


@kernel
def unknowns_to_tree(tables, work, u, v):
    """v <- the velocities of the tree for unknowns that satisfy the joints of anchors."""
    links, dofs, twists, first = tables.links, work.dofs, work.twists, tables.settings[0].nv
    for i in range(1, links.shape[0]):
        link, n, at = links[i], tables.anchor[i], tables.u_first[i]
        V_P = load6(twists[link.parent])
        V = V_P
        if n >= 0:
            V = _ZERO
            for k in range(6):
                V = add6(V, scale6(u[at + k], load6(dofs[first + 6 * n + k].h)))
            for k in range(link.nv):
                v[link.iv + k] = dot6(load6(work.joint_wrenches[6 * n + k]), sub6(V, V_P))
        else:
            for k in range(link.nv):
                v[link.iv + k] = u[at + k]
                V = add6(V, scale6(u[at + k], load6(dofs[link.iv + k].h)))
        store6(twists[i], V)
