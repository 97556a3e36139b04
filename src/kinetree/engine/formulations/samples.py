"""Accelerations and multipliers at the output samples, after bringing each onto the constraints."""

from __future__ import annotations

import math
from functools import cache

from ...kernel import types
from ...kernel.algebra.blas1 import copy, fill, scale_by
from ...kernel.algebra.spatial import angular, linear, load6
from ...kernel.algebra.vec3 import dot
from ...kernel.decorators import compiled, inline, kernel
from ...kernel.tables.fault import NOBODY, clear_fault, remember_failure
from ...kernel.tables.signatures import signatures
from ...kernel.tables.state import parts
from ..equations.interface import shift
from ..kkt.singular_steps import CLEAR, blind


@inline
def forget(report):
    """The next state is factored anew, for the last one may be far away."""
    report.fresh = 0
    report.transported = 0
    report.factorisations = 0


@inline
def pace(tables, work):
    """Radians, or sizes of the machine, that its fastest body goes in a second; one where all stand
    still.
    """
    fastest, length = 0.0, tables.settings[0].length
    for i in range(1, work.bodies.shape[0]):
        V = load6(work.bodies[i].V)
        w, v = angular(V), linear(V)
        fastest = max(fastest, dot(w, w), dot(v, v) / (length * length))
    return math.sqrt(fastest) if fastest > 0.0 else 1.0


@inline
def evaluate_before(tables, work, rhs, project, t, y, ydot, before, back):
    """rhs a little earlier, clear of the change point:  q (-) s v  at  t - s,  on the way of 1e-7
    rad doubled up to 0.05 rad.
    """
    report, s, status = work.report[0], 1e-7 / pace(tables, work), 1
    for _ in range(20):
        copy(y, before)
        q, v, _ = parts(tables, before)
        copy(v, back)
        scale_by(-s, back)
        shift(tables, work, q, back)
        forget(report)
        status = project(tables, work, t - s, before)
        if status == 0:
            status = rhs(tables, work, t - s, before, ydot)
        if status == 0 and report.margin > CLEAR * report.widest:
            return 0
        s *= 2.0
    return status


@kernel
def complete_samples(tables, work, rhs, project, t, y, ydot, raw, before, back, vdot, lam):
    """Settle every row of y; fill vdot and lam.  Answers the first row without accelerations, or
    the number of rows.

        A sample that cannot be settled, or lies where settling may lead to another branch, stays as
        interpolated; where the accelerations divide zero by zero, they are those a little earlier.
        Where there are none, because user code fails or a change point is met, they are NaN, the state
        is kept, and the report tells of the first such row.
    """
    report, first, weakest = work.report[0], t.shape[0], 0
    for k in range(t.shape[0]):
        forget(report)
        clear_fault(report)
        copy(y[k], raw)
        status = project(tables, work, t[k], y[k])
        doubtful = blind(report)
        if status != 0:
            copy(raw, y[k])
        else:
            clear_fault(report)
            status = rhs(tables, work, t[k], y[k], ydot)
        if report.fault == NOBODY and (status != 0 or doubtful or blind(report)):
            copy(raw, y[k])
            forget(report)
            status = rhs(tables, work, t[k], y[k], ydot)
        if report.fault == NOBODY and (status != 0 or blind(report)):
            status = evaluate_before(tables, work, rhs, project, t[k], y[k], ydot, before, back)
        copy(work.vdot, vdot[k])
        copy(work.lam, lam[k])
        if status != 0 or report.fault != NOBODY or report.stop != 0:
            fill(vdot[k], math.nan)
            fill(lam[k], math.nan)
            if k < first:
                first, weakest = k, report.weakest
                remember_failure(work, t[k], y[k])
    report.weakest = weakest if first < t.shape[0] else report.weakest
    return first


@cache
def entry():
    """The pass over the samples, compiled or loaded."""
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
    )
    return compiled(complete_samples, signature)
