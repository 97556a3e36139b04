"""Packed M and G (kernel/tables/sparsity.py): only the entries that can differ from zero.

M_kl = h_l . (Ic_i h_k)  for l on the path of k                              (mass_matrix.py)
G_rk = F_i . h_k or F_j . h_k  for k on one of the two paths up to their common ancestor;
       inboard of it F_i + F_j = 0                                           (constraint.py)
"""

from ...elements.constraints.catalogue import pair
from ...elements.constraints.user_relation import find_ratios, ratio
from ...elements.joints.sensors import TREE, sensor_wrench
from ...kernel.algebra.blas1 import fill
from ...kernel.algebra.spatial import add_to21, apply, dot6, load6, load21
from ...kernel.decorators import inline, kernel
from ...kernel.tables.joint_inertia import joint_inertia
from ...kernel.tables.sparse import has_anchors
from .anchors import place_anchors


@kernel
def packed_mass_matrix(tables, work):
    """Packed M and its diagonal.

    Reads bodies (I), dofs (h); needs the hinge columns of anchors, which `packed_jacobian` writes.
    Writes M_packed, inertia, and inertias composed up to the anchors into bodies (I).
    """
    links, bodies, dofs, M = tables.links, work.bodies, work.dofs, work.M_packed
    for i in range(links.shape[0] - 1, 0, -1):
        link = links[i]
        I = load21(bodies[i].I)
        if link.parent > 0 and not (has_anchors(tables) and tables.anchor[i] >= 0):
            add_to21(bodies[link.parent].I, I)
        for k in range(tables.u_first[i], tables.u_first[i + 1]):
            U = apply(I, load6(dofs[tables.u_dof[k]].h))
            at, l = tables.m_first[k], k
            while l >= 0:
                M[at] = dot6(load6(dofs[tables.u_dof[l]].h), U)
                at += 1
                l = tables.u_up[l]
            if tables.u_dof[k] < work.f.shape[0]:  # not of an anchor
                M[tables.m_first[k]] += joint_inertia(tables, links[i], tables.u_dof[k])
            work.inertia[k] = M[tables.m_first[k]]


@inline
def add_along(tables, work, path, F, factor, at):
    """Add factor F.h to the row that begins at `at`, along one path."""
    for n in range(tables.path_first[path], tables.path_first[path + 1]):
        work.G_packed[at + tables.path_to[n]] += factor * dot6(
            F, load6(work.dofs[tables.path_dof[n]].h)
        )


@inline
def add_sensor(tables, work, n, path, ratio, at):
    """Add ratio times the gradient of sensor n; its paths are `path` and the next."""
    sensor = tables.sensors[n]
    if sensor.kind == TREE and tables.dual[n] >= 0:
        D = load6(work.joint_wrenches[tables.dual[n]])
        add_along(tables, work, path, D, ratio, at)
        add_along(tables, work, path + 1, D, -ratio, at)
    elif sensor.kind == TREE:
        work.G_packed[at + tables.path_to[tables.path_first[path]]] += ratio
    else:
        F_i, F_j = sensor_wrench(tables, sensor, work.bodies)
        add_along(tables, work, path, F_i, ratio, at)
        add_along(tables, work, path + 1, F_j, ratio, at)


@inline
def joint_rows(tables, work):
    """The rows of the joints of anchors: C on the anchor, -C on its parent."""
    row = tables.row_scale.shape[0]
    for i in range(1, tables.anchor.shape[0]):
        n = tables.anchor[i]
        for k in range(tables.links[i].nv if n >= 0 else 6, 6):
            C, at = load6(work.joint_wrenches[6 * n + k]), tables.g_first[row]
            path = tables.settings[0].paths + 2 * n
            add_along(tables, work, path, C, 1.0, at)
            add_along(tables, work, path + 1, C, -1.0, at)
            row += 1


@kernel
def packed_jacobian(tables, work):
    """Packed G and the hinge columns of anchors; needs positions."""
    fill(work.G_packed, 0.0)
    place_anchors(tables, work)
    joint_rows(tables, work)
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        for k in range(p.ng):
            at = tables.g_first[p.ig + k]
            if p.sensors > 0:
                if p.aim >= 0:
                    find_ratios(tables, work, p)
                for m in range(p.sensors):
                    share = ratio(tables, work, p, p.term + m)
                    add_sensor(
                        tables, work, tables.terms[p.term + m].sensor, p.path + 2 * m, share, at
                    )
            else:
                F_i, F_j = pair(p.kind, tables, p, k, work.bodies, work.aims)
                add_along(tables, work, p.path, F_i, 1.0, at)
                add_along(tables, work, p.path + 1, F_j, 1.0, at)
