"""The null-space basis of the reduced formulations: row selection, basis method, its renewal.

`tables.settings[0].option` selects the method (`variants.py`). Models with many loops have one
basis for each front (`local.py`) instead of one for the whole model; `is_packed` marks them.
"""

from ...kernel.algebra.blas1 import copy, inner
from ...kernel.decorators import inline, internal_kernel, kernel
from ...kernel.tables.sparse import (
    keep_bases,
    particular_by_fronts,
    refactor_bases,
    reselect_bases,
)
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import is_packed
from ..kkt.partition import basis as partition_basis
from ..kkt.partition import discard_partition, has_grown, partition, solve_dependent
from ..kkt.row_selection import needs_reselection, refactor_rows, reselect_rows
from ..kkt.row_space import right_inverse
from . import basis_projection, basis_qr, basis_svd
from .basis_projection import transported_basis
from .basis_qr import has_turned, update_basis
from .variants import (
    MANI,
    PARTITION_PRINTED,
    PARTITION_QR,
    PROJECTION,
    QR,
    QR_UPDATE,
    SVD,
    SVD_VELOCITY,
    is_partition,
)

_OK = int(Status.OK)
_project, _qr, _svd = basis_projection.basis, basis_qr.basis, basis_svd.basis
MANY = 4  # corrections of the dependent coordinates after which PARTITION_PRINTED renews itself


@internal_kernel
def decompose(tables, work):
    """Factorize the row space of G and, for a partition, its dependent columns.

    With fronts it also computes the bases. Returns a Status.
    """
    if is_packed(work):
        return refactor_bases(tables, work)
    before = work.report[0].selections
    status = refactor_rows(tables, work, False)
    return update_partition(tables, work, before) if status == _OK else status


@internal_kernel
def update_partition(tables, work, before):
    """Factorize the partition; choose a new one if the rows were selected again since `before`."""
    option = tables.settings[0].option
    if not is_partition(option):
        return _OK
    if work.report[0].selections != before:
        discard_partition(work.report[0])
    # the three rotations of a quaternion cannot be integrated separately
    if option == PARTITION_PRINTED and tables.settings[0].nq == tables.settings[0].nv:
        work.report[0].passive = work.report[0].rank
    return partition(tables, work, option == PARTITION_QR)


@inline
def partition_needs_renewal(tables, work, corrections):
    """Whether to choose other independent coordinates.

    The criterion is the growth of N, or as printed the number of corrections.
    """
    option = tables.settings[0].option
    if option == PARTITION_PRINTED:
        return corrections > MANY
    return is_partition(option) and has_grown(work.report[0])


@kernel
def reselect_if_needed(tables, work, corrections):
    """At a projected state: select better rows, or a better partition, if the margin fell."""
    report, before, status = work.report[0], work.report[0].selections, _OK
    if needs_reselection(report):
        if is_packed(work):
            status = reselect_bases(tables, work)
        else:
            status = reselect_rows(tables, work, False)
    elif partition_needs_renewal(tables, work, corrections):
        discard_partition(report)
    else:
        return _OK
    if is_packed(work):
        return refactor_bases(tables, work) if report.selections == before else status
    return update_partition(tables, work, before) if status == _OK else status


@internal_kernel
def null_basis(tables, work):
    """Rows of N by the selected method. Returns a Status."""
    option = tables.settings[0].option
    if is_partition(option):
        return partition_basis(tables, work)
    if option == PROJECTION:
        return _project(tables, work)
    if option == QR_UPDATE and work.report[0].has_previous_basis == 1 and update_basis(work):
        return _OK
    if option == QR or option == QR_UPDATE:
        return _qr(tables, work)
    if option == SVD or work.report[0].has_previous_basis == 0:
        return _svd(tables, work)
    transported_basis(work)
    return _OK


@inline
def particular(tables, work, r, out):
    """out <- a solution of G out = r: the least-norm one, or one in the dependent coordinates."""
    if is_packed(work):
        particular_by_fronts(tables, work, r, out)
    elif is_partition(tables.settings[0].option):
        solve_dependent(work, r, out)
    else:
        right_inverse(work, r, out)


@internal_kernel
def keep_basis(tables, work, v):
    """After an accepted step: N becomes the basis V of the next step, or is decomposed again."""
    report, nv = work.report[0], work.f.shape[0]
    option = tables.settings[0].option
    if is_packed(work):
        return keep_bases(tables, work, v)
    if is_partition(option):
        return _OK
    if option == QR_UPDATE and report.has_previous_basis == 1:
        status = null_basis(tables, work)
        if not has_turned(report):
            return status
        report.has_previous_basis = 0
    if option == SVD_VELOCITY and report.has_previous_basis == 1:
        seen = 0.0
        for k in range(nv - report.rank):
            seen += inner(work.V[k], v) ** 2
        if seen > MANI * MANI * inner(v, v):
            return _OK
        report.has_previous_basis = 0
    status = null_basis(tables, work)
    for k in range(nv - report.rank):
        copy(work.N[k], work.V[k])
    report.has_previous_basis = 1
    return status
