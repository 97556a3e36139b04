"""Rows into the slots of their group: as many as there are slots, by pivoted elimination of  G W
G^T  with W = 1 / diag(M).

The rows of a group span no more than that, so nothing is lost by the choice.
"""

import math

from ...kernel.decorators import inline, internal_kernel


@inline
def arm_of(tables, work, c):
    """Arm at which angles of a group count: largest travel over largest turn that an unknown gives
    it (`rows.arms`).
    """
    travel, turn, width = 0.0, 0.0, tables.support_first[c + 1] - tables.support_first[c]
    for n in range(width):
        k, reach = tables.support[tables.support_first[c] + n], 0.0
        for r in range(tables.group_first[c], tables.group_first[c + 1]):
            if tables.row_scale[r] > 0.0:
                reach = max(reach, abs(work.G_packed[tables.g_first[r] + n]))
        if reach > 0.0 and work.inertia[k] > tables.u_floor[k]:
            travel = max(travel, reach * reach / work.inertia[k])
            turn = max(turn, tables.u_turns[k] / work.inertia[k])
    return math.sqrt(travel / turn) if turn > 0.0 and travel > 0.0 else tables.settings[0].length


@inline
def gram_of_rows(tables, work, c):
    """unit G W G^T unit of the rows of a group."""
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
            work.gram[a, b] = work.gram[b, a] = work.unit[first + a] * work.unit[first + b] * total


@inline
def take_out(gram, n, a):
    """Row a of a Gram matrix eliminated from the others."""
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
    """Rows into the slots, group by group, those that stand out first; those of the joints of
    anchors as they are.
    """
    slots, rows = tables.slot_first[tables.slot_first.shape[0] - 1], tables.row_scale.shape[0]
    for s in range(slots, work.chosen.shape[0]):
        work.chosen[s], work.use[tables.slot_place[s]] = rows + s - slots, 1
    for c in range(tables.slot_first.shape[0] - 1):
        first, count = tables.group_first[c], tables.group_first[c + 1] - tables.group_first[c]
        arm = arm_of(tables, work, c)
        for r in range(first, first + count):
            work.unit[r] = 1.0 if tables.row_scale[r] > 0.0 else arm
        slot, slots = tables.slot_first[c], tables.slot_first[c + 1] - tables.slot_first[c]
        if slots == count:
            for n in range(count):
                work.chosen[slot + n] = first + n
            continue
        gram_of_rows(tables, work, c)
        for n in range(slots):
            best, most = -1, 0.0
            for a in range(count):
                if work.gram[a, a] > most * (1.0 + 1e-6):
                    best, most = a, work.gram[a, a]
            if best < 0:  # any row not yet taken: what is left of it will tell
                best = spare_row(work, slot, n, first)
            work.chosen[slot + n] = first + best
            if most > 0.0:
                take_out(work.gram, count, best)


@inline
def spare_row(work, slot, taken, first):
    """The first row of a group that is in none of its slots yet."""
    a, again = 0, True
    while again:
        again = False
        for n in range(taken):
            if work.chosen[slot + n] == first + a:
                again = True
        if again:
            a += 1
    return a
