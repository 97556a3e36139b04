"""What assembly asks of a large machine: the same answers by sparse factors, without dense algebra
over the whole machine.

Every question is a saddle problem with a metric that suits it in place of M,

    min 1/2 dv^T W dv - r1^T dv   s.t.  G dv = r2           [ W  G^T ] [ dv  ]   [ r1 ]
                                                            [ G   0  ] [ lam ] = [ r2 ]

with W over the structure of M: a diagonal, or what a tree of bodies makes of one 6x6 matrix per
body.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ..engine.dynamics.packed import packed_jacobian, packed_mass_matrix
from ..engine.kkt.packed import factor_packed, solve_packed
from ..engine.kkt.products import all_rates
from ..engine.kkt.sparse_row_selection import DEPENDENT, select_passing_rows
from ..kernel import types
from ..kernel.decorators import JIT
from ..kernel.decorators import compiled as compile_for
from ..kernel.tables.records import frozen
from ..kernel.tables.signatures import signatures
from ..kernel.tables.sparsity import row_pairs
from ..kernel.tables.workspace import ROWS, Work, workspace
from .system import System


def compile_kernels() -> None:
    """Compile or load what assembly calls of the sparse algebra."""
    if not JIT:
        return
    (tables, work), none, a = signatures()[:2], types.none, types.float64[::1]
    for function, signature in (
        (packed_jacobian, none(tables, work)),
        (packed_mass_matrix, none(tables, work)),
        (factor_packed, types.int64(tables, work)),
        (select_passing_rows, types.int64(tables, work, types.float64)),
        (solve_packed, none(tables, work, a, a, a)),
        (all_rates, none(tables, work, a, a)),
    ):
        compile_for(function, signature)


class LargeSystem(System):
    """A large machine at one position."""

    large = True

    def _prepared(self, work: Work | None, storage: Sequence[str]) -> None:
        settings, tables = self.compiled.tables.settings.copy(), self.compiled.tables
        settings["sparse"], settings["rows"] = 1, -1
        self.tables = frozen(
            tables._replace(
                settings=settings, pad=np.zeros_like(tables.pad), floor=np.zeros_like(tables.floor)
            )
        )
        self.work = workspace(self.tables, ROWS) if work is None else work

    def jacobian(self) -> np.ndarray:
        """G at the present position, dense, for those rare questions that need all of it."""
        row, column, value = self.entries()
        G = np.zeros((len(self.scale), self.compiled.size["nv"]))
        G[row, column] = value
        return G

    def entries(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Equation, freedom and number of all of G at the present position that need not be zero,
        rows scaled like the values.
        """
        self.present_rows()
        row, column = self._pairs
        return row, column, self.work.G_packed[: len(row)] * self.scale[row]

    @cached_property
    def _pairs(self) -> tuple[np.ndarray, np.ndarray]:
        row, column = row_pairs(self.tables)
        return row, column

    def present_rows(self) -> None:
        """G at the present position."""
        packed_jacobian(self.tables, self.work)

    def row_rates(self, v: np.ndarray) -> np.ndarray:
        """G v at the present position, rows scaled like the values."""
        self.present_rows()
        out = np.zeros(len(self.scale))
        all_rates(self.tables, self.work, np.ascontiguousarray(v, float), out)
        return out * self.scale

    def measure_by(self, diagonal: np.ndarray, bodies: np.ndarray | None = None) -> None:
        """The metric W: a diagonal and, if given, a packed symmetric 6x6 matrix per body (about O,
        world axes).
        """
        work = self.work
        if bodies is None:
            work.M_packed[:] = 0.0
        else:
            work.bodies["I"] = bodies
            packed_mass_matrix(self.tables, work)
        work.M_packed[self.tables.m_first[:-1]] += diagonal
        work.inertia[:] = work.M_packed[self.tables.m_first[:-1]]

    def choose(self, bar: float = DEPENDENT) -> int:
        """Factor with the rows that pass the bar at the present position and metric; answers how
        many do.
        """
        kept = int(
            select_passing_rows(
                self.tables, self.work, max(bar, (20.0 * self.absorbed / self.length) ** 2)
            )
        )
        factor_packed(self.tables, self.work)
        return kept

    def refactor(self) -> None:
        """Factor in another metric with the rows chosen before."""
        factor_packed(self.tables, self.work)

    def solve(self, r1: np.ndarray, r2: np.ndarray) -> np.ndarray:
        """dv with the rows chosen; r2 is given for all rows, scaled like the values."""
        work = self.work
        rank = int(work.report[0]["rank"])
        dv, right, lam = np.array(r1, float), np.zeros(len(r2) + 1), np.zeros(len(r2) + 1)
        right[:rank] = (r2 / self.scale)[work.selected[:rank]]
        solve_packed(self.tables, work, dv, right, lam)
        return dv

    def least_step(self, g: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """The smallest step in the metric of the weights that removes g, to first order."""
        self.present_rows()
        self.measure_by(weights)
        self.choose()
        return self.solve(np.zeros_like(weights), -g)

    def spare_rows(self) -> tuple[int, dict[str, int]]:
        """Rank of G at the present position and, per joint or constraint, how many of its rows are
        redundant.
        """
        self.present_rows()
        self.measure_by(self.natural**2)
        rank = self.choose(bar=1e-11)
        owners, spare = self.compiled.row_owner, dict[str, int]()
        for r in np.sort(self.work.selected[rank:]):
            spare[owners[r]] = spare.get(owners[r], 0) + 1
        return rank, spare

    def motions(self, count: int) -> list[np.ndarray]:
        """Some motions that the constraints allow, always the same, of one natural unit at most;
        needs `spare_rows`.
        """
        rng, found = np.random.default_rng(0), []
        for _ in range(count):
            n = self.solve(
                self.natural**2 * rng.normal(size=len(self.natural)) / self.natural,
                np.zeros(len(self.scale)),
            )
            found.append(n / max(np.abs(n * self.natural).max(initial=0.0), 1e-300))
        return found
