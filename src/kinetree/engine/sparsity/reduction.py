"""Layout of null-space bases by fronts for the kernels, and the reduction of M.

    x_T = Y y + N z:     M_zz = N^T M_TT N,   M_zO = N^T M_TO

O are the coordinates outside T that M couples with T. The remaining matrix is the reduced mass
matrix N^T M N of the whole model, as sparse as its loops are local, in lists for
`kernel/algebra/ldl.py`.
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
    front_work,
    refuse_modes,
    with_structure,
)
from .fronts import Front, Fronts, fronts_of
from .paths import Shape
from .sampled_rows import rows_on_constraints

Projection = Callable[[Tables, Start], Start | None]  # onto the constraints; None if it fails
_STEP = 0.05  # motion to a second state, in radians or lengths of the model
COUPLED = 3e6  # coupled pairs of coordinates in M above which there are no fronts


def with_fronts(
    tables: Tables, start: Start | None, wanted: bool | None, rank: int, project: Projection
) -> Tables:
    """Tables with fronts if a projected state is known and fronts take less work, or if wanted."""
    refuse_modes(tables, wanted)
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
    found = _found(sparse(found), start, rank, limit, project)
    return found if wanted or front_work(found) < dense_basis_work(tables, rank) else tables


def _found(tables: Tables, start: Start, rank: int, limit: float, project: Projection) -> Tables:
    """Fronts at the start; loops that share rows at another state share a front."""
    shape, rows = Shape(tables), rows_on_constraints(tables, start)
    fronts = fronts_of(shape, rows, rank, limit)
    if fronts is None:
        return tables
    found = frozen(tables._replace(**FrontLayout(tables, fronts).laid_out()))
    if fronts.rank == tables.slot_first[-1]:  # every group has its own rank
        return found
    there = project(found, _moved(tables, start, fronts))
    if there is None:
        return found
    again = fronts_of(shape, rows_on_constraints(tables, there), rank, limit, fronts.groups)
    if again is None or again.groups == fronts.groups:
        return found
    fronts = fronts_of(shape, rows, rank, limit, again.groups)
    return (
        found
        if fronts is None
        else frozen(tables._replace(**FrontLayout(tables, fronts).laid_out()))
    )


def _moved(tables: Tables, start: Start, fronts: Fronts) -> Start:
    """A state after a small motion: a start may be special, such as a crank at its dead point."""
    unit, y = np.where(tables.turns > 0.0, 1.0, float(tables.settings[0]["length"])), start.y.copy()
    q = y[: int(tables.settings[0]["nq"])].copy()
    shift_coordinates(tables, q, _STEP * unit * fronts.motion(np.random.default_rng(0)))
    y[: len(q)] = q
    return Start(start.t, y)


def sparse(tables: Tables) -> Tables:
    """The tables with packed M and G."""
    settings = tables.settings.copy()
    settings["sparse"] = 1
    return tables._replace(settings=settings)


class FrontLayout:
    """The lists of all fronts."""

    def __init__(self, tables: Tables, fronts: Fronts) -> None:
        self.tables, self.fronts = tables, fronts
        own, up = mass_pairs(tables)
        self.near: dict[int, set[int]] = {k: {k} for k in range(fronts.nv)}
        self.entry: dict[tuple[int, int], int] = {}
        for n, (i, j) in enumerate(zip(own.tolist(), up.tolist())):
            self._couple(i, j, n)
        self.entries = len(own)
        self.lists: list[np.ndarray] = []
        self.length = 0

    def _couple(self, i: int, j: int, entry: int) -> None:
        """Record that M couples two coordinates by this entry."""
        self.near[i].add(j)
        self.near[j].add(i)
        self.entry[min(i, j), max(i, j)] = entry

    def _at(self, i: int, j: int) -> int:
        """The entry of M of two coordinates, or -1."""
        return self.entry.get((min(i, j), max(i, j)), -1)

    def _list(self, numbers) -> int:
        """Append these numbers to `front_lists`; return the index of the first."""
        self.lists.append(np.asarray(numbers, np.int64))
        self.length += len(self.lists[-1])
        return self.length - len(self.lists[-1])

    def laid_out(self) -> dict[str, np.ndarray]:
        """All tables of the fronts."""
        found, rank = self.fronts.found, self.fronts.rank
        records = table(FRONT, len(found))
        base, fill, column, selected, unselected = 0, 0, 0, 0, rank
        for n, front in enumerate(found):
            record, size = records[n], len(front.taken)
            filled = sum(found[k].rank for k in front.passed)
            record["width"], record["rank"] = size, front.rank
            record["n_rows"], record["given"] = len(front.rows), front.first_given
            record["taken"], record["rows"] = self._list(front.taken), self._list(front.rows)
            record["passed"], record["n_passed"] = self._list(front.passed), len(front.passed)
            record["basis"], record["first_fill"] = base, fill
            record["n_fill"], record["column"] = filled, column
            record["selected"], record["unselected"] = selected, unselected
            self._reduce(front, record)
            base, fill, column = base + size**2, fill + len(front.rows) * filled, column + size
            selected, unselected = selected + front.rank, unselected + len(front.rows) - front.rank
        taken = {int(r) for front in found for r in front.rows}
        rows = range(int(self.tables.settings[0]["ng"]))
        self._list([r for r in rows if r not in taken])  # the last list: rows in no front
        remaining = self._remaining()
        return dict(zip(BASES, (records, np.concatenate(self.lists), *remaining)))

    def _reduce(self, front: Front, record: np.ndarray) -> None:
        """Entries of M of the coordinates that a front gives, from those that it takes."""
        ins, mine = front.taken, set(front.taken)
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
        outs = list(front.given)
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

    def _remaining(self) -> tuple[np.ndarray, ...]:
        """The remaining coordinates, and the elimination of the reduced mass matrix."""
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
