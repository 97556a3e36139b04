"""Summary of a run in a few lines, and its counts as a dict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..description.lowering.user_steps import declared_steps, unseen
from ..errors import KinetreeError, counted
from .causes import short_cause
from .reactions import ambiguous_sentence

if TYPE_CHECKING:
    from .solution import Solution


def allowed_gap(sol: Solution) -> float:
    """Constraint violation (m) up to which a run counts as closed.

    Formulations that project satisfy the constraints to rounding; others keep violations small.
    """
    settings = sol.compiled.tables.settings[0]
    near = float(
        settings["length"] * (1e-9 if sol.method.exact else 1e-3)
        + 4.0 * settings["absorbed"]
        + settings["closure"]
    )
    if sol.constraint_error.max() <= near:
        return near
    return near + 1e-14 * _reach(sol)  # rounding of positions far from the origin


def _reach(sol: Solution) -> float:
    """The largest coordinate of a body during the run (m)."""
    bodies = range(1, len(sol.compiled.bodies))
    return max(
        (float(np.abs(sol.record.of("position", k)).max(initial=0.0)) for k in bodies), default=0.0
    )


def message(sol: Solution) -> str:
    """How the run ended, as a clause."""
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
        worst = sol.constraint_error.max()
        return f"reached t = {until:g} s, but constraints are violated by up to {worst:.3g} m"
    if sol.result.done:
        return f"reached t = {until:g} s, but {without_accelerations(sol)}"
    return f"ended at t = {reached:g} of {until:g} s: {short_cause(sol)}"


def without_accelerations(sol: Solution) -> str:
    """Clause about the samples that have states only."""
    t = sol.incomplete
    if not len(t):
        return "not every sample is finite"
    if len(t) == 1:
        return (
            f"1 of {counted(len(sol.t), 'sample')} (at t = {t[0]:g} s) has no accelerations, "
            "reactions or loads"
        )
    return (
        f"{len(t)} of {len(sol.t)} samples (from t = {t[0]:g} to {t[-1]:g} s) have no "
        "accelerations, reactions or loads"
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
    """Whether a step of fixed length did not converge and was divided, per entry of the steps."""
    fixed = sol.options.get("step") is not None
    return (sol.steps.rejected > 0) if fixed else np.zeros(len(sol.steps), bool)


def summary(sol: Solution) -> str:
    """Summary of a run: its end, sizes, cost and accuracy."""
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
    if sol.assembly.told_first:
        lines.insert(1, f"  {sol.assembly.told_first}")
    elif sol.assembly.told:
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
            f"  {s['divided']} of {counted(s['accepted'], 'step')} did not converge at "
            f"{o['step']:.3g} s and {'was' if s['divided'] == 1 else 'were'} divided. The run has "
            f"{s['parts']} parts of {sol.steps.shortest.min():.3g} s and more. Use a shorter step "
            "or rtol=."
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
            '  Many short steps of low order: the model looks stiff. Try integrator="switching".'
        )
    if s["equations"]:
        lines.append(
            f"  Constraints are satisfied within {sol.constraint_error.max():.1e} m and "
            f"{sol.constraint_error.velocity.max(initial=0.0):.1e} m/s."
        )
    lines.append(f"  Peak kinetic energy {_peak(sol):.4g} J, {_balance(sol)}")
    if sol.reactions.ambiguous:
        lines.append(f"  {ambiguous_sentence(sol.reactions.ambiguous)}")
    return "\n".join(lines)


def _counts(s: dict) -> str:
    """Counts that only some methods have: partitions, decompositions and Jacobians."""
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
    """Line about user code that switched inside steps."""
    some = ", ".join(f"{t:.6g}" for t in times[:4]) + (", ..." if len(times) > 4 else "")
    were = "was" if len(times) == 1 else "were"
    return (
        f"  User code switched inside {counted(len(times), 'step')}, which {were} divided there "
        f"(t = {some} s)."
    )


def _not_seen(sol: Solution) -> str | None:
    """Line about pulses that variable steps may miss, if user code declares no longest step."""
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
        f"  User code was sampled inside the steps; pulses shorter than {short:.3g} s may be "
        "missed. Declare breakpoints, gap or longest_step."
    )


def looks_stiff(sol: Solution) -> bool:
    """Whether stability limits the steps of "adams": orders up to 4, and many rejected steps.

    Smooth motion has orders of 8 and more.
    """
    steps = sol.steps
    return (
        sol.options["integrator"] == "adams"
        and len(steps) > 1000
        and float(np.median(steps.order)) <= 4.0
        and steps.rejected.sum() > 0.05 * steps.steps.sum()
    )


def _switched(sol: Solution) -> str:
    """Line about the methods of the integrator "switching" and their changes."""
    steps = sol.steps
    length = steps.h * steps.steps
    share = length[steps.method == "bdf"].sum() / max(length.sum(), 1e-300)
    changes = "; ".join(
        f"{c.before} to {c.after} at t = {c.t:.4g} s (L = {c.stiffness:.4g} 1/s)"
        for c in sol.switches[:4]
    )
    more = f" and {len(sol.switches) - 4} more" if len(sol.switches) > 4 else ""
    changes = changes + more or "No change"
    return f"  BDF for {100 * share:.0f} % of the time, Adams for the rest. {changes}."


def _accuracy(options: dict) -> str:
    return f"step {options['step']:g} s" if options.get("step") else f"rtol {options['rtol']:g}"


def _balance(sol: Solution) -> str:
    if (
        not sol.model.forces
        and not sol.record.drive.any()
        and not any(event.energy.any() for event in sol.events.values())
    ):
        return f"drift of the total energy {sol.energy.drift:.1e} of {_reference(sol)}."
    budget = sol.energy.budget
    return (
        f"{budget.put_in:.4g} J put in, {budget.taken_out:.4g} J taken out (net of each element), "
        f"{budget.stored:+.4g} J stored; error of the energy balance {sol.energy.imbalance:.1e} of "
        f"the exchanged energy, {sol.energy.scale:.4g} J."
    )


def _peak(sol: Solution) -> float:
    return float(sol.energy.kinetic.max(initial=0.0))


def _reference(sol: Solution) -> str:
    """The energy to which the drift is relative: the peak of the line before, or another one."""
    same = f"{sol.energy.scale:.4g}" == f"{_peak(sol):.4g}"
    return "that" if same else f"the exchanged energy, {sol.energy.scale:.4g} J"
