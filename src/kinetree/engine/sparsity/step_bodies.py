"""Coupling of the unknowns if a tree is solved body by body (integrators/newton/body_equations.py).

The unknowns are the twists of all bodies, the velocities v, the states x, the joint reactions, and
the multipliers of constraints. A body is coupled with its joint, with the joints of the bodies on
it, and with the bodies that force elements and constraints connect to it, at every depth of the
tree and around every loop. A joint reaction is eliminated after one of its two bodies and before
its velocities, which have inertia only then: in the elimination they are one node. The rows of a
constraint come after the joints on the path between its bodies.
"""

from __future__ import annotations

import numpy as np

from ...elements.joints.sensors import TREE
from ...kernel.algebra.elimination_order import BODY, FREEDOM, ROW, Pattern, Ties
from .paths import ends_of
from .step_pattern import ROUNDING, Nodes

LIGHT = 1e-6  # inertia that is added, relative to that of the body or of the heaviest one


class Bodies(Nodes):
    """Nodes: twists of bodies, velocities of their joints, states, joint reactions, constraints."""

    whole_bodies = True

    def _lay(self, described: bool) -> None:
        """Create all nodes and couple them."""
        links, bodies = self.links, len(self.links) - 1
        self.free = 6 * bodies + self.nv
        self.of_link = [-1, *(self._node(6, 6 * i, BODY) for i in range(bodies))]
        self.speeds = [
            self._node(int(k["nv"]), 6 * bodies + int(k["iv"]), FREEDOM) if k["nv"] else -1
            for k in links
        ]
        self.states = [self._node(1, self.free + k, FREEDOM) for k in range(self.nx)]
        self.joints = [
            -1,
            *(self._node(6, self.free + self.nx + 6 * i, ROW) for i in range(bodies)),
        ]
        self.size = self.free + self.nx + 6 * bodies + self.ng
        for i in range(1, bodies + 1):
            parent = int(links[i]["parent"])
            for body in (self.of_link[i], self.of_link[parent]):
                self._couple((body, self.speeds[i], self.joints[i]))
            if parent == 0:
                self.grounded.append(self.joints[i])
        self.rigid = set(self.pairs)
        self._elements()
        self.loops = len(self.sizes)  # the first node of a constraint
        self._constraints()

    def _path(self, body: int) -> list[int]:
        """The body itself, without those inboard of it."""
        return [body] if body > 0 else []

    def _sensor(self, n: int) -> list[int]:
        """Nodes that a sensor reads."""
        sensor = self.tables.sensors.view(np.ndarray)[n]
        if sensor["kind"] == TREE:
            return [self.speeds[self._owner(int(sensor["iv"]))]]
        return self._between((sensor["i"], sensor["j"]))

    def held(self, column: int, rows: np.ndarray) -> np.ndarray:
        """Entries of a column that can differ from zero.

        In the rows of joints rotations couple with rotations and with perpendicular displacements.
        """
        first, d = self.free + self.nx, column % 6
        if column >= 6 * (len(self.links) - 1):
            return rows
        body, axis = (rows - first) // 6 == column // 6, (rows - first) % 6
        across = (d < 3) & (axis >= 3) & (axis != d + 3) & ~body
        return rows[(rows < first) | (rows >= self.size - self.ng) | (axis == d) | across]

    def together(self) -> Pattern:
        """Nodes of the elimination, joints with their velocities: see `Nodes`."""
        bodies, loops = len(self.links) - 1, range(self.loops, len(self.sizes))
        alone = [*self.of_link[1:], *self.states, *self.joints[1:], *loops]
        node = {k: n for n, k in enumerate(alone)}
        node |= {own: node[joint] for own, joint in zip(self.speeds, self.joints) if own >= 0}
        joints = [6 + int(k["nv"]) for k in self.links[1:]]
        sizes = [6] * bodies + [1] * self.nx + joints + [self.sizes[k] for k in loops]
        kinds = [BODY] * bodies + [FREEDOM] * self.nx + [ROW] * (bodies + len(loops))
        pairs, rigid = (
            {(min(node[a], node[b]), max(node[a], node[b])) for a, b in these if node[a] != node[b]}
            for these in (self.pairs, self.rigid)
        )
        grounded, apart = [node[k] for k in self.grounded], [node[k] for k in self.alone]
        return Pattern(sizes, kinds, pairs, grounded, apart, rigid)

    def ties(self) -> Ties:
        """The two bodies of each joint, and the bodies between which each constraint acts."""
        first, parents = len(self.links) - 1 + self.nx, self.links["parent"].tolist()
        bodies = range(1, len(self.links))
        spans = [
            {b for pair in ends_of(self.tables, p) for b in pair} if p["sensors"] else set()
            for p in self.tables.primitives.view(np.ndarray)
        ]
        return Ties(
            {first + i - 1: (i, parents[i]) for i in bodies},
            {first + len(bodies) + n: span for n, span in enumerate(spans)},
        )

    def order(self) -> np.ndarray:
        """Position of each unknown among the nodes of `together`."""
        bodies, nv = len(self.links) - 1, self.links["nv"][1:]
        begin = 6 * bodies + self.nx + np.concatenate([[0], np.cumsum(6 + nv)[:-1]])
        loops = 6 * bodies + self.nx + int((6 + nv).sum())
        speeds = np.zeros(self.nv, np.int64)
        for first, count, at in zip(self.links["iv"][1:], nv, begin):
            speeds[first : first + count] = at + 6 + np.arange(count)
        return np.concatenate(
            [
                np.arange(6 * bodies),
                speeds,
                6 * bodies + np.arange(self.nx),
                (begin[:, None] + np.arange(6)).ravel(),
                loops + np.arange(self.ng),
            ]
        ).astype(np.int64)

    def light(self) -> np.ndarray:
        """The same for the twists of bodies; velocities need no added inertia."""
        mass, turning = self.links["mass"][1:], self.links["floor"][1:] / ROUNDING
        heaviest = float(mass.max(initial=0.0)) or 1.0
        usual = 1e-3 * max(
            float(turning.max(initial=0.0)),
            1e-3 * heaviest * float(self.tables.settings[0]["length"]) ** 2,
        )
        inertia = np.stack([np.maximum(turning, usual), np.maximum(mass, 1e-3 * heaviest)]).T
        return np.concatenate([LIGHT * np.repeat(inertia, 3, axis=1).ravel(), np.zeros(self.nv)])
