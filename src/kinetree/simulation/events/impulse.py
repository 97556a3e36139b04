"""Impulse at a jump of the velocity of a driver, the same for all formulations.

    M (v+ - v-) = -G^T Lam,     G v+ = nu(t+)         [Lee1994, eqs. (27)-(29)]

This is the smallest change in the mass norm, as the formulation `augmented` projects a state.
Drivers do the work 1/2 v+.M v+ - 1/2 v-.M v-, which is added to the energy balance.
"""

from __future__ import annotations

import numpy as np

from ...description.lowering.compiled import CompiledModel
from ...engine.formulations.augmented import project
from ...engine.kkt.products import momenta
from ...kernel.decorators import compiled
from ...kernel.linalg import product
from ...kernel.tables.signatures import signatures
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import ROWS, Work


def impulse(model: CompiledModel, t: float, y: np.ndarray) -> tuple[Status, int]:
    """Apply the impulse at a breakpoint to the velocities, in place; return status and row."""
    work, before = model.workspace(ROWS), model.split(y)[1].copy()
    status = Status(compiled(project, signatures()[3])(model.tables, work, t, y))
    _, v, x = model.split(y)
    if status == Status.OK and len(x) > model.size["nx"]:
        x[-1] += kinetic(model, work, v) - kinetic(model, work, before)
    return status, int(work.report[0]["index"])


def kinetic(model: CompiledModel, work: Work, v: np.ndarray) -> float:
    """Kinetic energy 1/2 v.M v at the last projected position."""
    momentum = np.zeros_like(v)
    momenta(model.tables, work, np.ascontiguousarray(v), momentum)
    return 0.5 * float(product(v, momentum))
