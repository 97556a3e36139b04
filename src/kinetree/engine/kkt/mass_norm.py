"""The mass norm of the rows of G:  M = L^T L,  row -> L^-T row.  [Lee1994, sec. 6]

If M is singular or nearly so, because constraints alone hold a body without inertia, M is padded
to M + s G^T G and r1 to r1 + s G^T r2. The solution is the same, since G a = r2.
[Lee1994, sec. 6, for massless joints]
"""

from ...kernel.algebra.blas1 import copy, inner
from ...kernel.decorators import inline, internal_kernel
from .mass_factor import factorize_mass

LIGHT = 1e-6  # ratio of a pivot of M to its diagonal below which M is padded


@internal_kernel
def factorize_padded(tables, work, rows):
    """L^T L = M + s G^T G over the first `rows` selected rows, without the sparsity of the tree."""
    report, K, n = work.report[0], work.L, work.M.shape[0]
    inertia, stiffness = 0.0, 0.0
    for k in range(n):
        inertia += work.M[k, k]
    for r in range(rows):
        stiffness += inner(work.G[work.selected[r]], work.G[work.selected[r]])
    report.padding = inertia / stiffness if inertia > 0.0 and stiffness > 0.0 else 1.0
    for k in range(n):
        copy(work.M[k], K[k])
    for r in range(rows):
        row = work.G[work.selected[r]]
        for i in range(n):
            if row[i] != 0.0:
                for j in range(i + 1):
                    K[i, j] += report.padding * row[i] * row[j]
    for k in range(n):
        work.mass_pattern[k] = k - 1
    return factorize_mass(work.mass_pattern, work.zeros, K, work.L)


@inline
def has_light_dof(work):
    """Whether a degree of freedom has so little inertia of its own that digits are lost."""
    for k in range(work.M.shape[0]):
        # the diagonal of L holds reciprocals
        if LIGHT * work.M[k, k] * work.L[k, k] * work.L[k, k] > 1.0:
            return True
    return False


@inline
def factorize_metric(tables, work, rows):
    """L of M, or of the padded M once padding was necessary.

    Returns the index of a degree of freedom without inertia, or -1.
    """
    report = work.report[0]
    if report.padded == 0:
        bad = factorize_mass(work.mass_pattern, tables.floor, work.M, work.L)
        if rows == 0 or (bad < 0 and not has_light_dof(work)):
            return bad
        report.padded = 1
    return factorize_padded(tables, work, rows)
