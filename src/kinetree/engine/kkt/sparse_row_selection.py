"""Row selection in the sparse KKT matrix: within each group, then by the pivots of the factors.

`row_slots.py` assigns rows to the slots of each group. The matrix is then factorized, in each group
the row with the largest pivot first. A row is selected if, all squared and angles as lengths,

    size > rounding,      pivot > u size,      pivot > 1e-13 of the largest row of its group

At a projected state u = 1e-9 separates redundant rows from all others. If the number of rows is
known, the largest u that as many rows pass selects those that are furthest apart. Rows that are
eliminated early are independent of all others and always selected.
"""

import math

from ...kernel.algebra.ldl import eliminate, feel, leave_out, padded_pivot
from ...kernel.algebra.symbolic_factorization import EARLY
from ...kernel.decorators import inline, internal_kernel, kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.sparse import REFACTOR, addresses, with_kernels
from ...kernel.tables.status import Status
from ..sparsity.choice import compile_kernels as compile_filling
from .packed import assemble_matrix, factor_packed, slots_of_rows, solve_packed
from .row_slots import eliminate_row, fill_slots

_OK, _ROWS = int(Status.OK), int(Status.SINGULAR_CONSTRAINTS)
DEPENDENT = 1e-9  # pivot, relative to size, of a row that depends on others at a projected state
NOISE = 1e-13  # pivot, relative to the largest row of a joint, that is rounding
NOTHING = 1e-22  # part of the squared size of a row without cancellation that is rounding
HIGHEST, LOWEST, LOWER = 0.1, 1e-14, 0.1  # thresholds u to try: first, last, ratio


@inline
def usual_size(tables, work):
    """Squared norm of a row of a length constraint without cancellation."""
    most = 0.0
    for k in range(work.inertia.shape[0]):
        arm = tables.settings[0].length if tables.u_turns[k] > 0.0 else 1.0
        if work.inertia[k] > tables.u_floor[k]:
            most = max(most, arm * arm / work.inertia[k])
    return most


@inline
def select_in_group(tables, work, s, u, usual):
    """Select rows in the group that begins with slot s, when its turn in the elimination comes."""
    c, k = tables.row_group[work.slot_row[s]], tables.slot_place[s]
    count, gram, largest = tables.slot_first[c + 1] - tables.slot_first[c], work.gram, 0.0
    for a in range(count):
        unit = work.row_unit[work.slot_row[s + a]]
        largest = max(largest, unit * unit * work.squared_size[k + a])
        gram[a, a] = -unit * unit * work.A[k + a]
        for b in range(a + 1, count):
            entry = work.A[tables.first[k + a] + b - a - 1]
            gram[a, b] = gram[b, a] = -unit * work.row_unit[work.slot_row[s + b]] * entry
        work.in_use[k + a] = 0
    for _ in range(count):
        best, most = -1, NOISE * largest
        for a in range(count):
            r, own = work.slot_row[s + a], work.squared_size[k + a]
            unit = work.row_unit[r]
            natural = 1.0 if tables.row_scale[r] > 0.0 else tables.settings[0].length
            some = own * natural * natural > NOTHING * usual
            independent = some and gram[a, a] > u * unit * unit * own
            if work.in_use[k + a] == 0 and independent and gram[a, a] > most * (1.0 + 1e-6):
                best, most = a, gram[a, a]
        if best < 0:
            break
        work.in_use[k + best] = 1
        eliminate_row(gram, count, best)


@internal_kernel
def factor_and_select(tables, work, u):
    """Factorize without the rows that do not pass the threshold u. Returns the number that does."""
    usual, kept, n, slots = usual_size(tables, work), 0, tables.kind.shape[0], slots_of_rows(tables)
    assemble_matrix(tables, work)
    for k in range(n):
        work.squared_size[k] = 0.0
    for k in range(n):
        s = tables.slot_at[k]
        if 0 <= s < slots:
            if tables.kind[k] == EARLY:
                work.in_use[k] = 1
            elif s == tables.slot_first[tables.row_group[work.slot_row[s]]]:
                select_in_group(tables, work, s, u, usual)
            if work.in_use[k] == 0:
                leave_out(k, tables.first, work.lower, work.pivots)
                continue
            kept += 1
        d, light = padded_pivot(k, tables.kind, work.pad, work.squared_size, work.A)
        work.pivots[k] = 1.0 / d
        eliminate(
            k,
            d,
            tables.first,
            tables.row,
            tables.run_first,
            tables.run_at,
            tables.run_count,
            work.A,
            work.lower,
        )
        if s < 0:
            feel(k, light, tables.first, tables.row, work.A, work.lower, work.squared_size)
    return kept


@inline
def list_selected(tables, work):
    """Write the selected rows in the order of their slots, and then all others."""
    n = 0
    for r in range(work.selected.shape[0]):
        work.owner_size[r] = 0.0  # marks rows that are not listed
    for s in range(slots_of_rows(tables)):
        if work.in_use[tables.slot_place[s]] == 1:
            work.selected[n] = work.slot_row[s]
            work.owner_size[work.slot_row[s]] = 1.0
            n += 1
    work.report[0].rank = n
    for r in range(work.selected.shape[0]):
        if work.owner_size[r] == 0.0:
            work.selected[n] = r
            n += 1


@kernel
def select_passing_rows(tables, work, u):
    """Fill the slots and select the rows that pass the threshold u. Returns their number."""
    work.report[0].reference_margin = 0.0
    fill_slots(tables, work)
    kept = factor_and_select(tables, work, u)
    list_selected(tables, work)
    return kept


@internal_kernel
def select_packed(tables, work):
    """Select rows at the present M and G. Returns a Status.

    The number of rows is the known rank, or else the number that passes DEPENDENT.
    """
    report, slots = work.report[0], slots_of_rows(tables)
    wanted = report.rank if report.selections > 0 else tables.settings[0].rows
    report.selections += 1
    fill_slots(tables, work)
    kept, u = -1, HIGHEST
    if wanted == slots:
        for k in range(work.in_use.shape[0]):
            work.in_use[k] = 1
        kept = slots
    elif wanted < 0:
        wanted = kept = factor_and_select(tables, work, DEPENDENT)
    else:
        while kept < wanted and u > LOWEST:
            kept = factor_and_select(tables, work, u)
            u *= LOWER
        low, high = u / LOWER, u / LOWER / LOWER
        for _ in range(20):  # a threshold between the last two
            if kept == wanted:
                break
            middle = math.sqrt(low * high)
            kept = factor_and_select(tables, work, middle)
            if kept > wanted:
                low = middle
            else:
                high = middle
    list_selected(tables, work)
    if kept != wanted:
        report.index = work.selected[max(report.rank - 1, 0)]
        return _ROWS
    return _OK


@inline
def save_selection(tables, work):
    """Save rows and use of all slots."""
    for s in range(slots_of_rows(tables)):
        used = work.in_use[tables.slot_place[s]] == 1
        work.row_order[s] = work.slot_row[s] if used else -1 - work.slot_row[s]


@inline
def restore_selection(tables, work):
    """Restore rows and use of all slots."""
    for s in range(slots_of_rows(tables)):
        used = work.row_order[s] >= 0
        work.slot_row[s] = work.row_order[s] if used else -1 - work.row_order[s]
        work.in_use[tables.slot_place[s]] = 1 if used else 0
    list_selected(tables, work)


@inline
def log_determinant(tables, work):
    """log det(G M^-1 G^T) over the selected rows, angles as lengths.

    It measures how far the rows are apart, whatever their order.
    """
    total = 0.0
    for s in range(slots_of_rows(tables)):
        k = tables.slot_place[s]
        if work.in_use[k] == 1:
            total += 2.0 * math.log(work.row_unit[work.slot_row[s]]) - math.log(-work.pivots[k])
    return total


@internal_kernel
def reselect_packed(tables, work):
    """Select as many rows at the present M and G and factorize; keep the old ones if better.

    The determinants are compared, not the margins: the margin of a selection depends on the order
    of elimination, in which light bodies make it smaller than it is.
    """
    report, before = work.report[0], -math.inf
    rank, first = report.rank, report.selections == 0
    if not first and factor_packed(tables, work) == _OK:
        before = log_determinant(tables, work)
    save_selection(tables, work)
    report.reference_margin = 0.0
    status = select_packed(tables, work)
    if status == _OK:
        status = factor_packed(tables, work)
    if not first and (status != _OK or log_determinant(tables, work) < before):
        report.rank, report.reference_margin = rank, 0.0
        restore_selection(tables, work)
        status = factor_packed(tables, work)
    return status


@internal_kernel
def refactor_packed(tables, work):
    """Factorize the selected rows at the present M and G. Returns a Status.

    Rows are selected at the first call and when a selected row has become dependent.
    """
    status = factor_packed(tables, work) if work.report[0].selections > 0 else _ROWS
    if status == _ROWS:
        work.report[0].pivot_margin = 0.0
        status = reselect_packed(tables, work)
    return status


_KERNELS = (refactor_packed, reselect_packed, solve_packed)


def with_solver(tables: Tables) -> Tables:
    """Tables with the addresses of the sparse kernels that `range_space.py` calls."""
    return with_kernels(tables, REFACTOR, _KERNELS)


def compile_kernels() -> None:
    """Compile or load all kernels of sparse factors."""
    compile_filling()
    addresses(REFACTOR, _KERNELS)
