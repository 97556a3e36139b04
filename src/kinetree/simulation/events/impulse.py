"""Where the velocity of a moving constraint jumps: an impulse, the same whatever formulation
integrates the motion.

    M (v+ - v-) = -G^T Lam,     G v+ = nu(t+)         the smallest change in the mass metric
                                [Lee1994, eqs. (27)-(29)]

That is what `augmented` does to settle a state. Drivers do the work 1/2 v+.M v+ - 1/2 v-.M v- in
it, which the energy ledger is credited with.
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
    """Velocities just after a break from those just before, in place; (status, index of the
    culprit).
    """
    work, before = model.workspace(ROWS), model.split(y)[1].copy()
    status = Status(compiled(project, signatures()[3])(model.tables, work, t, y))
    _, v, x = model.split(y)
    if status == Status.OK and len(x) > model.size["nx"]:
        x[-1] += kinetic(model, work, v) - kinetic(model, work, before)
    return status, int(work.report[0]["index"])


def kinetic(model: CompiledModel, work: Work, v: np.ndarray) -> float:
    """1/2 v.M v at the position settled last."""
    momentum = np.zeros_like(v)
    momenta(model.tables, work, np.ascontiguousarray(v), momentum)
    return 0.5 * float(product(v, momentum))
