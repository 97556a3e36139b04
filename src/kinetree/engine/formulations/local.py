"""Local bases by every method of the null space: what `reduced.py` asks of a machine with many
loops.

Front by front (engine/sparsity/fronts.py) the rows that it holds are factored, and a basis of what they
leave free is found by the method that was asked for (`local_basis.py`). The reduced equations are
those of `reduced.py`, in the coordinates that are left.
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
from ..kkt.front_rows import arms_of_rows, choose_rows, factor_front, rows_of_no_front
from ..kkt.fronts import down, factor_reduced, solve_forces, solve_reduced, solve_rows, up
from ..kkt.partition import give_up
from ..kkt.products import inertia_times
from ..sparsity.reduction import with_bases
from .local_basis import orthonormal_basis, partition_basis
from .variants import MANI, SVD_VELOCITY, is_partition

_OK, _NAN, _ROWS = int(Status.OK), int(Status.NOT_FINITE), int(Status.SINGULAR_CONSTRAINTS)
_MASS = int(Status.SINGULAR_MASS)


@inline
def begin_bases(tables, work):
    """At every pass: units of the freedoms, and the margin before the first front; answers whether
    to partition anew.
    """
    report = work.report[0]
    report.factorisations += 1
    report.rank, report.margin = work.across.shape[0], 1.0
    anew = report.partitions == 0 or report.pivot < 0.0
    report.spread = 0.0
    for k in range(tables.turns.shape[0]):
        work.natural[k] = 1.0 if tables.turns[k] > 0.0 else tables.settings[0].length
    if report.reference == 0.0:  # rows have been chosen
        fill(work.apart, 0.0)
    return anew


@internal_kernel
def pass_fronts(tables, work, choose):
    """Bases of all fronts at the present G, with rows chosen anew or those in use.  Answers a
    Status.
    """
    report, by_partition, worst = work.report[0], is_partition(tables.settings[0].option), 1.0
    usual = arms_of_rows(tables, work) if choose else 0.0
    anew = begin_bases(tables, work)
    for n in range(tables.fronts.shape[0]):
        if choose and choose_rows(tables, work, n, usual) != _OK:
            return _ROWS
        least, wear = factor_front(tables, work, n)
        if not least > 0.0:
            return _ROWS
        worst = min(worst, wear)
        status = (
            partition_basis(tables, work, n, anew)
            if by_partition
            else orthonormal_basis(tables, work, n)
        )
        if status != _OK:
            return status
    if by_partition:
        report.factorisations += 1
        if anew:
            report.partitions += 1
            report.pivot = report.spread
    report.widest = max(report.widest, report.margin)
    report.reference = report.margin / worst
    return _OK


@internal_kernel
def exchange(tables, work):
    """Rows of all fronts chosen anew at the present G; those that were better stay."""
    report, first = work.report[0], work.report[0].selections == 0
    before = report.margin
    for r in range(work.active.shape[0]):
        work.order[r] = work.active[r]
    report.selections += 1
    report.reference = 0.0
    give_up(report)
    if first:
        rows_of_no_front(tables, work)
    status = pass_fronts(tables, work, True)
    if not first and (status != _OK or report.margin < before):
        report.reference = 0.0
        give_up(report)
        for r in range(work.active.shape[0]):
            work.active[r] = work.order[r]
        status = pass_fronts(tables, work, False)
    return status


@internal_kernel
def renew(tables, work):
    """Bases at the present G; rows chosen at the first call and where one of them is lost."""
    status = pass_fronts(tables, work, False) if work.report[0].selections > 0 else _ROWS
    if status == _ROWS:
        work.report[0].margin = 0.0
        status = exchange(tables, work)
    return status


@internal_kernel
def accelerations(tables, work, lam):
    """vdot and the multipliers of the rows in use, as in `reduced.py`."""
    nv, a = work.f.shape[0], work.vdot
    r2, force = work.scratch[1], work.scratch[2][:nv]
    for k in range(work.report[0].rank):
        r2[k] = work.gamma[work.active[k]]
    solve_rows(tables, work, r2, a)
    inertia_times(tables, work, a, force)
    for k in range(nv):
        force[k] = work.f[k] - force[k]
    down(tables, work, work.bases, force)
    if factor_reduced(tables, work) != _OK:
        work.report[0].index = 0
        return _MASS
    solve_reduced(tables, work)
    up(tables, work, False, force)
    add_scaled(1.0, force, a)
    inertia_times(tables, work, a, force)
    for k in range(nv):
        force[k] = work.f[k] - force[k]
    solve_forces(tables, work, force, lam)
    return _OK if math.isfinite(inner(a, a)) else _NAN


@internal_kernel
def carry(tables, work, v):
    """After an accepted step: every N becomes the basis V of the next, or is found anew where they
    have worn out.
    """
    report, option, status = work.report[0], tables.settings[0].option, _OK
    if is_partition(option):
        return _OK
    if option == SVD_VELOCITY and report.transported == 1:
        down(tables, work, work.kept, v)
        seen = 0.0
        for k in range(tables.z_ids.shape[0]):
            seen += work.along[tables.z_ids[k]] ** 2
        if seen > MANI * MANI * inner(v, v):
            return _OK
        report.transported = 0
        status = pass_fronts(tables, work, False)
    copy(work.bases, work.kept)
    report.transported = 1
    return status


_KERNELS = (renew, exchange, solve_rows, accelerations, carry)


def with_local_bases(
    tables: Tables, start: Start | None, wanted: bool | None, rank: int, project: Callable
) -> Tables:
    """The tables with local bases where they are quicker, or wanted, and the kernels that
    `reduced.py` asks of them.
    """

    def settled(found: Tables, near: Start) -> Start | None:
        found = _with_kernels(found)
        return near if project(found, workspace(found, NULL_SPACE), near.t, near.y) == _OK else None

    found = with_bases(tables, start, wanted, rank, settled)
    return _with_kernels(found) if len(found.fronts) else tables


def _with_kernels(tables: Tables) -> Tables:
    return with_kernels(tables, BASES, _KERNELS)


def compile_kernels() -> None:
    """Compile or load them."""
    addresses(BASES, _KERNELS)
