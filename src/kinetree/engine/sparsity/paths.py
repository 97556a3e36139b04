"""Coupling of the unknowns of a tree, some of whose bodies may be anchors.

M couples a velocity with those inboard of it. A row of G ends at the common ancestor of its two
bodies, because inboard of it they move together. In a deep tree with loops the coupling is nearly
complete. For the linear equations alone, bodies may therefore be taken out of the tree: an anchor
has its twist as six unknowns, and its tree joint becomes rows. Without anchors the unknowns are
relative coordinates; if all bodies are anchors, they are Cartesian ones. The state, the projection
and the integration do not depend on anchors.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from ...elements.joints.sensors import TREE
from ...kernel.algebra.early_rows import Rank
from ...kernel.algebra.elimination_order import (
    BODY,
    FREEDOM,
    ROW,
    Elimination,
    Nodes,
    Pattern,
    Ties,
    least_degree,
)
from ...kernel.tables.joint_inertia import joint_inertias
from ...kernel.tables.records import Tables
from ...kernel.tables.workspace import row_owners
from .free_bodies import free_bodies


def anchors_of(tables: Tables, deep: int) -> list[int]:
    """The bodies that become anchors: one after every `deep` bodies on a path, if it has mass and its
    joint coordinates have no inertia.
    """
    links, path, found = tables.links.view(np.ndarray), [0], []
    J = joint_inertias(tables)
    for i in range(1, len(links)):
        before, moves = path[int(links[i]["parent"])], bool(links[i]["nv"])
        free = links[i]["parent"] == 0 and links[i]["nv"] == 6
        rotors = J[links[i]["iv"] : links[i]["iv"] + links[i]["nv"]].any()
        if moves and not (free or rotors) and before >= deep and links[i]["mass"] > 0.0:
            found.append(i)
            before = 0
        path.append(before + moves)
    return found


def least_work(tables: Tables, anchors: Collection[int]) -> float:
    """Multiplications for M alone: the sum of squares of the number of unknowns inboard."""
    links, taken, inboard, total = tables.links.view(np.ndarray), set(anchors), [0], 0.0
    for i, (parent, count) in enumerate(
        zip(links["parent"].tolist()[1:], links["nv"].tolist()[1:]), 1
    ):
        inboard.append(6 if i in taken else inboard[parent] + count)
        total += (6.0 if i in taken else count) * inboard[i] ** 2 / 2.0
    return total


def ends_of(tables: Tables, p: np.void) -> list[tuple[int, int]]:
    """The pairs of bodies that a primitive connects: its own, or those of its sensors."""
    if not p["sensors"]:
        return [(int(p["i"]), int(p["j"]))]
    return [_measured(tables, sensor) for sensor in _sensors(tables, p)]


def _sensors(tables: Tables, p: np.void) -> list[np.void]:
    """The sensors of a relation."""
    terms = tables.terms[int(p["term"]) : int(p["term"] + p["sensors"])]
    return [tables.sensors[int(term["sensor"])] for term in terms]


def _measured(tables: Tables, sensor: np.void) -> tuple[int, int]:
    """The two bodies of a sensor."""
    if sensor["kind"] != TREE:
        return int(sensor["i"]), int(sensor["j"])
    links = tables.links.view(np.ndarray)
    i = int(np.searchsorted(links["iv"][1:] + links["nv"][1:], int(sensor["iv"]), "right")) + 1
    return i, int(links["parent"][i])


class Shape:
    """Unknowns, paths and groups of a tree with anchors; the last groups are the anchor joints."""

    def __init__(self, tables: Tables, anchors: Collection[int] = ()) -> None:
        links, taken = tables.links.view(np.ndarray), set(anchors)
        self.tables, self.taken, self.anchors = tables, taken, sorted(taken)
        self.tree_parent = links["parent"].tolist()
        self.joint_sizes = links["nv"].tolist()
        self.parent = [0 if i in taken else p for i, p in enumerate(self.tree_parent)]
        self.count = [0, *(6 if i in taken else n for i, n in enumerate(self.joint_sizes) if i)]
        self.free = (free_bodies(tables) | np.isin(np.arange(len(links)), self.anchors)).tolist()
        self.root = [0]  # the free body inboard of each body, or the ground
        for i in range(1, len(self.parent)):
            self.root.append(i if self.free[i] else self.root[self.parent[i]])
        self.begin = [0, *np.cumsum(self.count).tolist()]
        group = row_owners(tables.primitives, len(tables.row_scale)).tolist()
        self.first_rows = sorted(set(group))
        number = {r: c for c, r in enumerate(self.first_rows)}
        self.groups, self.row_group = len(number), [number[r] for r in group]
        # of each primitive, from `path` of its record on, then two of each anchor
        self.paths: list[list[int]] = []
        self.supports: list[list[int]] = [[] for _ in number]
        self.bodies: list[set[int]] = [set() for _ in number]  # with unknowns in a group
        # the free bodies, or the ground, inboard of the bodies of a group
        self.ends: list[set[int]] = [set() for _ in number]
        self.grounded = [False] * len(number)
        primitives = tables.primitives.view(np.ndarray)
        for p, ig, i, j, sensors in zip(
            primitives, *(primitives[name].tolist() for name in ("ig", "i", "j", "sensors"))
        ):
            c = self.row_group[ig]
            self._add(self._paths(p, c) if sensors else self._between(i, j, c), c)
        for i in self.anchors:
            self._anchor(i)

    def path(self, i: int) -> list[int]:
        """Bodies with unknowns from body i to its anchor or the ground."""
        found = []
        while i > 0:
            if self.count[i]:
                found.append(i)
            i = self.parent[i]
        return found

    def _apart(self, i: int, j: int) -> tuple[list[int], list[int]]:
        """The paths of two bodies to their common ancestor."""
        paths: tuple[list[int], list[int]] = [], []
        while i != j:  # parents have lower numbers
            n, k = (0, i) if i > j else (1, j)
            if self.count[k]:
                paths[n].append(k)
            i, j = (self.parent[i], j) if i > j else (i, self.parent[j])
        return paths

    def _add(self, paths: list[list[int]], c: int) -> None:
        """Add the paths of a primitive, two, or two per coordinate, to its group."""
        self.paths += paths
        self.supports[c] = list(
            dict.fromkeys([*self.supports[c], *(u for path in paths for u in path)])
        )

    def _paths(self, p: np.void, c: int) -> list[list[int]]:
        """The paths to the bodies of the sensors; the velocity itself for a sensor in the tree."""
        ends, paths = ends_of(self.tables, p), list[list[int]]()
        for i, j in ends:
            paths += self._between(i, j, c)
        for n, sensor in enumerate(_sensors(self.tables, p)):
            if sensor["kind"] == TREE and ends[n][0] not in self.taken:
                of = ends[n][0]
                paths[2 * n : 2 * n + 2] = [
                    [self.begin[of] + int(sensor["iv"]) - self._first(of)],
                    [],
                ]
        return paths

    def _between(self, i: int, j: int, c: int) -> list[list[int]]:
        """The unknowns on the two paths between bodies; adds these to a group."""
        paths = self._apart(i, j)
        self.bodies[c].update(*paths)
        self.ends[c].update((self.root[i], self.root[j]))
        carried = {self.root[i], self.root[j]}
        self.grounded[c] |= 0 in carried
        return [self._unknowns(bodies) for bodies in paths]

    def _anchor(self, i: int) -> None:
        """The joint of an anchor, as a group of rows."""
        c = len(self.supports)
        self.bodies.append(set())
        self.ends.append(set())
        self.grounded.append(False)
        paths = self._between(i, self.tree_parent[i], c)
        self.paths += paths
        self.supports.append([*paths[0], *paths[1]])
        self.row_group += [c] * (6 - self.joint_sizes[i])

    def _first(self, i: int) -> int:
        """First velocity of a link."""
        return int(self.tables.links[i]["iv"])

    def _unknowns(self, bodies: Iterable[int]) -> list[int]:
        """The unknowns of these bodies."""
        return [k for i in bodies for k in range(self.begin[i], self.begin[i + 1])]

    def eliminated(
        self, slots: Sequence[int], limit: float = np.inf, rank: Rank | None = None
    ) -> tuple[Nodes, Elimination] | None:
        """Nodes of unknowns and then of slots, and the elimination order; None beyond the limit.

        With `rank`, the rank of groups over unknowns, rows may be eliminated early.
        """
        moving = [i for i in range(1, len(self.parent)) if self.count[i]]
        node, held = {i: n for n, i in enumerate(moving)}, [c for c, n in enumerate(slots) if n]
        row = {c: len(moving) + n for n, c in enumerate(held)}
        pairs = [(node[i], node[j]) for i in moving for j in self.path(i)[1:]]
        pairs += [(row[c], node[i]) for c in held for i in self.bodies[c]]
        sizes = [self.count[i] for i in moving] + [slots[c] for c in held]
        kinds = [BODY if self.free[i] else FREEDOM for i in moving] + [ROW] * len(held)

        def rank_of_nodes(rows: Collection[int], others: Collection[int]) -> int:
            assert rank is not None
            groups = [held[n - len(moving)] for n in sorted(rows)]
            return rank(groups, self._unknowns(moving[n] for n in sorted(others)))

        grounded = [row[c] for c in held if self.grounded[c]]
        pattern = Pattern(sizes, kinds, pairs, grounded, rank=rank and rank_of_nodes)
        found = least_degree(pattern, limit, self._ties(row))
        return None if found is None else (Nodes(np.array(sizes), np.array(kinds)), found)

    def _ties(self, row: dict[int, int]) -> Ties:
        """Bodies connected by the joints of anchors, and those in the loops of other rows.

        A joint with six degrees of freedom connects nothing.
        """
        if not self.anchors:
            return Ties()
        joints = {
            c: (i, self.root[self.tree_parent[i]]) for c, i in enumerate(self.anchors, self.groups)
        }
        loose = [(i, 0) for i, free in enumerate(self.free) if free and i not in self.taken]
        return Ties(
            {row[c]: joint for c, joint in joints.items() if c in row},
            {row[c]: self.ends[c] for c in row if c < self.groups},
            [*loose, *(joint for c, joint in joints.items() if c not in row)],
        )
