"""The mass metric in which rows of G are measured:  M = L^T L,  row -> L^-T row.  [Lee1994, sec. 6]

Where M itself is singular or nearly so, because a body without inertia is held by constraints
alone, M is padded to
M + s G^T G and r1 to r1 + s G^T r2: the same solution, since G a = r2.   [Lee1994, sec. 6, for
massless joints]
"""

from ...kernel.algebra.blas1 import copy, inner
from ...kernel.decorators import inline, internal_kernel
from .mass_factor import factorise_mass

LIGHT = (
    1e-6  # pivot of M, against its diagonal, below which a freedom is as good as without inertia
)


@internal_kernel
def factorise_padded(tables, work, rows):
    """L^T L = M + s G^T G over the given number of active rows, without the sparsity of the tree."""
    report, K, n = work.report[0], work.L, work.M.shape[0]
    inertia, stiffness = 0.0, 0.0
    for k in range(n):
        inertia += work.M[k, k]
    for r in range(rows):
        stiffness += inner(work.G[work.active[r]], work.G[work.active[r]])
    report.padding = inertia / stiffness if inertia > 0.0 and stiffness > 0.0 else 1.0
    for k in range(n):
        copy(work.M[k], K[k])
    for r in range(rows):
        row = work.G[work.active[r]]
        for i in range(n):
            if row[i] != 0.0:
                for j in range(i + 1):
                    K[i, j] += report.padding * row[i] * row[j]
    for k in range(n):
        work.pattern[k] = k - 1
    return factorise_mass(work.pattern, work.zeros, K, work.L)


@inline
def light(work):
    """Has a freedom so little inertia of its own that digits are lost?"""
    for k in range(work.M.shape[0]):
        if LIGHT * work.M[k, k] * work.L[k, k] * work.L[k, k] > 1.0:  # L has reciprocals there
            return True
    return False


@inline
def factorise_metric(tables, work, rows):
    """L of M, or of the padded M once that has proved necessary.  Answers a freedom without
    inertia, or -1.
    """
    report = work.report[0]
    if report.padded == 0:
        bad = factorise_mass(work.pattern, tables.floor, work.M, work.L)
        if rows == 0 or (bad < 0 and not light(work)):
            return bad
        report.padded = 1
    return factorise_padded(tables, work, rows)
