"""Constraint stabilization.   [Baumgarte1972; Han1994, "CSM"]

    M vdot + G^T lam = f,    G vdot = gamma - 2 alpha (G v - nu) - beta^2 g

States are not projected: violations decay like a damped oscillation during the integration, so that
they are small but above rounding. alpha = beta = `stabilisation`.
"""

from __future__ import annotations

from ...kernel.algebra.blas1 import add_scaled, copy
from ...kernel.decorators import internal_kernel, kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.state import parts
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import Work
from ...kernel.types import Vector
from ..equations.interface import equations, shift, values, velocities
from ..kkt.products import velocity_residuals
from ..kkt.projection import close_positions, max_violation, velocity_scale
from ..kkt.range_space import refactor, reselect
from ..kkt.row_selection import needs_reselection
from .augmented import accelerate_direct
from .store_result import store_result

_OK = int(Status.OK)


@kernel
def rhs(tables: Tables, work: Work, t: float, y: Vector, ydot: Vector):
    """Derivative of the state with stabilized accelerations. Returns a Status."""
    q, v, x = parts(tables, y)
    lam, report, alpha = work.lam_selected, work.report[0], tables.settings[0].stabilisation
    equations(tables, work, t, q, v, x)
    values(tables, work, t, q, x)
    velocities(tables, work, t, q)
    report.evaluations += 1
    report.position_error = max_violation(tables, work, work.g, 1.0)
    add_scaled(-alpha * alpha, work.g, work.gamma)
    velocity_residuals(tables, work, v)
    add_scaled(-2.0 * alpha, work.g, work.gamma)
    report.velocity_error = max_violation(tables, work, work.g, velocity_scale(v, 1.0))
    status = accelerate_direct(tables, work, lam)
    if status == _OK:
        store_result(tables, work, q, v, y, ydot, lam)
    return status


@internal_kernel
def reselect_nearby(tables, work, t, y):
    """Select rows at the nearest projected position: elsewhere redundant rows look independent."""
    q, v, x = parts(tables, y)
    near = work.q_trial
    copy(q, near)
    equations(tables, work, t, q, v, x)
    status = refactor(tables, work)
    if status == _OK and close_positions(tables, work, t, near, x) != _OK:
        copy(q, near)
    equations(tables, work, t, near, v, x)
    return reselect(tables, work)


@kernel
def project(tables: Tables, work: Work, t: float, y: Vector):
    """Normalize quaternions and select better rows if the margin fell. Returns a Status."""
    shift(tables, work, parts(tables, y)[0], work.zeros)
    if work.report[0].selections > 0 and needs_reselection(work.report[0]):
        return reselect_nearby(tables, work, t, y)
    return _OK
