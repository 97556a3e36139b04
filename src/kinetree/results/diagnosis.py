"""Messages of runs that ended early, with the element that is concerned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..assembly.massless import lightest
from ..assembly.singular import loop_joints
from ..description.lowering.compiled import CompiledModel
from ..engine.dynamics.kinematics import positions
from ..engine.dynamics.sampling import take_samples
from ..engine.formulations.contract import Formulation
from ..engine.integrators.catalogue import find
from ..engine.integrators.result import Failure
from ..kernel.linalg import norm, product
from ..kernel.tables.fault import CONSTRAINT, CONTROLLER, FORCE
from ..kernel.tables.records import Tables
from ..kernel.tables.status import Status
from ..kernel.tables.workspace import Work
from ..kernel.usercode.replay import replay
from .causes import CAUSES, CONTACT_CAUSES, NODAL_CAUSES, is_nodal

if TYPE_CHECKING:
    from .solution import Solution


_AT_A_CHANGE_POINT = {
    True: " Let it pass faster, or end the run elsewhere.",
    False: " Use integrator='adams', which steps over such positions, or a step that does not end "
    "on this one.",
}


def explain(sol: Solution, work: Work) -> tuple[str, str | None]:
    """Message and element of a run that ended early."""
    compiled, result = sol.compiled, sol.result
    where = f"at t = {result.t:.6g} s (step {result.accepted})"
    index = int(work.report[0]["weakest" if result.status == Status.CHANGE_POINT else "index"])
    failure, nodal = result.failure, is_nodal(compiled)
    if result.status == Status.USER_CODE and failure is not None:
        sentence, element = user_fault(compiled, sol.method, failure)
    elif result.status in CONTACT_CAUSES:
        sentence, element = contact_cause(compiled, result.status, work)
    elif nodal and result.status in NODAL_CAUSES:
        sentence, element = nodal_cause(compiled, result.status, work, sol.options["step"])
    else:
        sentence, element = cause(compiled, result.status, index, float(work.report[0]["jump"]))
    if result.status == Status.CHANGE_POINT:
        sentence += _AT_A_CHANGE_POINT[find(result.method).adaptive]
    if (
        result.status == Status.SINGULAR_MASS
        and not nodal
        and (light := lightest(compiled, result.y)) is not None
    ):
        sentence, element = f"{CAUSES[result.status].short}: {light}", light.body
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
    if not nodal and (found := near_limit(compiled, result.y, work)) is not None:
        sentence, element = found
    return f"{where}: {sentence} The last good state is kept in err.solution.", element


def contact_cause(compiled: CompiledModel, status: Status, work: Work) -> tuple[str, str]:
    """Sentence and element of a status of unilateral contacts."""
    places, names, report = compiled.tables.places, list(compiled.model.forces), work.report[0]
    chatter = status == Status.CHATTER
    at = int(work.place_event[0]) if chatter else int(report["index"]) % len(places)
    other = int(report["weakest"]) % len(places)
    first, second = (names[int(places[k]["force"])] for k in (at, other))
    found = CAUSES[status]
    words = {"first": first, "second": second, "depth": -float(work.place_gap[at])}
    same = first == second and status == Status.BLOWS
    text = "several places of {first!r} are struck at once" if same else found.short
    return (text + found.more).format(**words), first


def near_limit(compiled: CompiledModel, y: np.ndarray, work: Work) -> tuple[str, str] | None:
    """Sentence and name of a rolling wheel that lies nearly flat in the last state."""
    specs = {
        n: e.spec for n, e in compiled.model.constraints.items() if e.spec.restricts_velocities
    }
    if not specs:
        return None
    positions(compiled.tables, work, np.ascontiguousarray(y[: compiled.size["nq"]]))
    for p in compiled.tables.primitives:
        name = compiled.row_owner[p["ig"]]
        if name in specs:
            turned = (
                product(work.bodies[p[on]]["R"].reshape(3, 3), p[a])
                for on, a in (("i", "a_i"), ("j", "a_j"))
            )
            if sentence := specs[name].near_limit(*turned):
                return f"constraint {name!r}: {sentence}", name
    return None


def nodal_cause(
    compiled: CompiledModel, status: Status, work: Work, fixed: float | None
) -> tuple[str, str | None]:
    """Sentence and element of a status in nodal coordinates, with fixed steps of length `fixed`."""
    index, per_body = int(work.report[0]["index"]), len(compiled.tables.freedoms)
    words: dict[str, str] = {}
    if status == Status.OUT_OF_PLANE:
        name = list(compiled.model.forces)[int(work.report[0]["out_of_plane"]) - 1]
    elif status == Status.SINGULAR_MASS:
        row = index - per_body * (len(compiled.bodies) - 1)
        name = compiled.row_owner[row] if row >= 0 else compiled.bodies[1 + index // per_body]
    else:
        name, shortest = compiled.bodies[index], float(work.report[0]["lag"])
        words = {
            "turning": _turning(work, index, fixed),
            "parts": "not even in parts a thousandth as long"
            if fixed
            else f"down to a length of {shortest:.1e} s",
            "ask": "rtol=1e-4, which chooses the steps" if fixed else "a smaller max_step",
            "smaller": "a smaller step, " if fixed else "",
        }
    found = NODAL_CAUSES[status]
    return found.short + found.more.format(name=name, **words), name


def _turning(work: Work, index: int, step: float | None) -> str:
    """Words for the rotation of a node in a step of fixed length, if it is large."""
    turn = norm(work.nodes[index]["w"]) * (step or 0.0)
    return f", which turns by {turn:.1f} rad in a step" if turn > 0.5 else ""


def explain_samples(sol: Solution, failure: Failure, work: Work) -> tuple[str, str | None]:
    """Message and element of a run that reached its end, with samples without accelerations."""
    compiled = sol.compiled
    if failure.fault:
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
    """Sentence and element of a status.

    `index` is the degree of freedom or the constraint row concerned, `jump` the time of a jump (s).
    """
    found = CAUSES.get(status, CAUSES[Status.STEP_TOO_SMALL])
    if found.of_row:
        owner = compiled.row_owner[index]
        words = found.more.format(owner=owner, loop=_loop(compiled, owner), jump=jump)
        return found.short + words, owner
    element = compiled.dof_owner[index][0] if status == Status.SINGULAR_MASS else None
    return found.short + found.more, element


def _loop(compiled: CompiledModel, owner: str) -> str:
    """The loop that a joint closes, with all its joints; otherwise the joint or constraint."""
    joints = loop_joints(compiled, owner) if compiled.coordinates == "relative" else ()
    if joints:
        return f"the loop closed by {owner!r} (joints {', '.join(joints)})"
    return f"{'joint' if owner in compiled.joints else 'constraint'} {owner!r}"


# --- the element without a value


def owner_of(compiled: CompiledModel, failure: Failure) -> str | None:
    """Name of the element that returned no value in a failed evaluation."""
    if failure.fault == CONTROLLER:
        return list(compiled.model.controllers)[failure.culprit]
    if failure.fault == FORCE:
        return list(compiled.model.forces)[failure.culprit]
    if failure.fault == CONSTRAINT:
        return compiled.row_owner[int(compiled.tables.primitives[failure.culprit]["ig"])]
    return None


def user_fault(
    compiled: CompiledModel, method: Formulation, failure: Failure
) -> tuple[str, str | None]:
    """Sentence and element: the error that user code raised, or the value that is NaN.

    Compiled code runs again as plain Python to find the error.
    """
    again, element = Reevaluation(compiled, method, failure), owner_of(compiled, failure)
    reason = failure.reason or replay(compiled.tables, failure.t, again.finite)
    if reason is not None:
        return f"user code of {element!r} raised {reason} for t = {failure.t:.6g} s.", element
    what = again.first_without_value()
    if what is None:
        what = f"the value that user code of {element!r} returns for t = {failure.t:.6g} s"
    return _without_value(what, element), element


def not_finite(
    compiled: CompiledModel, method: Formulation, failure: Failure
) -> tuple[str, str] | None:
    """Sentence and element: the state, output or force element whose value is not finite.

    None if no single one is found.
    """
    again = Reevaluation(compiled, method, failure)
    if (what := again.first_without_value()) is not None:
        element = what.split("'")[1].rpartition(".")[0]
        return _without_value(what, element), element
    force = again.force()
    return None if force is None else (_without_value(f"the load of {force!r}", force), force)


def _without_value(what: str, element: str | None) -> str:
    return f"{what} is NaN or infinite. Check what {element!r} computes near this state."


class Reevaluation:
    """Repeats the evaluation that failed."""

    def __init__(self, compiled: CompiledModel, method: Formulation, failure: Failure) -> None:
        self.compiled, self.method, self.failure = compiled, method, failure

    def finite(self, tables: Tables) -> bool:
        """Whether accelerations are finite with these tables, after the samples that are due."""
        self.work, ydot = (
            self.compiled.workspace(self.method.storage),
            np.zeros_like(self.failure.y),
        )
        if tables.controllers["period"].any():
            parts = self.compiled.split(self.failure.y.copy())
            if take_samples(tables, self.work, self.failure.t, *parts) != Status.OK:
                return False
        status = self.method.rhs(tables, self.work, self.failure.t, self.failure.y.copy(), ydot)
        return status == Status.OK and bool(np.isfinite(ydot).all())

    def first_without_value(self) -> str | None:
        """Words for the first output or rate of a state that is not finite."""
        self.finite(self.compiled.tables)
        outputs = {
            f"the output {name!r}": self.work.outputs[k]
            for name, k in self.compiled.outputs.items()
        }
        rates = {
            f"the rate of state {name!r}": self.work.xdot[place.ix]
            for name, place in self.compiled.states.items()
        }
        return next(
            (name for name, value in {**outputs, **rates}.items() if not np.isfinite(value)), None
        )

    def force(self) -> str | None:
        """The first force element with which alone the accelerations are not finite.

        None if they are not finite without any force element.
        """
        tables = self.compiled.tables
        if not self.finite(tables._replace(forces=tables.forces[:0])):
            return None
        return next(
            (
                name
                for k, name in enumerate(self.compiled.model.forces)
                if not self.finite(tables._replace(forces=tables.forces[k : k + 1]))
            ),
            None,
        )
