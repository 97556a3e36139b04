"""The structure of M and G of a tree, found once: which unknowns meet in which entries, and the order of their elimination.

M couples a freedom with those inboard of it; a row of G ends where the paths of its two bodies meet, for beyond that point they
move together. Each group of rows gets as many slots as it can have independent rows, which is its rank at random positions of
the tree: a planar loop of spatial joints has two wherever it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from ..joints.sensors import TREE
from ..num.elimination import BODY, FREEDOM, ROW, Lists, lay_out, least_degree
from ..num.ldl import PAD
from ..tables.records import Tables
from ..tables.structure import Structure, empty_structure
from ..tables.work import row_groups


class Shape:
    """Unknowns, paths and groups of a tree."""

    def __init__(self, tables: Tables) -> None:
        links = tables.links.view(np.ndarray)
        self.tables, self.parent, self.count = tables, links["parent"].tolist(), [0, *links["nv"][1:].tolist()]
        self.free = [bool(p == 0 and n == 6) for p, n in zip(self.parent, links["nv"])]
        self.root = [r if self.free[r] else 0 for r in links["root"].tolist()]  # the free body that carries one, or the ground
        self.begin = [0, *np.cumsum(self.count).tolist()]
        group = row_groups(tables.primitives, len(tables.row_scale)).tolist()
        self.first_rows = sorted(set(group))
        number = {r: c for c, r in enumerate(self.first_rows)}
        self.row_group = np.array([number[r] for r in group], np.int64)
        self.walks: list[list[list[int]]] = []
        self.supports: list[list[int]] = [[] for _ in number]
        self.bodies: list[set[int]] = [set() for _ in number]  # with unknowns in a group
        self.grounded = [False] * len(number)
        for p in tables.primitives.view(np.ndarray):
            self._walk(p, int(self.row_group[p["ig"]]))

    def path(self, i: int) -> list[int]:
        """Bodies with unknowns from body i to the ground."""
        found = []
        while i > 0:
            if self.count[i]:
                found.append(i)
            i = self.parent[i]
        return found

    def _apart(self, i: int, j: int) -> tuple[list[int], list[int]]:
        """The paths of two bodies up to where they meet."""
        a, b = self.path(i), self.path(j)
        while a and b and a[-1] == b[-1]:
            a.pop()
            b.pop()
        return a, b

    def _walk(self, p: np.void, c: int) -> None:
        """The (up to four) paths of a primitive, into its group."""
        ends, walks = [(int(p["i"]), int(p["j"]))], []
        if p["sensors"]:
            sensors = [self.tables.sensors[int(p[name])] for name in ("sensor1", "sensor2")[: p["sensors"]]]
            ends = [self._ends(sensor) for sensor in sensors]
        for i, j in ends:
            for bodies in self._apart(i, j):
                self.bodies[c].update(bodies)
                walks.append(self._unknowns(bodies))
            self.grounded[c] |= self.root[i] != self.root[j] and 0 in (self.root[i], self.root[j])
            self.grounded[c] |= self.root[i] == self.root[j] == 0
        if p["sensors"]:
            for n, sensor in enumerate(sensors):
                if sensor["kind"] == TREE:
                    walks[2 * n : 2 * n + 2] = [[int(sensor["iv"])], []]
        self.walks.append(walks + [[]] * (4 - len(walks)))
        self.supports[c] = list(dict.fromkeys([*self.supports[c], *(u for walk in walks for u in walk)]))

    def _ends(self, sensor: np.void) -> tuple[int, int]:
        """The bodies between which a sensor measures."""
        if sensor["kind"] != TREE:
            return int(sensor["i"]), int(sensor["j"])
        i = int(np.searchsorted(self.begin, int(sensor["iv"]), "right")) - 1
        return i, self.parent[i]

    def _unknowns(self, bodies: Iterable[int]) -> list[int]:
        return [k for i in bodies for k in range(self.begin[i], self.begin[i + 1])]

    def eliminated(self, slots: Sequence[int], limit: float = np.inf) -> tuple[Lists, list[int]] | None:
        """Lists over the unknowns and then the slots, and the groups that have any; None beyond so many multiplications."""
        moving = [i for i in range(1, len(self.parent)) if self.count[i]]
        node, held = {i: n for n, i in enumerate(moving)}, [c for c, n in enumerate(slots) if n]
        pairs = [(node[i], node[j]) for i in moving for j in self.path(i)[1:]]
        pairs += [(len(moving) + n, node[i]) for n, c in enumerate(held) for i in self.bodies[c]]
        sizes = [self.count[i] for i in moving] + [slots[c] for c in held]
        kinds = [BODY if self.free[i] else FREEDOM for i in moving] + [ROW] * len(held)
        found = least_degree(sizes, kinds, pairs, [len(moving) + n for n, c in enumerate(held) if self.grounded[c]], limit)
        return None if found is None else (lay_out(np.array(sizes), np.array(kinds), *found[:2]), held)


def packed(lists: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Lists one behind the other: where each begins, and all of them."""
    first = np.concatenate([[0], np.cumsum([len(one) for one in lists])]).astype(np.int64)
    return first, np.array([k for one in lists for k in one], np.int64)


def to_fill(shape: Shape) -> Structure:
    """What it takes to fill M and G; there are no slots yet."""
    tables, nu = shape.tables, shape.begin[-1]
    depth = np.ones(nu, np.int64)
    for k, up in enumerate(tables.dof_parent.tolist()):
        depth[k] += depth[up] if up >= 0 else 0
    support_first, support = packed(shape.supports)
    width = np.diff(support_first)[shape.row_group]
    where = [{u: n for n, u in enumerate(one)} for one in shape.supports]
    of = [shape.row_group[p["ig"]] for p in tables.primitives.view(np.ndarray)]
    walk_first, walk_u = packed([walk for walks in shape.walks for walk in walks])
    return empty_structure()._replace(
        u_first=np.array(shape.begin, np.int64), u_dof=np.arange(nu), u_up=np.array(tables.dof_parent),
        u_body=np.repeat(np.arange(len(shape.count)), shape.count), m_first=np.append(0, np.cumsum(depth)),
        row_group=shape.row_group, group_first=np.array([*shape.first_rows, len(shape.row_group)], np.int64),
        support_first=support_first, support=support, g_first=np.append(0, np.cumsum(width)), walk_first=walk_first,
        walk_u=walk_u, walk_to=packed([[where[c][u] for u in walk] for c, walks in zip(of, shape.walks) for walk in walks])[1])


def to_solve(shape: Shape, structure: Structure, slots: Sequence[int], limit: float = np.inf) -> Structure | None:
    """With the lists of the elimination; None beyond so many multiplications."""
    found = shape.eliminated(slots, limit)
    if found is None:
        return None
    lists, held = found
    nu, places = shape.begin[-1], lists.place
    at = [Entries(lists, places[k]) for k in range(nu)]
    inboard = [[at[k].of(places[l]) for l in _inboard(structure.u_up, k)] for k in range(nu)]
    slot_first = np.append(0, np.cumsum(slots)).astype(np.int64)
    place = places[nu:]
    g_at = [[at[u].of(place[s]) for u in shape.supports[c]] for c in held for s in range(slot_first[c], slot_first[c + 1])]
    slot_at = np.full(len(places), -1, np.int64)
    slot_at[place] = np.arange(len(place))
    pad = np.zeros(len(places))
    pad[places[:nu]] = PAD * _inertias(shape)
    at_first, g_at_flat = packed(g_at)
    return structure._replace(
        u_place=places[:nu].copy(), m_at=packed(inboard)[1], slot_first=slot_first, slot_place=place.copy(), at_first=at_first,
        g_at=g_at_flat, slot_at=slot_at, pad=pad, **{name: getattr(lists, name) for name in Lists._fields[1:]})


class Entries:
    """The entries of one position, below its diagonal."""

    def __init__(self, lists: Lists, place: int) -> None:
        self.lists, self.place = lists, int(place)

    def of(self, other: int) -> int:
        """Where that with another position lies."""
        first, n, (low, high) = self.lists.first, len(self.lists.kind), sorted((self.place, int(other)))
        if low == high:
            return low
        return int(first[low] + np.searchsorted(self.lists.row[first[low] - n : first[low + 1] - n], high))


def _inboard(up: np.ndarray, k: int) -> Iterable[int]:
    while k >= 0:
        yield k
        k = int(up[k])


def _inertias(shape: Shape) -> np.ndarray:
    """Per unknown, the inertia of its body as if it had none in particular: for a turn and for a travel."""
    links, turns = shape.tables.links.view(np.ndarray), shape.tables.turns
    mass, turning = links["mass"], links["floor"] / 1e-14  # see compile/links.py
    usual = max(float(mass.max()), 1e-300), max(float(turning.max()), 1e-300)
    body = np.repeat(np.arange(len(links)), shape.count)
    return np.where(turns > 0.0, np.maximum(turning[body], 1e-6 * usual[1]), np.maximum(mass[body], 1e-6 * usual[0]))


def ranks(groups: np.ndarray, support_first: np.ndarray, rows: Sequence[np.ndarray]) -> np.ndarray:
    """Rank of each group of rows, by singular values."""
    found = np.zeros(len(groups) - 1, np.int64)
    alike: dict[tuple[int, int], list[int]] = {}
    for c, (a, b) in enumerate(pairwise(groups.tolist())):
        alike.setdefault((b - a, int(support_first[c + 1] - support_first[c])), []).append(c)
    for (height, width), members in alike.items():
        if width:
            stack = np.array([rows[c] for c in members]).reshape(len(members), height, width)
            sizes = np.linalg.svd(stack, compute_uv=False)
            found[members] = np.sum(sizes > 1e-8 * np.maximum(sizes[:, :1], 1e-6), axis=1)
    return found
