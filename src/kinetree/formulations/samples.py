"""Accelerations and multipliers at the output samples, after bringing each onto the constraints."""

from __future__ import annotations

from functools import cache

import numpy as np
from numba import types

from ..compile.compiled import CompiledModel
from ..compile.problem import signatures
from ..num.dense import copy
from ..num.jit import compiled, kernel, pointer
from .contract import Formulation


@kernel
def complete_samples(rhs, settle, tables, work, t, y, ydot, vdot, lam):
    """Settle every row of y; fill vdot and lam.  Answers how many rows were completed.

    A sample is factored anew, for the last one may be far away; one that cannot be settled stays as interpolated.
    """
    report = work.report[0]
    for k in range(t.shape[0]):
        report.fresh = 0
        report.transported = 0
        report.factorisations = 0
        copy(y[k], ydot)
        if settle(tables, work, t[k], y[k]) != 0:
            copy(ydot, y[k])
            report.fresh = 0
        if rhs(tables, work, t[k], y[k], ydot) != 0:
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
                            matrix, matrix)
    return compiled(complete_samples, signature)


def complete(method: Formulation, compiled_model: CompiledModel, work, t: np.ndarray, y: np.ndarray):
    """(vdot, lam, rows completed) at the samples; y is settled in place."""
    size = compiled_model.size
    vdot, lam = np.zeros((len(t), size["nv"])), np.zeros((len(t), size["ng"]))
    _, _, rhs, settle = signatures()
    done = _entry()(pointer(method.rhs, rhs), pointer(method.settle, settle), compiled_model.tables, work, t, y,
                    np.zeros(y.shape[1]), vdot, lam)
    return vdot, lam, int(done)
