"""Which unknowns of the constrained equations of a tree meet, found once from the tables.

Unknowns are the velocities v, the states x and the multipliers, and with them go the residuals of `direct_equations.py`

    [ M a + G^T lam - f ]      a velocity meets those of the bodies inboard and outboard of its own (the pattern of M) and,
    [ xdot              ]      through every force element and constraint, those between its bodies and their common ancestor;
    [ G v - nu          ]      states meet everything that an element or a controller reads or drives
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import numpy as np

from ..control.controller import RATE, VALUE
from ..errors import ModelError
from ..joints.sensors import TREE, TURN_X
from ..num.elimination import BODY, FREEDOM, ROW
from ..tables.records import Tables

MOST = 20_000_000  # numbers in the matrix


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
        rows = int(tables.primitives.view(np.ndarray)["ng"].sum())
        described = int(self.links["nv"].sum()) == self.nv and rows == self.ng
        self.of_link = [self._node(int(k["nv"]), int(k["iv"]), self._kind(k)) if described and k["nv"] else -1
                        for k in self.links]
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
            sensors = [term["sensor"] for term in self.tables.terms[p["term"] : p["term"] + p["sensors"]]]
            held = [n for s in sensors for n in self._sensor(int(s))] if p["sensors"] else self._between((p["i"], p["j"]))
            node = self._node(int(p["ng"]), self.nv + self.nx + int(p["ig"]), ROW)
            ends = [e for s in sensors for e in self._ends(int(s))] if p["sensors"] else (p["i"], p["j"])
            if 0 in ends:
                self.grounded.append(node)
            self._meet(held)
            self.pairs.update((k, node) for k in set(held) - {-1})
