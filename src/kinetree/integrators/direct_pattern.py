"""Which unknowns of the constrained equations meet, found once from the tables: groups for differences, lists for factors.

Unknowns are the velocities v, the states x and the multipliers; the residuals that go with them (`direct_equations.py`)

    [ M a + G^T lam - f ]      a velocity meets those of the bodies inboard and outboard of its own (the pattern of M) and,
    [ xdot              ]      through every force element and constraint, those between its bodies and their common ancestor;
    [ G v - nu          ]      states meet everything that an element or a controller reads or drives

Columns that share no row are changed together when differences are taken [Curtis1974].
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..control.controller import RATE, VALUE
from ..errors import ModelError
from ..joints.sensors import TREE, TURN_X
from ..num.elimination import BODY, FREEDOM, ROW, analyse
from ..num.ldl import LIGHT
from ..tables.records import Tables

DENSE = 60  # unknowns up to which the matrix is factored as a full one, with exchanges
VECTORS = 10  # rows of `run.unknowns` (`direct_newton.py`)
MOST = 20_000_000  # numbers in the matrix
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
    """Lists for the kernels, in the order of PARTS, behind the places where they begin; see `direct_newton.py`."""
    nodes = Nodes(tables)
    first, row = nodes.columns()
    size = nodes.size
    groups = colours(first, row, size, nodes.columns_count)
    parts = [np.concatenate([[0], np.cumsum(np.bincount(groups))]), np.argsort(groups, kind="stable"), first, row,
             nodes.sources(first, row)]
    if size <= DENSE:
        parts += [np.zeros(0)] * 8
        count = size * size
    else:
        lists = analyse(nodes.sizes, nodes.kinds, nodes.pairs, nodes.grounded)
        at, across = nodes.places(lists, first, row)
        parts += [at, across, lists.place, lists.first, lists.row, lists.run_first, lists.run_at, lists.run_count]
        count = 2 * lists.size
    unknowns = np.zeros((VECTORS, size))
    unknowns[-1, : nodes.nv] = LIGHT * usual_inertia(tables)
    starts = len(PARTS) + 1 + np.concatenate([[0], np.cumsum([len(p) for p in parts])])
    return Room(np.concatenate([starts, *parts]).astype(np.int64), unknowns, np.zeros((2, len(row))), np.zeros(count))


def usual_inertia(tables: Tables) -> np.ndarray:
    """Per freedom the inertia of its body, or a millionth of the largest there is: for a turn and for a travel."""
    inertia, turns = tables.floor / ROUNDING, np.asarray(tables.turns) > 0.0
    most = [max(float(inertia[turns == kind].max(initial=0.0)), 1e-300) for kind in (False, True)]
    return np.maximum(inertia, 1e-6 * np.where(turns, most[1], most[0]))


class Nodes:
    """Freedoms of each link, the states, and the rows of each constraint, and which of them meet."""

    def __init__(self, tables: Tables) -> None:
        self.links, self.tables = tables.links.view(np.ndarray), tables
        s = tables.settings[0]
        self.nv, self.nx, self.ng = int(s["nv"]), int(s["nx"]), int(s["ng"])
        self.sizes: list[int] = []
        self.kinds: list[int] = []
        self.begin: list[int] = []
        self.pairs: set[tuple[int, int]] = set()
        self.grounded: list[int] = []
        described = int(self.links["nv"].sum()) == self.nv
        self.of_link = [self._node(int(k["nv"]), int(k["iv"]), self._kind(k)) if k["nv"] else -1 for k in self.links]
        self.states = [self._node(1, self.nv + k, FREEDOM) for k in range(self.nx)]
        if described:
            self._tree()
            self._elements()
            self._constraints()
        else:
            self._whole()
        if sum(self.sizes[a] * self.sizes[b] for a, b in self.pairs) > MOST:
            raise ModelError("integrator 'bdf-direct': in these coordinates nearly every velocity of this long machine meets "
                             "every other. Use coordinates=\"cartesian\", where only neighbours do.")

    @property
    def size(self) -> int:
        return self.nv + self.nx + self.ng

    @property
    def columns_count(self) -> int:
        """Columns found by differences: those of v and x."""
        return self.nv + self.nx

    def columns(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows of each column of v and x, one behind the other, and where they begin."""
        near: list[list[int]] = [[k] for k in range(len(self.sizes))]
        for a, b in self.pairs:
            near[a].append(b)
            near[b].append(a)
        whole = [np.arange(b, b + n) for b, n in zip(self.begin, self.sizes)]
        found: dict[int, np.ndarray] = {}
        for k, others in enumerate(near):
            if self.kinds[k] != ROW:
                rows = np.sort(np.concatenate([whole[j] for j in others]))
                found.update(dict.fromkeys(range(self.begin[k], self.begin[k] + self.sizes[k]), rows))
        rows = [found[j] for j in range(self.columns_count)]
        return (np.concatenate([[0], np.cumsum([len(r) for r in rows])]).astype(np.int64),
                np.concatenate([np.zeros(0, np.int64), *rows]).astype(np.int64))

    def places(self, lists, first: np.ndarray, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where each entry lies in the factors, behind `size` if right of the diagonal, and its mirror image."""
        column = np.repeat(np.arange(len(first) - 1), np.diff(first))
        low, high = np.minimum(*(lists.place[k] for k in (row, column))), np.maximum(*(lists.place[k] for k in (row, column)))
        n, key = len(lists.kind), np.repeat(np.arange(len(lists.kind)), np.diff(lists.first)) * len(lists.kind) + lists.row
        at = np.where(low == high, low, n + np.searchsorted(key, low * n + high))
        right = lists.place[row] < lists.place[column]
        mirror = np.where(low == high, at, np.where(right, at, at + lists.size))
        return np.where(right, at + lists.size, at), mirror

    def sources(self, first: np.ndarray, row: np.ndarray) -> np.ndarray:
        """Where packed M and G have each entry, or -1."""
        t, nv = self.tables, self.nv
        if not t.settings[0]["sparse"]:
            return np.full(len(row), -1)
        column = np.repeat(np.arange(len(first) - 1), np.diff(first))
        depth = np.diff(t.m_first)
        own, up = np.repeat(np.arange(nv), depth), np.zeros(int(t.m_first[-1]), np.int64)
        for k in range(nv):
            at, l = int(t.m_first[k]), k
            while l >= 0:
                up[at], at, l = l, at + 1, int(t.u_up[l])
        rows = np.repeat(np.arange(self.ng), np.diff(t.g_first))
        held = np.concatenate([t.support[t.support_first[c] : t.support_first[c + 1]] for c in t.row_group])
        n = self.size
        keys = np.concatenate([own * n + up, up * n + own, (nv + self.nx + rows) * n + held])
        where = np.concatenate([np.arange(len(own)), np.arange(len(own)), np.arange(len(rows))])
        order = np.argsort(keys, kind="stable")
        wanted = row * n + column
        at = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
        return np.where(keys[order][at] == wanted, where[order][at], -1)

    # --- who meets whom -------------------------------------------------------------------------------------------

    def _node(self, size: int, begin: int, kind: int) -> int:
        self.sizes.append(size)
        self.begin.append(begin)
        self.kinds.append(kind)
        return len(self.sizes) - 1

    def _kind(self, link: np.void) -> int:
        return BODY if link["nv"] == 6 and link["parent"] == 0 else FREEDOM

    def _meet(self, nodes: Iterable[int]) -> None:
        self.pairs.update(combinations(sorted({n for n in nodes if n >= 0}), 2))

    def _whole(self) -> None:
        """A plant that is no tree: whatever it is, all may meet all."""
        self._meet([self._node(self.nv, 0, FREEDOM), *self.states, self._node(self.ng, self.nv + self.nx, ROW)])

    def _path(self, body: int) -> list[int]:
        found = []
        while body > 0:
            found.append(body)
            body = int(self.links[body]["parent"])
        return found

    def _tree(self) -> None:
        """The pattern of M: inboard and outboard bodies."""
        for i in range(1, len(self.links)):
            own = self.of_link[i]
            if own >= 0:
                self.pairs.update((a, own) if a < own else (own, a) for a in map(self.of_link.__getitem__, self._path(i)[1:])
                                  if a >= 0)

    def _between(self, bodies: Iterable[int]) -> list[int]:
        """Nodes from the bodies to their nearest common ancestor."""
        paths = [self._path(int(b)) for b in dict.fromkeys(bodies)]
        common = set.intersection(*map(set, paths)) if paths else set()
        return [self.of_link[b] for path in paths for b in path if b not in common]

    def _sensor(self, n: int) -> list[int]:
        sensor = self.tables.sensors.view(np.ndarray)[n]
        if sensor["kind"] == TREE:
            return [self.of_link[int(np.flatnonzero((self.links["iv"] <= sensor["iv"])
                                                    & (sensor["iv"] < self.links["iv"] + self.links["nv"]))[0])]]
        return self._between((sensor["i"], sensor["j"]))

    def _ends(self, n: int) -> tuple[int, int]:
        sensor = self.tables.sensors.view(np.ndarray)[n]
        return (1, 1) if sensor["kind"] == TREE else (int(sensor["i"]), int(sensor["j"]))

    def _elements(self) -> None:
        """Force elements with what they read; states of elements and all that controllers read are taken as one."""
        turns = self._turns()
        states = [node for k, node in enumerate(self.states) if k not in turns]
        inputs, markers = self.tables.inputs.view(np.ndarray), self.tables.markers.view(np.ndarray)
        read = [node for k in inputs if k["kind"] in (VALUE, RATE) for node in self._sensor(int(k["index"]))]
        driven, near = list(read), set(read)
        for force in self.tables.forces.view(np.ndarray):
            bodies = markers["body"][force["im"] : force["im"] + force["nm"]]
            own = self._between(bodies) + (self._sensor(int(force["sensor"])) if force["sensor"] >= 0 else [])
            self._meet(own)
            whole = [*own, *(self.of_link[b] for m in bodies for b in self._path(int(m)))]
            near.update(whole if states else ())
            driven += whole if (force["input"] < 0).any() else []
        self._meet(driven if read else ())
        self._meet(states)
        self.pairs.update((a, b) for a in near - {-1} for b in states)

    def _turns(self) -> set[int]:
        """States that count the turns of an angle: they follow its rate, and nothing follows them."""
        found = set()
        for n, sensor in enumerate(self.tables.sensors.view(np.ndarray)):
            if sensor["kind"] >= TURN_X:
                found.add(int(sensor["ix"]))
                self.pairs.update((a, self.states[int(sensor["ix"])]) for a in set(self._sensor(n)) - {-1})
        return found

    def _constraints(self) -> None:
        for p in self.tables.primitives.view(np.ndarray):
            sensors = [p["sensor1"], p["sensor2"]][: p["sensors"]]
            held = [n for s in sensors for n in self._sensor(int(s))] if p["sensors"] else self._between((p["i"], p["j"]))
            node = self._node(int(p["ng"]), self.nv + self.nx + int(p["ig"]), ROW)
            ends = [e for s in sensors for e in self._ends(int(s))] if p["sensors"] else (p["i"], p["j"])
            if 0 in ends:
                self.grounded.append(node)
            self._meet(held)
            self.pairs.update((k, node) for k in set(held) - {-1})


def colours(first: np.ndarray, row: np.ndarray, rows: int, count: int) -> np.ndarray:
    """A group for each column: columns of one group share no row; greedy, in their order."""
    used: list[set[int]] = [set() for _ in range(rows)]
    groups = np.zeros(count, np.int64)
    for j in range(count):
        mine = row[first[j] : first[j + 1]]
        taken = set().union(*(used[r] for r in mine))
        k = 0
        while k in taken:
            k += 1
        groups[j] = k
        for r in mine:
            used[r].add(k)
    return groups
