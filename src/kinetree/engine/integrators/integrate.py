"""Entry point of an integration: check the request, compile or load the time loop, and run it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any, cast

import numpy as np

from ...errors import ModelError
from ...kernel import types
from ...kernel.decorators import JIT, Pointer, compiled, kernel, pointer
from ...kernel.intrinsics import call_ode
from ...kernel.language import Function
from ...kernel.tables.fault import check_all, set_fault
from ...kernel.tables.records import Tables, empty_tables
from ...kernel.tables.signatures import signatures
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import Work, workspace
from ...kernel.typeof import typeof
from ...kernel.types import Vector
from ...kernel.usercode.interruptible import InterruptibleCalls
from ...kernel.usercode.registry import user_code
from ...options import RTOL, SPARSE, Choice, values
from ..heaps.storage import contact_layout
from . import checks, storage
from . import loop as time_loop
from .budget import Budget
from .catalogue import INTEGRATORS, find
from .checks import Numbers
from .contract import Integrator, Kernels, Problem
from .memory import ARTICULATED, ATOL, BODIES, DOFS, FULL
from .newton.iteration import structure_address
from .newton.pattern import MOST_FULL, Layout, cached_layout, full_layout
from .result import Failure, Result
from .run import Run
from .segments import (
    NO_BREAKS,
    Breaks,
    ContactEvents,
    EventDetector,
    Segment,
    split_at_breaks,
)
from .short_runs import ShortRuns
from .storage import SampleWriter, Storage


@kernel
def no_projection(tables: Tables, work: Work, t: float, y: Vector):
    """`project` of a problem without invariants: leaves the state unchanged."""
    return 0


@kernel
def user_equation(tables: Tables, work: Work, t: float, y: Vector, ydot: Vector):
    """`rhs` of a plain ODE: ydot = f(t, y) by a user function at an address."""
    if call_ode(tables.settings[0].address, (t, y.ctypes.data, y.shape[0], ydot.ctypes.data)) != 0:
        set_fault(work.report[0])
    check_all(work.report[0], ydot)
    return 0


def signature():
    """Signatures of the time loop, of `start` and `step` of a method, and of its `dense`."""
    t_tables, t_work, rhs, project = signatures()
    model, run = (t_tables, t_work), typeof(storage.empty_arrays())
    problem = (types.FunctionType(rhs), types.FunctionType(project), run)
    step, dense = types.int64(*model, *problem), types.int64(run, types.float64, types.float64[::1])
    return types.int64(*model, *map(types.FunctionType, (step, step, dense)), *problem), step, dense


@cache
def loop(kernels: Kernels) -> tuple[Callable, tuple]:
    """The time loop and the kernels of a method, compiled or loaded."""
    whole, step, dense = signature()
    advance: Any = time_loop.advance
    method = (
        pointer(kernels.start, step),
        pointer(kernels.step, step),
        pointer(kernels.dense, dense),
    )
    return compiled(advance, whole), method


def compile_kernels(family: str) -> None:
    """Compile or load the kernels of the methods of a family."""
    loop(next(entry.kernels for entry in INTEGRATORS if entry.family == family))


class Integration:
    """An integration with all that does not depend on the numbers of a run prepared.

    `integrate` has the arguments in words; `width` is the number of components of y, `carried` how
    many of them are quadratures. One thread at a time may use an integration.
    """

    def __init__(
        self,
        rhs: Callable,
        width: int,
        *,
        project: Callable = no_projection,
        tables: Tables | None = None,
        work: Work | None = None,
        method: str = "adams",
        carried: int = 0,
        **options: Any,
    ) -> None:
        tables, self._chosen, self.entry = _checked(find(method), tables, options)
        self._tables, self._width, self._n = tables, width, width - carried
        self.layout = planned(self.entry, tables, self._n, self._chosen)
        work = workspace(tables) if work is None else work
        if len(work.failed) != width:
            work = work._replace(failed=np.zeros(width))
        self._work = work
        time_steps, method_kernels = loop(self.entry.kernels)
        problem = _typed(rhs, 2), _typed(project, 3)
        self.kernels = *method_kernels, *problem
        self._advance = partial(time_steps, tables, work, *self.kernels)
        self._code = list(user_code(tables))
        self._given, self._all = cast(Mapping[str, Any] | None, None), self._chosen

    def run(
        self,
        y0: Numbers,
        until: float,
        *,
        t0: float = 0.0,
        samples: Numbers = (),
        on_chunk: Callable[[float], object] | None = None,
        chunk: int | None = None,
        breaks: Breaks = NO_BREAKS,
        jump: Callable[[float, np.ndarray], Status] | None = None,
        begin: Callable[[float, np.ndarray], Status] | None = None,
        contacts: ContactEvents | None = None,
        quadratures: Numbers = (),
        detector: EventDetector | None = None,
        sample_writer: SampleWriter | None = None,
        probe: float = 0.0,
        second: float = 1.0,
        given: Mapping[str, Any] | None = None,
    ) -> Result:
        """Integrate from y0 at t0 until the given time; `given` are options with new values."""
        own, segments = self.begin(
            y0, until, t0, samples, chunk, breaks, quadratures, detector is not None, sample_writer,
            probe, second, given,
        )  # fmt: skip
        entry, n, work, chosen = self.entry, self._n, self._work, self._all
        limits = chosen["max_steps"], chosen["time_limit"]
        budget = Budget(entry, len(own.arrays.samples_t), *limits, until)
        with InterruptibleCalls(self._code, work) as watched:
            run = Run(
                entry,
                self._advance,
                own,
                chunk,
                on_chunk,
                budget,
                watched,
                detector,
                sample_writer,
                partial(layout_after_slow_steps, entry, self._tables, n),
                contacts,
            )
            result = run.execute(segments, jump, until, begin).result()
        if not result.interrupted:  # otherwise another thread may still write into the storage
            storage.release(work, own)
        if watched.errors.stop is not None:
            return replace(result, interrupted=True, stop=watched.errors.stop)
        if result.done or result.interrupted:
            return result
        return replace(result, failure=Failure.of(work, watched.errors, n))

    def begin(
        self,
        y0: Numbers,
        until: float,
        t0: float = 0.0,
        samples: Numbers = (),
        chunk: int | None = None,
        breaks: Breaks = NO_BREAKS,
        quadratures: Numbers = (),
        events: bool = False,
        sample_writer: SampleWriter | None = None,
        probe: float = 0.0,
        second: float = 1.0,
        given: Mapping[str, Any] | None = None,
    ) -> tuple[Storage, list[Segment]]:
        """The storage of a run at its start, and its segments; the arguments are those of `run`."""
        entry, layout, n, work = self.entry, self.layout, self._n, self._work
        chosen = self._with(given)
        rtol = chosen.get("rtol") or RTOL.default
        y, atol = checks.initial_state(y0), checks.absolute_tolerance(chosen.get("atol"), rtol, n)
        share = math.sqrt(self._width / max(n, 1)) or 1.0
        control = checks.control(entry, t0, until, chosen, layout, share)
        times = checks.sample_times(samples, t0, until)
        segments = split_at_breaks(t0, until, breaks.joined(chosen["breakpoints"]))
        rows = storage.first_rows(self._width, chunk, events)
        own = storage.acquire(work, entry, layout, self._width, rows)
        own.begin(control, entry.coefficients(control.order), y, n, atol)
        if len(quadratures):
            own.arrays.vectors[ATOL, n:] = np.asarray(quadratures) * rtol
        own.set_samples(times, sample_writer)
        own.set_probes(probe if entry.adaptive else 0.0)
        own.control.second, own.control.contacts = second, int(len(self._tables.places) > 0)
        if len(self._tables.companions):
            own.control.tangents = (self._width - n) // n
        segments[0] = own.with_own_stop(segments[0])
        if layout.newton in (DOFS, BODIES, ARTICULATED):
            own.control.structure = structure_address()
        return own, segments

    def short_runs(self, length: float, second: float, given: Mapping[str, Any]) -> ShortRuns:
        """Runs over one length of time without samples, breaks and events."""
        chosen = self._with(given)
        parts = self._advance, self.entry, self.layout, chosen
        return ShortRuns(*parts, length, chosen.get("atol"), self._width, second)

    def keeps(self, name: str, value: object) -> bool:
        """Whether the options of the last run have this very object as a value."""
        return self._all.get(name) is value

    def _with(self, given: Mapping[str, Any] | None) -> dict[str, Any]:
        """The values of all options, with those given for a run; the last ones are remembered."""
        if given is not self._given:
            choice = Choice("integrator", self.entry, INTEGRATORS)
            self._all = values({**self._chosen, **(given or {})}, choice)
            self._given = given
        return self._all


def integrate(
    rhs: Callable,
    y0: Numbers,
    until: float,
    *,
    project: Callable = no_projection,
    tables: Tables | None = None,
    work: Work | None = None,
    t0: float = 0.0,
    method: str = "adams",
    samples: Numbers = (),
    on_chunk: Callable[[float], object] | None = None,
    chunk: int | None = None,
    breaks: Breaks = NO_BREAKS,
    jump: Callable[[float, np.ndarray], Status] | None = None,
    begin: Callable[[float, np.ndarray], Status] | None = None,
    contacts: ContactEvents | None = None,
    quadratures: Numbers = (),
    detector: EventDetector | None = None,
    sample_writer: SampleWriter | None = None,
    probe: float = 0.0,
    second: float = 1.0,
    **options: Any,
) -> Result:
    """Integrate ydot = rhs from y0 at t0 until the given time.

    rhs, project   kernels as in `tables.signatures`; without tables and work a plain ODE
    samples        sorted times at which the state is stored
    on_chunk       called with the time reached about ten times a second; returning False ends the
                   run there
    chunk          steps per chunk, instead of as many as take a tenth of a second
    breaks         times at which steps end; at a jump the method restarts
    jump           called with (t, y) just after a jump, may change y in place; any status but OK
                   ends the run
    begin          the same at the start
    contacts       what follows from events of contacts (segments.py)
    quadratures    scales of the last components of y, which no equation depends on: their errors
                   are kept below rtol times the scale, and they do not enter the mean of the others
    detector       finds events (segments.py)
    sample_writer  stores the samples during the run
    probe          seconds between evaluations inside the steps of adaptive methods, so that no
                   longer pulse of user code is missed (probing.py); 0: none
    second         unit of time (s) for the choice of the first step
    options        options of the method in the catalogue: rtol, atol, max_step, step, order, ...
    """
    y = checks.initial_state(y0)
    prepared = Integration(
        rhs,
        len(y),
        project=project,
        tables=tables,
        work=work,
        method=method,
        carried=len(quadratures),
        **options,
    )
    return prepared.run(
        y,
        until,
        t0=t0,
        samples=samples,
        on_chunk=on_chunk,
        chunk=chunk,
        breaks=breaks,
        jump=jump,
        begin=begin,
        contacts=contacts,
        quadratures=quadratures,
        detector=detector,
        sample_writer=sample_writer,
        probe=probe,
        second=second,
    )


def _checked(
    entry: Integrator, tables: Tables | None, options: dict[str, Any]
) -> tuple[Tables, dict[str, Any], Integrator]:
    """The tables, the values of all options, and the method configured by them."""
    if Problem.NODES in entry.handles and (tables is None or not len(tables.spots)):
        raise ModelError(
            f"integrator {entry.name!r} needs a model in nodal coordinates: use it with "
            "kt.simulate."
        )
    chosen = values(options, Choice("integrator", entry, INTEGRATORS))
    tables = empty_tables() if tables is None else tables
    entry = entry.configured(chosen)
    if Problem.ODE not in entry.handles and not tables.equations.any():
        raise ModelError(
            f"integrator {entry.name!r} is for mechanisms: it needs M, f and G, and a plain "
            "differential equation has none. Use 'bdf'."
        )
    return tables, chosen, entry


def planned(entry: Integrator, tables: Tables, n: int, chosen: Mapping[str, Any]) -> Layout:
    """The matrix of the steps of a method with n states; with companions a full one."""
    if entry.layout is None or len(tables.companions):
        return full_layout(n)
    if entry.layout is contact_layout:
        return contact_layout(tables)
    layout = cached_layout(
        entry.layout, tables, *((n, chosen[SPARSE.name]) if entry.matrices else ())
    )
    if entry.matrices and layout.newton == FULL and n > MOST_FULL:
        raise ModelError(
            f"integrator {entry.name!r} stores a full Jacobian here, and the model has {n} states. "
            'For a stiff model use coordinates="cartesian", where the Jacobian is sparse; where '
            "nothing is stiff use 'adams'."
        )
    return layout


def layout_after_slow_steps(entry: Integrator, tables: Tables, n: int) -> Layout | None:
    """The matrix that replaces the present one where that converges slowly, if it fits."""
    layout = entry.layout_after(tables, n) if entry.layout_after else None
    return None if layout is None or (layout.newton == FULL and n > MOST_FULL) else layout


@cache
def _typed(function: Callable, which: int) -> Callable | Pointer:
    """The kernel compiled for the signature that the time loop calls."""
    if isinstance(function, Pointer):
        return function
    if JIT and not isinstance(function, Function):
        raise ModelError(
            f"{function!r} is not compiled: decorate it with @kernel from "
            "kinetree.kernel.decorators."
        )
    return pointer(function, signatures()[which])
