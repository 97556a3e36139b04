"""Check of the rows that are eliminated early (kernel/algebra/early_rows.py) at a position.

Their rank over the unknowns eliminated before them was computed at random positions. The positions
that the constraints allow may be special, for example if all axes of a leg are parallel or a leg is
stretched. Such rows could depend on others without being noticed, so they must be eliminated late.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..description.lowering.compiled import CompiledModel
from ..engine.dynamics.kinematics import kinematics
from ..engine.dynamics.packed import packed_jacobian, packed_mass_matrix
from ..engine.kkt.sparse_row_selection import DEPENDENT, select_passing_rows, with_solver
from ..engine.sparsity.choice import with_late_rows
from ..kernel.algebra.ldl import NOTHING, WEAK
from ..kernel.algebra.symbolic_factorization import EARLY
from ..kernel.tables.records import Tables, frozen
from ..kernel.tables.workspace import ROWS, workspace

_TRIES = 3  # orders of elimination; then no row is eliminated early


def weak_groups(tables: Tables, q: np.ndarray) -> frozenset[int]:
    """Groups with a row that is eliminated early and has a weak pivot at the projected position q."""
    if not (tables.kind == EARLY).any():
        return frozenset()
    settings = tables.settings.copy()
    settings["sparse"], settings["rows"] = 1, -1
    tables = frozen(tables._replace(settings=settings))
    work = workspace(tables, ROWS)
    kinematics(tables, work, q, work.zeros)
    packed_jacobian(tables, work)
    packed_mass_matrix(tables, work)
    select_passing_rows(tables, work, DEPENDENT)
    least = np.maximum(WEAK * work.squared_size, NOTHING * work.pad)
    weak = (tables.kind == EARLY) & (np.abs(work.pivots) * least > 1.0)
    return frozenset(tables.row_group[work.slot_row[tables.slot_at[weak]]].tolist())


def checked_rows(compiled: CompiledModel, q: np.ndarray) -> CompiledModel:
    """The compiled model with the rows late that are weak at the projected position q."""
    found = compiled
    for _ in range(_TRIES):
        weak = weak_groups(found.tables, q)
        if not weak:
            return found
        late = weak.union(found.late or ())
        found = with_late(found, tuple(sorted(late)))
    return with_late(found, None) if weak_groups(found.tables, q) else found


def with_late(compiled: CompiledModel, late: tuple[int, ...] | None) -> CompiledModel:
    """The compiled model without early rows in these groups, or in all."""
    return replace(compiled, tables=with_solver(with_late_rows(compiled.tables, late)), late=late)
