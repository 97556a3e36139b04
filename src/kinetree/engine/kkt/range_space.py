"""One factorized matrix for positions, velocities and accelerations.  [Lee1994, sec. 6]

    [ M  G^T ] [ a   ]   [ r1 ]      M = L^T L,   W = L^-T G^T = Q R,   a = L^-1 y,   b = L^-T r1
    [ G   0  ] [ lam ] = [ r2 ]      y = b - Q (Q^T b - R^-T r2),   lam = R^-1 (Q^T b - R^-T r2)

Only the selected rows enter (`row_selection.py`); the multipliers of redundant rows are zero. A
second orthogonalization keeps Q accurate near singular positions, where normal equations lose
digits. If M is padded (`mass_norm.py`), so is r1. Large models have sparse factors behind the same
three functions (`packed.py`, `sparse_row_selection.py`).
"""

from ...kernel.algebra.blas1 import add_scaled, inner
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.sparse import refactor_sparse, reselect_sparse, solve_sparse
from ...kernel.tables.workspace import is_packed
from .mass_factor import solve_lower, solve_upper
from .row_selection import refactor_rows, reselect_rows


@internal_kernel
def refactor(tables, work):
    """Factorize the matrix at the present M and G. Returns a Status, and a row in report.index.

    Rows are selected at the first call and when a selected row has become dependent.
    """
    return refactor_sparse(tables, work) if is_packed(work) else refactor_rows(tables, work, True)


@internal_kernel
def reselect(tables, work):
    """Select rows again and factorize. Returns a Status."""
    return reselect_sparse(tables, work) if is_packed(work) else reselect_rows(tables, work, True)


@internal_kernel
def solve(tables, work, r1, r2, lam):
    """r1 <- a and lam <- multipliers of the selected rows, with the stored factors.

    r2 is overwritten.
    """
    if is_packed(work):
        solve_sparse(tables, work, r1, r2, lam)
        return
    rank = work.report[0].rank
    if work.report[0].padded == 1:
        for k in range(rank):
            add_scaled(work.report[0].padding * r2[k], work.G[work.selected[k]], r1)
    solve_upper(work.mass_pattern, work.L, r1)
    for k in range(rank):
        total = r2[k]
        for j in range(k):
            total -= work.R[j, k] * r2[j]
        r2[k] = total / work.R[k, k]
    for k in range(rank):
        r2[k] = inner(work.Q[k], r1) - r2[k]
    for k in range(rank):
        add_scaled(-r2[k], work.Q[k], r1)
    for k in range(rank - 1, -1, -1):
        total = r2[k]
        for j in range(k + 1, rank):
            total -= work.R[k, j] * lam[j]
        lam[k] = total / work.R[k, k]
    solve_lower(work.mass_pattern, work.L, r1)


@inline
def solve_roughly(tables, work, r1, r2, lam):
    """`solve` without refinement where sparse factors are padded.

    It serves for corrections whose residuals are measured anew: those remove the effect of padding.
    """
    report = work.report[0]
    padded = report.padded
    if is_packed(work):
        report.padded = 0
    solve(tables, work, r1, r2, lam)
    report.padded = padded
