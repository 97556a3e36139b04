"""What couples what in node coordinates: the blocks of the Newton matrix, and where every joint and
force writes.

Unknowns are six per body (travel of the mass centre, turn) or three in a plane, then the
multipliers. `tables.spots` begins with where the list of each constraint primitive begins, then
that of each force element (0 for beams, which have a table of their own), then that of the bodies
on which any of them acts, and where the block of each node lies. A list is

    n, the n bodies, where the n x n blocks between them lie;
    of a primitive also: where its blocks (rows, body) lie, where (body, rows) lie, where its
    owner's own block lies, the rows of its owner, which of them is its first of a force also: its
    first row of `work.began`
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ...kernel.decorators import table
from ...kernel.tables.records import PIVOT, Tables, frozen

IN_SPACE = (0, 1, 2, 3, 4, 5)
IN_PLANE = {
    "x": (1, 2, 3),
    "y": (2, 0, 4),
    "z": (0, 1, 5),
}  # across an axis: travel along the two others, turn about it


class Pattern(NamedTuple):
    """The tables that engine/beams/blocks.py reads, and where block (i, j) lies."""

    pivots: np.ndarray
    neighbours: np.ndarray
    targets: np.ndarray
    at: dict[tuple[int, int], int]
    size: int


def eliminate(
    sizes: Sequence[int], pairs: Iterable[tuple[int, int]], after: Mapping[int, Iterable[int]]
) -> Pattern:
    """The pattern of blocks of these sizes, coupled in pairs; `after` names blocks that must go
    before a block.
    """
    order, later = _order(sizes, pairs, after)
    return _placed(sizes, order, later)


def _order(sizes, pairs, after) -> tuple[list[int], list[list[int]]]:
    """Blocks by least size of what they are coupled with, and for each those that come later."""
    n = len(sizes)
    near: list[set[int]] = [set() for _ in range(n)]
    for i, j in pairs:
        if i != j:
            near[i].add(j)
            near[j].add(i)
    wait = [set(after.get(b, ())) for b in range(n)]
    freed: list[list[int]] = [[] for _ in range(n)]
    for b in range(n):
        for a in wait[b]:
            freed[a].append(b)
    heap = [(sum(sizes[j] for j in near[b]), b) for b in range(n) if not wait[b]]
    heapq.heapify(heap)
    done, order, later = [False] * n, [], []
    while heap:
        weight, b = heapq.heappop(heap)
        if done[b] or weight != sum(sizes[j] for j in near[b]):
            continue
        done[b] = True
        order.append(b)
        later.append(sorted(near[b]))
        for i in later[-1]:
            near[i].discard(b)
            near[i].update(j for j in later[-1] if j != i)
        for c in freed[b]:
            wait[c].discard(b)
        for i in {*later[-1], *freed[b]}:
            if not done[i] and not wait[i]:
                heapq.heappush(heap, (sum(sizes[j] for j in near[i]), i))
    return order, later


def _placed(sizes, order, later) -> Pattern:
    """Diagonal blocks first, then each pivot's row above and column below."""
    rows = np.concatenate([[0], np.cumsum(sizes)])
    at: dict[tuple[int, int], int] = {}
    end = 0
    for b in order:
        at[b, b], end = end, end + sizes[b] ** 2
    for b, blocks in zip(order, later):
        for j in blocks:
            at[b, j], at[j, b], end = end, end + sizes[b] * sizes[j], end + 2 * sizes[b] * sizes[j]
    pivots = table(PIVOT, len(order))
    neighbours: list[tuple[int, ...]] = []
    targets: list[int] = []
    for k, (b, blocks) in enumerate(zip(order, later)):
        pivots[k] = (
            rows[b],
            sizes[b],
            at[b, b],
            len(neighbours),
            len(neighbours) + len(blocks),
            len(targets),
        )
        neighbours += [(rows[j], sizes[j], at[b, j], at[j, b]) for j in blocks]
        targets += [at[i, j] for i in blocks for j in blocks]
    return Pattern(
        pivots, np.array(neighbours, np.int64).reshape(-1, 4), np.array(targets, np.int64), at, end
    )


def with_layout(tables: Tables, freedoms: tuple[int, ...] = IN_SPACE) -> Tables:
    """The tables of a machine in node coordinates (a free joint per body, every joint cut), with
    its blocks.
    """
    primitives, forces = tables.primitives.view(np.ndarray), tables.forces.view(np.ndarray)
    bodies = [_of_primitive(tables, p) for p in primitives]
    pushed = [_of_force(tables, force) for force in forces]
    beams = {int(k) for k in tables.elements.view(np.ndarray)["force"]}
    pushed = [() if k in beams else on for k, on in enumerate(pushed)]
    owners = sorted({int(p["owner"]) for p in primitives})
    count = len(tables.links) - 1
    block = {first: count + k for k, first in enumerate(owners)}
    rows = {first: 0 for first in owners}
    for p in primitives:
        rows[int(p["owner"])] += int(p["ng"])
    after = {
        block[first]: {
            b - 1 for p, on in zip(primitives, bodies) if p["owner"] == first for b in on
        }
        for first in owners
    }
    pairs = [(int(e["i"]) - 1, int(e["j"]) - 1) for e in tables.elements]
    pairs += [(b - 1, c - 1) for on in (*bodies, *pushed) for b, c in combinations(on, 2)]
    pairs += [(b, c) for c, on in after.items() for b in on]
    pattern = eliminate([len(freedoms)] * count + [rows[first] for first in owners], pairs, after)
    spots = _spots(primitives, bodies, pushed, beams, block, rows, pattern, count)
    elements = tables.elements.copy()
    for e in elements:
        i, j = int(e["i"]) - 1, int(e["j"]) - 1
        e["spots"] = [pattern.at[i, i], pattern.at[i, j], pattern.at[j, i], pattern.at[j, j]]
    return frozen(
        tables._replace(
            elements=elements,
            pivots=pattern.pivots,
            neighbours=pattern.neighbours,
            targets=pattern.targets,
            spots=spots,
            freedoms=np.array(freedoms),
        )
    )


def _moving(*bodies: int) -> tuple[int, ...]:
    """Each once, without the ground."""
    return tuple(dict.fromkeys(int(b) for b in bodies if b > 0))


def _of_primitive(tables: Tables, p: np.void) -> tuple[int, ...]:
    if not p["sensors"]:
        return _moving(p["i"], p["j"])
    sensors = [
        tables.sensors[int(term["sensor"])]
        for term in tables.terms[int(p["term"]) : int(p["term"] + p["sensors"])]
    ]
    return _moving(*(sensor[side] for sensor in sensors for side in ("i", "j")))


def _of_force(tables: Tables, force: np.void) -> tuple[int, ...]:
    markers = tables.markers[int(force["im"]) : int(force["im"] + force["nm"])]
    on = [m["body"] for m in markers]
    if force["sensor"] >= 0:
        on += [tables.sensors[int(force["sensor"])][side] for side in ("i", "j")]
    return _moving(*on)


def _spots(
    primitives, bodies, pushed, beams, block, rows, pattern: Pattern, count: int
) -> np.ndarray:
    first, lists = len(bodies) + len(pushed) + 1 + count, list[int]()
    starts: list[int] = []

    def put(numbers) -> None:
        starts.append(first + len(lists))
        lists.extend(int(n) for n in numbers)

    for p, on in zip(primitives, bodies):
        own, nodes = block[int(p["owner"])], [b - 1 for b in on]
        put(
            [
                len(on),
                *on,
                *(pattern.at[i, j] for i in nodes for j in nodes),
                *(pattern.at[own, b] for b in nodes),
                *(pattern.at[b, own] for b in nodes),
                pattern.at[own, own],
                rows[int(p["owner"])],
                int(p["ig"]) - int(p["owner"]),
            ]
        )
    began = 0
    for k, on in enumerate(pushed):
        if k in beams:
            starts.append(0)
            continue
        nodes = [b - 1 for b in on]
        put([len(on), *on, *(pattern.at[i, j] for i in nodes for j in nodes), began])
        began += len(on)
    attached = sorted({b for on in (*bodies, *pushed) for b in on})
    put([len(attached), *attached])
    return np.array([*starts, *(pattern.at[b, b] for b in range(count)), *lists], np.int64)
