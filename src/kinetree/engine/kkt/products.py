"""Products with M and G, dense or packed (kernel/tables/sparsity.py).

Other modules multiply through these functions, so that they do not depend on the storage. With
anchors (engine/dynamics/anchors.py) the packed M and G act on the unknowns u = T v; a product
converts its argument to unknowns first, and a force back to the tree.
"""

from __future__ import annotations

from ...kernel.algebra.blas1 import fill, inner
from ...kernel.decorators import inline, kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.sparse import add_tree_forces, has_anchors, tree_to_unknowns
from ...kernel.tables.workspace import Work, is_packed
from ...kernel.types import Vector
from .mass_factor import mass_times


@inline
def to_unknowns(tables, work, v):
    """u = T v with anchors, else v itself."""
    if is_packed(work) and has_anchors(tables):
        tree_to_unknowns(tables, work, v, work.u_velocity)
    return work.u_velocity if is_packed(work) and has_anchors(tables) else v


@inline
def row_product(tables, work, r, u):
    """(G u)_r over the unknowns."""
    if is_packed(work):
        c, total = tables.row_group[r], 0.0
        first, at = tables.support_first[c], tables.g_first[r]
        for n in range(tables.support_first[c + 1] - first):
            total += work.G_packed[at + n] * u[tables.support[first + n]]
        return total
    return inner(work.G[r], u)


@inline
def add_row(tables, work, r, factor, out):
    """out += factor G_r over the unknowns."""
    if is_packed(work):
        c = tables.row_group[r]
        first, at = tables.support_first[c], tables.g_first[r]
        for n in range(tables.support_first[c + 1] - first):
            out[tables.support[first + n]] += factor * work.G_packed[at + n]
    else:
        for k in range(work.G.shape[1]):
            out[k] += factor * work.G[r, k]


@inline
def packed_mass_times(tables, work, a, out):
    """out <- M a over the unknowns."""
    fill(out, 0.0)
    for k in range(a.shape[0]):
        at, l = tables.m_first[k], tables.u_up[k]
        out[k] += work.M_packed[at] * a[k]
        while l >= 0:
            at += 1
            out[k] += work.M_packed[at] * a[l]
            out[l] += work.M_packed[at] * a[k]
            l = tables.u_up[l]


@inline
def inertia_times(tables, work, a, out):
    """out <- M a."""
    if not is_packed(work):
        mass_times(tables.dof_parent, work.M, a, out)
    elif has_anchors(tables):
        packed_mass_times(tables, work, to_unknowns(tables, work, a), work.u_force)
        fill(out, 0.0)
        add_tree_forces(tables, work, work.u_force, out)
    else:
        packed_mass_times(tables, work, a, out)


@inline
def velocity_residuals(tables, work, v):
    """work.g <- G v - nu."""
    u = to_unknowns(tables, work, v)
    for r in range(work.g.shape[0]):
        work.g[r] = row_product(tables, work, r, u) - work.nu[r]


@inline
def selected_residual(tables, work, right, a, out):
    """out <- right - G a over the selected rows."""
    u = to_unknowns(tables, work, a)
    for k in range(work.report[0].rank):
        out[k] = right[work.selected[k]] - row_product(tables, work, work.selected[k], u)


@inline
def transpose_times(tables, work, lam, out):
    """out -= G^T lam over the selected rows."""
    by_unknowns = is_packed(work) and has_anchors(tables)
    forces = work.u_force if by_unknowns else out
    if by_unknowns:
        fill(forces, 0.0)
    for k in range(work.report[0].rank):
        add_row(tables, work, work.selected[k], -lam[k], forces)
    if by_unknowns:
        add_tree_forces(tables, work, forces, out)


@inline
def diagonal_norm2(tables, work, a):
    """Squared norm with the diagonal of M, over the unknowns if it is packed."""
    total = 0.0
    if is_packed(work):
        u = to_unknowns(tables, work, a)
        for k in range(u.shape[0]):
            total += work.inertia[k] * u[k] * u[k]
    else:
        for k in range(a.shape[0]):
            total += work.M[k, k] * a[k] * a[k]
    return total


@kernel
def momenta(tables: Tables, work: Work, v: Vector, out: Vector):
    """out <- M v, callable from Python."""
    inertia_times(tables, work, v, out)


@kernel
def all_rates(tables, work, v, out):
    """out <- G v, callable from Python."""
    u = to_unknowns(tables, work, v)
    for r in range(out.shape[0]):
        out[r] = row_product(tables, work, r, u)
