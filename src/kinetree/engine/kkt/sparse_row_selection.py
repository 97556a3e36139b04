"""Which rows are in the slots of the sparse matrix: first within each group, then by the pivots of
the factorisation itself.

Within a group as many rows as it has slots are chosen by themselves (`slots.py`). Then the matrix
is factored, group by group the rows with most left first; a row is kept if

    own > rounding,      left > u own,      left > 1e-13 of the largest in its group
                         (all squared, angles as lengths)

At a settled state u = 1e-9 separates redundant rows from all others. Where the number of rows is
known, the highest bar u that as
many rows pass tells which: those that stand out furthest.
"""

import math

from ...kernel.algebra.ldl import LIGHT, eliminate, feel, leave_out
from ...kernel.decorators import inline, internal_kernel, kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.sparse import FACTOR, addresses, with_kernels
from ...kernel.tables.status import Status
from ..sparsity.choice import compile_kernels as compile_filling
from .packed import factor_packed, load, slots_of_rows, solve_packed
from .row_slots import fill_slots, take_out

_OK, _ROWS = int(Status.OK), int(Status.SINGULAR_CONSTRAINTS)
DEPENDENT = 1e-9  # left, of own, of a row that is a combination of the others at a settled state
NOISE = 1e-13  # left, of the largest row of a joint, that is rounding of it
NOTHING = 1e-22  # of the squared size a row has if nothing cancels
HIGHEST, LOWEST, LOWER = 0.1, 1e-14, 0.1  # bars tried


@inline
def usual_size(tables, work):
    """Squared size a row of a length constraint has if nothing cancels."""
    most = 0.0
    for k in range(work.inertia.shape[0]):
        arm = tables.settings[0].length if tables.u_turns[k] > 0.0 else 1.0
        if work.inertia[k] > tables.u_floor[k]:
            most = max(most, arm * arm / work.inertia[k])
    return most


@inline
def decide(tables, work, s, u, usual):
    """Which slots of the group that begins with slot s are in use, at their turn in the
    elimination.
    """
    c, k = tables.row_group[work.chosen[s]], tables.slot_place[s]
    count, gram, largest = tables.slot_first[c + 1] - tables.slot_first[c], work.gram, 0.0
    for a in range(count):
        unit = work.unit[work.chosen[s + a]]
        largest = max(largest, unit * unit * work.own[k + a])
        gram[a, a] = -unit * unit * work.A[k + a]
        for b in range(a + 1, count):
            gram[a, b] = gram[b, a] = (
                -unit * work.unit[work.chosen[s + b]] * work.A[tables.first[k + a] + b - a - 1]
            )
        work.use[k + a] = 0
    for _ in range(count):
        best, most = -1, NOISE * largest
        for a in range(count):
            r, own = work.chosen[s + a], work.own[k + a]
            unit, natural = (
                work.unit[r],
                1.0 if tables.row_scale[r] > 0.0 else tables.settings[0].length,
            )
            stands = (
                own * natural * natural > NOTHING * usual and gram[a, a] > u * unit * unit * own
            )
            if work.use[k + a] == 0 and stands and gram[a, a] > most * (1.0 + 1e-6):
                best, most = a, gram[a, a]
        if best < 0:
            break
        work.use[k + best] = 1
        take_out(gram, count, best)


@internal_kernel
def factor_deciding(tables, work, u):
    """Factor with the rows in the slots, leaving out what does not pass the bar; answers how many
    do.
    """
    usual, kept, n, slots = usual_size(tables, work), 0, tables.kind.shape[0], slots_of_rows(tables)
    load(tables, work)
    for k in range(n):
        work.own[k] = 0.0
    for k in range(n):
        s = tables.slot_at[k]
        if 0 <= s < slots:
            if s == tables.slot_first[tables.row_group[work.chosen[s]]]:
                decide(tables, work, s, u, usual)
            if work.use[k] == 0:
                leave_out(k, tables.first, work.lower, work.pivots)
                continue
            kept += 1
        light = s < 0 and not work.A[k] >= LIGHT * tables.pad[k]
        d = work.A[k] + tables.pad[k] if light else work.A[k]
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
            feel(k, light, tables.first, tables.row, work.A, work.lower, work.own)
    return kept


@inline
def list_active(tables, work):
    """The rows in use, in the order of their slots, and behind them all others."""
    n = 0
    for r in range(work.active.shape[0]):
        work.most[r] = 0.0  # serves as a mark
    for s in range(slots_of_rows(tables)):
        if work.use[tables.slot_place[s]] == 1:
            work.active[n] = work.chosen[s]
            work.most[work.chosen[s]] = 1.0
            n += 1
    work.report[0].rank = n
    for r in range(work.active.shape[0]):
        if work.most[r] == 0.0:
            work.active[n] = r
            n += 1


@kernel
def decide_rows(tables, work, u):
    """Fill the slots and leave out what does not pass the bar; answers how many rows do."""
    work.report[0].reference = 0.0
    fill_slots(tables, work)
    kept = factor_deciding(tables, work, u)
    list_active(tables, work)
    return kept


@internal_kernel
def choose_packed(tables, work):
    """Choose rows at the present M and G: as many as are known to be independent, else all that
    pass the usual bar.
    """
    report, slots = work.report[0], slots_of_rows(tables)
    wanted = report.rank if report.selections > 0 else tables.settings[0].rows
    report.selections += 1
    fill_slots(tables, work)
    kept, u = -1, HIGHEST
    if wanted == slots:
        for k in range(work.use.shape[0]):
            work.use[k] = 1
        kept = slots
    elif wanted < 0:
        wanted = kept = factor_deciding(tables, work, DEPENDENT)
    else:
        while kept < wanted and u > LOWEST:
            kept = factor_deciding(tables, work, u)
            u *= LOWER
        low, high = u / LOWER, u / LOWER / LOWER
        for _ in range(20):  # a bar between the last two
            if kept == wanted:
                break
            middle = math.sqrt(low * high)
            kept = factor_deciding(tables, work, middle)
            if kept > wanted:
                low = middle
            else:
                high = middle
    list_active(tables, work)
    if kept != wanted:
        report.index = work.active[max(report.rank - 1, 0)]
        return _ROWS
    return _OK


@inline
def remember(tables, work):
    for s in range(slots_of_rows(tables)):
        work.order[s] = (
            work.chosen[s] if work.use[tables.slot_place[s]] == 1 else -1 - work.chosen[s]
        )


@inline
def restore(tables, work):
    for s in range(slots_of_rows(tables)):
        used = work.order[s] >= 0
        work.chosen[s] = work.order[s] if used else -1 - work.order[s]
        work.use[tables.slot_place[s]] = 1 if used else 0
    list_active(tables, work)


@inline
def volume(tables, work):
    """Logarithm of det(G M^-1 G^T) over the rows in use, angles as lengths: how well they stand
    apart, in whatever order.
    """
    total = 0.0
    for s in range(slots_of_rows(tables)):
        k = tables.slot_place[s]
        if work.use[k] == 1:
            total += 2.0 * math.log(work.unit[work.chosen[s]]) - math.log(-work.pivots[k])
    return total


@internal_kernel
def exchange_packed(tables, work):
    """Choose as many rows anew at the present M and G and factor them; rows that stood further
    apart stay.

    The margin of a set depends on the order in which its rows go, which light bodies make worse
    than it is; its volume does not.
    """
    report, before = work.report[0], -math.inf
    rank, first = report.rank, report.selections == 0
    if not first and factor_packed(tables, work) == _OK:
        before = volume(tables, work)
    remember(tables, work)
    report.reference = 0.0
    status = choose_packed(tables, work)
    if status == _OK:
        status = factor_packed(tables, work)
    if not first and (status != _OK or volume(tables, work) < before):
        report.rank, report.reference = rank, 0.0
        restore(tables, work)
        status = factor_packed(tables, work)
    return status


@internal_kernel
def renew_packed(tables, work):
    """Factors of the rows in use at the present M and G; chosen anew at the first call and where
    one of them is lost.
    """
    status = factor_packed(tables, work) if work.report[0].selections > 0 else _ROWS
    if status == _ROWS:
        work.report[0].margin = 0.0
        status = exchange_packed(tables, work)
    return status


_KERNELS = (factor_packed, renew_packed, exchange_packed, solve_packed)


def with_solver(tables: Tables) -> Tables:
    """The tables of a machine with a structure, with the kernels that `rangespace.py` asks."""
    return with_kernels(tables, FACTOR, _KERNELS)


def compile_kernels() -> None:
    """Compile or load all that machines with a structure need in a run."""
    compile_filling()
    addresses(FACTOR, _KERNELS)
