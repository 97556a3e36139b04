"""Assignment of rows to the slots of their group in the sparse KKT matrix.

A group, the rows of one joint or constraint, has as many slots as it can have independent rows.
They are filled by pivoted elimination of  G W G^T  with W = 1 / diag(M); since the rows of the
group span no more than that, the assignment loses nothing.
"""

from ...kernel.decorators import inline, internal_kernel
from .row_selection import joint_arm


@inline
def group_arm(tables, work, c):
    """Arm of group c, as in `row_selection.set_row_units`."""
    travel, turn, width = 0.0, 0.0, tables.support_first[c + 1] - tables.support_first[c]
    for n in range(width):
        k, reach = tables.support[tables.support_first[c] + n], 0.0
        for r in range(tables.group_first[c], tables.group_first[c + 1]):
            if tables.row_scale[r] > 0.0:
                reach = max(reach, abs(work.G_packed[tables.g_first[r] + n]))
        if reach > 0.0 and work.inertia[k] > tables.u_floor[k]:
            travel = max(travel, reach * reach / work.inertia[k])
            turn = max(turn, tables.u_turns[k] / work.inertia[k])
    return joint_arm(tables, travel, turn)


@internal_kernel
def set_packed_units(tables, work):
    """row_unit[r] makes row r a length, as in `row_selection.set_row_units`."""
    for c in range(tables.group_first.shape[0] - 1):
        arm = group_arm(tables, work, c)
        for r in range(tables.group_first[c], tables.group_first[c + 1]):
            work.row_unit[r] = 1.0 if tables.row_scale[r] > 0.0 else arm


@inline
def gram_of_rows(tables, work, c):
    """gram <- unit G W G^T unit of the rows of group c."""
    first, width = tables.group_first[c], tables.support_first[c + 1] - tables.support_first[c]
    for a in range(tables.group_first[c + 1] - first):
        for b in range(a + 1):
            at, bt, total = tables.g_first[first + a], tables.g_first[first + b], 0.0
            for n in range(width):
                k = tables.support[tables.support_first[c] + n]
                total += (
                    work.G_packed[at + n]
                    * work.G_packed[bt + n]
                    / max(work.inertia[k], tables.pad[tables.u_place[k]])
                )
            scaled = work.row_unit[first + a] * work.row_unit[first + b] * total
            work.gram[a, b] = work.gram[b, a] = scaled


@inline
def eliminate_row(gram, n, a):
    """Eliminate row a of a Gram matrix from the others."""
    for i in range(n):
        if i != a:
            s = gram[i, a] / gram[a, a]
            for j in range(n):
                if j != a:
                    gram[i, j] -= s * gram[a, j]
    for i in range(n):
        gram[i, a] = gram[a, i] = 0.0


@internal_kernel
def fill_slots(tables, work):
    """Assign rows to slots, group by group, largest pivot first.

    The rows of the joints of anchors follow; they have one slot each.
    """
    slots, rows = tables.slot_first[tables.slot_first.shape[0] - 1], tables.row_scale.shape[0]
    for s in range(slots, work.slot_row.shape[0]):
        work.slot_row[s], work.in_use[tables.slot_place[s]] = rows + s - slots, 1
    set_packed_units(tables, work)
    for c in range(tables.slot_first.shape[0] - 1):
        first, count = tables.group_first[c], tables.group_first[c + 1] - tables.group_first[c]
        slot, slots = tables.slot_first[c], tables.slot_first[c + 1] - tables.slot_first[c]
        if slots == count:
            for n in range(count):
                work.slot_row[slot + n] = first + n
            continue
        gram_of_rows(tables, work, c)
        for n in range(slots):
            best, most = -1, 0.0
            for a in range(count):
                if work.gram[a, a] > most * (1.0 + 1e-6):
                    best, most = a, work.gram[a, a]
            if best < 0:  # any row without a slot: the factorization decides whether it is used
                best = first_free_row(work, slot, n, first)
            work.slot_row[slot + n] = first + best
            if most > 0.0:
                eliminate_row(work.gram, count, best)


@inline
def first_free_row(work, slot, taken, first):
    """The first row of a group that has no slot yet."""
    a, again = 0, True
    while again:
        again = False
        for n in range(taken):
            if work.slot_row[slot + n] == first + a:
                again = True
        if again:
            a += 1
    return a
