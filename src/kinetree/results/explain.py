"""From a status to a sentence: what happened, where, and what to do next."""

from __future__ import annotations

import numpy as np

from ..assembly.singular import loop_joints
from ..assembly.weightless import lightest
from ..compile.compiled import CompiledModel
from ..compile.tables import Work
from ..integrators.catalogue import find
from ..integrators.drive import Result
from ..num.status import Status
from ..num.usercode import failures

_NEXT = {True: " Let it pass faster, or end the run elsewhere.",
         False: " Use integrator='adams', which steps over such positions, or a step that does not end on this one."}


BUDGET = {
    Status.OUT_OF_STEPS: "the budget of steps (max_steps) is used up.",
    Status.OUT_OF_TIME: "the time limit (time_limit) is used up.",
    Status.STALLED: "steps have become so short that the run would never end."}


def explain(compiled: CompiledModel, result: Result, work: Work) -> tuple[str, str | None]:
    """(message, element) of a run that ended early."""
    where = f"at t = {result.t:.6g} s (step {result.accepted})"
    index = int(work.report[0]["weakest" if result.status == Status.CHANGE_POINT else "index"])
    sentence, element = cause(compiled, result.status, index, float(work.report[0]["jump"]))
    if result.status == Status.CHANGE_POINT:
        sentence += _NEXT[find(result.method).adaptive]
    if result.status == Status.SINGULAR_MASS and (light := lightest(compiled, result.y)) is not None:
        sentence, element = f"the mass matrix lost rank: {light}", light.body
    if result.status == Status.NO_CLOSURE and len(work.g):
        element = compiled.row_owner[int(np.argmax(np.abs(np.nan_to_num(work.g, nan=np.inf))))]
        sentence = f"{element!r} stays open: {sentence}"
    if result.status == Status.NOT_FINITE and failures:
        address, reason = failures.popitem()
        element = _owner_of(compiled, address)
        sentence = f"user code of {element!r} raised {type(reason).__name__}: {reason}."
    elif result.status == Status.NOT_FINITE and (bad := _not_finite(compiled, work)):
        what, name = bad
        element = name.rpartition(".")[0]
        sentence = f"the {what} {name!r} became NaN or infinite. Check what {element!r} computes near this state."
    return f"{where}: {sentence} The last good state is kept in err.solution.", element


def explain_sample(compiled: CompiledModel, t: float, work: Work) -> tuple[str, str | None]:
    """(message, element) where a run reached its end, but a sample has no accelerations."""
    sentence, element = cause(compiled, Status.CHANGE_POINT, int(work.report[0]["weakest"]))
    return (f"at t = {t:.6g} s: {sentence} The accelerations of that sample cannot be had; choose another output_interval. "
            "The samples before it are kept in err.solution."), element


def cause(compiled: CompiledModel, status: Status, index: int, jump: float = 0.0) -> tuple[str, str | None]:
    if status == Status.SINGULAR_MASS:
        return "the mass matrix lost rank.", compiled.freedom_owner[index][0]
    if status == Status.SINGULAR_CONSTRAINTS:
        owner = compiled.row_owner[index]
        return (f"the constraints became singular at a change point of {_loop(compiled, owner)}: a position where its "
                "freedom changes. Start or drive it differently, or pass that position faster."), owner
    if status == Status.CHANGE_POINT:
        owner = compiled.row_owner[index]
        return (f"the next step leads to a change point of {_loop(compiled, owner)}: a position where branches of the "
                "motion meet and cannot be told apart."), owner
    if status == Status.NO_CLOSURE:
        return ("positions could not be brought back onto the constraints. Ask for a smaller rtol or max_step; "
                "a mechanism that is driven beyond its reach ends like this."), None
    if status == Status.NOT_FINITE:
        return "a force or acceleration became NaN or infinite. Check force laws and parameters near this state.", None
    if status == Status.POSITION_JUMP:
        owner = compiled.row_owner[index]
        return (f"the position that driver {owner!r} prescribes jumps at t = {jump:.9g} s; nothing can be in two places at "
                "once. Lead it from one to the other with a Ramp, a Table or a smooth function."), owner
    if status == Status.RATE_JUMP:
        owner = compiled.row_owner[index]
        return (f"the rate that driver {owner!r} prescribes jumps at t = {jump:.9g} s. Declare it, so that a step ends there: "
                f"kt.Function(f, ..., breakpoints=[{jump:.9g}])."), owner
    if status == Status.TOO_MUCH_ACCURACY:
        return "the tolerance asked for is below what rounding allows; ask for a larger rtol.", None
    if status in BUDGET:
        return BUDGET[status], None
    return ("the step size fell to the spacing of numbers; a force may be discontinuous or stiff here, or a driver "
            "leads beyond the mechanism's reach."), None


def _loop(compiled: CompiledModel, owner: str) -> str:
    """A joint that closes a loop with the other joints of it; else just its name."""
    joints = loop_joints(compiled, owner) if compiled.coordinates == "relative" else ()
    if joints:
        return f"the loop closed by {owner!r} (joints {', '.join(joints)})"
    return f"{'joint' if owner in compiled.joints else 'constraint'} {owner!r}"


def _owner_of(compiled: CompiledModel, address: int) -> str:
    model, tables = compiled.model, compiled.tables
    for names, rows in ((model.forces, tables.forces), (model.controllers, tables.controllers)):
        for name, row in zip(names, rows):
            if int(row["address"]) == address:
                return name
    return "a time function"


def _not_finite(compiled: CompiledModel, work: Work) -> tuple[str, str] | None:
    """The first state rate or output that the last evaluation has left without a value."""
    rates = {name: work.xdot[place.ix] for name, place in compiled.states.items()}
    outputs = {name: work.outputs[k] for name, k in compiled.outputs.items()}
    for what, values in (("output", outputs), ("rate of state", rates)):
        for name, value in values.items():
            if not np.isfinite(value):
                return what, name
    return None
