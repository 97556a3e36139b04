"""Constraint stabilisation.   [Baumgarte1972; Han1994, "CSM"]

    M vdot + G^T lam = f,    G vdot = gamma - 2 alpha (G v - nu) - beta^2 g

Nothing is projected: violations decay like a damped oscillator while the integration goes on, so
they are small but
not at rounding. alpha = beta = `stabilisation`.
"""

from ...kernel.algebra.blas1 import add_scaled, copy, fill
from ...kernel.decorators import internal_kernel
from ...kernel.tables.python_calls import asked
from ...kernel.tables.state import parts
from ...kernel.tables.status import Status
from ..equations.interface import equations, shift, values, velocities
from ..kkt.products import misfits
from ..kkt.projection import close_positions, largest, speed
from ..kkt.range_space import exchange, renew
from ..kkt.row_selection import worn
from .augmented import accelerate_direct
from .store_result import answer

_OK = int(Status.OK)


@asked
def rhs(tables, work, t, y, ydot):
    q, v, x = parts(tables, y)
    lam, report, alpha = work.scratch[7], work.report[0], tables.settings[0].stabilisation
    equations(tables, work, t, q, v, x)
    values(tables, work, t, q, x)
    velocities(tables, work, t, q)
    report.evaluations += 1
    report.position_error = largest(tables, work, work.g, 1.0)
    add_scaled(-alpha * alpha, work.g, work.gamma)
    misfits(tables, work, v)
    add_scaled(-2.0 * alpha, work.g, work.gamma)
    report.velocity_error = largest(tables, work, work.g, speed(v, 1.0))
    status = accelerate_direct(tables, work, lam)
    if status == _OK:
        answer(tables, work, q, v, y, ydot, lam)
    return status


@internal_kernel
def choose_nearby(tables, work, t, y):
    """Better rows, chosen at the nearest position on the constraints: off them redundant rows look
    independent.
    """
    q, v, x = parts(tables, y)
    near = work.scratch[7][: q.shape[0]]
    copy(q, near)
    equations(tables, work, t, q, v, x)
    status = renew(tables, work)
    if status == _OK and close_positions(tables, work, t, near, x) != _OK:
        copy(q, near)
    equations(tables, work, t, near, v, x)
    return exchange(tables, work)


@asked
def project(tables, work, t, y):
    nothing = work.scratch[6][: work.f.shape[0]]
    fill(nothing, 0.0)
    shift(tables, work, parts(tables, y)[0], nothing)
    return (
        choose_nearby(tables, work, t, y)
        if work.report[0].selections > 0 and worn(work.report[0])
        else _OK
    )
