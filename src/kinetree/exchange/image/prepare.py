"""The blocks of arrays that an image consists of, as `kt.simulate` prepares them for a run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...assembly.measure import joint_frames_of
from ...assembly.result import Assembly
from ...description.lowering.breaks import moving, sampled_controllers
from ...description.lowering.user_steps import PROBED, longest_step
from ...engine.dynamics.observe import Record
from ...engine.dynamics.reactions import JointFrames
from ...engine.formulations.contract import Formulation
from ...engine.integrators import checks, storage
from ...engine.integrators.contract import Integrator
from ...engine.integrators.integrate import planned
from ...engine.integrators.memory import ARTICULATED, ATOL, BODIES, DOFS, FULL, RunArrays
from ...engine.integrators.newton.iteration import structure_address
from ...engine.integrators.segments import split_at_breaks, time_tolerance
from ...errors import ModelError
from ...kernel.decorators import table
from ...kernel.tables.records import Tables
from ...kernel.tables.workspace import Work
from ...kernel.usercode.registry import user_code
from ...options import MAX_STEP, RTOL
from ...results.observe import _frames, _shapes
from ...simulation.loop_model import LoopModel, loop_model
from ...simulation.plan import Plan
from ...simulation.run import Options, breaks_in, carried, configured, scratch, stepping
from ...simulation.scales import Scales
from .observe import View
from .outputs import Outputs
from .readings import Reading, outputs_of
from .session import AFTER_BREAK, RESTART, SESSION, Session


@dataclass(frozen=True)
class Blocks:
    """All arrays of an image, and the methods that compute with them."""

    assembly: Assembly  # with the tables that are seen
    method: Formulation
    integrator: Integrator
    rtol: float
    tables: Tables  # of the time loop
    work: Work
    run: RunArrays
    session: Session
    seen: Tables  # of outputs and of rates
    seen_work: Work
    frames: JointFrames
    view: View
    record: Record
    outputs: Outputs

    @property
    def by_name(self) -> dict[str, Any]:
        """The blocks by the names they have in an image."""
        return {
            name: getattr(self, name)
            for name in (
                *("tables", "work", "run", "session", "seen", "seen_work"),
                *("frames", "view", "record", "outputs"),
            )
        }


def refuse(plan: Plan) -> None:
    """Raise an error about what an image cannot contain."""
    model, compiled = plan.model, plan.assembly.compiled
    what = ""
    if plan.in_nodes or plan.integrator.own_samples:
        what = (
            "beams and the structural integrators are not supported. Use rigid bodies and an "
            "integrator such as 'adams'"
        )
    elif len(compiled.tables.places):
        what = (
            "rigid contacts and stops change the state in events. Use a compliant element such as "
            "kt.Contact or kt.BumpStop"
        )
    elif plan.watched:
        names = ", ".join(repr(event.name) for event in plan.watched)
        what = f"events ({names}) are functions of Python. Remove them from the exported model"
    elif plain := [code for code in user_code(compiled.tables) if not code.native]:
        name = getattr(plain[0].function, "__name__", repr(plain[0].function))
        what = (
            f"user function {name!r} runs as plain Python, and an image contains machine code. "
            "Write it in the kernel language (docs/kernel-language.md)"
        )
    if what:
        raise ModelError(f"model {model.name!r} cannot be exported: {what}.")


def blocks_of(plan: Plan, until: float, readings: Sequence[Reading] = ()) -> Blocks:
    """The blocks of a run up to `until`, with the state at its start."""
    refuse(plan)
    options = plan.options(until)
    loop = _without_planes(loop_model(plan.assembly, plan.method, options), plan, options)
    whole = configured(plan.assembly, plan.method, options)
    run, own = _run(loop.assembly, plan, options)
    width, record = run.vectors.shape[1], _record(whole)
    work = scratch(loop.assembly.compiled, plan.method, plan.integrator)
    return Blocks(
        whole,
        plan.method,
        plan.integrator,
        own.get("rtol") or RTOL.default,
        loop.assembly.compiled.tables,
        work._replace(failed=np.zeros(width)),
        run,
        _session(loop.assembly, plan, options, run),
        whole.compiled.tables,
        whole.compiled.workspace(tuple(dict.fromkeys((*plan.method.storage, "G")))),
        joint_frames_of(whole.compiled),
        _view(whole),
        record,
        outputs_of(readings, record),
    )


def _without_planes(loop: LoopModel, plan: Plan, options: Options) -> LoopModel:
    """The model of the time loop; the model itself where states would be those of bodies in planes."""
    if len(loop.assembly.y) == len(plan.assembly.y):
        return loop
    return LoopModel(configured(plan.assembly, plan.method, options))


def _run(assembly: Assembly, plan: Plan, options: Options) -> tuple[RunArrays, dict[str, Any]]:
    """Arrays of the integrator at the start of a run, as `Integration.run` sets them."""
    chosen, duration = options.to_dict(), options.until - assembly.t
    own, compiled = stepping(assembly, plan.integrator, chosen), assembly.compiled
    bound = longest_step(compiled, duration)
    if bound is not None and own.get(MAX_STEP.name) is None and own.get(RTOL.name) is not None:
        own[MAX_STEP.name] = bound
    given = {**chosen, **own}
    entry, work = plan.integrator.configured(given), carried(assembly, plan.method, duration)
    n, width = len(assembly.y), len(assembly.y) + len(work)
    layout = planned(entry, compiled.tables, n, given)
    share = math.sqrt(width / max(n, 1)) or 1.0
    control = checks.control(entry, assembly.t, options.until, own, layout, share)
    shape = entry.rows + (entry.matrices * width if layout.newton == FULL else 0), width
    room = storage.Storage(entry, layout, shape, 1)
    rtol = own.get("rtol") or RTOL.default
    atol = checks.absolute_tolerance(own.get("atol"), rtol, n)
    y = np.append(assembly.y, np.zeros(len(work)))
    room.begin(control, entry.coefficients(control.order), y, n, atol)
    room.arrays.vectors[ATOL, n:] = work * rtol
    room.arrays = room.arrays._replace(samples_t=np.zeros(1), samples_y=np.zeros((1, width)))
    room.set_probes(PROBED * bound if bound is not None and entry.adaptive else 0.0)
    room.control.second = Scales.of(compiled).second(duration)
    room.memory.slow_steps = -(1 << 60)  # the matrix of the steps stays the same
    if layout.newton in (DOFS, BODIES, ARTICULATED):
        room.control.structure = structure_address()
    return room.arrays, own


def _session(assembly: Assembly, plan: Plan, options: Options, run: RunArrays) -> Session:
    """The session at the start: just after a break there, as in `split_at_breaks`."""
    t0, until, compiled = assembly.t, options.until, assembly.compiled
    chosen = plan.integrator.configured(options.chosen)
    found = breaks_in(assembly, until, options.chosen)
    segments = split_at_breaks(t0, until, found)
    state = table(SESSION, 1)
    row = state[0]
    row["now"], row["until"], row["length"] = segments[0].start, until, until - t0
    row["close"] = time_tolerance(t0, until)
    row["restart"] = AFTER_BREAK if segments[0].start > t0 else RESTART
    row["adaptive"] = chosen.adaptive
    row["drivers"], row["sampled"] = moving(compiled), sampled_controllers(compiled)
    samples = {
        t for one in compiled.model.controllers.values() for t in one.spec.samples(t0, until)
    }
    return Session(
        state,
        run.vectors[0].copy(),
        np.array([t for t in found.jumps if t not in samples], float),
        np.array(found.stops, float),
    )


def _view(assembly: Assembly) -> View:
    size, n = assembly.compiled.size, len(assembly.y)
    R_KB, p_KB = _frames(assembly.compiled)
    kind: Any = View
    return kind(
        np.array([assembly.t]),
        assembly.y[None].copy(),
        np.zeros((1, size["nv"])),
        np.zeros((1, size["ng"])),
        np.zeros((1, 0)),
        np.ascontiguousarray(R_KB),
        np.ascontiguousarray(p_KB),
        *np.zeros((3, n)),
        np.zeros(size["nv"]),
    )


def _record(assembly: Assembly) -> Record:
    """A record of one sample, whose fields lie one after the other in one array."""
    shapes = {name: (1, *shape) for name, shape in _shapes(assembly.compiled).items()}
    memory, at, fields = np.zeros(sum(map(math.prod, shapes.values()))), 0, {}
    for name in Record._fields:
        count = math.prod(shapes[name])
        fields[name] = memory[at : at + count].reshape(shapes[name])
        at += count
    return Record(**fields)
