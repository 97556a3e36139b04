"""Check of the rows that are eliminated early (kernel/algebra/early_rows.py) at a position.

Their rank over the unknowns eliminated before them was computed at random positions. The positions
that the constraints allow may be special, for example if all axes of a leg are parallel. Such rows
could depend on others without being noticed, so they must be eliminated late.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..description.lowering.compiled import CompiledModel
from ..engine.dynamics.kinematics import positions
from ..engine.dynamics.packed import packed_jacobian
from ..engine.kkt.sparse_row_selection import DEPENDENT, select_passing_rows, with_solver
from ..engine.sparsity.choice import without_early_rows
from ..kernel.algebra.ldl import WEAK
from ..kernel.algebra.symbolic_factorization import EARLY
from ..kernel.tables.records import Tables, frozen
from ..kernel.tables.workspace import ROWS, workspace


def has_weak_rows(tables: Tables, q: np.ndarray) -> bool:
    """Whether a row that is eliminated early has a weak pivot at the projected position q."""
    early = tables.kind == EARLY
    if not early.any():
        return False
    settings = tables.settings.copy()
    settings["sparse"], settings["rows"] = 1, -1
    tables = frozen(tables._replace(settings=settings))
    work = workspace(tables, ROWS)
    positions(tables, work, q)
    packed_jacobian(tables, work)
    diagonal = tables.m_first[:-1]
    work.M_packed[diagonal] = np.where(tables.u_turns > 0.0, float(settings[0]["length"]) ** 2, 1.0)
    work.inertia[:] = work.M_packed[diagonal]
    select_passing_rows(tables, work, DEPENDENT)
    return bool(np.any(np.abs(work.pivots[early]) * WEAK * work.pad[early] > 1.0))


def checked_rows(compiled: CompiledModel, q: np.ndarray) -> CompiledModel:
    """The compiled model, without early rows if one of them is weak at the projected position q."""
    if not has_weak_rows(compiled.tables, q):
        return compiled
    return replace(compiled, tables=with_solver(without_early_rows(compiled.tables)))
