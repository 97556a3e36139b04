"""The states at the output samples completed: on the constraints, with accelerations and multipliers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..compile.compiled import CompiledModel
from ..formulations.contract import Formulation
from ..formulations.samples import entry
from ..num.jit import pointer
from ..tables.signatures import signatures
from ..usercode.aside import LeftBehind
from ..usercode.guard import Watch
from ..usercode.watch import Watched


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
