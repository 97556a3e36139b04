"""Whether accelerations exist at all: gamma must lie in what G can give, whatever the masses and
forces are.
"""

from __future__ import annotations

import numpy as np

from ..engine.dynamics.constraint import constraint_accelerations
from ..engine.dynamics.kinematics import bias_accelerations, kinematics
from ..errors import ModelError
from ..kernel.linalg import pinv, product
from .large import LargeSystem
from .large_start import missed_accelerations
from .system import System

_MET = 1e-6  # of gamma, and of the squares of speeds that it is made of


def refuse_accelerations(system: System, t: float, q: np.ndarray, v: np.ndarray) -> None:
    """Refuse a state at which the constraints contradict each other in their second derivatives."""
    tables, work = system.tables, system.work
    kinematics(tables, work, q, v)
    bias_accelerations(tables, work)
    constraint_accelerations(tables, work, t)
    gamma = work.gamma * system.scale / system.length
    if not gamma.size:
        return
    if isinstance(system, LargeSystem):
        left = missed_accelerations(system, gamma * system.length) / system.length
    else:
        G = system.jacobian() / system.natural / system.length
        left = np.abs(product(G, product(pinv(G, rcond=system.rounding), gamma)) - gamma)
    size = max(np.abs(v * system.natural).max(initial=0.0) ** 2, np.abs(gamma).max())
    if left.max() > (_MET + 10.0 * system.absorbed / system.length) * size:
        owners = dict.fromkeys(
            system.compiled.row_owner[r] for r in np.flatnonzero(left > 0.1 * left.max())
        )
        raise ModelError(
            f"model {system.compiled.model.name!r}: no accelerations satisfy all constraints; "
            f"{', '.join(map(repr, owners))} contradict each other by "
            f"{left.max() * system.length:.3g} m/s^2. Two "
            "drivers may ask for different motions of the same coordinate."
        )
