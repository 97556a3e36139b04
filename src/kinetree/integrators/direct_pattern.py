"""The matrix of the constrained equations laid out: groups of columns for differences, lists for the factors.

Columns that share no row are changed together when differences are taken [Curtis1974]. Small matrices are factored as full ones,
with exchanges of rows; others over the lists of `num/elimination.py`, without.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..num.elimination import ROW, Lists, analyse
from ..num.ldl import LIGHT
from ..plants.pattern import Nodes
from ..tables.records import Tables
from ..tables.structure import mass_pairs, row_pairs

DENSE = 60  # unknowns up to which the matrix is factored as a full one
VECTORS = 10  # rows of `run.unknowns` (`direct_matrix.py`)
ROUNDING = 1e-14  # of the inertia of a body: `tables.floor`
PARTS = ("group_first", "group", "first", "row", "source", "at", "across", "place", "begin", "below", "run_first", "run_at",
         "run_count")


class Room(NamedTuple):
    """What the method needs beside the vectors: its lists, one behind the other, and room for the matrix and its factors."""

    lists: np.ndarray
    unknowns: np.ndarray
    entries: np.ndarray
    factors: np.ndarray


def room(tables: Tables) -> Room:
    """Lists for the kernels, in the order of PARTS, behind the places where they begin; see `direct_matrix.py`."""
    nodes = Nodes(tables)
    first, row = columns(nodes)
    groups = colours(first, row, nodes.size)
    parts = [np.concatenate([[0], np.cumsum(np.bincount(groups))]), np.argsort(groups, kind="stable"), first, row,
             sources(nodes, first, row)]
    lists = analyse(nodes.sizes, nodes.kinds, nodes.pairs, nodes.grounded) if nodes.size > DENSE else None
    if lists is None:
        parts += [np.zeros(0)] * 8
    else:
        parts += [*places(lists, first, row), lists.place, lists.first, lists.row, lists.run_first, lists.run_at, lists.run_count]
    unknowns = np.zeros((VECTORS, nodes.size))
    unknowns[-1, : nodes.nv] = LIGHT * usual_inertia(tables)
    starts = len(PARTS) + 1 + np.concatenate([[0], np.cumsum([len(p) for p in parts])])
    return Room(np.concatenate([starts, *parts]).astype(np.int64), unknowns, np.zeros((2, len(row))),
                np.zeros(nodes.size**2 if lists is None else 2 * lists.size))


def usual_inertia(tables: Tables) -> np.ndarray:
    """Per freedom the inertia of its body, or a millionth of the largest there is: for a turn and for a travel."""
    inertia, turns = tables.floor / ROUNDING, np.asarray(tables.turns) > 0.0
    most = [max(float(inertia[turns == kind].max(initial=0.0)), 1e-300) for kind in (False, True)]
    return np.maximum(inertia, 1e-6 * np.where(turns, most[1], most[0]))


def columns(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
    """Rows of each column of v and x, one behind the other, and where they begin."""
    near: list[list[int]] = [[k] for k in range(len(nodes.sizes))]
    for a, b in nodes.pairs:
        near[a].append(b)
        near[b].append(a)
    whole = [np.arange(b, b + n) for b, n in zip(nodes.begin, nodes.sizes)]
    found: dict[int, np.ndarray] = {}
    for k, others in enumerate(near):
        if nodes.kinds[k] != ROW:
            mine = np.sort(np.concatenate([whole[j] for j in others]))
            found.update(dict.fromkeys(range(nodes.begin[k], nodes.begin[k] + nodes.sizes[k]), mine))
    rows = [found[j] for j in range(nodes.nv + nodes.nx)]
    return (np.concatenate([[0], np.cumsum([len(r) for r in rows])]).astype(np.int64),
            np.concatenate([np.zeros(0, np.int64), *rows]).astype(np.int64))


def places(lists: Lists, first: np.ndarray, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where each entry lies in the factors, behind their lower half if right of the diagonal, and its mirror image."""
    column = np.repeat(np.arange(len(first) - 1), np.diff(first))
    p, q, at = lists.place[row], lists.place[column], lists.entries(row, column)
    mirror = np.where(p == q, at, np.where(p < q, at, at + lists.size))
    return np.where(p < q, at + lists.size, at), mirror


def sources(nodes: Nodes, first: np.ndarray, row: np.ndarray) -> np.ndarray:
    """Where packed M and G (tables/structure.py) have each entry, or -1."""
    t, nv, n = nodes.tables, nodes.nv, nodes.size
    if not t.settings[0]["sparse"]:
        return np.full(len(row), -1)
    (own, up), (rows, held) = mass_pairs(t), row_pairs(t)
    keys = np.concatenate([own * n + up, up * n + own, (nv + nodes.nx + rows) * n + held])
    where = np.concatenate([np.arange(len(own)), np.arange(len(own)), np.arange(len(rows))])
    order, wanted = np.argsort(keys, kind="stable"), row * n + np.repeat(np.arange(len(first) - 1), np.diff(first))
    at = order[np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)]
    return np.where(keys[at] == wanted, where[at], -1)


def colours(first: np.ndarray, row: np.ndarray, rows: int) -> np.ndarray:
    """A group for each column: columns of one group share no row; greedy, in their order."""
    used: list[set[int]] = [set() for _ in range(rows)]
    groups = np.zeros(len(first) - 1, np.int64)
    for j in range(len(groups)):
        mine = row[first[j] : first[j + 1]].tolist()
        taken = set().union(*(used[r] for r in mine))
        groups[j] = next(k for k in range(len(taken) + 1) if k not in taken)
        for r in mine:
            used[r].add(int(groups[j]))
    return groups
