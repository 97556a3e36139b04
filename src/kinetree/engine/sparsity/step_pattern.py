"""Coupling of the unknowns of an implicit step of a tree, found once from the tables.

The unknowns are the velocities v, the states x and the multipliers, with the residuals of
`direct_equations.py`:

    [ M a + G^T lam - f ]      a velocity couples with those inboard and outboard of it (pattern of
                               M) and, through every force element and constraint, with those
                               between its bodies and their common ancestor
    [ xdot              ]      a state couples with all unknowns that its element reads or drives
    [ G v - nu          ]
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, combinations_with_replacement

import numpy as np

from ...elements.controllers.controller import RATE, VALUE
from ...elements.joints.sensors import TREE, TURN_X
from ...kernel.algebra.elimination_order import BODY, FREEDOM, NO_TIES, ROW, Pattern, Ties
from ...kernel.algebra.ldl import LIGHT
from ...kernel.algebra.symbolic_factorization import EARLY
from ...kernel.tables.records import Tables
from .free_bodies import free_bodies

ROUNDING = 1e-14  # of the inertia of a body: `tables.floor`


class Nodes:
    """Velocities of each link, states, rows of each constraint, and their coupling."""

    whole_bodies = False  # whether twists of bodies are unknowns (`step_bodies.py`)

    def __init__(self, tables: Tables) -> None:
        self.links, self.tables = tables.links.view(np.ndarray), tables
        s = tables.settings[0]
        self.nv, self.nx, self.ng = int(s["nv"]), int(s["nx"]), int(s["ng"])
        self.free, self.size = self.nv, self.nv + self.nx + self.ng
        self.sizes: list[int] = []
        self.kinds: list[int] = []
        self.begin: list[int] = []
        self.pairs: set[tuple[int, int]] = set()
        self.grounded: list[int] = []
        self.alone: list[int] = []  # states on which nothing depends
        self.rigid: set[tuple[int, int]] = set()  # pairs that couple in M and G
        rows = int(tables.primitives.view(np.ndarray)["ng"].sum())
        self._lay(int(self.links["nv"].sum()) == self.nv and rows == self.ng)

    def _lay(self, described: bool) -> None:
        """Create all nodes and couple them."""
        self.of_link = [
            self._node(int(k["nv"]), int(k["iv"]), BODY if body else FREEDOM)
            if described and k["nv"]
            else -1
            for k, body in zip(self.links, free_bodies(self.tables))
        ]
        self.states = [self._node(1, self.nv + k, FREEDOM) for k in range(self.nx)]
        if described:
            self._tree()
            self.rigid = set(self.pairs)
            self._elements()
            self._constraints()
        else:
            self._whole()

    def filling(self) -> int:
        """Number of entries of the matrix."""
        return sum(self.sizes[a] * self.sizes[b] for a, b in self.pairs)

    def held(self, column: int, rows: np.ndarray) -> np.ndarray:
        """Entries of a column, among the rows of its coupled nodes, that can differ from zero."""
        return rows

    def light(self) -> np.ndarray:
        """Inertia that is added so that velocities without inertia can be eliminated.

        It is relative to the inertia of the body or of the heaviest one, for a rotation and for a
        displacement.
        """
        inertia, turns = self.tables.floor / ROUNDING, np.asarray(self.tables.turns) > 0.0
        most = [
            max(float(inertia[turns == kind].max(initial=0.0)), 1e-300) for kind in (False, True)
        ]
        return LIGHT * np.maximum(inertia, 1e-6 * np.where(turns, most[1], most[0]))

    def loaded(self) -> set[tuple[int, int]] | None:
        """Pairs of nodes that force elements couple, a node with itself among them.

        Also the angles whose turns are counted, with their counters. None if elements have states
        or read controllers.
        """
        forces, markers = self.tables.forces.view(np.ndarray), self.tables.markers.view(np.ndarray)
        if self.nx > len(self.alone) or (forces["input"] < 0).any():
            return None
        counters = set(self.alone)
        pairs = {pair for pair in self.pairs if counters & set(pair)}
        for force in forces:
            bodies = {int(b) for b in markers["body"][force["im"] : force["im"] + force["nm"]]}
            on_one = [self.of_link[b] for body in bodies for b in self._path(body)]
            own = set(on_one if len(bodies) == 1 else self._between(bodies))
            own.update(self._sensor(int(force["sensor"])) if force["sensor"] >= 0 else ())
            pairs.update(combinations_with_replacement(sorted(own - {-1}), 2))
        return pairs

    def together(self) -> Pattern:
        """Nodes of the elimination."""
        return Pattern(self.sizes, self.kinds, self.pairs, self.grounded, self.alone, self.rigid)

    def ties(self) -> Ties:
        """Which nodes of `together` join bodies, and which of them close loops."""
        return NO_TIES

    def known_order(self) -> list[int]:
        """The order of elimination of M and G, if rows go early in it; otherwise empty.

        It suits the matrix of a step, too: if G has full row rank over some velocities, so that rows
        may go after these, the rows have pivots in both matrices.
        """
        tables, others = self.tables, self.nx > len(self.alone)
        if self.whole_bodies or others or len(tables.anchor) or not (tables.kind == EARLY).any():
            return []
        place = np.full(self.size, self.size)
        place[tables.u_dof] = tables.u_place
        first = np.append(tables.slot_place, self.size)[tables.slot_first]
        some = np.diff(tables.slot_first) > 0
        of_rows = np.where(some, first[:-1], self.size)[tables.row_group]
        place[self.nv + self.nx :] = of_rows
        alone = set(self.alone)
        nodes = [n for n in range(len(self.sizes)) if n not in alone]
        return sorted(nodes, key=lambda n: (int(place[self.begin[n]]), n))

    def order(self) -> np.ndarray:
        """Position of each unknown among the nodes of `together`."""
        return np.arange(self.size)

    def _node(self, size: int, begin: int, kind: int) -> int:
        """Add a node; return its number."""
        self.sizes.append(size)
        self.begin.append(begin)
        self.kinds.append(kind)
        return len(self.sizes) - 1

    def _couple(self, nodes: Iterable[int]) -> None:
        """Couple all pairs of these nodes."""
        self.pairs.update(combinations(sorted({n for n in nodes if n >= 0}), 2))

    def _whole(self) -> None:
        """Equations that are not those of a tree: all unknowns may couple."""
        self._couple(
            [
                self._node(self.nv, 0, FREEDOM),
                *self.states,
                self._node(self.ng, self.nv + self.nx, ROW),
            ]
        )

    def _path(self, body: int) -> list[int]:
        """Bodies from one to the ground."""
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
                self.pairs.update(
                    (a, own) if a < own else (own, a)
                    for a in map(self.of_link.__getitem__, self._path(i)[1:])
                    if a >= 0
                )

    def _between(self, bodies: Iterable[int]) -> list[int]:
        """Nodes from the bodies to their nearest common ancestor."""
        paths = [self._path(int(b)) for b in dict.fromkeys(bodies)]
        common = set.intersection(*map(set, paths)) if paths else set()
        return [self.of_link[b] for path in paths for b in path if b not in common]

    def _owner(self, velocity: int) -> int:
        """The link whose joint has a velocity."""
        return (
            int(np.searchsorted(self.links["iv"][1:] + self.links["nv"][1:], velocity, "right")) + 1
        )

    def _sensor(self, n: int) -> list[int]:
        """Nodes that a sensor reads."""
        sensor = self.tables.sensors.view(np.ndarray)[n]
        if sensor["kind"] == TREE:
            return [self.of_link[self._owner(int(sensor["iv"]))]]
        return self._between((sensor["i"], sensor["j"]))

    def _ends(self, n: int) -> tuple[int, int]:
        """The two bodies of a sensor."""
        sensor = self.tables.sensors.view(np.ndarray)[n]
        return (1, 1) if sensor["kind"] == TREE else (int(sensor["i"]), int(sensor["j"]))

    def _elements(self) -> None:
        """Force elements with the unknowns they read.

        States of elements and the inputs of controllers are treated as one node.
        """
        turns = self._turns()
        states = [node for k, node in enumerate(self.states) if k not in turns]
        inputs, markers = self.tables.inputs.view(np.ndarray), self.tables.markers.view(np.ndarray)
        read = [
            node
            for k in inputs
            if k["kind"] in (VALUE, RATE)
            for node in self._sensor(int(k["index"]))
        ]
        driven, near = list(read), set(read)
        for force in self.tables.forces.view(np.ndarray):
            bodies = markers["body"][force["im"] : force["im"] + force["nm"]]
            own = self._between(bodies) + (
                self._sensor(int(force["sensor"])) if force["sensor"] >= 0 else []
            )
            self._couple(own)
            whole = [*own, *(self.of_link[b] for m in bodies for b in self._path(int(m)))]
            near.update(whole if states else ())
            driven += whole if (force["input"] < 0).any() else []
        self._couple(driven if read else ())
        self._couple(states)
        self.pairs.update((a, b) for a in near - {-1} for b in states)

    def _turns(self) -> set[int]:
        """States that count the turns of an angle; nothing depends on them."""
        found = set()
        for n, sensor in enumerate(self.tables.sensors.view(np.ndarray)):
            if sensor["kind"] >= TURN_X:
                found.add(int(sensor["ix"]))
                self.pairs.update(
                    (a, self.states[int(sensor["ix"])]) for a in set(self._sensor(n)) - {-1}
                )
        self.alone = [self.states[k] for k in sorted(found)]
        return found

    def _constraints(self) -> None:
        """Rows of the constraints with the velocities between their bodies."""
        for p in self.tables.primitives.view(np.ndarray):
            sensors = [
                term["sensor"] for term in self.tables.terms[p["term"] : p["term"] + p["sensors"]]
            ]
            if p["sensors"]:
                held = [n for s in sensors for n in self._sensor(int(s))]
            else:
                held = self._between((p["i"], p["j"]))
            node = self._node(int(p["ng"]), self.size - self.ng + int(p["ig"]), ROW)
            ends = (
                [e for s in sensors for e in self._ends(int(s))]
                if p["sensors"]
                else (p["i"], p["j"])
            )
            if 0 in ends:
                self.grounded.append(node)
            self._couple(held)
            own = {(k, node) for k in set(held) - {-1}}
            self.pairs |= own
            self.rigid |= own
