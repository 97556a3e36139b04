"""Whether accelerations exist: gamma must lie in the range of G, for any masses and forces."""

from __future__ import annotations

import numpy as np

from ..engine.dynamics.constraint import constraint_accelerations
from ..engine.dynamics.kinematics import bias_accelerations, kinematics
from ..errors import ModelError
from .system import System

_MET = 1e-6  # relative to gamma and to the squares of the speeds in it


def refuse_accelerations(system: System, t: float, q: np.ndarray, v: np.ndarray) -> None:
    """Raise an error if the constraints contradict each other in their second derivatives."""
    tables, work = system.tables, system.work
    kinematics(tables, work, q, v)
    bias_accelerations(tables, work)
    constraint_accelerations(tables, work, t)
    gamma = work.gamma * system.scale
    if not gamma.size:
        return
    left = system.unreachable(gamma)
    fastest = np.abs(v * system.natural).max(initial=0.0)
    size = max(fastest**2, np.abs(gamma).max() / system.length)
    if left.max() > (_MET * system.length + 10.0 * system.absorbed) * size:
        rows = np.flatnonzero(left > 0.1 * left.max())
        owners = dict.fromkeys(system.compiled.row_owner[r] for r in rows)
        raise ModelError(
            f"model {system.compiled.model.name!r}: no accelerations satisfy all constraints; "
            f"{', '.join(map(repr, owners))} contradict each other by {left.max():.3g} m/s^2. Two "
            "drivers may prescribe different motions of the same coordinate."
        )
