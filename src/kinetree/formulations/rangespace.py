"""One factorised matrix for positions, velocities and accelerations.  [Lee1994, sec. 6]

    [ M  G^T ] [ a   ]   [ r1 ]            M = L^T L,   W = L^-T G^T = Q R,   a = L^-1 y
    [ G   0  ] [ lam ] = [ r2 ]            y = b - Q (Q^T b - R^-T r2),  lam = R^-1 (Q^T b - R^-T r2),  b = L^-T r1

Only the active rows of G, an independent set found by pivoting, enter: redundant equations do no harm, and their
multipliers are zero. Orthogonalising twice keeps Q exact near singular positions, where normal equations lose digits.

Where M itself is singular, because a body without inertia is held by constraints alone, M is padded to M + s G^T G and
r1 to r1 + s G^T r2: the same solution, since G a = r2.   [Lee1994, sec. 6, for massless joints]
"""

import math

from ..dynamics.mass_matrix import factorise_mass, solve_lower, solve_upper
from ..num.dense import add_scaled, copy, inner, scale_by
from ..num.jit import inline, kernel
from ..num.status import Status

_OK, _MASS, _ROWS = int(Status.OK), int(Status.SINGULAR_MASS), int(Status.SINGULAR_CONSTRAINTS)
DEPENDENT = 1e-9  # a row this small against itself after orthogonalising is a combination of the others
LOST = 1e-12  # an active row this small has become one: the position is singular


@inline
def orthogonalise(work, k, row):
    """Subtract from `row` its parts along Q[0..k), adding them to column k of R; answers what is left."""
    for j in range(k):
        work.R[j, k] = 0.0
    for _ in range(2):
        for j in range(k):
            s = inner(work.Q[j], row)
            work.R[j, k] += s
            add_scaled(-s, work.Q[j], row)
    return math.sqrt(inner(row, row))


@kernel
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
def factorise_metric(tables, work, rows):
    """L of M, or of the padded M once that has proved necessary.  Answers a freedom without inertia, or -1."""
    report = work.report[0]
    if report.padded == 0:
        bad = factorise_mass(work.pattern, tables.floor, work.M, work.L)
        if bad < 0 or rows == 0:
            return bad
        report.padded = 1
    return factorise_padded(tables, work, rows)


@inline
def natural(tables, r):
    """What makes row r a length: angles are taken at the size of the machine."""
    return 1.0 if tables.row_scale[r] > 0.0 else tables.settings[0].length


@inline
def keep_margin(report, least, most):
    """Smallest pivot against largest row: it falls with the distance to a position where a row is lost."""
    report.margin = least / most if most > 0.0 else 1.0
    report.widest = max(report.widest, report.margin)


@kernel
def factorise(tables, work):
    """Factors of the matrix at the present M and G (active rows).  Answers a Status; the culprit is report.index."""
    report = work.report[0]
    report.factorisations += 1
    bad = factorise_metric(tables, work, report.rank)
    if bad >= 0:
        report.index = bad
        return _MASS
    least, most = math.inf, 0.0
    for k in range(report.rank):
        row, unit = work.Q[k], natural(tables, work.active[k])
        copy(work.G[work.active[k]], row)
        solve_upper(work.pattern, work.L, row)
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


@kernel
def solve(tables, work, r1, r2, lam):
    """r1 <- a and lam <- multipliers of the active rows, with the stored factors; r2 is used up."""
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


@inline
def natural_size(tables, work):
    """Size a row of a length constraint has in the mass metric if nothing cancels: what rounding is measured against."""
    most = 0.0
    for k in range(work.M.shape[0]):
        h = work.dofs[k].h
        arm = tables.settings[0].length if h[0] * h[0] + h[1] * h[1] + h[2] * h[2] > 0.0 else 1.0
        if work.M[k, k] > tables.floor[k]:
            most = max(most, arm / math.sqrt(work.M[k, k]))
    return most


@kernel
def reselect_rows(tables, work):
    """Choose rows anew, but never fewer than before: where a row is lost the position is singular, and says so."""
    report = work.report[0]
    before, culprit, first = report.rank, report.index, report.selections == 0
    for r in range(work.active.shape[0]):
        work.order[r] = work.active[r]
    status = select_rows(tables, work)
    if status == _OK and not first and report.rank < before:
        report.rank, report.index = before, culprit
        for r in range(work.active.shape[0]):
            work.active[r] = work.order[r]
        return _ROWS
    return status


@kernel
def select_rows(tables, work):
    """Choose an independent set of rows of G at the present position: pivoted orthogonalisation in the mass metric.

    Each row is measured against its own length, the largest remainder first and the earliest row on a tie, so the
    answer does not depend on units and the redundant equations are found in the last joint of a loop.
    """
    report = work.report[0]
    report.selections += 1
    report.rank = 0
    ng = work.G.shape[0]
    size = work.scratch[0]
    usual = natural_size(tables, work)
    for r in range(ng):
        work.active[r] = r
    bad = factorise_metric(tables, work, ng)
    if bad >= 0:
        report.index = bad
        return _MASS
    for r in range(ng):
        row = work.Q[r]
        copy(work.G[r], row)
        solve_upper(work.pattern, work.L, row)
        size[r] = math.sqrt(inner(row, row))
    for k in range(ng):
        best, most = -1, DEPENDENT
        for r in range(k, ng):
            own = size[work.active[r]]
            left = math.sqrt(inner(work.Q[r], work.Q[r]))
            if own * natural(tables, work.active[r]) > 1e-11 * usual and left / own > most * (1.0 + 1e-6):
                best, most = r, left / own
        if best < 0:
            break
        swap(work, k, best)
        row = work.Q[k]
        scale_by(1.0 / math.sqrt(inner(row, row)), row)
        for r in range(k + 1, ng):
            for _ in range(2):
                add_scaled(-inner(row, work.Q[r]), row, work.Q[r])
        report.rank = k + 1
    return _OK


@inline
def swap(work, a, b):
    work.active[a], work.active[b] = work.active[b], work.active[a]
    for n in range(work.Q.shape[1]):
        work.Q[a, n], work.Q[b, n] = work.Q[b, n], work.Q[a, n]
