"""Row space of G in the Euclidean norm:  G^T = Q R,  G+ = Q R^-T,  P_N = 1 - Q Q^T.

Source: [Kim1997, eqs. (3.1)-(3.6)]. The right inverse I_R = G^T (G G^T)^-1 of the paper is applied
without forming G G^T, whose condition number is the square. Q and R are those of the selected rows
(`row_selection.py`).
"""

from ...kernel.algebra.blas1 import add_scaled, inner
from ...kernel.decorators import inline


@inline
def right_inverse(work, r, out):
    """out <- G+ r, the least-norm solution of G out = r; r (selected rows) is overwritten."""
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
    """lam <- G+^T a over the selected rows."""
    for k in range(work.report[0].rank - 1, -1, -1):
        total = inner(work.Q[k], a)
        for j in range(k + 1, work.report[0].rank):
            total -= work.R[k, j] * lam[j]
        lam[k] = total / work.R[k, k]


@inline
def remove_row_space(rows, rank, a):
    """a <- P_N a with orthonormal rows that span the row space; twice for the last digits."""
    for _ in range(2):
        for k in range(rank):
            add_scaled(-inner(rows[k], a), rows[k], a)
