"""Lists of the matrix of a step (pattern.py): its columns, their groups, and the places of its entries."""

from __future__ import annotations

import numpy as np

from ....elements.joints.sensors import TREE
from ....kernel.algebra.elimination_order import ROW
from ....kernel.algebra.symbolic_factorization import Lists
from ....kernel.tables.records import Tables
from ....kernel.tables.sparsity import mass_pairs, row_pairs
from ...sparsity.step_pattern import Nodes


def columns(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
    """Rows of each column of velocities and states, concatenated, and their start positions."""
    near: list[list[int]] = [[k] for k in range(len(nodes.sizes))]
    for a, b in nodes.pairs:
        near[a].append(b)
        near[b].append(a)
    whole = [np.arange(b, b + n) for b, n in zip(nodes.begin, nodes.sizes)]
    found: dict[int, np.ndarray] = {}
    for k, others in enumerate(near):
        if nodes.kinds[k] != ROW:
            mine = np.sort(np.concatenate([whole[j] for j in others]))
            found.update(
                (j, nodes.held(j, mine))
                for j in range(nodes.begin[k], nodes.begin[k] + nodes.sizes[k])
            )
    rows = [found[j] for j in range(nodes.free + nodes.nx)]
    return (
        np.concatenate([[0], np.cumsum([len(r) for r in rows])]).astype(np.int64),
        np.concatenate([np.zeros(0, np.int64), *rows]).astype(np.int64),
    )


def load_groups(
    nodes: Nodes, by_loads: bool, first: np.ndarray, row: np.ndarray
) -> list[np.ndarray]:
    """Groups of columns for the derivatives of force elements alone, and the entries that have some.

    Empty if those derivatives are not available (load_derivatives.py).
    """
    pairs = nodes.loaded() if by_loads and not nodes.whole_bodies else None
    if pairs is None:
        return [np.zeros(0)] * 3
    owner = np.full(nodes.size, -1)
    for k, (begin, size) in enumerate(zip(nodes.begin, nodes.sizes)):
        owner[begin : begin + size] = k
    column = np.repeat(np.arange(len(first) - 1), np.diff(first))
    ends = np.sort([owner[row], owner[column]], axis=0)
    found = np.array([pair in pairs for pair in zip(*ends.tolist())], bool) & (column < nodes.nv)
    mine = np.concatenate([[0], np.cumsum(found)])[first]
    groups = color_columns(mine, row[found], nodes)
    members = np.flatnonzero(np.diff(mine))
    counts = np.bincount(groups[members])
    order = members[np.argsort(groups[members], kind="stable")]
    return [np.concatenate([[0], np.cumsum(counts)]), order, found]


def row_entries(tables: Tables, nodes: Nodes, first: np.ndarray, row: np.ndarray) -> np.ndarray:
    """Entries of the rows of constraints over the bodies, in the order of `store_rows`."""
    if not nodes.whole_bodies:
        return np.zeros(0)
    loops = nodes.size - nodes.ng
    pairs: list[tuple[int, int]] = []
    for p in tables.primitives.view(np.ndarray):
        terms = tables.terms[int(p["term"]) : int(p["term"] + p["sensors"])]
        ends = [tables.sensors[int(term["sensor"])] for term in terms] or [p]
        for r in range(loops + int(p["ig"]), loops + int(p["ig"] + p["ng"])):
            for end in ends:
                if p["sensors"] and end["kind"] == TREE:
                    pairs.append((nodes.free - nodes.nv + int(end["iv"]), r))
                else:
                    columns = [
                        6 * int(b) - 6 + d for b in (end["i"], end["j"]) if b for d in range(6)
                    ]
                    pairs += [(j, r) for j in columns]
    key = np.repeat(np.arange(len(first) - 1), np.diff(first)) * nodes.size + row
    return np.searchsorted(key, [j * nodes.size + r for j, r in pairs])


def exchanged_nodes(nodes: Nodes, lists: Lists | None) -> np.ndarray:
    """First position and end of the node of each position, for the exchange of rows inside nodes."""
    if lists is None or not nodes.whole_bodies:
        return np.zeros(0)
    pattern = nodes.together()
    begin, end = np.arange(nodes.size), np.arange(nodes.size) + 1
    numbers = np.cumsum(pattern.sizes) - pattern.sizes  # the first unknown of each node
    places = np.empty(nodes.size, np.int64)
    places[nodes.order()] = lists.place
    for first, size, kind in zip(numbers, pattern.sizes, pattern.kinds):
        if kind == ROW:
            at = int(places[first])
            begin[at : at + size], end[at : at + size] = at, at + size
    return np.concatenate([begin, end])


def places(lists: Lists, first: np.ndarray, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Position of each entry in the factors, and that of its mirror image.

    Entries to the right of the diagonal lie after the lower half.
    """
    column = np.repeat(np.arange(len(first) - 1), np.diff(first))
    p, q, at = lists.place[row], lists.place[column], lists.entries(row, column)
    mirror = np.where(p == q, at, np.where(p < q, at, at + lists.size))
    return np.where(p < q, at + lists.size, at), mirror


def sources(tables: Tables, nodes: Nodes, first: np.ndarray, row: np.ndarray) -> np.ndarray:
    """Position of each entry in packed M and G (kernel/tables/sparsity.py), or -1."""
    nv, n = nodes.nv, nodes.size
    if nodes.whole_bodies or not tables.settings[0]["sparse"]:
        return np.full(len(row), -1)
    (own, up), (rows, held) = mass_pairs(tables), row_pairs(tables)
    keys = np.concatenate([own * n + up, up * n + own, (nv + nodes.nx + rows) * n + held])
    where = np.concatenate([np.arange(len(own)), np.arange(len(own)), np.arange(len(rows))])
    order = np.argsort(keys, kind="stable")
    wanted = row * n + np.repeat(np.arange(len(first) - 1), np.diff(first))
    at = order[np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)]
    return np.where(keys[at] == wanted, where[at], -1)


def color_columns(first: np.ndarray, row: np.ndarray, nodes: Nodes) -> np.ndarray:
    """Group of each column: columns of a group share no row of differences.

    The coloring is greedy, in the order of the columns.
    """
    last = nodes.free + nodes.nx if nodes.whole_bodies else nodes.size
    used: list[set[int]] = [set() for _ in range(last)]
    groups = np.zeros(len(first) - 1, np.int64)
    for j in range(len(groups)):
        mine = [r for r in row[first[j] : first[j + 1]].tolist() if r < last]
        taken = set().union(*(used[r] for r in mine))
        groups[j] = next(k for k in range(len(taken) + 1) if k not in taken)
        for r in mine:
            used[r].add(int(groups[j]))
    return groups
