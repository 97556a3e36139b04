"""Local bases by every method of the null space: what `reduced.py` asks of a machine with many loops.

Front by front (plants/fronts.py) the rows that it holds are factored and a basis of what they leave free is found by the method
that was asked for, each a small matrix:

    orthonormal N:  A = R^T Q,  Y = R^-1 Q        partition:  Y = [ A_u^-1 ; 0 ],  N = [ -A_u^-1 A_v ; 1 ]
"""

import math

from ..num.dense import add_scaled, copy, fill, inner
from ..num.jit import inline, stage
from ..num.status import Status
from ..plants.nesting import with_bases
from ..saddle.local_rows import arms_of_rows, choose_rows, factor_front, rows_of_no_front
from ..saddle.nested import down, factor_reduced, solve_forces, solve_reduced, solve_rows, up
from ..saddle.partition import LOST, factor_square, give_up, pivot_columns, pivot_fully, solve_square
from ..saddle.products import inertia_times
from ..tables.records import Tables
from ..tables.sparse import BASES, addresses, with_kernels
from ..tables.state import Start
from ..warm import ahead, ready
from .basis_projection import select_basis, transport
from .basis_qr import reflect
from .basis_svd import SINGULAR, singular_rows
from .variants import MANI, PARTITION_QR, PROJECTION, QR, SVD, SVD_VELOCITY, is_partition

_OK, _NAN, _ROWS = int(Status.OK), int(Status.NOT_FINITE), int(Status.SINGULAR_CONSTRAINTS)
_MASS = int(Status.SINGULAR_MASS)


@stage
def orthonormal_basis(tables, work, n):
    """N and Y of a front from its A, Q and R.  Answers a Status."""
    front, option, begun = tables.fronts[n], tables.settings[0].option, work.report[0].transported == 1
    size, rank, free = front.wide, front.rank, front.wide - front.rank
    A, Q = work.local[0][: rank * size].reshape(rank, size), work.local[1][: rank * size].reshape(rank, size)
    R, K = work.local[2][: rank * rank].reshape(rank, rank), work.local[3][: free * free].reshape(free, free)
    turned = work.local[4][: max(free, 1) * size].reshape(max(free, 1), size)
    B, V = work.bases[front.basis : front.basis + size * size], work.kept[front.basis : front.basis + size * size]
    Y, N = B[: rank * size].reshape(rank, size), B[rank * size :].reshape(free, size)
    if option == QR:
        reflect(A, rank, N, free)
    elif begun and option != SVD:
        transport(Q, rank, V[rank * size :].reshape(free, size), N, free, K, turned)
    elif option == PROJECTION:
        select_basis(Q, rank, N, free, turned[0])
    else:
        least, most = singular_rows(A, rank)
        if not least > SINGULAR * most:
            return _ROWS
        select_basis(A, rank, N, free, turned[0])
    for k in range(rank - 1, -1, -1):
        copy(Q[k], Y[k])
        for j in range(k + 1, rank):
            add_scaled(-R[k, j], Y[j], Y[k])
        for j in range(size):
            Y[k, j] /= R[k, k]
    return _OK


@inline
def choose_columns(tables, work, n, columns):
    """The dependent coordinates of a front, angles against travel in units of the machine."""
    front, by_qr = tables.fronts[n], tables.settings[0].option == PARTITION_QR
    size, rank = front.wide, front.rank
    A, U = work.local[0][: rank * size].reshape(rank, size), work.local[3]
    for k in range(rank):
        for j in range(size):
            at = j * rank + k if by_qr else k * size + j
            U[at] = work.unit[work.active[front.active + k]] * A[k, j] * work.natural[tables.nest[front.ins + j]]
    if by_qr:
        return pivot_columns(U[: size * rank].reshape(size, rank), rank, columns)
    return pivot_fully(U[: size * rank].reshape(rank, size), rank, columns)


@inline
def factor_columns(work, front, columns):
    """LU of the dependent columns of a front, in local[2]; answers the ratio of extreme pivots."""
    size, rank = front.wide, front.rank
    A, LU = work.local[0][: rank * size].reshape(rank, size), work.local[2][: rank * rank].reshape(rank, rank)
    for k in range(rank):
        for j in range(rank):
            LU[k, j] = A[k, columns[j]]
    return factor_square(LU, work.picked[1], rank)


@stage
def partition_basis(tables, work, n, anew):
    """N and Y of a front by partition, chosen anew if asked for or where it has become singular.  Answers a Status."""
    front, report, nest = tables.fronts[n], work.report[0], tables.nest
    size, rank, free = front.wide, front.rank, front.wide - front.rank
    columns = work.columns[front.column : front.column + size]
    if anew or not factor_columns(work, front, columns) > LOST:
        status = choose_columns(tables, work, n, columns)
        if status != _OK or not factor_columns(work, front, columns) > 1e-12:
            report.index = work.active[front.active + rank - 1]
            return _ROWS
    A, LU = work.local[0][: rank * size].reshape(rank, size), work.local[2][: rank * rank].reshape(rank, rank)
    B, r, u = work.bases[front.basis : front.basis + size * size].reshape(size, size), work.local[4], work.local[5]
    for k in range(rank):
        fill(r[:rank], 0.0)
        r[k] = 1.0
        solve_square(LU, work.picked[1], rank, columns, u, r, B[k])
    for k in range(free):
        j = columns[rank + k]
        for i in range(rank):
            r[i] = -A[i, j]
        solve_square(LU, work.picked[1], rank, columns, u, r, B[rank + k])
        unit = work.natural[nest[front.ins + j]]
        for i in range(rank):
            report.spread = max(report.spread, abs(B[rank + k, columns[i]]) * unit / work.natural[nest[front.ins + columns[i]]])
        B[rank + k, j] = 1.0
        work.natural[front.out + k] = unit
    return _OK


@inline
def begin_bases(tables, work):
    """At every pass: units of the freedoms, and the margin before the first front; answers whether to partition anew."""
    report = work.report[0]
    report.factorisations += 1
    report.rank, report.margin = work.across.shape[0], 1.0
    anew = report.partitions == 0 or report.pivot < 0.0
    report.spread = 0.0
    for k in range(tables.turns.shape[0]):
        work.natural[k] = 1.0 if tables.turns[k] > 0.0 else tables.settings[0].length
    if report.reference == 0.0:  # rows have been chosen
        fill(work.apart, 0.0)
    return anew


@stage
def pass_fronts(tables, work, choose):
    """Bases of all fronts at the present G, with rows chosen anew or those in use.  Answers a Status."""
    report, by_partition, worst = work.report[0], is_partition(tables.settings[0].option), 1.0
    usual = arms_of_rows(tables, work) if choose else 0.0
    anew = begin_bases(tables, work)
    for n in range(tables.fronts.shape[0]):
        if choose and choose_rows(tables, work, n, usual) != _OK:
            return _ROWS
        least, wear = factor_front(tables, work, n)
        if not least > 0.0:
            return _ROWS
        worst = min(worst, wear)
        status = partition_basis(tables, work, n, anew) if by_partition else orthonormal_basis(tables, work, n)
        if status != _OK:
            return status
    if by_partition:
        report.factorisations += 1
        if anew:
            report.partitions += 1
            report.pivot = report.spread
    report.widest = max(report.widest, report.margin)
    report.reference = report.margin / worst
    return _OK


@stage
def exchange(tables, work):
    """Rows of all fronts chosen anew at the present G; those that were better stay."""
    report, first = work.report[0], work.report[0].selections == 0
    before = report.margin
    for r in range(work.active.shape[0]):
        work.order[r] = work.active[r]
    report.selections += 1
    report.reference = 0.0
    give_up(report)
    if first:
        rows_of_no_front(tables, work)
    status = pass_fronts(tables, work, True)
    if not first and (status != _OK or report.margin < before):
        report.reference = 0.0
        give_up(report)
        for r in range(work.active.shape[0]):
            work.active[r] = work.order[r]
        status = pass_fronts(tables, work, False)
    return status


@stage
def renew(tables, work):
    """Bases at the present G; rows chosen at the first call and where one of them is lost."""
    status = pass_fronts(tables, work, False) if work.report[0].selections > 0 else _ROWS
    if status == _ROWS:
        work.report[0].margin = 0.0
        status = exchange(tables, work)
    return status


@stage
def accelerations(tables, work, lam):
    """vdot and the multipliers of the rows in use, as in `reduced.py`."""
    nv, a = work.f.shape[0], work.vdot
    r2, force = work.scratch[1], work.scratch[2][:nv]
    for k in range(work.report[0].rank):
        r2[k] = work.gamma[work.active[k]]
    solve_rows(tables, work, r2, a)
    inertia_times(tables, work, a, force)
    for k in range(nv):
        force[k] = work.f[k] - force[k]
    down(tables, work, work.bases, force)
    if factor_reduced(tables, work) != _OK:
        work.report[0].index = 0
        return _MASS
    solve_reduced(tables, work)
    up(tables, work, False, force)
    add_scaled(1.0, force, a)
    inertia_times(tables, work, a, force)
    for k in range(nv):
        force[k] = work.f[k] - force[k]
    solve_forces(tables, work, force, lam)
    return _OK if math.isfinite(inner(a, a)) else _NAN


@stage
def carry(tables, work, v):
    """After an accepted step: every N becomes the basis V of the next, or is found anew where they have worn out."""
    report, option, status = work.report[0], tables.settings[0].option, _OK
    if is_partition(option):
        return _OK
    if option == SVD_VELOCITY and report.transported == 1:
        down(tables, work, work.kept, v)
        seen = 0.0
        for k in range(tables.z_ids.shape[0]):
            seen += work.along[tables.z_ids[k]] ** 2
        if seen > MANI * MANI * inner(v, v):
            return _OK
        report.transported = 0
        status = pass_fronts(tables, work, False)
    copy(work.bases, work.kept)
    report.transported = 1
    return status


_KERNELS = (renew, exchange, solve_rows, accelerations, carry)


def with_local_bases(tables: Tables, start: Start | None, wanted: bool | None, rank: int) -> Tables:
    """The tables with local bases where they are quicker, or wanted, and the kernels that `reduced.py` asks of them."""
    found = with_bases(tables, start, wanted, rank)
    if not len(found.fronts):
        return tables
    ahead("bases")
    ready("bases")
    return with_kernels(found, BASES, _KERNELS)


def compile_kernels() -> None:
    """Compile or load them."""
    addresses(BASES, _KERNELS)
