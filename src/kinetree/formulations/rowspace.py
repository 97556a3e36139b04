"""Row space of G in the Euclidean metric:  G^T = Q R,  G+ = Q R^-T,  P_N = 1 - Q Q^T.   [Kim1997, eqs. (3.1)-(3.6)]

The right inverse I_R = G^T (G G^T)^-1 of the paper, without forming G G^T, whose condition number is the square.
"""

import math

from ..num.dense import add_scaled, copy, inner, scale_by
from ..num.jit import inline, kernel
from ..num.status import Status
from .rangespace import LOST, keep_margin, natural, orthogonalise

_OK, _ROWS = int(Status.OK), int(Status.SINGULAR_CONSTRAINTS)


@kernel
def row_space(tables, work):
    """Q and R of the active rows."""
    report = work.report[0]
    report.factorisations += 1
    least, most = math.inf, 0.0
    for k in range(report.rank):
        row, unit = work.Q[k], natural(tables, work.active[k])
        copy(work.G[work.active[k]], row)
        size = math.sqrt(inner(row, row))
        left = orthogonalise(work, k, row)
        if not left > LOST * size:
            report.index = work.active[k]
            return _ROWS
        if unit * left < least:
            least, report.weakest = unit * left, work.active[k]
        most = max(most, unit * size)
        work.R[k, k] = left
        scale_by(1.0 / left, row)
    keep_margin(report, least, most)
    return _OK


@inline
def right_inverse(work, r, out):
    """out <- G+ r, the least-norm solution of G out = r; r (active rows) is used up."""
    for n in range(out.shape[0]):
        out[n] = 0.0
    for k in range(work.report[0].rank):
        total = r[k]
        for j in range(k):
            total -= work.R[j, k] * r[j]
        r[k] = total / work.R[k, k]
        add_scaled(r[k], work.Q[k], out)


@inline
def right_inverse_transposed(work, a, lam):
    """lam <- G+^T a over the active rows."""
    for k in range(work.report[0].rank - 1, -1, -1):
        total = inner(work.Q[k], a)
        for j in range(k + 1, work.report[0].rank):
            total -= work.R[k, j] * lam[j]
        lam[k] = total / work.R[k, k]


@inline
def project(rows, rank, a):
    """a <- P_N a with the orthonormal rows that span the row space; twice for the last digits."""
    for _ in range(2):
        for k in range(rank):
            add_scaled(-inner(rows[k], a), rows[k], a)
