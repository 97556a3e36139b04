"""Texts of the causes of an early end of a run, one table for messages, errors and summaries."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..description.lowering.compiled import CompiledModel
from ..description.lowering.flexible import COORDINATES as NODAL
from ..kernel.tables.status import Status

if TYPE_CHECKING:
    from .solution import Solution


class Cause(NamedTuple):
    """Words for a status."""

    short: str  # ends the sentence "ended at t = ... s: "
    more: str = "."  # continues it in the message of the error
    of_row: bool = False  # the status is about a constraint row: {owner}, {loop}, {jump}


CAUSES = {
    Status.USER_CODE: Cause("user code raised an error or returned NaN"),
    Status.NOT_FINITE: Cause(
        "a force or acceleration became NaN or infinite",
        ". Check force laws and parameters near this state.",
    ),
    Status.SINGULAR_MASS: Cause("the mass matrix lost rank"),
    Status.SINGULAR_CONSTRAINTS: Cause(
        "the constraints became singular",
        " at a change point of {loop}: a position where its number of degrees of freedom changes. "
        "Start or drive it differently, or pass that position faster.",
        of_row=True,
    ),
    Status.CHANGE_POINT: Cause(
        "the next step leads to a change point",
        " of {loop}: a position where branches of the motion meet and cannot be distinguished.",
        of_row=True,
    ),
    Status.NO_CLOSURE: Cause(
        "positions could not be projected onto the constraints",
        ". Use a smaller rtol or max_step, and check that no driver leads the mechanism beyond its "
        "reach.",
    ),
    Status.STEP_TOO_SMALL: Cause(
        "the step size fell to the spacing of floating-point numbers",
        "; a force may be discontinuous or stiff here, or a driver leads beyond the mechanism's "
        "reach.",
    ),
    Status.TOO_MUCH_ACCURACY: Cause(
        "the tolerance is below what rounding allows", ". Use a larger rtol."
    ),
    Status.OUT_OF_STEPS: Cause(
        "the maximum number of steps was reached", " (max_steps= allows more)."
    ),
    Status.OUT_OF_TIME: Cause("the time limit was reached", " (time_limit= allows more)."),
    Status.STALLED: Cause(
        "the steps became so short that the run would never end",
        " (a larger max_steps= continues nevertheless).",
    ),
    Status.POSITION_JUMP: Cause(
        "the position that a driver prescribes jumps",
        ": driver {owner!r} at t = {jump:.9g} s. Connect the two positions with a Ramp, a Table or "
        "a smooth function.",
        of_row=True,
    ),
    Status.RATE_JUMP: Cause(
        "the rate that a driver prescribes jumps where no breakpoint is declared",
        ": driver {owner!r} at t = {jump:.9g} s. Declare it, so that a step ends there: "
        "kt.Function(f, ..., breakpoints=[{jump:.9g}]).",
        of_row=True,
    ),
    Status.OUT_OF_PLANE: Cause(
        "a force acts out of the plane of the computation", ": force {name!r}. Omit planar=."
    ),
    Status.PENETRATION: Cause(
        "the shapes of {first!r} overlap at the start",
        " by {depth:.3g}. Move the bodies apart, or start where the gap is zero.",
    ),
    Status.PAINLEVE: Cause(
        "friction presses the sliding contact {first!r} in, and no motion of rigid bodies follows "
        "from Coulomb's law (the paradox of Painleve)",
        ". Use a smaller friction, or the compliant kt.Contact.",
    ),
    Status.BLOWS: Cause(
        "{first!r} and {second!r} are struck at once",
        ", and the result depends on the law of impact. Choose several='simultaneous' (Newton's law "
        "for all at once) or several='sequential' (one after the other) in both, or use the "
        "compliant kt.Contact.",
    ),
    Status.NO_MODE: Cause(
        "no modes of the contacts agree with the laws of friction and impact",
        ". Use a smaller friction, or the compliant kt.Contact.",
    ),
    Status.CHATTER: Cause(
        "contact {first!r} changes its mode again and again at one time",
        ". Use a larger rest_speed, a smaller rtol, or the compliant kt.Contact.",
    ),
}
# of unilateral contacts: the words {first}, {second} and {depth} are filled in diagnosis.py
CONTACT_CAUSES = (
    *(Status.PENETRATION, Status.PAINLEVE, Status.BLOWS),
    *(Status.NO_MODE, Status.CHATTER),
)
# in nodal coordinates, where a step is one Newton problem
NODAL_CAUSES = {
    Status.SINGULAR_MASS: Cause(
        "the equations of a step are singular",
        " at {name!r}: a body without mass, a beam that has buckled, or a joint that is redundant "
        "or at a change point. Use a smaller step.",
    ),
    Status.NO_CLOSURE: Cause(
        "a step did not converge",
        ", {parts}; the largest motion is that of {name!r}{turning}. Use {ask}, {smaller}more "
        "elements where it bends, or damping, and check that no driver leads beyond the reach of "
        "the model.",
    ),
    Status.OUT_OF_PLANE: CAUSES[Status.OUT_OF_PLANE],
}


def short_cause(sol: Solution) -> str:
    """Cause of the early end of a run, without an element."""
    status = sol.result.status
    nodal = NODAL_CAUSES.get(status) if is_nodal(sol.compiled) else None
    found = nodal or CAUSES.get(status)
    if status in CONTACT_CAUSES:
        return _CONTACT_WORDS[status]
    return sol.status if found is None else found.short


_CONTACT_WORDS = {
    Status.PENETRATION: "shapes overlap at the start",
    Status.PAINLEVE: "friction presses a sliding contact in",
    Status.BLOWS: "several contacts are struck at once, and no law of impact was chosen",
    Status.NO_MODE: "no modes of the contacts agree with the laws of friction and impact",
    Status.CHATTER: "a contact changes its mode again and again at one time",
}


def is_nodal(compiled: CompiledModel) -> bool:
    """Whether the model is in nodal coordinates."""
    return compiled.coordinates == NODAL
