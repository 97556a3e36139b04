"""Checks of kinematic analysis: degrees of freedom without driver, and states that depend on the
history.
"""

from __future__ import annotations

import numpy as np

from ..assembly.result import Assembly
from ..assembly.system import System
from ..errors import ModelError, counted
from ..kernel.linalg import pivoted_qr, product
from .linear.independent_coordinates import dof_name, null_space


def refuse_undriven(assembly: Assembly) -> None:
    """Raise an error if degrees of freedom are not driven; it names a coordinate to drive for each
    of them.
    """
    system = System(assembly.compiled)
    system.values(assembly.t, assembly.q, assembly.x)
    N = null_space(system.jacobian(), system.natural)
    if not N.shape[1]:
        _refuse_rolling(system)
        return
    free = [
        dof_name(system, k)
        for k in np.flatnonzero(np.abs(N * system.natural[:, None]).max(axis=1) > 1e-6)
    ]
    drive, idle = _drivable(system, N)
    advice = (
        f"Add a Driver for {' and '.join(map(repr, drive))}"
        if drive
        else "No Driver can determine them"
    )
    if idle:
        advice += (
            f"; {idle} cannot be driven: if a rod rotates idly between ball joints, replace one of "
            "them by a Universal joint"
        )
    are = "is" if N.shape[1] == 1 else "are"
    raise ModelError(
        f"kinematics of {assembly.compiled.model.name!r}: {counted(N.shape[1], 'degree')} of "
        f"freedom {are} not driven; {', '.join(free)} can still move. {advice}; or use simulate."
    )


def _refuse_rolling(system: System) -> None:
    """Raise an error if velocities are determined, but positions are not."""
    if null_space(system.position_jacobian(), system.natural).shape[1]:
        owners = {o for o, held in zip(system.compiled.row_owner, system.holonomic) if not held}
        raise ModelError(
            f"kinematics of {system.compiled.model.name!r}: {', '.join(map(repr, sorted(owners)))} "
            "restrict velocities alone, so that positions depend on the whole motion, which is not "
            "integrated here; use simulate, which follows the same drivers."
        )


def refuse_history(assembly: Assembly) -> None:
    """Raise an error if states depend on the history of the motion."""
    if assembly.compiled.states:
        raise ModelError(
            f"kinematics of {assembly.compiled.model.name!r}: "
            f"{', '.join(assembly.compiled.states)} follow from the history of the motion, which "
            "is not integrated here; use simulate."
        )


def _drivable(system: System, N: np.ndarray) -> tuple[list[str], int]:
    """Joint coordinates that would determine most of the free motion if driven, and the number of
    remaining degrees of freedom.
    """
    names = [
        (place, label)
        for place in system.compiled.joints.values()
        for label in place.spec.joint.scalars
    ]
    rows = product(
        np.array([system.speed_row(place, label) for place, label in names]).reshape(-1, len(N)), N
    )
    if not rows.size:
        return [], N.shape[1]
    _, R, order = pivoted_qr(rows.T)
    size = np.abs(np.diag(R))
    rank = int(np.sum(size > 1e-8 * max(size.max(initial=0.0), 1e-300)))
    return [f"{names[k][0].spec.name}.{names[k][1]}" for k in order[:rank]], N.shape[1] - rank
