"""Consistent initial conditions: positions, velocities and accelerations."""

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
from ..errors import SimulationError, explains_arguments
from ..kernel.frames import number
from ..kernel.tables.status import Status
from ..kernel.tables.workspace import workspace
from ..kernel.usercode.capture import with_user_errors
from ..results.diagnosis import cause
from ..simulation.run import chosen_formulation


@explains_arguments
@with_user_errors
def assemble(
    model: Model,
    *,
    targets: dict[str, float] | None = None,
    weights: dict[str, float] | None = None,
    coordinates: str = "relative",
    topology: str = "auto",
    slack: float = SLACK,
) -> Assembly:
    r"""Find the state nearest to the drawn one that satisfies all constraints.

    Parameters
    ----------
    model : Model
        The model. Beams are assembled as drawn.
    targets : dict of str to float, optional
        Joint coordinates to reach (rad or m), such as ``{"A.angle": 0.3}``. They replace the values
        of `start=` in the joints. They are satisfied exactly where that is possible, and as nearly
        as possible elsewhere.
    weights : dict of str to float, optional
        Weights of coordinates ("A.angle") or joints ("A") in the distance that is minimized; the
        others have weight 1. A coordinate with a large weight moves little.
    coordinates : {"relative", "cartesian"}, default "relative"
        Coordinates of the returned state.
    topology : {"auto", "dijkstra", "minimum", "shallow"}, default "auto"
        Choice of the spanning tree.
    slack : float, default 1e-5
        Gap, relative to the size of the model, that loops may keep open in redundant directions. It
        allows for loops that are drawn with rounded numbers.

    Returns
    -------
    Assembly
        The state with its accelerations and multipliers. ``print`` shows the coordinates that
        moved, the constraint violation before and after, the rank and the redundant constraints.

    Raises
    ------
    AssemblyError
        If no state satisfies all constraints; the message names the joints that do not close.

    See Also
    --------
    simulate : Assemble a model and simulate it.
    equilibrium : Find a position of static equilibrium.

    Notes
    -----
    Positions, velocities and accelerations satisfy

    .. math:: g(t, q) = 0, \qquad G v + g_t = 0, \qquad G \dot v = \gamma

    The accelerations of beams depend on their deformation, so they are not computed here.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.four_bar import four_bar
    >>> assembly = kt.assemble(four_bar(), targets={"A.angle": 0.5})
    >>> assembly.mobility
    1
    >>> assembly.violation < 1e-9
    True
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
    """Add vdot and lam at the assembled state, and the residual of G vdot = gamma."""
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
