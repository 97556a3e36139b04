"""One factorised matrix for positions, velocities and accelerations.  [Lee1994, sec. 6]

    [ M  G^T ] [ a   ]   [ r1 ]            M = L^T L,   W = L^-T G^T = Q R,   a = L^-1 y
    [ G   0  ] [ lam ] = [ r2 ]            y = b - Q (Q^T b - R^-T r2),  lam = R^-1 (Q^T b - R^-T
          r2),  b = L^-T r1

Only the rows in use enter (`rows.py`): redundant equations do no harm, and their multipliers are
zero. Orthogonalising twice keeps Q exact near singular positions, where normal equations lose
digits. Where M is padded (`metric.py`), so is r1. Large machines have sparse factors instead, with
the same functions (`packed.py`, `choice.py`).
"""

from ...kernel.algebra.blas1 import add_scaled, inner
from ...kernel.decorators import internal_kernel
from ...kernel.tables.sparse import exchange_sparse, renew_sparse, solve_sparse
from ...kernel.tables.workspace import is_packed
from .mass_factor import solve_lower, solve_upper
from .row_selection import exchange_rows, renew_rows


@internal_kernel
def renew(tables, work):
    """Factors of the matrix at the present M and G, rows chosen at the first call and where one was
    lost.  Answers a Status; the
    culprit is report.index.
    """
    return renew_sparse(tables, work) if is_packed(work) else renew_rows(tables, work, True)


@internal_kernel
def exchange(tables, work):
    """The same with rows chosen anew."""
    return exchange_sparse(tables, work) if is_packed(work) else exchange_rows(tables, work, True)


@internal_kernel
def solve(tables, work, r1, r2, lam):
    """r1 <- a and lam <- multipliers of the active rows, with the stored factors; r2 is used up."""
    if is_packed(work):
        solve_sparse(tables, work, r1, r2, lam)
        return
    rank = work.report[0].rank
    if work.report[0].padded == 1:
        for k in range(rank):
            add_scaled(work.report[0].padding * r2[k], work.G[work.active[k]], r1)
    solve_upper(work.pattern, work.L, r1)
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
    solve_lower(work.pattern, work.L, r1)
