"""From a status to a sentence: what happened, where, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..assembly.massless import lightest
from ..assembly.singular import loop_joints
from ..description.lowering.compiled import CompiledModel
from ..engine.integrators.catalogue import find
from ..engine.integrators.result import Failure
from ..kernel.linalg import norm
from ..kernel.tables.fault import NO_FAULT
from ..kernel.tables.status import Status
from ..kernel.tables.workspace import Work
from .failed_element import not_finite, user_fault

if TYPE_CHECKING:
    from .solution import Solution

_NEXT = {
    True: " Let it pass faster, or end the run elsewhere.",
    False: " Use integrator='adams', which steps over such positions, or a step that does not end "
    "on this one.",
}


OF_ROWS = {
    Status.SINGULAR_CONSTRAINTS: "the constraints became singular at a change point of {loop}: a "
    "position where its freedom "
    "changes. Start or drive it differently, or pass that position faster.",
    Status.CHANGE_POINT: "the next step leads to a change point of {loop}: a position where "
    "branches of the motion meet and "
    "cannot be told apart.",
    Status.POSITION_JUMP: "the position that driver {owner!r} prescribes jumps at t = {jump:.9g} "
    "s; nothing can be in two places "
    "at once. Lead it from one to the other with a Ramp, a Table or a smooth function.",
    Status.RATE_JUMP: "the rate that driver {owner!r} prescribes jumps at t = {jump:.9g} s. "
    "Declare it, so that a step ends "
    "there: kt.Function(f, ..., breakpoints=[{jump:.9g}]).",
}
OF_RUNS = {
    Status.NO_CLOSURE: "positions could not be brought back onto the constraints. Ask for a "
    "smaller rtol or max_step; a "
    "mechanism that is driven beyond its reach ends like this.",
    Status.NOT_FINITE: "a force or acceleration became NaN or infinite. Check force laws and "
    "parameters near this state.",
    Status.TOO_MUCH_ACCURACY: "the tolerance asked for is below what rounding allows; ask for a "
    "larger rtol.",
    Status.OUT_OF_STEPS: "the budget of steps is used up (max_steps allows more).",
    Status.OUT_OF_TIME: "the limit of seconds is used up (time_limit allows more).",
    Status.STALLED: "steps have become so short that the run would never end (max_steps tries "
    "nevertheless).",
}


def explain(sol: Solution, work: Work) -> tuple[str, str | None]:
    """(message, element) of a run that ended early."""
    compiled, result = sol.compiled, sol.result
    where = f"at t = {result.t:.6g} s (step {result.accepted})"
    index = int(work.report[0]["weakest" if result.status == Status.CHANGE_POINT else "index"])
    failure, in_nodes = result.failure, sol.method.name == "nodes"
    if result.status == Status.USER_CODE and failure is not None:
        sentence, element = user_fault(compiled, sol.method, failure)
    elif in_nodes and result.status in (
        Status.NO_CLOSURE,
        Status.OUT_OF_PLANE,
        Status.SINGULAR_MASS,
    ):
        sentence, element = of_nodes(compiled, result.status, work, sol.options["step"])
    else:
        sentence, element = cause(compiled, result.status, index, float(work.report[0]["jump"]))
    if result.status == Status.CHANGE_POINT:
        sentence += _NEXT[find(result.method).adaptive]
    if (
        result.status == Status.SINGULAR_MASS
        and not in_nodes
        and (light := lightest(compiled, result.y)) is not None
    ):
        sentence, element = f"the mass matrix lost rank: {light}", light.body
    if (
        result.status in (Status.STEP_TOO_SMALL, Status.STALLED)
        and (light := lightest(compiled, result.y, 1e-4)) is not None
    ):
        sentence, element = f"{sentence} Here {light}", light.body
    if result.status == Status.NO_CLOSURE and len(work.g) and element is None:
        element = compiled.row_owner[int(np.argmax(np.abs(np.nan_to_num(work.g, nan=np.inf))))]
        sentence = f"{element!r} stays open: {sentence}"
    if (
        result.status == Status.NOT_FINITE
        and failure is not None
        and (found := not_finite(compiled, sol.method, failure)) is not None
    ):
        sentence, element = found
    return f"{where}: {sentence} The last good state is kept in err.solution.", element


def of_nodes(
    compiled: CompiledModel, status: Status, work: Work, fixed: float | None
) -> tuple[str, str | None]:
    """(sentence, element) of what ends the steps of a structural integrator, of the length `fixed`
    or chosen ones.
    """
    if status == Status.OUT_OF_PLANE:
        name = list(compiled.model.forces)[int(work.report[0]["out_of_plane"]) - 1]
        return (
            f"force {name!r} pushes the machine out of the plane that it is computed in. Leave "
            "planar= out.",
            name,
        )
    index, count = int(work.report[0]["index"]), len(compiled.bodies) - 1
    if status == Status.SINGULAR_MASS:
        row = index - len(compiled.tables.freedoms) * count
        name = (
            compiled.row_owner[row]
            if row >= 0
            else compiled.bodies[1 + index // len(compiled.tables.freedoms)]
        )
        return (
            f"the equations of a step are singular at {name!r}: a body without mass, a beam that "
            "has buckled, or a joint "
            "that repeats others or has come to a change point. Ask for a smaller step."
        ), name
    name, step = compiled.bodies[index], float(work.report[0]["lag"])
    parts = "not even in parts a thousandth as long" if fixed else f"down to one of {step:.1e} s"
    ask = "rtol=1e-4, which chooses the steps" if fixed else "a smaller max_step"
    return (
        f"a step did not converge, {parts}; what moves most is "
        f"{name!r}{_turning(work, index, fixed)}. Ask for {ask}, for "
        f"{'a smaller step, for ' if fixed else ''}more elements where it bends, or for damping; "
        "what is driven beyond its "
        "reach ends like this, too."
    ), name


def _turning(work: Work, index: int, step: float | None) -> str:
    """How far a node turns in a step of fixed length, where that is much."""
    turn = norm(work.nodes[index]["w"]) * (step or 0.0)
    return f", which turns by {turn:.1f} rad in a step" if turn > 0.5 else ""


def explain_samples(sol: Solution, failure: Failure, work: Work) -> tuple[str, str | None]:
    """(message, element) where a run reached its end, but samples have no accelerations."""
    compiled = sol.compiled
    if failure.fault != NO_FAULT:
        sentence, element = user_fault(compiled, sol.method, failure)
    elif compiled.row_owner:
        sentence, element = cause(compiled, Status.CHANGE_POINT, int(work.report[0]["weakest"]))
        sentence += " Choose another output_interval."
    else:
        sentence, element = cause(compiled, Status.NOT_FINITE, 0)
    return (
        f"at t = {failure.t:.6g} s: {sentence} The run {sol.message}; all states are kept in "
        "err.solution.",
        element,
    )


def cause(
    compiled: CompiledModel, status: Status, index: int, jump: float = 0.0
) -> tuple[str, str | None]:
    """(sentence, element) of a status; `index` is the freedom or the row that it is about, `jump` a
    time.
    """
    if status == Status.SINGULAR_MASS:
        return "the mass matrix lost rank.", compiled.dof_owner[index][0]
    if status in OF_ROWS:
        owner = compiled.row_owner[index]
        return OF_ROWS[status].format(owner=owner, loop=_loop(compiled, owner), jump=jump), owner
    return OF_RUNS.get(
        status,
        "the step size fell to the spacing of numbers; a force may be discontinuous or stiff here, "
        "or a "
        "driver leads beyond the mechanism's reach.",
    ), None


def _loop(compiled: CompiledModel, owner: str) -> str:
    """A joint that closes a loop with the other joints of it; else just its name."""
    joints = loop_joints(compiled, owner) if compiled.coordinates == "relative" else ()
    if joints:
        return f"the loop closed by {owner!r} (joints {', '.join(joints)})"
    return f"{'joint' if owner in compiled.joints else 'constraint'} {owner!r}"
