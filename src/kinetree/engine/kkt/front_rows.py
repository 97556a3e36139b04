"""Row selection and QR factorization in each front, by the rules of `row_selection.py`."""

import math

from ...kernel.algebra.blas1 import copy, fill, inner, scale_by
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.status import Status
from .fronts import reduce_row
from .row_selection import LOST, note_size, orthogonalize, pivot_rows

_OK, _ROWS = int(Status.OK), int(Status.SINGULAR_CONSTRAINTS)


@inline
def size_of_row(tables, work, r):
    """|G_r|."""
    row = work.G_packed[tables.g_first[r] : tables.g_first[r + 1]]
    return math.sqrt(inner(row, row))


@inline
def load_row(tables, work, n, r, k, out):
    """out <- row r over the coordinates of front n; its norm into row_size and owner_size."""
    reduce_row(tables, work, n, r, k, out)
    work.row_size[r] = size_of_row(tables, work, r)
    note_size(work, r, work.row_size[r])


@inline
def row_of_front(tables, n, i):
    """The row of G that is row i of front n."""
    return tables.front_lists[tables.fronts[n].rows + i]


@inline
def list_rows(tables, work, n):
    """Write the rows of a front in the order of `front_order` into `selected`."""
    front = tables.fronts[n]
    for k in range(front.n_rows):
        at = front.selected + k if k < front.rank else front.unselected + k - front.rank
        work.selected[at] = row_of_front(tables, n, work.front_order[0, k])


@internal_kernel
def select_front_rows(tables, work, n, usual):
    """Select the rows of a front. Returns a Status."""
    front, order = tables.fronts[n], work.front_order[0]
    for k in range(front.n_rows):
        order[k] = k
    if front.n_rows > front.rank:
        A = work.front_matrices[0][: front.n_rows * front.width].reshape(front.n_rows, front.width)
        for k in range(front.n_rows):
            work.owner_size[work.row_owner[row_of_front(tables, n, k)]] = 0.0
        for k in range(front.n_rows):
            load_row(tables, work, n, row_of_front(tables, n, k), k, A[k])
        listed = order[: front.n_rows]
        rank = pivot_rows(tables, work, A, listed, front.rank, LOST, usual, row_of_front, n)
        if rank < front.rank:
            work.report[0].index = row_of_front(tables, n, order[rank])
            return _ROWS
    list_rows(tables, work, n)
    return _OK


@internal_kernel
def factor_front(tables, work, n):
    """A, Q and R of the selected rows of a front, in front_matrices[0], [1] and [2].

    Returns the smallest pivot and the largest fall of a pivot since the rows were selected; both
    are zero if a row has become dependent, which is then report.index.
    """
    front, report, least, worst = tables.fronts[n], work.report[0], math.inf, 1.0
    size, rank = front.width, front.rank
    A = work.front_matrices[0][: rank * size].reshape(rank, size)
    Q = work.front_matrices[1][: rank * size].reshape(rank, size)
    R = work.front_matrices[2][: rank * rank].reshape(rank, rank)
    for k in range(rank):
        work.owner_size[work.row_owner[work.selected[front.selected + k]]] = 0.0
    for k in range(rank):
        load_row(tables, work, n, work.selected[front.selected + k], k, A[k])
    for k in range(rank):
        r, row = work.selected[front.selected + k], Q[k]
        copy(A[k], row)
        left = orthogonalize(Q, R, k, row, math.sqrt(inner(row, row)))
        if not left > LOST * work.row_size[r]:
            report.index = r
            return 0.0, 0.0
        R[k, k] = left
        scale_by(1.0 / left, row)
        pivot = work.row_unit[r] * left / work.owner_size[work.row_owner[r]]
        work.best_pivot[front.selected + k] = max(work.best_pivot[front.selected + k], pivot)
        worst = min(worst, pivot / work.best_pivot[front.selected + k])
        if pivot < least:
            least = pivot
            if pivot < report.pivot_margin:
                report.pivot_margin, report.weakest = pivot, r
    return least, worst


@internal_kernel
def list_rows_of_no_front(tables, work):
    """Write the rows that are never selected at the end of `selected`."""
    count, last = 0, tables.front_lists.shape[0]
    for n in range(tables.fronts.shape[0]):
        count += tables.fronts[n].n_rows
    never = work.selected.shape[0] - count
    for k in range(never):
        work.selected[count + k] = tables.front_lists[last - never + k]
    fill(work.best_pivot, 0.0)
