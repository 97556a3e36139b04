"""Products with M and G, dense or packed."""

from __future__ import annotations

from ...kernel.algebra.blas1 import add_scaled, fill, inner
from ...kernel.decorators import inline, kernel
from ...kernel.tables.packed import add_row, packed_mass_times, row_times
from ...kernel.tables.records import Tables
from ...kernel.tables.sparse import anchored, gather, spread
from ...kernel.tables.workspace import Work, is_packed
from ...kernel.types import Vector
from .mass_factor import mass_times


@inline
def inertia_times(tables, work, a, out):
    """out <- M a."""
    if is_packed(work):
        spread(tables, work, a)
        packed_mass_times(
            tables,
            work,
            work.spread if anchored(tables) else a,
            work.pushes if anchored(tables) else out,
        )
        if anchored(tables):
            fill(out, 0.0)
            gather(tables, work, work.pushes, out)
    else:
        mass_times(tables.dof_parent, work.M, a, out)


@inline
def rate(tables, work, r, v):
    """(G v)_r of a machine without anchors."""
    return row_times(tables, work, r, v) if is_packed(work) else inner(work.G[r], v)


@inline
def misfits(tables, work, v):
    """work.g <- G v - nu."""
    if is_packed(work):
        spread(tables, work, v)
        u = work.spread if anchored(tables) else v
        for r in range(work.g.shape[0]):
            work.g[r] = row_times(tables, work, r, u) - work.nu[r]
    else:
        for r in range(work.g.shape[0]):
            work.g[r] = inner(work.G[r], v) - work.nu[r]


@inline
def active_residual(tables, work, right, a, out):
    """out <- right - G a over the active rows."""
    if is_packed(work):
        spread(tables, work, a)
        u = work.spread if anchored(tables) else a
        for k in range(work.report[0].rank):
            out[k] = right[work.active[k]] - row_times(tables, work, work.active[k], u)
    else:
        for k in range(work.report[0].rank):
            out[k] = right[work.active[k]] - inner(work.G[work.active[k]], a)


@inline
def transpose_times(tables, work, lam, out):
    """out -= G^T lam over the active rows."""
    if is_packed(work):
        pushes = work.pushes if anchored(tables) else out
        if anchored(tables):
            fill(pushes, 0.0)
        for k in range(work.report[0].rank):
            add_row(tables, work, work.active[k], -lam[k], pushes)
        if anchored(tables):
            gather(tables, work, pushes, out)
    else:
        for k in range(work.report[0].rank):
            add_scaled(-lam[k], work.G[work.active[k]], out)


@inline
def weight(tables, work, a):
    """Squared length in the metric of the diagonal of M, over the unknowns where it is packed."""
    total = 0.0
    if is_packed(work):
        spread(tables, work, a)
        u = work.spread if anchored(tables) else a
        for k in range(u.shape[0]):
            total += work.inertia[k] * u[k] * u[k]
    else:
        for k in range(a.shape[0]):
            total += work.M[k, k] * a[k] * a[k]
    return total


@kernel
def momenta(tables: Tables, work: Work, v: Vector, out: Vector):
    """out <- M v, for Python."""
    inertia_times(tables, work, v, out)


@kernel
def all_rates(tables, work, v, out):
    """out <- G v, for Python."""
    spread(tables, work, v)
    u = work.spread if anchored(tables) else v
    for r in range(out.shape[0]):
        out[r] = rate(tables, work, r, u)
