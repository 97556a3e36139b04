"""Layout of the Newton matrix in nodal coordinates: its blocks, their elimination, and the lists of
joints and forces.

Unknowns are six per body (displacement of the center of mass, rotation) or three in a plane, then
the multipliers. `tables.spots` begins with the position of the list of each constraint primitive,
of each force element (0 for beams, which have a table of their own) and of the attached bodies, on
which any of them acts; then with the position of the diagonal block of each node. A list contains

    n, the n bodies, the positions of the n x n blocks between them;
    of a primitive also  the positions of its blocks (rows, body) and (body, rows), the position of
                         the block of its owner, the number of rows of its owner, and the index of
                         its first row among them;
    of a force also      its first row of `work.began`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ...kernel.algebra.elimination_order import FREEDOM, ROW, least_degree
from ...kernel.algebra.elimination_order import Pattern as Elimination
from ...kernel.decorators import table
from ...kernel.tables.records import PIVOT, Tables, frozen

IN_SPACE = (0, 1, 2, 3, 4, 5)
# normal to an axis: displacement along the two others, rotation about it
IN_PLANE = {"x": (1, 2, 3), "y": (2, 0, 4), "z": (0, 1, 5)}


class Pattern(NamedTuple):
    """Tables of the elimination (blocks.py), and the position of each block (i, j)."""

    pivots: np.ndarray
    neighbours: np.ndarray
    targets: np.ndarray
    at: dict[tuple[int, int], int]
    size: int


def eliminate(
    sizes: Sequence[int], pairs: Iterable[tuple[int, int]], after: Mapping[int, Iterable[int]]
) -> Pattern:
    """Pattern of blocks of these sizes, coupled in pairs.

    Keys of `after` are the blocks of constraints: each is eliminated after the nodes that it is
    coupled with. The order is that of all sparse matrices (kernel/algebra/elimination_order.py).
    """
    kinds = [ROW if block in after else FREEDOM for block in range(len(sizes))]
    coupled = [(i, j) for i, j in pairs if i != j]
    found = least_degree(Elimination(sizes, kinds, coupled))
    assert found is not None  # there is no limit of its cost
    return _placed(sizes, found.order, [sorted(later) for later in found.later])


def _placed(sizes, order, later) -> Pattern:
    """Place the diagonal blocks first, then the row and the column of each pivot."""
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
    """Tables of a model in nodal coordinates (a free joint per body, every joint cut), with the
    layout of its blocks.
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
    """Distinct bodies without the ground."""
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
