"""Accelerations and multipliers at the output samples, after bringing each onto the constraints."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from numba import types

from ..compile.compiled import CompiledModel
from ..dynamics.branches import CLEAR, blind
from ..dynamics.kinematics import shift_coordinates
from ..dynamics.state import parts
from ..num.dense import copy, fill, scale_by
from ..num.fault import NOBODY, acquit, remember_failure
from ..num.jit import compiled, inline, kernel, pointer
from ..tables.signatures import signatures
from ..usercode.aside import LeftBehind
from ..usercode.guard import Watch
from ..usercode.watch import Watched
from .contract import Formulation


@inline
def forget(report):
    """The next state is factored anew, for the last one may be far away."""
    report.fresh = 0
    report.transported = 0
    report.factorisations = 0


@inline
def evaluate_before(rhs, settle, tables, work, t, y, ydot, before, back):
    """rhs a little earlier, clear of the change point:  q (-) s v  at  t - s,  s = 1e-7 s doubled up to 0.05 s."""
    report, s, status = work.report[0], 1e-7, 1
    for _ in range(20):
        copy(y, before)
        q, v, _ = parts(tables, before)
        copy(v, back)
        scale_by(-s, back)
        shift_coordinates(tables.links, q, back)
        forget(report)
        status = settle(tables, work, t - s, before)
        if status == 0:
            status = rhs(tables, work, t - s, before, ydot)
        if status == 0 and report.margin > CLEAR * report.widest:
            return 0
        s *= 2.0
    return status


@kernel
def complete_samples(rhs, settle, tables, work, t, y, ydot, raw, before, back, vdot, lam):
    """Settle every row of y; fill vdot and lam.  Answers the first row without accelerations, or the number of rows.

    A sample that cannot be settled, or lies where settling may lead to another branch, stays as interpolated; where the
    accelerations divide zero by zero, they are those a little earlier. Where there are none, because user code fails or a
    change point is met, they are NaN, the state is kept, and the report tells of the first such row.
    """
    report, first, weakest = work.report[0], t.shape[0], 0
    for k in range(t.shape[0]):
        forget(report)
        acquit(report)
        copy(y[k], raw)
        status = settle(tables, work, t[k], y[k])
        doubtful = blind(report)
        if status != 0:
            copy(raw, y[k])
        else:
            acquit(report)
            status = rhs(tables, work, t[k], y[k], ydot)
        if report.fault == NOBODY and (status != 0 or doubtful or blind(report)):
            copy(raw, y[k])
            forget(report)
            status = rhs(tables, work, t[k], y[k], ydot)
        if report.fault == NOBODY and (status != 0 or blind(report)):
            status = evaluate_before(rhs, settle, tables, work, t[k], y[k], ydot, before, back)
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
    t_tables, t_work, rhs, settle = signatures()
    matrix, vector = types.float64[:, ::1], types.float64[::1]
    signature = types.int64(types.FunctionType(rhs), types.FunctionType(settle), t_tables, t_work, vector, matrix, vector,
                            vector, vector, vector, matrix, matrix)
    return compiled(complete_samples, signature)


class Completed(NamedTuple):
    """Accelerations and multipliers at the samples, the first row without them, and what user code had to say."""

    vdot: np.ndarray
    lam: np.ndarray
    first: int
    watch: Watch


def complete(method: Formulation, compiled_model: CompiledModel, work, t: np.ndarray, y: np.ndarray) -> Completed:
    """Complete the samples; y is settled in place."""
    size = compiled_model.size
    vdot, lam = np.full((len(t), size["nv"]), np.nan), np.full((len(t), size["ng"]), np.nan)
    _, _, rhs, settle = signatures()
    with Watched(compiled_model.tables, work) as watched:
        try:
            first = watched(entry(), pointer(method.rhs, rhs), pointer(method.settle, settle), compiled_model.tables, work, t,
                            y, *np.zeros((3, y.shape[1])), np.zeros(size["nv"]), vdot, lam)
        except LeftBehind:
            vdot, lam = vdot.copy(), lam.copy()
            first = int(np.isfinite(vdot).all(axis=1).argmin())
    return Completed(vdot, lam, int(first), watched.watch)
