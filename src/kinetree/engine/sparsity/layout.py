"""Layout of the packed M and G of a tree: the place of every entry, and the elimination order.

Each group of rows gets as many slots as it can have independent rows, which is its rank at random
positions of the tree: a planar loop of spatial joints has two at every position.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...elements.joints.sensors import TREE
from ...kernel.algebra.early_rows import Rank
from ...kernel.algebra.elimination_order import Elimination, Nodes
from ...kernel.algebra.ldl import PAD
from ...kernel.algebra.symbolic_factorization import Lists, lay_out
from ...kernel.linalg import singular_values
from ...kernel.tables.sparsity import Structure, empty_structure, mass_pairs, supports
from .paths import Shape

# Relative singular value below which rows are not eliminated early. At random positions loops are
# open, and directions that turn with a body multiply the gap: of a long model with short legs one
# singular value is hundreds of times another. (assembly/early_rows.py checks the closed positions.)
_WEAK = 1e-5


def packed(lists: Iterable[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Concatenate lists: the index of the first entry of each, and all entries."""
    lists = list(lists)
    first = np.concatenate([[0], np.cumsum([len(one) for one in lists])]).astype(np.int64)
    return first, np.array([k for one in lists for k in one], np.int64)


def to_fill(shape: Shape) -> Structure:
    """The part of the pattern that is needed to fill M and G, without slots."""
    u_dof, u_up = _columns(shape), _inboard_of_each(shape)
    depth = np.ones(len(u_up), np.int64)
    for k, up in enumerate(u_up.tolist()):
        depth[k] += depth[up] if up >= 0 else 0
    support_first, support = packed(shape.supports)
    row_group = np.array(shape.row_group, np.int64)
    where = [{u: n for n, u in enumerate(one)} for one in shape.supports]
    path_first, path_u = packed(shape.paths)
    path_to = packed(
        [where[c][u] for u in path] for c, path in zip(_groups_of_paths(shape), shape.paths)
    )[1]
    return empty_structure()._replace(
        anchor=_numbers(shape),
        dual=_duals(shape),
        u_first=np.array(shape.begin, np.int64),
        u_dof=u_dof,
        u_up=u_up,
        u_turns=_turns(shape),
        u_floor=np.repeat(shape.tables.links.view(np.ndarray)["floor"], shape.count),
        m_first=np.append(0, np.cumsum(depth)),
        row_group=row_group,
        group_first=np.array([*shape.first_rows, len(shape.tables.row_scale)], np.int64),
        support_first=support_first,
        support=support,
        g_first=np.append(0, np.cumsum(np.diff(support_first)[row_group])),
        path_first=path_first,
        path_dof=u_dof[path_u],
        path_to=path_to,
    )


def _columns(shape: Shape) -> np.ndarray:
    """The column of each unknown: a velocity, or after these one of an anchor."""
    links, nv = shape.tables.links, int(shape.tables.settings[0]["nv"])
    number = {i: n for n, i in enumerate(shape.anchors)}
    first = [
        nv + 6 * number[i] if i in number else int(links[i]["iv"]) for i in range(len(shape.count))
    ]
    return np.concatenate([np.arange(a, a + n) for a, n in zip(first, shape.count)]).astype(
        np.int64
    )


def _inboard_of_each(shape: Shape) -> np.ndarray:
    """Per unknown, the next one inboard, or -1."""
    up = np.arange(-1, shape.begin[-1] - 1)
    last = [-1] * len(shape.count)
    for i in range(1, len(shape.count)):
        last[i] = last[shape.parent[i]]
        if shape.count[i]:
            up[shape.begin[i]], last[i] = last[i], shape.begin[i + 1] - 1
    return up


def _numbers(shape: Shape) -> np.ndarray:
    """Per body, the number of the anchor it is, or -1."""
    found = np.full(len(shape.parent) if shape.anchors else 0, -1, np.int64)
    found[shape.anchors] = np.arange(len(shape.anchors))
    return found


def _duals(shape: Shape) -> np.ndarray:
    """Per sensor, the row of `work.joint_wrenches` that is its gradient, or -1."""
    links, sensors = shape.tables.links.view(np.ndarray), shape.tables.sensors.view(np.ndarray)
    owner = {
        int(links[i]["iv"]) + k: 6 * n + k
        for n, i in enumerate(shape.anchors)
        for k in range(shape.joint_sizes[i])
    }
    return np.array(
        [owner.get(int(s["iv"]), -1) if s["kind"] == TREE else -1 for s in sensors], np.int64
    )


def _turns(shape: Shape) -> np.ndarray:
    """Per unknown, 1 for a rotation, 0 for a displacement."""
    links, turns, taken = shape.tables.links, np.asarray(shape.tables.turns), shape.taken
    parts = [
        np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
        if i in taken
        else turns[links[i]["iv"] : links[i]["iv"] + links[i]["nv"]]
        for i in range(1, len(shape.count))
    ]
    return np.concatenate([np.zeros(0), *parts])


def _groups_of_paths(shape: Shape) -> list[int]:
    """The group of each path."""
    p = shape.tables.primitives.view(np.ndarray)
    of = np.repeat(np.array(shape.row_group)[p["ig"]], 2 * np.maximum(1, p["sensors"])).tolist()
    return [*of, *(shape.groups + n for n in range(len(shape.anchors)) for _ in range(2))]


class Plan(NamedTuple):
    """A pattern to fill, its slots, and its elimination."""

    shape: Shape
    structure: Structure
    slots: Sequence[int]  # of each group, then those of the joints of anchors
    nodes: Nodes
    elimination: Elimination

    @property
    def flops(self) -> float:
        """Multiplications of the elimination."""
        return self.elimination.flops


def planned(
    shape: Shape,
    structure: Structure,
    slots: Sequence[int],
    limit: float = np.inf,
    rank: Rank | None = None,
) -> Plan | None:
    """The elimination order; None if it takes more multiplications than allowed.

    With `rank`, the rank of groups over unknowns, rows may be eliminated early.
    """
    slots = [*slots, *(6 - shape.joint_sizes[i] for i in shape.anchors)]
    found = shape.eliminated(slots, limit, rank)
    return None if found is None else Plan(shape, structure, slots, *found)


def to_solve(plan: Plan) -> Structure:
    """The pattern with the lists of its elimination."""
    shape, structure, slots = plan.shape, plan.structure, plan.slots
    lists = lay_out(plan.nodes, plan.elimination)
    nu, places = shape.begin[-1], lists.place
    place, slot_at, pad = places[nu:], np.full(len(places), -1, np.int64), np.zeros(len(places))
    of = np.repeat(np.arange(len(slots)), slots)
    width = np.diff(structure.support_first)[of]
    g_at = lists.entries(supports(structure, of), nu + np.repeat(np.arange(len(of)), width))
    slot_at[place] = np.arange(len(place))
    pad[places[:nu]] = PAD * _inertias(shape, structure)
    return structure._replace(
        u_place=places[:nu].copy(),
        m_at=lists.entries(*mass_pairs(structure)),
        slot_first=np.append(0, np.cumsum(slots[: shape.groups])).astype(np.int64),
        slot_place=place.copy(),
        at_first=np.append(0, np.cumsum(width)),
        g_at=g_at,
        slot_at=slot_at,
        pad=pad,
        **{name: getattr(lists, name) for name in Lists._fields[1:]},
    )


def _inertias(shape: Shape, structure: Structure) -> np.ndarray:
    """Per unknown, the inertia of its body, for a rotation or a displacement."""
    links = shape.tables.links.view(np.ndarray)
    mass, turning = links["mass"], links["floor"] / 1e-14  # see description/lowering/links.py
    usual = max(float(mass.max()), 1e-300), max(float(turning.max()), 1e-300)
    body = np.repeat(np.arange(len(links)), shape.count)
    return np.where(
        structure.u_turns > 0.0,
        np.maximum(turning[body], 1e-6 * usual[1]),
        np.maximum(mass[body], 1e-6 * usual[0]),
    )


class SampledRank:
    """Rank of groups over some unknowns: the largest at some random positions, which is that at almost
    all positions; 0 with a group `late`.
    """

    def __init__(
        self, shape: Shape, samples: Sequence[Sequence[np.ndarray]], late: Set[int] = frozenset()
    ) -> None:
        self.shape, self.samples = shape, samples  # per position, the rows of each group
        self.late = late

    def __call__(self, groups: Collection[int], unknowns: Collection[int]) -> int:
        if not self.late.isdisjoint(groups):
            return 0
        return max(self._at(rows, groups, unknowns) for rows in self.samples)

    def _at(self, rows: Sequence[np.ndarray], groups: Collection[int], unknowns) -> int:
        column = {k: n for n, k in enumerate(unknowns)}
        parts = []
        for c in groups:
            support = self.shape.supports[c]
            own = rows[c].reshape(-1, len(support))
            part = np.zeros((len(own), len(column)))
            held = [(column[k], n) for n, k in enumerate(support) if k in column]
            part[:, [a for a, _ in held]] = own[:, [b for _, b in held]]
            parts.append(part)
        sizes = singular_values(np.vstack(parts)[None])[0]
        return int(np.sum(sizes > _WEAK * sizes.max(initial=0.0)))


def ranks(groups: np.ndarray, support_first: np.ndarray, rows: Sequence[np.ndarray]) -> np.ndarray:
    """Rank of each group of rows, by singular values."""
    found = np.zeros(len(groups) - 1, np.int64)
    alike: dict[tuple[int, int], list[int]] = {}
    for c, (a, b) in enumerate(pairwise(groups.tolist())):
        alike.setdefault((b - a, int(support_first[c + 1] - support_first[c])), []).append(c)
    for (height, width), members in alike.items():
        if width:
            stack = np.array([rows[c] for c in members]).reshape(len(members), height, width)
            sizes = singular_values(stack)
            found[members] = np.sum(sizes > 1e-8 * np.maximum(sizes[:, :1], 1e-6), axis=1)
    return found
