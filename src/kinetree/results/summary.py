"""The story of a run in a few lines, and its numbers as a dict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..description.lowering.user_steps import declared_steps, unseen
from ..errors import KinetreeError, counted
from ..kernel.tables.status import Status
from .reactions import ambiguous_sentence

if TYPE_CHECKING:
    from .solution import Solution

_CAUSE = {
    Status.USER_CODE: "user code gave no value",
    Status.NOT_FINITE: "a force or acceleration became NaN or infinite",
    Status.SINGULAR_MASS: "the mass matrix lost rank",
    Status.SINGULAR_CONSTRAINTS: "the constraints became singular",
    Status.CHANGE_POINT: "the next step leads to a change point",
    Status.NO_CLOSURE: "positions could not be brought back onto the constraints",
    Status.OUT_OF_PLANE: "a force pushes out of the plane",
    Status.STEP_TOO_SMALL: "the step size fell to the spacing of numbers",
    Status.TOO_MUCH_ACCURACY: "the tolerance is below what rounding allows",
    Status.OUT_OF_STEPS: "its budget of steps is used up",
    Status.OUT_OF_TIME: "its time limit is used up",
    Status.STALLED: "its steps became so short that it would never end",
    Status.POSITION_JUMP: "a driver jumps to another position",
    Status.RATE_JUMP: "the rate of a driver jumps where no breakpoint was declared",
}


def allowed_gap(sol: Solution) -> float:
    """How far constraints may be open (m): exact methods close them to rounding, stabilised ones
    keep them small.
    """
    settings = sol.compiled.tables.settings[0]
    near = float(
        settings["length"] * (1e-9 if sol.method.exact else 1e-3)
        + 4.0 * settings["absorbed"]
        + settings["closure"]
    )
    if sol.constraint_error.max() <= near:
        return near
    return near + 1e-14 * _reach(sol)  # positions far away are known no better


def _reach(sol: Solution) -> float:
    """The largest coordinate of a body during the run (m)."""
    bodies = range(1, len(sol.compiled.bodies))
    return max(
        (float(np.abs(sol.record.of("position", k)).max(initial=0.0)) for k in bodies), default=0.0
    )


def message(sol: Solution) -> str:
    """How the run ended, in words."""
    until, reached = sol.options["until"], sol.result.t
    if sol.success and sol.result.ended:
        return f"ended by event {sol.result.ended!r} at t = {reached:g} s"
    if sol.success:
        return f"reached t = {until:g} s"
    if isinstance(sol.result.stop, KinetreeError):
        return f"ended at t = {reached:g} of {until:g} s: {sol.result.stop}"
    if sol.interrupted:
        return f"interrupted at t = {reached:g} of {until:g} s"
    if sol.result.done and not sol.closed:
        return f"reached t = {until:g} s, but constraints are open by up to {sol.constraint_error.max():.3g} m"
    if sol.result.done:
        return f"reached t = {until:g} s, but {without_accelerations(sol)}"
    return f"ended at t = {reached:g} of {until:g} s: {_CAUSE.get(sol.result.status, sol.status)}"


def without_accelerations(sol: Solution) -> str:
    """Which samples have a state and nothing else."""
    t = sol.incomplete
    return (
        f"{len(t)} of {len(sol.t)} samples (from t = {t[0]:g} to {t[-1]:g} s) have no "
        "accelerations, reactions and loads"
        if len(t)
        else "not every sample is finite"
    )


def statistics(sol: Solution) -> dict[str, float | int | str]:
    """Counts of the run and sizes of the equations."""
    size, last = sol.compiled.size, sol.result.log[-1:]
    return {
        "accepted": sol.result.accepted,
        "rejected": sol.result.rejected,
        "evaluations": sol.result.evaluations,
        "iterations": int(last["iterations"].sum()),
        "factorisations": int(last["factorisations"].sum()),
        "jacobians": int(last["jacobians"].sum()),
        "partitions": int(last["partitions"].sum()),
        "decompositions": int(last["decompositions"].sum()),
        "divided": int(divided(sol).sum()),
        "parts": sol.result.accepted + int(sol.steps.rejected[divided(sol)].sum()),
        "seconds": sol.wall,
        "bodies": len(sol.compiled.bodies) - 1,
        "joints": len(sol.compiled.joints),
        "coordinates": size["nq"],
        "velocities": size["nv"],
        "equations": size["ng"],
        "rank": sol.assembly.rank,
        "dof": sol.assembly.mobility,
        "samples": len(sol.t),
        "formulation": sol.method.name,
        "integrator": sol.options["integrator"],
    }


def divided(sol: Solution) -> np.ndarray:
    """Per entry of the steps, whether a step of fixed length did not converge and was taken in
    shorter parts.
    """
    fixed = sol.options.get("step") is not None
    return (sol.steps.rejected > 0) if fixed else np.zeros(len(sol.steps), bool)


def summary(sol: Solution) -> str:
    """A few lines: what was run, how it went, what it cost, how good it is."""
    o, s = sol.options, dict[str, Any](sol.statistics)
    lines = [
        f"{sol.model.name}: {sol.message} in {sol.wall:.3g} s of computing.",
        f"  {counted(s['bodies'], 'body', 'bodies')}, {counted(s['joints'], 'joint')}, "
        f"{o['coordinates']} coordinates: "
        f"{counted(s['velocities'], 'velocity', 'velocities')}, "
        f"{counted(s['equations'], 'equation')} of rank {s['rank']}, "
        f"{counted(s['dof'], 'degree')} of freedom.",
        f"  {s['formulation']} with {s['integrator']}, {_accuracy(o)}: "
        f"{counted(s['accepted'], 'step')}, {s['rejected']} "
        f"rejected, {counted(s['evaluations'], 'evaluation')}, "
        f"{counted(s['factorisations'], 'factorization')}{_counts(s)}.",
    ]
    if sol.assembly.told:
        lines.append(f"  {sol.assembly.told}")
    if sol.assembly.absorbed:
        lines.append(f"  {sol.assembly.absorbed_in_words}")
    if len(sol.steps):
        lines.append(
            f"  Steps of {sol.steps.shortest.min():.3g} to {sol.steps.longest.max():.3g} s; "
            f"{counted(s['samples'], 'sample')}."
        )
    if s["divided"]:
        lines.append(
            f"  {s['divided']} of {s['accepted']} steps did not converge at {o['step']:.3g} s and "
            "were divided. The "
            f"run has {s['parts']} parts of {sol.steps.shortest.min():.3g} s and more. Ask for "
            "shorter steps or rtol=."
        )
    if sol.result.switched:
        lines.append(_found_inside(sol.result.switched))
    if (short := _not_seen(sol)) is not None:
        lines.append(short)
    if len(sol.incomplete) and not sol.result.done:
        lines.append(f"  {without_accelerations(sol)}.")
    if o["integrator"] == "switching":
        lines.append(_switched(sol))
    if looks_stiff(sol):
        lines.append(
            '  Many short steps of low order: the machine looks stiff. Try integrator="switching".'
        )
    if s["equations"]:
        lines.append(
            f"  Constraints hold to {sol.constraint_error.max():.1e} m and "
            f"{sol.constraint_error.velocity.max(initial=0.0):.1e} m/s."
        )
    lines.append(f"  Peak kinetic energy {sol.energy.scale:.4g} J, {_balance(sol)}")
    if sol.reactions.ambiguous:
        lines.append(f"  {ambiguous_sentence(sol.reactions.ambiguous)}")
    return "\n".join(lines)


def _counts(s: dict) -> str:
    """What only some methods have: partitions, decompositions and Jacobians."""
    kinds = {
        "partitions": "choice{} of independent coordinates",
        "jacobians": "Jacobian{}",
        "decompositions": "null-space decomposition{}",
    }
    return "".join(
        f", {s[name]} {words.format('s' if s[name] != 1 else '')}"
        for name, words in kinds.items()
        if s[name]
    )


def _found_inside(times: tuple[float, ...]) -> str:
    """User code that switched where no step had ended."""
    some = ", ".join(f"{t:.6g}" for t in times[:4]) + (", ..." if len(times) > 4 else "")
    count = f"{len(times)} steps" if len(times) > 1 else "1 step"
    return f"  User code switched inside {count}, which were divided there (t = {some} s)."


def _not_seen(sol: Solution) -> str | None:
    """What may have been stepped over: user code that declares nothing of its pulses, past steps
    that are chosen.
    """
    if (
        sol.options.get("rtol") is None
        or None not in declared_steps(sol.compiled)
        or not len(sol.steps)
    ):
        return None
    short = unseen(
        sol.compiled, sol.options["until"] - float(sol.t[0]), float(sol.steps.longest.max())
    )
    return (
        f"  User code was probed inside the steps; pulses shorter than {short:.3g} s may be "
        "missed: declare breakpoints, gap "
        "or longest_step."
    )


def looks_stiff(sol: Solution) -> bool:
    """Adams held back by stability: orders of 4 and less, where smooth motion has 8 and more, and
    many steps rejected.
    """
    steps = sol.steps
    return (
        sol.options["integrator"] == "adams"
        and len(steps) > 1000
        and float(np.median(steps.order)) <= 4.0
        and steps.rejected.sum() > 0.05 * steps.steps.sum()
    )


def _switched(sol: Solution) -> str:
    """Which method ran how long, and why it changed."""
    steps = sol.steps
    length = steps.h * steps.steps
    share = length[steps.method == "bdf"].sum() / max(length.sum(), 1e-300)
    changes = "; ".join(
        f"{c.before} to {c.after} at t = {c.t:.4g} s (L = {c.stiffness:.4g} 1/s)"
        for c in sol.switches[:4]
    )
    more = f" and {len(sol.switches) - 4} more" if len(sol.switches) > 4 else ""
    return f"  BDF for {100 * share:.0f} % of the time, Adams for the rest. {changes + more or 'No change'}."


def _accuracy(options: dict) -> str:
    return f"step {options['step']:g} s" if options.get("step") else f"rtol {options['rtol']:g}"


def _balance(sol: Solution) -> str:
    if (
        not sol.model.forces
        and not sol.record.drive.any()
        and not any(happened.energy.any() for happened in sol.events.values())
    ):
        return f"drift {sol.energy.drift:.1e} of that."
    budget = sol.energy.budget
    return (
        f"{budget.put_in:.4g} J put in, {budget.taken_out:.4g} J taken out, {budget.stored:+.4g} J "
        "stored; the balance "
        f"holds to {sol.energy.imbalance:.1e}."
    )
