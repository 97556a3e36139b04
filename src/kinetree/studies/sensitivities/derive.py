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
from ...simulation.events.event import Event, kinks
from ...simulation.plan import Plan
from ...simulation.run import breaks_in, stepping
from ...simulation.scales import Scales
from .equations import Beside, equations_of
from .members import Member, Pair
from .outputs import Motion
from .parameters import Parameter, Source
from .recorder import Recorder

_TOO_STRICT = (Status.STEP_TOO_SMALL, Status.TOO_MUCH_ACCURACY)
UNTESTED = 1e250  # scale of a derivative that no error test limits


def motion_of(source: Source, until: float) -> tuple[Motion, Result]:
    """Run the model with its derivatives.

    Where the run passes kinks of force elements (`kt.kinks`), it is repeated with these as events:
    forces may jump there.
    """
    motion, result = _run(source, until, ())
    passed = _passed(motion)
    return _run(source, until, passed) if passed else (motion, result)


def _run(source: Source, until: float, more: tuple[str, ...]) -> tuple[Motion, Result]:
    plan = source.plan()
    _check_methods(plan)
    nominal = Member.of(plan, until, _events(plan, more))
    pairs = [_pair(source, one, until, more) for one in source.parameters]
    for pair in pairs:
        pair.check(nominal)
    units = Scales.of(nominal.assembly.compiled).units
    starts = [pair.start(nominal, units) for pair in pairs]
    beside = equations_of(nominal, pairs)
    y = np.concatenate([nominal.assembly.y, *starts])
    # where a tolerance is below the rounding errors of derivatives, only the state is tested
    for tested in (True, False) if beside.exact else (False,):
        recorder = Recorder(nominal, pairs, beside.clocks, beside.set_clocks)
        result = _integrate(nominal, recorder, beside, y.copy(), tested)
        if result.status not in _TOO_STRICT:
            break
    _check_result(result)
    assert result.quadratures_end is not None
    whole = np.concatenate([result.y, result.quadratures_end])
    return Motion(recorder, result.t, whole, result.ended, beside.exact), result


def _pair(source: Source, parameter: Parameter, until: float, more: tuple[str, ...]) -> Pair:
    plans = [source.plan(parameter, by) for by in (parameter.increment, -parameter.increment)]
    up, down = (Member.of(plan, until, _events(plan, more)) for plan in plans)
    return Pair(parameter, up, down)


def _events(plan: Plan, more: tuple[str, ...]) -> tuple[Event, ...]:
    """The events of a run, and some of the kinks of its force elements."""
    extra = [one for one in kinks(plan.model) if one.name in more] if more else []
    return (*plan.watched, *extra)


def _passed(motion: Motion) -> tuple[str, ...]:
    """Names of the kinks of force elements that a run passes."""
    known = {event.name for event in motion.nominal.events}
    wanted = [one for one in kinks(motion.nominal.plan.model) if one.name not in known]
    found: dict[str, None] = {}
    for piece in motion.path.pieces if wanted else ():
        t, y, _ = motion.path.nodes(piece)
        for event in wanted:
            values = motion.values(str(event.what), t, y) - event.level
            if values.min() <= 0.0 <= values.max():
                found[event.name] = None
    return tuple(found)


def _integrate(
    nominal: Member, recorder: Recorder, beside: Beside, y: np.ndarray, tested: bool
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
        quadratures=_tolerances(own, recorder, n, tested),
        t0=assembly.t,
        detector=cast(Any, recorder),
        probe=0.0 if bound is None else PROBED * bound,
        second=Scales.of(assembly.compiled).second(duration),
        **own,
    )


def _tolerances(own: Mapping[str, Any], recorder: Recorder, n: int, tested: bool) -> np.ndarray:
    """Scales of the derivatives in the error test: that of the state, by the size of the parameter."""
    rtol = own.get(RTOL.name) or RTOL.default
    atol = own.get(ATOL.name)
    units = np.broadcast_to(rtol if atol is None else atol, n) / rtol
    if not tested:
        units = np.full(n, UNTESTED)
    return np.concatenate([units / pair.parameter.size for pair in recorder.pairs])


def _check_methods(plan: Plan) -> None:
    handles = plan.integrator.handles
    if Problem.ODE in handles:
        return
    able = ", ".join(repr(i.name) for i in INTEGRATORS if Problem.ODE in i.handles)
    raise ModelError(
        f"sensitivities: integrator {plan.integrator.name!r} solves equations of its own and has no "
        f"derivatives. Use one of: {able}."
    )


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
