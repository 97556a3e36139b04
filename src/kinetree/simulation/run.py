"""The time loop of a run: tolerances, breakpoints, jumps, the energy balance and events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..assembly.gaps import SLACK
from ..assembly.result import Assembly
from ..description.lowering.breaks import at_start, breaks_of, moving, sampled_controllers
from ..description.lowering.compiled import CompiledModel
from ..description.lowering.user_steps import PROBED, longest_step
from ..engine.dynamics.sampling import take_samples
from ..engine.formulations.catalogue import formulation as find_formulation
from ..engine.formulations.contract import Formulation
from ..engine.integrators.catalogue import find as find_integrator
from ..engine.integrators.contract import Integrator, Problem
from ..engine.integrators.integrate import integrate
from ..engine.integrators.result import Result
from ..engine.integrators.segments import Breaks, time_tolerance
from ..engine.integrators.storage import SampleWriter
from ..errors import ModelError
from ..kernel.frames import number
from ..kernel.tables.pool import Lent
from ..kernel.tables.state import Start
from ..kernel.tables.status import Status
from ..kernel.tables.workspace import Work
from ..options import FIRST_STEP, MAX_STEP, PLANAR, RTOL, SPARSE, STEP, Method
from ..results.sampling import DEFAULT_SAMPLES
from .contacts import Contacts
from .events.batch import Batch
from .events.detector import EventDetector
from .events.event import Event
from .events.impulse import impulse
from .family import family
from .scales import Scales

USUAL_STEPS = 1000  # number of steps of a structural integrator if no step is given
FEWER_SAMPLES = 100  # if it chooses its steps, which end at samples


@dataclass(frozen=True)
class Options:
    """The arguments of a run; kept with its solution."""

    until: float
    coordinates: str = "relative"
    formulation: str = "augmented"
    integrator: str = "adams"
    output_interval: float | None = None
    topology: str = "auto"
    slack: float = SLACK
    state: str | None = None  # hash of a given initial state
    t0: float = 0.0
    events: tuple[str, ...] = ()  # their names
    chosen: dict[str, Any] = field(
        default_factory=dict
    )  # all options of the formulation and the integrator

    def to_dict(self) -> dict[str, Any]:
        """All arguments and options by name."""
        own = {name: value for name, value in vars(self).items() if name != "chosen"}
        return {**own, "events": list(self.events), **self.chosen}


def advance(
    assembly: Assembly,
    method: Formulation,
    options: Mapping[str, Any],
    samples: np.ndarray,
    work: Work,
    breaks: Breaks,
    on_chunk: Callable[[float], object] | None = None,
    events: tuple[Event, ...] = (),
    keep: SampleWriter | None = None,
) -> Result:
    """Run the time loop; the work of the elements is integrated with the state.

    `options` are all options of the run by name.
    """
    integrator, duration = find_integrator(options["integrator"]), options["until"] - assembly.t
    ledger, watch = carried(assembly, method, duration), None
    if len(work.failed) != len(assembly.y) + len(ledger):
        work = work._replace(failed=np.zeros(len(assembly.y) + len(ledger)))
    if events:
        watch = EventDetector(
            events,
            Batch(assembly, method, dict(options)),
            options.get("rtol") or RTOL.default,
            assembly.t,
            options["until"],
            len(assembly.y),
            assembly.happened,
        )
    own, bound = stepping(assembly, integrator, options), longest_step(assembly.compiled, duration)
    if bound is not None and own.get(MAX_STEP.name) is None and own.get(RTOL.name) is not None:
        own[MAX_STEP.name] = bound
    return integrate(
        method.rhs,
        np.append(assembly.y, np.zeros_like(ledger)),
        options["until"],
        project=method.project,
        tables=assembly.compiled.tables,
        work=work,
        method=options["integrator"],
        samples=samples,
        on_chunk=on_chunk,
        breaks=breaks,
        jump=jump_of(assembly, work),
        begin=_sampling(assembly, work),
        contacts=Contacts.of(assembly, work),
        quadratures=ledger,
        t0=assembly.t,
        detector=watch,
        sample_writer=keep,
        probe=0.0 if bound is None else PROBED * bound,
        second=Scales.of(assembly.compiled).second(duration),
        **own,
    )


def carried(assembly: Assembly, method: Formulation, duration: float) -> np.ndarray:
    """Scales of the quantities that are integrated with the state."""
    return family(method.name).scales(
        assembly, lambda: Scales.of(assembly.compiled).energies(assembly.v, duration)
    )


def breaks_in(assembly: Assembly, until: float, options: Mapping[str, Any]) -> Breaks:
    """Times at which steps must end: the breakpoints of the model and of the run."""
    jumps, stops = breaks_of(assembly.compiled, assembly.t, until)
    jumps |= at_start(assembly.compiled, assembly.t, time_tolerance(assembly.t, until))
    return Breaks(tuple(sorted(jumps)), tuple(sorted(stops))).joined(options["breakpoints"])


def jump_of(assembly: Assembly, work: Work) -> Callable[[float, np.ndarray], Status] | None:
    """The function called at a breakpoint: velocities jump with the drivers, and sampled
    controllers take their samples.
    """
    drivers, samples = moving(assembly.compiled), _sampling(assembly, work)
    if not drivers:
        return samples

    def jump(t: float, y: np.ndarray) -> Status:
        status, work.report[0]["index"] = impulse(assembly.compiled, t, y)
        return status if samples is None or status != Status.OK else samples(t, y)

    return jump


def _sampling(assembly: Assembly, work: Work) -> Callable[[float, np.ndarray], Status] | None:
    """The function that lets sampled controllers take their samples, also at the start."""
    compiled = assembly.compiled
    if not sampled_controllers(compiled):
        return None

    def samples(t: float, y: np.ndarray) -> Status:
        before, status = (
            y.copy(),
            Status(take_samples(compiled.tables, work, t, *compiled.split(y))),
        )
        if status != Status.OK:
            work.failed[:] = before
        return status

    return samples


def options_of(method: Method, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The options of one method; an option that an older file does not have gets its default."""
    return {option.name: chosen.get(option.name, option.default) for option in method.options}


def configured(assembly: Assembly, method: Formulation, options: Options) -> Assembly:
    """The assembly with the settings of the formulation and the rank in its tables.

    An integrator that solves the constrained equations itself uses no anchors.
    """
    whole, chosen, y = assembly.compiled, options_of(method, options.chosen), assembly.y
    if len(whole.tables.anchor) and "G" in find_integrator(options.integrator).storage:
        chosen[SPARSE.name] = False
    # only bases by fronts depend on the state
    at = (assembly.t, y.tobytes()) if "N" in method.storage else None
    key = method, tuple(chosen.items()), assembly.rank, at
    found = whole.kept.get(key)
    if found is None:
        tables = method.configure(whole.tables, chosen, assembly.rank, Start(assembly.t, y))
        found = replace(whole, tables=tables)
        whole.kept.keep(key, found)
    return replace(assembly, compiled=found)


def chosen_formulation(name: str | None, assembly: Assembly) -> Formulation:
    loops = assembly.compiled.size["ng"] > 0
    bodies = assembly.compiled.model.generated is None
    method = find_formulation(name or ("tree" if bodies and not loops else "augmented"))
    if not bodies and method.name == "tree":
        raise ModelError(
            f"formulation {method.name!r} is an algorithm for rigid bodies, and "
            f"{assembly.compiled.model.name!r} has generated equations. Use 'augmented'."
        )
    if loops and not method.loops:
        owners = ", ".join(dict.fromkeys(assembly.compiled.row_owner))
        raise ModelError(
            f"formulation {method.name!r} is for open trees, but {assembly.compiled.model.name!r} "
            f"in {assembly.compiled.coordinates} coordinates has constraints ({owners}). Use "
            "'augmented'."
        )
    return method.with_contacts() if len(assembly.compiled.tables.places) else method


def check_pair(method: Formulation, integrator: Integrator) -> None:
    """Refuse a formulation that the integrator would not use."""
    if integrator.formulations and method.name not in integrator.formulations:
        raise ModelError(
            f"integrator {integrator.name!r} solves the constrained equations itself and does not "
            f"use a formulation; {method.name!r} would be ignored. Omit formulation=, or use one of: "
            f"{', '.join(integrator.formulations)}."
        )


def scratch(compiled: CompiledModel, method: Formulation, integrator: Integrator) -> Work:
    """Workspace for a run of the two methods."""
    return compiled.workspace((*method.storage, *integrator.storage))


def lent_workspace(assembly: Assembly, method: Formulation, options: Options) -> Lent:
    """Workspace for a run of the two methods, from the pool of the model."""
    integrator, duration = find_integrator(options.integrator), options.until - assembly.t
    width = len(assembly.y) + len(carried(assembly, method, duration))
    return assembly.compiled.pool.lend((*method.storage, *integrator.storage), width)


def stepping(
    assembly: Assembly, integrator: Integrator, chosen: Mapping[str, Any]
) -> dict[str, Any]:
    """The options of the integrator, with the absolute tolerance of every state."""
    own = {
        name: value for name, value in options_of(integrator, chosen).items() if name != PLANAR.name
    }  # it is in the tables
    if "atol" in own:
        base = own["rtol"] if own["atol"] is None else number(own["atol"], "simulate: atol")
        scales = Scales.of(assembly.compiled)
        own["atol"] = scales.tolerances(base, scales.second(chosen["until"] - assembly.t))
    return own


def tolerances(assembly: Assembly, base: float, second: float = 1.0) -> np.ndarray:
    """Absolute tolerance per state (scales.py)."""
    return Scales.of(assembly.compiled).tolerances(base, second)


def choose_steps(method: Integrator, chosen: dict[str, Any], length: float) -> None:
    """Choose fixed steps for a structural integrator unless rtol is given."""
    by_error = [
        name for name in (RTOL.name, MAX_STEP.name, FIRST_STEP.name) if chosen[name] is not None
    ]
    if chosen[STEP.name] is not None and by_error:
        raise ModelError(
            f"integrator {method.name!r} has fixed steps with step=, or chooses its steps with "
            f"rtol=; step= and {by_error[0]}= cannot be combined. Omit one of them."
        )
    if by_error and chosen[RTOL.name] is None:
        raise ModelError(
            f"{by_error[0]}= requires rtol= with integrator {method.name!r}. Add rtol=, such as "
            "rtol=1e-5."
        )
    if not by_error and chosen[STEP.name] is None:
        chosen[STEP.name] = length / USUAL_STEPS


def interval_of(options: Options, t0: float) -> float | None:
    """Time between samples (s); samples of a structural integrator are ends of steps by default,
    because energy is exact there.
    """
    if (
        options.output_interval is not None
        or Problem.NODES not in find_integrator(options.integrator).handles
    ):
        return options.output_interval
    step = options.chosen["step"]
    if step is None:
        return (options.until - t0) / FEWER_SAMPLES
    return step * max(1, round((options.until - t0) / step / DEFAULT_SAMPLES))
