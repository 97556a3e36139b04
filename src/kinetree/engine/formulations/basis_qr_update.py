"""Null-space basis by QR once, then updated by an inverse.   [Kim1986, cited in LeeJoo as an
alternative to a new decomposition]

    [ G   ]       [ 0 ]
    [ V^T ] N  =  [ 1 ],        N = P_N V (V^T P_N V)^-1

V are the null vectors of the last decomposition. V^T v are then the reduced rates at every later
position, whose directions do not change; as the null space turns away from V the vectors of N grow,
and at 45 degrees it is decomposed anew. The inverse of a matrix of the size of the degrees of
freedom makes an update as dear as a decomposition of small matrices.
"""

from ...kernel.algebra.blas1 import copy, inner
from ...kernel.decorators import inline, internal_kernel
from ..kkt.mass_factor import factorise_mass, solve_lower, solve_upper
from ..kkt.row_space import remove_row_space

# least pivot of V^T P_N V, the square of a cosine, at which the null space is decomposed anew
WORN = 0.5


@internal_kernel
def updated(work):
    """N from V at the present G; report.spread is the least pivot.  False where the null space has
    turned by a right angle.
    """
    report, nv = work.report[0], work.f.shape[0]
    freedoms = nv - report.rank
    report.spread = 1.0
    for k in range(freedoms):
        copy(work.V[k], work.N[k])
        remove_row_space(work.Q, report.rank, work.N[k])
        for j in range(k + 1):
            work.K[k, j] = inner(work.N[k], work.V[j])
    if factorise_mass(work.chain, work.zeros, work.K[:freedoms], work.L) >= 0:
        report.spread = 0.0
        return False
    column = work.scratch[3][:freedoms]
    for j in range(nv):
        for k in range(freedoms):
            column[k] = work.N[k, j]
        solve_upper(work.chain, work.L, column)
        solve_lower(work.chain, work.L, column)
        for k in range(freedoms):
            work.N[k, j] = column[k]
    for k in range(freedoms):
        report.spread = min(report.spread, 1.0 / work.L[k, k] ** 2)  # L has reciprocals there
    return True


@inline
def turned_away(report):
    """Has the null space turned too far from V?"""
    return report.spread < WORN
