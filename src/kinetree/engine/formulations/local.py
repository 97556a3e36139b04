"""Null-space bases by fronts, for every basis method: the kernels that `null_space.py` calls.

In each front (engine/sparsity/fronts.py) the selected rows are factorized, and `local_basis.py`
computes a basis of their null space by the selected method. The reduced equations are those of
`reduced.py` in the remaining coordinates z.
"""

import math
from collections.abc import Callable

from ...kernel.algebra.blas1 import add_scaled, copy, fill, inner
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.sparse import BASES, addresses, with_kernels
from ...kernel.tables.state import Start
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import NULL_SPACE, workspace
from ..kkt.front_rows import factor_front, list_rows_of_no_front, select_front_rows
from ..kkt.fronts import expand, factor_reduced, reduce, solve_forces, solve_reduced, solve_rows
from ..kkt.partition import discard_partition
from ..kkt.products import inertia_times
from ..kkt.row_selection import record_margin, usual_size
from ..kkt.row_slots import set_packed_units
from ..sparsity.reduction import with_fronts
from .local_basis import orthonormal_basis, partition_basis
from .variants import MANI, SVD_VELOCITY, is_partition

_OK, _NAN, _ROWS = int(Status.OK), int(Status.NOT_FINITE), int(Status.SINGULAR_CONSTRAINTS)
_MASS = int(Status.SINGULAR_MASS)


@inline
def begin_pass(tables, work):
    """Begin a pass over the fronts. Returns whether to choose partitions."""
    report = work.report[0]
    report.factorisations += 1
    report.rank, report.pivot_margin = work.y.shape[0], 1.0
    anew = report.partitions == 0 or report.chosen_growth < 0.0
    report.basis_growth = 0.0
    for k in range(tables.turns.shape[0]):
        work.coordinate_unit[k] = 1.0 if tables.turns[k] > 0.0 else tables.settings[0].length
    if report.reference_margin == 0.0:  # rows were selected again
        fill(work.best_pivot, 0.0)
    return anew


@internal_kernel
def pass_fronts(tables, work, choose):
    """Bases of all fronts at the present G, with rows selected now if `choose`.

    Returns a Status.
    """
    report, by_partition, worst = work.report[0], is_partition(tables.settings[0].option), 1.0
    usual = 0.0
    if choose:
        set_packed_units(tables, work)
        usual = usual_size(tables, work, False)
    anew = begin_pass(tables, work)
    for n in range(tables.fronts.shape[0]):
        if choose and select_front_rows(tables, work, n, usual) != _OK:
            return _ROWS
        least, wear = factor_front(tables, work, n)
        if not least > 0.0:
            return _ROWS
        worst = min(worst, wear)
        if by_partition:
            status = partition_basis(tables, work, n, anew)
        else:
            status = orthonormal_basis(tables, work, n)
        if status != _OK:
            return status
    if by_partition:
        report.factorisations += 1
        if anew:
            report.partitions += 1
            report.chosen_growth = report.basis_growth
    record_margin(report, report.pivot_margin, report.pivot_margin / worst)
    return _OK


@internal_kernel
def reselect(tables, work):
    """Select the rows of all fronts at the present G; keep the old ones if better."""
    report, first = work.report[0], work.report[0].selections == 0
    before = report.pivot_margin
    copy(work.selected, work.row_order)
    report.selections += 1
    report.reference_margin = 0.0
    discard_partition(report)
    if first:
        list_rows_of_no_front(tables, work)
    status = pass_fronts(tables, work, True)
    if not first and (status != _OK or report.pivot_margin < before):
        report.reference_margin = 0.0
        discard_partition(report)
        copy(work.row_order, work.selected)
        status = pass_fronts(tables, work, False)
    return status


@internal_kernel
def refactor(tables, work):
    """Bases at the present G. Returns a Status.

    Rows are selected at the first call and when a selected row has become dependent.
    """
    status = pass_fronts(tables, work, False) if work.report[0].selections > 0 else _ROWS
    if status == _ROWS:
        work.report[0].pivot_margin = 0.0
        status = reselect(tables, work)
    return status


@internal_kernel
def accelerations(tables, work, lam):
    """vdot and the multipliers of the selected rows, as in `reduced.py`."""
    nv, a = work.f.shape[0], work.vdot
    r2, force = work.row_rhs, work.v_rhs
    for k in range(work.report[0].rank):
        r2[k] = work.gamma[work.selected[k]]
    solve_rows(tables, work, r2, a)
    inertia_times(tables, work, a, force)
    for k in range(nv):
        force[k] = work.f[k] - force[k]
    reduce(tables, work, work.bases, force)
    if factor_reduced(tables, work) != _OK:
        work.report[0].index = 0
        return _MASS
    solve_reduced(tables, work)
    expand(tables, work, False, force)
    add_scaled(1.0, force, a)
    inertia_times(tables, work, a, force)
    for k in range(nv):
        force[k] = work.f[k] - force[k]
    solve_forces(tables, work, force, lam)
    return _OK if math.isfinite(inner(a, a)) else _NAN


@internal_kernel
def keep(tables, work, v):
    """After an accepted step: every N becomes the basis V of the next step, or is found again."""
    report, option, status = work.report[0], tables.settings[0].option, _OK
    if is_partition(option):
        return _OK
    if option == SVD_VELOCITY and report.has_previous_basis == 1:
        reduce(tables, work, work.previous_bases, v)
        seen = 0.0
        for k in range(tables.z_ids.shape[0]):
            seen += work.coordinates[tables.z_ids[k]] ** 2
        if seen > MANI * MANI * inner(v, v):
            return _OK
        report.has_previous_basis = 0
        status = pass_fronts(tables, work, False)
    copy(work.bases, work.previous_bases)
    report.has_previous_basis = 1
    return status


_KERNELS = (refactor, reselect, solve_rows, accelerations, keep)


def with_front_bases(
    tables: Tables, start: Start | None, wanted: bool | None, rank: int, project: Callable
) -> Tables:
    """Tables with fronts, if they are faster or wanted, and the addresses of their kernels."""

    def projected(found: Tables, near: Start) -> Start | None:
        found = _with_kernels(found)
        return near if project(found, workspace(found, NULL_SPACE), near.t, near.y) == _OK else None

    found = with_fronts(tables, start, wanted, rank, projected)
    return _with_kernels(found) if len(found.fronts) else tables


def _with_kernels(tables: Tables) -> Tables:
    return with_kernels(tables, BASES, _KERNELS)


def compile_kernels() -> None:
    """Compile or load these kernels."""
    addresses(BASES, _KERNELS)
