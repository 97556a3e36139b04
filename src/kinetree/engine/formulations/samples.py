"""Accelerations and multipliers at the output samples, after projection onto the constraints."""

from __future__ import annotations

import math
from functools import cache

from ...kernel import types
from ...kernel.algebra.blas1 import copy, fill, scale_by
from ...kernel.algebra.spatial import angular, linear, load6
from ...kernel.algebra.vec3 import dot
from ...kernel.decorators import compiled, inline, kernel
from ...kernel.tables.fault import NO_FAULT, clear_fault, record_failure
from ...kernel.tables.signatures import signatures
from ...kernel.tables.state import parts
from ..equations.interface import shift
from ..kkt.singular_steps import CLEAR, is_ambiguous


@inline
def discard_factors(report):
    """Make the next evaluation factorize again, because its state may be far from the last one."""
    report.fresh = 0
    report.has_previous_basis = 0
    report.factorisations = 0


@inline
def fastest_rate(tables, work):
    """Largest rate (1/s) of a body: angular velocity, or velocity by the length of the model.

    It is 1 if all bodies are at rest.
    """
    fastest, length = 0.0, tables.settings[0].length
    for i in range(1, work.bodies.shape[0]):
        V = load6(work.bodies[i].V)
        w, v = angular(V), linear(V)
        fastest = max(fastest, dot(w, w), dot(v, v) / (length * length))
    return math.sqrt(fastest) if fastest > 0.0 else 1.0


@inline
def evaluate_before(tables, work, rhs, project, t, y, ydot, before, back):
    """Evaluate rhs slightly earlier, away from a change point:  q (-) s v  at  t - s.

    s starts at a motion of 1e-7 rad and is doubled up to 0.05 rad. Returns a Status.
    """
    report, s, status = work.report[0], 1e-7 / fastest_rate(tables, work), 1
    for _ in range(20):
        copy(y, before)
        q, v, _ = parts(tables, before)
        copy(v, back)
        scale_by(-s, back)
        shift(tables, work, q, back)
        discard_factors(report)
        status = project(tables, work, t - s, before)
        if status == 0:
            status = rhs(tables, work, t - s, before, ydot)
        if status == 0 and report.pivot_margin > CLEAR * report.best_margin:
            return 0
        s *= 2.0
    return status


@kernel
def complete_samples(tables, work, rhs, project, t, y, ydot, raw, before, back, vdot, lam, loads):
    """Project every row of y and fill vdot, lam and the loads of contacts. Returns the first row without accelerations.

    A sample that cannot be projected, or that lies where the projection may lead to another branch,
    stays as interpolated. Where the accelerations are 0 / 0, those of a slightly earlier state are
    used. Where there are none, because user code fails or at a change point, they are NaN, the
    state is kept, and the report refers to the first such row. Without such a row the function
    returns the number of rows.
    """
    report, first, weakest = work.report[0], t.shape[0], 0
    for k in range(t.shape[0]):
        discard_factors(report)
        clear_fault(report)
        copy(y[k], raw)
        status = project(tables, work, t[k], y[k])
        doubtful = is_ambiguous(report)
        if status != 0:
            copy(raw, y[k])
        else:
            clear_fault(report)
            status = rhs(tables, work, t[k], y[k], ydot)
        if report.fault == NO_FAULT and (status != 0 or doubtful or is_ambiguous(report)):
            copy(raw, y[k])
            discard_factors(report)
            status = rhs(tables, work, t[k], y[k], ydot)
        if report.fault == NO_FAULT and (status != 0 or is_ambiguous(report)):
            status = evaluate_before(tables, work, rhs, project, t[k], y[k], ydot, before, back)
        copy(work.vdot, vdot[k])
        copy(work.lam, lam[k])
        copy(work.place_loads, loads[k])
        if status != 0 or report.fault != NO_FAULT or report.stop != 0:
            fill(vdot[k], math.nan)
            fill(lam[k], math.nan)
            if k < first:
                first, weakest = k, report.weakest
                record_failure(work, t[k], y[k])
    report.weakest = weakest if first < t.shape[0] else report.weakest
    return first


@cache
def entry():
    """`complete_samples`, compiled or loaded."""
    t_tables, t_work, rhs, project = signatures()
    matrix, vector = types.float64[:, ::1], types.float64[::1]
    signature = types.int64(
        t_tables,
        t_work,
        types.FunctionType(rhs),
        types.FunctionType(project),
        vector,
        matrix,
        vector,
        vector,
        vector,
        vector,
        matrix,
        matrix,
        matrix,
    )
    return compiled(complete_samples, signature)
