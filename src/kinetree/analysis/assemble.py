"""Consistent initial conditions as one call with a receipt: positions, velocities and
accelerations.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..assembly.gaps import SLACK
from ..assembly.prepare import given_lengths, prepare
from ..assembly.result import Assembly
from ..assembly.sparse_system import system_of
from ..assembly.start_values import with_start_values
from ..core.checks import instance, mapping
from ..description.lowering.flexible import beams_of
from ..description.model import Model
from ..errors import SimulationError
from ..kernel.frames import number
from ..kernel.tables.status import Status
from ..kernel.tables.workspace import workspace
from ..kernel.usercode.capture import attending
from ..results.explain import cause
from ..simulation.run import chosen_formulation


@attending
def assemble(
    model: Model,
    *,
    targets: dict[str, float] | None = None,
    weights: dict[str, float] | None = None,
    coordinates: str = "relative",
    topology: str = "auto",
    slack: float = SLACK,
) -> Assembly:
    """A state that satisfies every constraint, nearest to what the model says.

    targets   joint coordinates to aim at, like {"A.angle": 0.3}, over what the model's joints say
              with `start=`; they
              are met exactly where that is possible, and as nearly as possible where not
    weights   how unwilling a coordinate ("A.angle") or joint ("A") is to move, against 1 of the
              others
    slack     gap, in sizes of the machine, that may stay open in redundant directions: loops drawn
              with rounded numbers

    The receipt says what moved and by how much, the violation before and after, rank and
    redundancy. Raises AssemblyError with the names of the joints that stay open if there is no such
    state. Beams are assembled as drawn; accelerations, which depend on how they bend, are left to a
    run.
    """
    instance(model, Model, "assemble: model")
    targets, weights = (
        mapping({} if given is None else given, f"assemble: {what}", "{'A.angle': 0.3}")
        for given, what in ((targets, "targets"), (weights, "weights"))
    )
    checked = {
        name: number(w, f"assemble: weight of {name!r}", positive=True)
        for name, w in weights.items()
    }
    number(slack, "assemble: slack", at_least_zero=True)
    found = given_lengths(model, topology) if targets else None
    assembly = prepare(
        with_start_values(model, targets, "assemble"),
        coordinates,
        topology,
        weights=checked,
        regular=True,
        found=found,
        slack=slack,
    )
    return assembly if beams_of(model) else _with_accelerations(assembly)


def _with_accelerations(assembly: Assembly) -> Assembly:
    """Add vdot and lam at the assembled state, and how well they satisfy G vdot = gamma."""
    method, y = chosen_formulation(None, assembly), assembly.y
    tables = method.configure(assembly.compiled.tables, rows=assembly.rank)
    work = workspace(tables, method.storage)
    status = Status(method.rhs(tables, work, assembly.t, y, np.zeros_like(y)))
    if status != Status.OK:
        message, element = cause(assembly.compiled, status, int(work.report[0]["index"]))
        raise SimulationError(f"at the assembled state: {message}", assembly.t, element)
    system = system_of(assembly.compiled)
    system.values(assembly.t, assembly.q, assembly.x)
    misfit = float(np.abs(system.row_rates(work.vdot) / system.scale - work.gamma).max(initial=0.0))
    return replace(
        assembly, vdot=work.vdot.copy(), lam=work.lam.copy(), acceleration_violation=misfit
    )
