"""Order of elimination, fill and updates of the matrix of the blocks that touch.

Blocks are eliminated by least degree. The pattern is found again only when pairs of
shapes come or go. For conjugate gradients blocks keep their order and there is no fill.
"""

from ...kernel.decorators import inline, internal_kernel
from .records import NUMBERS, UPDATES

NONE = -1


@internal_kernel
def number_blocks(run):
    """Number the blocks that have contacts."""
    heap = run.heap[0]
    heap.active = 0
    for k in range(run.heap_blocks.shape[0]):
        run.heap_blocks[k].position = NONE
    for k in range(heap.pairs):
        pair = run.heap_pairs[k]
        for side in range(2):
            b = pair.block_a if side == 0 else pair.block_b
            if b >= 0 and run.heap_blocks[b].position < 0:
                run.heap_blocks[b].position = heap.active
                run.heap_columns[heap.active].block = b
                heap.active += 1


@inline
def is_coupled(run, k):
    """Whether pair k couples two different blocks."""
    pair = run.heap_pairs[k]
    return pair.block_a >= 0 and pair.block_b >= 0 and pair.block_a != pair.block_b


@internal_kernel
def columns_with_fill(run):
    """Eliminate by least degree; writes columns with unsorted rows in the new numbers."""
    heap, n = run.heap[0], run.heap[0].active
    adjacent, degree, done, near = (
        run.heap_adjacent,
        run.heap_marks[0],
        run.heap_marks[1],
        run.heap_marks[2],
    )
    order, count = run.heap_marks[3], 0
    for i in range(n):
        degree[i], done[i] = 0, 0
        for j in range(n):
            adjacent[i, j] = 0
    for k in range(heap.pairs):
        if not is_coupled(run, k):
            continue
        pair = run.heap_pairs[k]
        a, b = run.heap_blocks[pair.block_a].position, run.heap_blocks[pair.block_b].position
        if adjacent[a, b] == 0:
            adjacent[a, b], adjacent[b, a] = 1, 1
            degree[a] += 1
            degree[b] += 1
    for k in range(n):
        best, v = n + 1, 0
        for i in range(n):
            if done[i] == 0 and degree[i] < best:
                best, v = degree[i], i
        done[v], order[k], run.heap_columns[k].first, m = 1, v, count, 0
        for j in range(n):
            if adjacent[v, j] == 1 and done[j] == 0:
                near[m] = j
                m += 1
                degree[j] -= 1
        for i in range(m):
            if count < run.heap_entries.shape[0]:
                run.heap_entries[count].row = near[i]
            count += 1
            for j in range(i):
                if adjacent[near[i], near[j]] == 0:
                    adjacent[near[i], near[j]], adjacent[near[j], near[i]] = 1, 1
                    degree[near[i]] += 1
                    degree[near[j]] += 1
    run.heap_columns[n].first = count
    for k in range(n):
        near[order[k]] = k
        degree[k] = run.heap_columns[order[k]].block
    for k in range(n):
        run.heap_columns[k].block = degree[k]
        run.heap_blocks[degree[k]].position = k
    for q in range(min(count, run.heap_entries.shape[0])):
        run.heap_entries[q].row = near[run.heap_entries[q].row]
    return count


@internal_kernel
def columns_of_pairs(run):
    """One entry for each pair that couples two blocks, by columns."""
    heap, n, fill = run.heap[0], run.heap[0].active, run.heap_marks[0]
    for k in range(n + 1):
        run.heap_columns[k].first = 0
    for k in range(heap.pairs):
        if is_coupled(run, k):
            pair = run.heap_pairs[k]
            a, b = run.heap_blocks[pair.block_a].position, run.heap_blocks[pair.block_b].position
            run.heap_columns[min(a, b) + 1].first += 1
    for k in range(n):
        run.heap_columns[k + 1].first += run.heap_columns[k].first
        fill[k] = run.heap_columns[k].first
    for k in range(heap.pairs):
        if is_coupled(run, k):
            pair = run.heap_pairs[k]
            a, b = run.heap_blocks[pair.block_a].position, run.heap_blocks[pair.block_b].position
            low = min(a, b)
            if fill[low] < run.heap_entries.shape[0]:
                run.heap_entries[fill[low]].row = max(a, b)
            fill[low] += 1
    return run.heap_columns[n].first


@inline
def sort_columns(run):
    """Rows of each column in ascending order, and the places of the entries."""
    heap, at = run.heap[0], 0
    for k in range(heap.active):
        column = run.heap_columns[k]
        block = run.heap_blocks[column.block]
        column.x, column.m, column.pivot = block.row, block.m, block.at
    for k in range(heap.active):
        first, last = run.heap_columns[k].first, run.heap_columns[k + 1].first
        for q in range(first + 1, last):
            row, z = run.heap_entries[q].row, q - 1
            while z >= first and run.heap_entries[z].row > row:
                run.heap_entries[z + 1].row = run.heap_entries[z].row
                z -= 1
            run.heap_entries[z + 1].row = row
        for q in range(first, last):
            entry = run.heap_entries[q]
            other = run.heap_columns[entry.row]
            entry.at, entry.x, entry.m = at, other.x, other.m
            at += run.heap_columns[k].m * other.m
    heap.numbers = at


@inline
def place_pairs(run):
    """The entry of each pair."""
    for k in range(run.heap[0].pairs):
        pair = run.heap_pairs[k]
        pair.entry = NONE
        if not is_coupled(run, k):
            continue
        a, b = run.heap_blocks[pair.block_a].position, run.heap_blocks[pair.block_b].position
        for q in range(run.heap_columns[min(a, b)].first, run.heap_columns[min(a, b) + 1].first):
            if run.heap_entries[q].row == max(a, b):
                pair.entry = q


@internal_kernel
def list_updates(run):
    """Entries (i, k), (j, k) -> (i, j) of every elimination, in its order."""
    heap, count = run.heap[0], 0
    for k in range(heap.active):
        run.heap_update_first[k] = count
        for qj in range(run.heap_columns[k].first, run.heap_columns[k + 1].first):
            j = run.heap_entries[qj].row
            z, _last = run.heap_columns[j].first, run.heap_columns[j + 1].first
            for qi in range(qj + 1, run.heap_columns[k + 1].first):
                i = run.heap_entries[qi].row
                while run.heap_entries[z].row < i:
                    z += 1
                if count < run.heap_updates.shape[0]:
                    update = run.heap_updates[count]
                    update.ik, update.jk, update.ij = qi, qj, z
                count += 1
    run.heap_update_first[heap.active] = count
    heap.updates = count


@internal_kernel
def find_pattern(run):
    """Order, entries and updates for the pairs of this step; False if there is no room for them."""
    heap = run.heap[0]
    number_blocks(run)
    count = columns_with_fill(run) if heap.direct == 1 else columns_of_pairs(run)
    if count > run.heap_entries.shape[0]:
        heap.wanted[NUMBERS] = 36 * count
        return False
    heap.entries = count
    sort_columns(run)
    place_pairs(run)
    heap.updates = 0
    if heap.direct == 1:
        list_updates(run)
    if heap.numbers > run.heap_below.shape[0]:
        heap.wanted[NUMBERS] = heap.numbers
    if heap.updates > run.heap_updates.shape[0]:
        heap.wanted[UPDATES] = heap.updates
    return heap.wanted[NUMBERS] == 0 and heap.wanted[UPDATES] == 0
