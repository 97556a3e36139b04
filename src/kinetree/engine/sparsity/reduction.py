"""Local bases laid out for kernels: the lists of every front, and what becomes of M as its
coordinates are taken.

    x_T = Y y + N z:     M_zz = N^T M_TT N,   M_zO = N^T M_TO          O: the coordinates outside T
                         that M couples with it

What is left at the end is the reduced mass matrix N^T M N of the whole machine, as sparse as its
loops are local, in lists for `kernel/algebra/ldl.py`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...kernel.algebra.elimination_order import FREEDOM, Pattern, least_degree
from ...kernel.algebra.symbolic_factorization import Lists, lay_out
from ...kernel.decorators import table
from ...kernel.tables.records import BASES, FRONT, Tables, frozen
from ...kernel.tables.sparsity import mass_pairs
from ...kernel.tables.state import Start
from ..dynamics.kinematics import shift_coordinates
from .choice import (
    MOST,
    PART,
    dense_basis_work,
    dense_work,
    fills_structure,
    nested_work,
    with_structure,
)
from .fronts import Front, Fronts, fronts_of
from .paths import Shape
from .sampled_rows import settled_rows

Settled = Callable[[Tables, Start], Start | None]  # a state near another on the constraints
_STEP = 0.05  # of a radian, or of the size of the machine: from a start to where one looks again
COUPLED = 3e6  # pairs of coordinates in M beyond which nothing is local


def with_bases(
    tables: Tables, start: Start | None, wanted: bool | None, rank: int, settled: Settled
) -> Tables:
    """The tables with local bases, where a state is known to find them at and they take less work;
    or as wanted.
    """
    if (
        wanted is False
        or start is None
        or not fills_structure(tables)
        or not tables.settings[0]["ng"]
    ):
        return tables
    found = with_structure(tables) if wanted and not len(tables.kind) else tables
    if not len(found.kind) or len(found.anchor) or (found.m_first[-1] > COUPLED and not wanted):
        return tables
    limit = np.inf if wanted else max(MOST, PART * dense_work(tables, max(rank, 0)))
    found = _found(sparse(found), start, rank, limit, settled)
    return found if wanted or nested_work(found) < dense_basis_work(tables, rank) else tables


def _found(tables: Tables, start: Start, rank: int, limit: float, settled: Settled) -> Tables:
    """Local bases at the start; loops that share rows somewhere else share a front."""
    shape, rows = Shape(tables), settled_rows(tables, start)
    fronts = fronts_of(shape, rows, rank, limit)
    if fronts is None:
        return tables
    found = frozen(tables._replace(**Nesting(tables, fronts).laid_out()))
    if fronts.rank == tables.slot_first[-1]:  # every group has the rows that it has by itself
        return found
    there = settled(found, _moved(tables, start, fronts))
    if there is None:
        return found
    again = fronts_of(shape, settled_rows(tables, there), rank, limit, fronts.groups)
    if again is None or again.groups == fronts.groups:
        return found
    fronts = fronts_of(shape, rows, rank, limit, again.groups)
    return (
        found if fronts is None else frozen(tables._replace(**Nesting(tables, fronts).laid_out()))
    )


def _moved(tables: Tables, start: Start, fronts: Fronts) -> Start:
    """A little further along some motion: a start may be special, such as a crank at its dead
    point.
    """
    unit, y = np.where(tables.turns > 0.0, 1.0, float(tables.settings[0]["length"])), start.y.copy()
    q = y[: int(tables.settings[0]["nq"])].copy()
    shift_coordinates(tables, q, _STEP * unit * fronts.motion(np.random.default_rng(0)))
    y[: len(q)] = q
    return Start(start.t, y)


def sparse(tables: Tables) -> Tables:
    """M and G are kept over their structure."""
    settings = tables.settings.copy()
    settings["sparse"] = 1
    return tables._replace(settings=settings)


class Nesting:
    """The lists of all fronts."""

    def __init__(self, tables: Tables, fronts: Fronts) -> None:
        self.tables, self.fronts = tables, fronts
        own, up = mass_pairs(tables)
        self.near: dict[int, set[int]] = {k: {k} for k in range(fronts.nv)}
        self.entry: dict[tuple[int, int], int] = {}
        for n, (i, j) in enumerate(zip(own.tolist(), up.tolist())):
            self._couple(i, j, n)
        self.entries = len(own)
        self.nest: list[np.ndarray] = []
        self.length = 0

    def _couple(self, i: int, j: int, entry: int) -> None:
        self.near[i].add(j)
        self.near[j].add(i)
        self.entry[min(i, j), max(i, j)] = entry

    def _at(self, i: int, j: int) -> int:
        return self.entry.get((min(i, j), max(i, j)), -1)

    def _list(self, numbers) -> int:
        """Where these numbers begin in `nest`."""
        self.nest.append(np.asarray(numbers, np.int64))
        self.length += len(self.nest[-1])
        return self.length - len(self.nest[-1])

    def laid_out(self) -> dict[str, np.ndarray]:
        """All tables."""
        found, rank = self.fronts.found, self.fronts.rank
        records, base, fill, column, active, spare = table(FRONT, len(found)), 0, 0, 0, 0, rank
        for n, front in enumerate(found):
            record, size, filled = (
                records[n],
                len(front.ins),
                sum(found[k].rank for k in front.reach),
            )
            record["wide"], record["rank"], record["count"], record["out"] = (
                size,
                front.rank,
                len(front.rows),
                front.out,
            )
            record["ins"], record["rows"] = self._list(front.ins), self._list(front.rows)
            record["reach"], record["reaches"] = self._list(front.reach), len(front.reach)
            record["basis"], record["parts"], record["filled"], record["column"] = (
                base,
                fill,
                filled,
                column,
            )
            record["active"], record["spare"] = active, spare
            self._reduce(front, record)
            base, fill, column = base + size**2, fill + len(front.rows) * filled, column + size
            active, spare = active + front.rank, spare + len(front.rows) - front.rank
        taken = {int(r) for front in found for r in front.rows}
        self._list(
            [r for r in range(int(self.tables.settings[0]["ng"])) if r not in taken]
        )  # the last: rows in no front
        left = self._left()
        return dict(zip(BASES, (records, np.concatenate(self.nest), *left)))

    def _reduce(self, front: Front, record: np.ndarray) -> None:
        """M of the coordinates a front gives, from that of those it takes."""
        ins, mine = front.ins, set(front.ins)
        others = sorted(set().union(*(self.near[i] for i in ins)) - mine)
        record["pairs"] = self._list(
            [self._at(ins[a], ins[b]) for a in range(len(ins)) for b in range(a + 1)]
        )
        record["sides"] = self._list([self._at(i, j) for i in ins for j in others])
        record["others"], record["written"] = len(others), self.entries
        for i in others:
            self.near[i] -= mine
        for i in ins:
            del self.near[i]
        outs = list(front.outs)
        for a in outs:
            self.near[a] = set()
        for a, i in enumerate(outs):
            for j in outs[: a + 1]:
                self._couple(i, j, self.entries)
                self.entries += 1
        for i in outs:
            for j in others:
                self._couple(i, j, self.entries)
                self.entries += 1

    def _left(self) -> tuple[np.ndarray, ...]:
        """The coordinates that are left, and the elimination of the reduced mass matrix."""
        ids = sorted(self.near)
        of = {i: n for n, i in enumerate(ids)}
        pairs = [(of[i], of[j]) for i in ids for j in self.near[i] if j < i]
        pattern = Pattern([1] * len(ids), [FREEDOM] * len(ids), pairs)
        found = least_degree(pattern)
        assert found is not None  # there is no limit
        lists: Lists = lay_out(pattern.nodes, found)
        i, j = np.array([(n, n) for n in range(len(ids))] + pairs, np.int64).reshape(-1, 2).T
        number = np.array(ids, np.int64)
        source = [self._at(a, b) for a, b in zip(number[i].tolist(), number[j].tolist())]
        return (
            number,
            lists.place,
            np.array(source, np.int64),
            lists.entries(i, j),
            lists.first,
            lists.row,
            lists.run_first,
            lists.run_at,
            lists.run_count,
        )
