"""Local bases laid out for kernels: the lists of every front, and what becomes of M as its coordinates are taken.

    x_T = Y y + N z:     M_zz = N^T M_TT N,   M_zO = N^T M_TO          O: the coordinates outside T that M couples with it

What is left at the end is the reduced mass matrix N^T M N of the whole machine, as sparse as its loops are local, in lists for
`num/ldl.py`.
"""

from __future__ import annotations

import numpy as np

from ..dynamics.constraint import constraint_values
from ..dynamics.kinematics import positions
from ..dynamics.packed import packed_jacobian
from ..num.elimination import FREEDOM, Lists, Nodes, lay_out, least_degree
from ..num.jit import table
from ..tables.records import BASES, FRONT, Tables, frozen
from ..tables.state import Start
from ..tables.structure import mass_pairs
from ..tables.work import ROWS, workspace
from .fronts import Front, Fronts, Rows, fronts_of
from .shape import Shape
from .sparse import MOST, PART, dense_work, fills_structure, with_structure

COUPLED = 3e6  # pairs of coordinates in M beyond which nothing is local
_NOTHING, _ROUNDING = 1e-11, 1e-9  # rows, of the size of the machine and of the largest in their group, that are rounding


def dense_basis_work(tables: Tables, rank: int) -> float:
    """Multiplications of a basis of the whole machine, counted like those of fronts."""
    size, free = float(tables.settings[0]["nv"]), float(tables.settings[0]["nv"]) - rank
    return 4.0 * size * rank**2 + 8.0 * size * free**2 + 2.0 * size**2 * free + free**3 / 6.0


def nested_work(tables: Tables) -> float:
    """The same of the fronts that the tables have."""
    f = tables.fronts.view(np.ndarray)
    size, rank, free = f["wide"].astype(float), f["rank"], f["wide"] - f["rank"]
    return float((4.0 * size * rank**2 + 8.0 * size * free**2 + 2.0 * size * (size + f["others"]) * free).sum()
                 + (np.diff(tables.z_first) ** 2.0).sum() / 2.0)


def with_bases(tables: Tables, start: Start | None, wanted: bool | None, rank: int) -> Tables:
    """The tables with local bases, where a state is known to find them at and they take less work; or as wanted."""
    if wanted is False or start is None or not fills_structure(tables) or not tables.settings[0]["ng"]:
        return tables
    found = tables
    if wanted and not len(tables.kind):
        found = with_structure(tables)
    if not len(found.kind) or len(found.anchor):
        return tables
    found, limit = sparse(found), np.inf if wanted else max(MOST, PART * dense_work(tables, max(rank, 0)))
    shape = Shape(found)
    if found.m_first[-1] > COUPLED and not wanted:
        return tables
    fronts = fronts_of(shape, settled_rows(found, start), rank, limit)
    if fronts is None:
        return tables
    found = frozen(found._replace(**Nesting(found, fronts).laid_out()))
    return found if wanted or nested_work(found) < dense_basis_work(tables, fronts.rank) else tables


def sparse(tables: Tables) -> Tables:
    """M and G are kept over their structure."""
    settings = tables.settings.copy()
    settings["sparse"] = 1
    return tables._replace(settings=settings)


def settled_rows(tables: Tables, start: Start) -> Rows:
    """The rows of G at a settled state in natural units, made to have size one; those that are rounding of zero are zero."""
    s, work = tables.settings[0], workspace(tables, ROWS)
    nq, length = int(s["nq"]), float(s["length"])
    q, x = start.y[:nq].copy(), start.y[nq + int(s["nv"]) :].copy()
    positions(tables, work, q)
    constraint_values(tables, work, start.t, q, x)
    packed_jacobian(tables, work)
    row = np.repeat(np.arange(int(s["ng"])), np.diff(tables.g_first))
    column = tables.support[tables.support_first[tables.row_group[row]] + np.arange(len(row)) - tables.g_first[row]]
    numbers = work.G_packed * np.where(tables.row_scale > 0.0, 1.0, length)[row]
    numbers *= np.where(tables.u_turns > 0.0, 1.0, length)[column]
    size = np.sqrt(np.bincount(row, numbers**2, int(s["ng"])))
    most = np.zeros(len(tables.group_first) - 1)
    np.maximum.at(most, tables.row_group, size)
    some = size > np.maximum(_NOTHING * length, _ROUNDING * most[tables.row_group])
    return Rows(tables, numbers * np.where(some, 1.0 / np.where(some, size, 1.0), 0.0)[row])


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
            record, size, filled = records[n], len(front.ins), sum(found[k].rank for k in front.reach)
            record["wide"], record["rank"], record["count"], record["out"] = size, front.rank, len(front.rows), front.out
            record["ins"], record["rows"] = self._list(front.ins), self._list(front.rows)
            record["reach"], record["reaches"] = self._list(front.reach), len(front.reach)
            record["basis"], record["parts"], record["filled"], record["column"] = base, fill, filled, column
            record["active"], record["spare"] = active, spare
            self._reduce(front, record)
            base, fill, column = base + size**2, fill + len(front.rows) * filled, column + size
            active, spare = active + front.rank, spare + len(front.rows) - front.rank
        taken = {int(r) for front in found for r in front.rows}
        self._list([r for r in range(int(self.tables.settings[0]["ng"])) if r not in taken])  # the last: rows in no front
        left = self._left()
        return dict(zip(BASES, (records, np.concatenate(self.nest), *left)))

    def _reduce(self, front: Front, record: np.ndarray) -> None:
        """M of the coordinates a front gives, from that of those it takes."""
        ins, mine = front.ins, set(front.ins)
        others = sorted(set().union(*(self.near[i] for i in ins)) - mine)
        record["pairs"] = self._list([self._at(ins[a], ins[b]) for a in range(len(ins)) for b in range(a + 1)])
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
        sizes, kinds = np.ones(len(ids), np.int64), np.full(len(ids), FREEDOM)
        found = least_degree(sizes.tolist(), kinds.tolist(), pairs)
        assert found is not None  # there is no limit
        lists: Lists = lay_out(Nodes(sizes, kinds), found)
        i, j = np.array([(n, n) for n in range(len(ids))] + pairs, np.int64).reshape(-1, 2).T
        number = np.array(ids, np.int64)
        source = [self._at(a, b) for a, b in zip(number[i].tolist(), number[j].tolist())]
        return (number, lists.place, np.array(source, np.int64), lists.entries(i, j), lists.first, lists.row, lists.run_first,
                lists.run_at, lists.run_count)
