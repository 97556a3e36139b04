"""The basis of one front (engine/sparsity/fronts.py) from its rows A, a small matrix.

orthonormal N:  A = R^T Q,  Y = R^-1 Q
partition:      Y = [ A_u^-1 ; 0 ],  N = [ -A_u^-1 A_v ; 1 ]
"""

from ...kernel.algebra.blas1 import add_scaled, copy, fill
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.status import Status
from ..kkt.partition import LOST, factor_square, pivot_columns, pivot_fully, solve_square
from .basis_projection import select_basis, transport
from .basis_qr import reflect
from .basis_svd import SINGULAR, singular_rows
from .variants import PARTITION_QR, PROJECTION, QR, QR_UPDATE, SVD

_OK, _ROWS = int(Status.OK), int(Status.SINGULAR_CONSTRAINTS)


@internal_kernel
def orthonormal_basis(tables, work, n):
    """N and Y of a front from its A, Q and R. Returns a Status."""
    front, option = tables.fronts[n], tables.settings[0].option
    begun = work.report[0].has_previous_basis == 1
    size, rank, free = front.width, front.rank, front.width - front.rank
    A = work.front_matrices[0][: rank * size].reshape(rank, size)
    Q = work.front_matrices[1][: rank * size].reshape(rank, size)
    R = work.front_matrices[2][: rank * rank].reshape(rank, rank)
    K = work.front_matrices[3][: free * free].reshape(free, free)
    turned = work.front_matrices[4][: max(free, 1) * size].reshape(max(free, 1), size)
    B = work.bases[front.basis : front.basis + size * size]
    V = work.previous_bases[front.basis : front.basis + size * size]
    Y, N = B[: rank * size].reshape(rank, size), B[rank * size :].reshape(free, size)
    if option == QR or option == QR_UPDATE:
        reflect(A, rank, N, free)
        work.report[0].decompositions += 1
    elif begun and option != SVD:
        transport(Q, rank, V[rank * size :].reshape(free, size), N, free, K, turned)
    elif option == PROJECTION:
        select_basis(Q, rank, N, free, turned[0])
    else:
        least, most = singular_rows(A, rank)
        work.report[0].decompositions += 1
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
    """Choose the dependent coordinates of a front; displacements count in lengths of the model."""
    front, by_qr = tables.fronts[n], tables.settings[0].option == PARTITION_QR
    size, rank = front.width, front.rank
    A, U = work.front_matrices[0][: rank * size].reshape(rank, size), work.front_matrices[3]
    for k in range(rank):
        for j in range(size):
            at = j * rank + k if by_qr else k * size + j
            U[at] = (
                work.row_unit[work.selected[front.selected + k]]
                * A[k, j]
                * work.coordinate_unit[tables.front_lists[front.taken + j]]
            )
    if by_qr:
        return pivot_columns(U[: size * rank].reshape(size, rank), rank, columns)
    return pivot_fully(U[: size * rank].reshape(rank, size), rank, columns)


@inline
def factor_columns(work, front, columns):
    """LU of the dependent columns of a front, in front_matrices[2].

    Returns the ratio of the extreme pivots.
    """
    size, rank = front.width, front.rank
    A = work.front_matrices[0][: rank * size].reshape(rank, size)
    LU = work.front_matrices[2][: rank * rank].reshape(rank, rank)
    for k in range(rank):
        for j in range(rank):
            LU[k, j] = A[k, columns[j]]
    return factor_square(LU, work.front_order[1], rank)


@internal_kernel
def partition_basis(tables, work, n, anew):
    """N and Y of a front by partition. Returns a Status.

    Other columns are chosen if `anew`, or if the present ones have become singular.
    """
    front, report, front_lists = tables.fronts[n], work.report[0], tables.front_lists
    size, rank, free = front.width, front.rank, front.width - front.rank
    columns = work.columns[front.column : front.column + size]
    if anew or not factor_columns(work, front, columns) > LOST:
        status = choose_columns(tables, work, n, columns)
        if status != _OK or not factor_columns(work, front, columns) > 1e-12:
            report.index = work.selected[front.selected + rank - 1]
            return _ROWS
    A = work.front_matrices[0][: rank * size].reshape(rank, size)
    LU = work.front_matrices[2][: rank * rank].reshape(rank, rank)
    B = work.bases[front.basis : front.basis + size * size].reshape(size, size)
    r, u = work.front_matrices[4], work.front_matrices[5]
    for k in range(rank):
        fill(r[:rank], 0.0)
        r[k] = 1.0
        solve_square(LU, work.front_order[1], rank, columns, u, r, B[k])
    for k in range(free):
        j = columns[rank + k]
        for i in range(rank):
            r[i] = -A[i, j]
        solve_square(LU, work.front_order[1], rank, columns, u, r, B[rank + k])
        unit = work.coordinate_unit[front_lists[front.taken + j]]
        for i in range(rank):
            report.basis_growth = max(
                report.basis_growth,
                abs(B[rank + k, columns[i]])
                * unit
                / work.coordinate_unit[front_lists[front.taken + columns[i]]],
            )
        B[rank + k, j] = 1.0
        work.coordinate_unit[front.given + k] = unit
    return _OK
