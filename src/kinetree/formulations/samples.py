"""Accelerations and multipliers at the output samples, after bringing each onto the constraints."""

from __future__ import annotations

from functools import cache

import numpy as np
from numba import types

from ..compile.compiled import CompiledModel
from ..compile.problem import signatures
from ..dynamics.branches import CLEAR, blind
from ..dynamics.kinematics import shift_coordinates
from ..dynamics.state import parts
from ..num.dense import copy, scale_by
from ..num.jit import compiled, inline, kernel, pointer
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
    """Settle every row of y; fill vdot and lam.  Answers how many rows were completed.

    A sample that cannot be settled, or lies where settling may lead to another branch, stays as interpolated; where the
    accelerations divide zero by zero, they are those a little earlier.
    """
    report = work.report[0]
    for k in range(t.shape[0]):
        forget(report)
        copy(y[k], raw)
        status = settle(tables, work, t[k], y[k])
        if status == 0:
            status = rhs(tables, work, t[k], y[k], ydot)
        if status != 0 or blind(report):
            copy(raw, y[k])
            forget(report)
            status = rhs(tables, work, t[k], y[k], ydot)
        if status != 0 or blind(report):
            status = evaluate_before(rhs, settle, tables, work, t[k], y[k], ydot, before, back)
        if status != 0:
            return k
        copy(work.vdot, vdot[k])
        copy(work.lam, lam[k])
    return t.shape[0]


@cache
def _entry():
    """The pass over the samples, compiled or loaded."""
    t_tables, t_work, rhs, settle = signatures()
    matrix, vector = types.float64[:, ::1], types.float64[::1]
    signature = types.int64(types.FunctionType(rhs), types.FunctionType(settle), t_tables, t_work, vector, matrix, vector,
                            vector, vector, vector, matrix, matrix)
    return compiled(complete_samples, signature)


def complete(method: Formulation, compiled_model: CompiledModel, work, t: np.ndarray, y: np.ndarray):
    """(vdot, lam, rows completed) at the samples; y is settled in place."""
    size = compiled_model.size
    vdot, lam = np.zeros((len(t), size["nv"])), np.zeros((len(t), size["ng"]))
    _, _, rhs, settle = signatures()
    done = _entry()(pointer(method.rhs, rhs), pointer(method.settle, settle), compiled_model.tables, work, t, y,
                    *np.zeros((3, y.shape[1])), np.zeros(size["nv"]), vdot, lam)
    return vdot, lam, int(done)
