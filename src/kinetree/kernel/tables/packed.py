"""Products with M and G kept over their structure (kernel/tables/sparsity.py)."""

from ..algebra.blas1 import fill
from ..decorators import inline


@inline
def row_times(tables, work, r, v):
    """(G v)_r."""
    c, total = tables.row_group[r], 0.0
    first, at = tables.support_first[c], tables.g_first[r]
    for n in range(tables.support_first[c + 1] - first):
        total += work.G_packed[at + n] * v[tables.support[first + n]]
    return total


@inline
def add_row(tables, work, r, factor, out):
    """out += factor G_r."""
    c = tables.row_group[r]
    first, at = tables.support_first[c], tables.g_first[r]
    for n in range(tables.support_first[c + 1] - first):
        out[tables.support[first + n]] += factor * work.G_packed[at + n]


@inline
def packed_mass_times(tables, work, a, out):
    """out <- M a."""
    fill(out, 0.0)
    for k in range(a.shape[0]):
        at, l = tables.m_first[k], tables.u_up[k]
        out[k] += work.M_packed[at] * a[k]
        while l >= 0:
            at += 1
            out[k] += work.M_packed[at] * a[l]
            out[l] += work.M_packed[at] * a[k]
            l = tables.u_up[l]
