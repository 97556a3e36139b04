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

from itertools import combinations

import numpy as np

from ...kernel.tables.records import Tables, frozen
from .pattern import Pattern, eliminate

IN_SPACE = (0, 1, 2, 3, 4, 5)
IN_PLANE = {
    "x": (1, 2, 3),
    "y": (2, 0, 4),
    "z": (0, 1, 5),
}  # across an axis: travel along the two others, turn about it


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
