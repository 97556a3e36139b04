"""The run with derivatives: the model, its companions, and the time loop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from ...description.lowering.user_steps import PROBED, longest_step
from ...engine.integrators.catalogue import INTEGRATORS
from ...engine.integrators.contract import Problem
from ...engine.integrators.integrate import integrate
from ...engine.integrators.result import Result
from ...errors import ModelError, SimulationError
from ...kernel.tables.status import Status
from ...options import ATOL, MAX_STEP, RTOL
from ...simulation.contacts import places_of
from ...simulation.events.event import Event, kinks
from ...simulation.plan import Plan
from ...simulation.run import breaks_in, stepping
from ...simulation.scales import Scales
from .equations import Beside, equations_of
from .kinks import jumping_kinks
from .members import Member, Pair
from .outputs import Motion
from .parameters import Parameter, Source
from .recorder import Recorder

_TOO_STRICT = (Status.STEP_TOO_SMALL, Status.TOO_MUCH_ACCURACY)
UNTESTED = 1e250  # scale of a derivative that no error test limits
# scales of derivatives, the next one where rounding, or kinks of derivatives, allow no smaller error
RELAXED = (1.0, 1e2, 1e4, UNTESTED)
STRICTER = {"bdf": 0.1, "switching": 0.1}  # errors of the steps of BDF add up


def motion_of(source: Source, until: float) -> tuple[Motion, Result, float]:
    """Run the model with its derivatives. Also returns the scale of their error test.

    Where the run passes kinks of force elements (`kt.kinks`) at which forces jump, it is repeated
    with these as events. A first run that only finds them need not be exact.
    """
    motion, result, scale = _run(source, until, (), (1.0, UNTESTED))
    passed = jumping_kinks(motion)
    if passed or (motion.exact and scale == UNTESTED):
        scales = RELAXED if passed else RELAXED[1:]
        motion, result, scale = _run(source, until, passed, scales)
    return motion, result, scale


def _run(
    source: Source, until: float, more: tuple[str, ...], scales: tuple[float, ...]
) -> tuple[Motion, Result, float]:
    """Run with these events of kinks, and the first of the scales with which it ends."""
    plan = source.plan()
    if reason := obstacle(plan):
        raise ModelError(f"sensitivities: {reason}")
    nominal = Member.of(plan, until, _events(plan, more))
    pairs = [_pair(source, one, until, more) for one in source.parameters]
    for pair in pairs:
        pair.check(nominal)
    units = Scales.of(nominal.assembly.compiled).units
    starts = [pair.start(nominal, units) for pair in pairs]
    beside = equations_of(nominal, pairs)
    y = np.concatenate([nominal.assembly.y, *starts])
    scale = UNTESTED
    for scale in scales if beside.exact else (UNTESTED,):
        recorder = Recorder(nominal, pairs, beside.clocks, beside.set_clocks)
        result = _integrate(nominal, recorder, beside, y.copy(), scale)
        if result.status not in _TOO_STRICT:
            break
    _check_result(result)
    assert result.quadratures_end is not None
    whole = np.concatenate([result.y, result.quadratures_end])
    return Motion(recorder, result.t, whole, result.ended, beside.exact), result, scale


def _pair(source: Source, parameter: Parameter, until: float, more: tuple[str, ...]) -> Pair:
    plans = [source.plan(parameter, by) for by in (parameter.increment, -parameter.increment)]
    up, down = (Member.of(plan, until, _events(plan, more)) for plan in plans)
    return Pair(parameter, up, down)


def _events(plan: Plan, more: tuple[str, ...]) -> tuple[Event, ...]:
    """The events of a run, and some of the kinks of its force elements."""
    extra = [one for one in kinks(plan.model) if one.name in more] if more else []
    return (*plan.watched, *extra)


def _integrate(
    nominal: Member, recorder: Recorder, beside: Beside, y: np.ndarray, scale: float
) -> Result:
    """The time loop with derivatives (compare simulation/run.py)."""
    assembly, plan, options = nominal.assembly, nominal.plan, nominal.options
    n, until, duration = nominal.n, options.until, options.until - assembly.t
    own = stepping(assembly, plan.integrator, options.to_dict())
    bound = longest_step(assembly.compiled, duration)
    if bound is not None and own.get(MAX_STEP.name) is None and own.get(RTOL.name) is not None:
        own[MAX_STEP.name] = bound
    breaks = breaks_in(assembly, until, options.chosen)
    return integrate(
        beside.rhs,
        y,
        until,
        project=beside.project,
        tables=beside.tables,
        work=nominal.work._replace(failed=np.zeros(len(y))),
        method=plan.integrator.name,
        breaks=breaks,
        jump=recorder.jump,
        begin=recorder.change if nominal.jump is not None else None,
        quadratures=_tolerances(own, recorder, n, scale * STRICTER.get(plan.integrator.name, 1.0)),
        t0=assembly.t,
        detector=cast(Any, recorder),
        probe=0.0 if bound is None else PROBED * bound,
        second=Scales.of(assembly.compiled).second(duration),
        **own,
    )


def _tolerances(own: Mapping[str, Any], recorder: Recorder, n: int, scale: float) -> np.ndarray:
    """Scales of the derivatives in the error test: those of the state, by the size of the parameter,
    times `scale`.
    """
    rtol = own.get(RTOL.name) or RTOL.default
    atol = own.get(ATOL.name)
    units = scale * np.broadcast_to(rtol if atol is None else atol, n) / rtol
    return np.concatenate([units / pair.parameter.size for pair in recorder.pairs])


def obstacle(plan: Plan) -> str:
    """Why runs of a plan have no derivatives, in words; "" if they have."""
    if Problem.ODE not in plan.integrator.handles:
        able = ", ".join(repr(i.name) for i in INTEGRATORS if Problem.ODE in i.handles)
        return (
            f"integrator {plan.integrator.name!r} solves equations of its own and has no "
            f"derivatives. Use one of: {able}."
        )
    places = places_of(plan.assembly.compiled)
    if places:
        names = ", ".join(repr(name) for name in dict.fromkeys(one.name for one in places))
        return (
            f"contacts without deformation ({names}) open, close and strike at times that depend on "
            "the parameters, and derivatives through these changes are not computed. Use elements "
            "with a stiffness (kt.Contact, kt.BumpStop), or an impact of your own (kt.Event with "
            "then=)."
        )
    return ""


def _check_result(result: Result) -> None:
    """Raise an error about a run that did not reach its end, or jumped where nothing is known."""
    if result.stop is not None:
        raise result.stop
    if not result.done:
        raise SimulationError(
            f"sensitivities: the run ended at t = {result.t:.6g} s ({Status(result.status).name}). "
            "kt.simulate with the same arguments explains why.",
            result.t,
        )
    if result.switched:
        raise SimulationError(
            f"sensitivities: user code switches at t = {result.switched[0]:.6g} s, and the time at "
            "which it does so may depend on the parameters. Declare the switch with gap= of the "
            "element, or with breakpoints=.",
            result.switched[0],
        )
