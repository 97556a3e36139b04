"""One call that integrates: what is asked for is checked, the time loop compiled or loaded and run,
one plain result given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from ...errors import ModelError
from ...kernel import types
from ...kernel.bound_call import Entrance, PlainEntrance, entrance
from ...kernel.callbacks import call_ode
from ...kernel.decorators import JIT, Pointer, kernel, pointer
from ...kernel.language import Function
from ...kernel.tables.fault import check_all, set_fault
from ...kernel.tables.records import Tables, empty_tables
from ...kernel.tables.signatures import signatures
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import Work, workspace
from ...kernel.typeof import typeof
from ...kernel.types import Vector
from ...kernel.usercode.watch import Watched
from ...options import RTOL, SPARSE, Choice, values
from . import checks as request
from . import loop as time_loop
from . import storage
from .budget import Budget
from .catalogue import INTEGRATORS, find
from .checks import Numbers
from .contract import Integrator, Kernels, Problem
from .interruptions import Watcher
from .memory import ATOL, FULL
from .newton.iteration import structure_address
from .newton.pattern import MOST_FULL, Layout, full_layout, kept
from .result import Failure, Result
from .run import Journey
from .segments import NO_BREAKS, Breaks, stretches
from .storage import Keep


@kernel
def leave(tables: Tables, work: Work, t: float, y: Vector):
    """The `project` of a problem without invariants."""
    return 0


@kernel
def user_equation(tables: Tables, work: Work, t: float, y: Vector, ydot: Vector):
    """The `rhs` of a plain ODE: ydot = f(t, y) by the user's code at an address."""
    if call_ode(tables.settings[0].address, (t, y.ctypes.data, y.shape[0], ydot.ctypes.data)) != 0:
        set_fault(work.report[0])
    check_all(work.report[0], ydot)
    return 0


def signature():
    """The one signature of the time loop, and those of a method's `start` and `step`, and of its
    `dense`.
    """
    t_tables, t_work, rhs, project = signatures()
    model, run = (t_tables, t_work), typeof(storage.nothing())
    problem = (types.FunctionType(rhs), types.FunctionType(project), run)
    step, dense = types.int64(*model, *problem), types.int64(run, types.float64, types.float64[::1])
    return types.int64(*model, *map(types.FunctionType, (step, step, dense)), *problem), step, dense


@cache
def loop(kernels: Kernels) -> tuple[Entrance | PlainEntrance, tuple]:
    """The time loop and the kernels of a method, compiled or loaded."""
    whole, step, dense = signature()
    start, one, inside = kernels
    advance: Any = time_loop.advance
    method = pointer(start, step), pointer(one, step), pointer(inside, dense)
    return entrance(advance, whole), method


def compile_kernels(family: str) -> None:
    """Compile or load the kernels of the methods of a family."""
    loop(next(entry.kernels for entry in INTEGRATORS if entry.family == family))


def integrate(
    rhs: Callable,
    y0: Numbers,
    until: float,
    *,
    project: Callable = leave,
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
    carried: Numbers = (),
    watcher: Watcher | None = None,
    keep: Keep | None = None,
    probe: float = 0.0,
    second: float = 1.0,
    **options: Any,
) -> Result:
    """Integrate ydot = rhs from y0 at t0 until the given time.

    rhs, settle   kernels as in `tables.signatures`; without tables and work a plain ODE
    samples       sorted times at which the state is wanted
    on_chunk      called with the time reached about ten times a second; returning False ends the
                  run there
    chunk         steps per chunk, instead of as many as take a tenth of a second
    breaks        times at which steps end; where something jumps the method starts anew
    jump          called with (t, y) just after such a time, may change y in place; any status but
                  OK ends the run
    begin         the same at the start
    carried       sizes of the last components of y, on which nothing depends: their errors are held
                  below rtol of that, and
                  do not dilute those of the others
    watcher       finds events (`halts.py`)
    keep          keeps the samples while the run goes on
    probe         seconds between the times at which the equations are evaluated inside the steps of
                  adaptive methods, so that no
                  pulse of user code that lasts longer is passed unseen; 0: nowhere
    second        the time (s) by which rates are counted where the first step is chosen
    options       those of the method, as its line in the catalogue names them: rtol, atol,
                  max_step, step, order, ...
    """
    entry, y = find(method), request.initial_state(y0)
    if Problem.NODES in entry.handles and (tables is None or not len(tables.spots)):
        raise ModelError(
            f"integrator {entry.name!r} is for machines in node coordinates: use it with "
            "kt.simulate."
        )
    chosen = values(options, Choice("integrator", entry, INTEGRATORS))
    entry = entry.as_asked(chosen)
    tables = empty_tables() if tables is None else tables
    if Problem.ODE not in entry.handles and not tables.equations.any():
        raise ModelError(
            f"integrator {entry.name!r} is for machines: it needs M, f and G, and a plain equation "
            "has none. "
            "Use 'bdf'."
        )
    n, rtol = len(y) - len(carried), chosen.get("rtol") or RTOL.default
    layout = planned(entry, tables, n, chosen)
    control = request.control(
        entry, t0, until, chosen, layout, math.sqrt(len(y) / max(n, 1)) or 1.0
    )
    times = request.sample_times(samples, t0, until)
    pieces = stretches(t0, until, breaks.joined(chosen["breakpoints"]))
    work = workspace(tables) if work is None else work
    if len(work.failed) != len(y):
        work = work._replace(failed=np.zeros(len(y)))
    room = storage.take(
        work, entry, layout, len(y), storage.first_rows(len(y), chunk, watcher is not None)
    )
    room.begin(
        control,
        entry.coefficients(control.order),
        y,
        n,
        request.absolute_tolerance(chosen.get("atol"), rtol, n),
    )
    if len(carried):
        room.run.vectors[ATOL, n:] = np.array(carried) * rtol
    room.sampled(times, keep)
    room.probing(probe if entry.adaptive else 0.0)
    room.control.second = second
    pieces[0] = room.stopping(pieces[0])
    if entry.matrices and layout.newton != FULL:
        room.control.structure = structure_address()
    budget = Budget(entry, len(times), chosen["max_steps"], chosen["time_limit"], until)
    time_steps, method_kernels = loop(entry.kernels)
    advance = time_steps.bound(tables, work, *method_kernels, _typed(rhs, 2), _typed(project, 3))
    with Watched(tables, work) as watched:
        journey = Journey(entry, advance, room, chunk, on_chunk, budget, watched, watcher, keep)
        result = journey.through(pieces, jump, until, begin).result()
    if not result.interrupted:  # else another thread may still write into it
        storage.give_back(work, room)
    if watched.watch.stop is not None:
        return replace(result, interrupted=True, stop=watched.watch.stop)
    return (
        result
        if result.done or result.interrupted
        else replace(result, failure=Failure.of(work, watched.watch, n))
    )


def planned(entry: Integrator, tables: Tables, n: int, chosen: Mapping[str, Any]) -> Layout:
    """How the method solves its steps for n states."""
    if entry.layout is None:
        return full_layout(n)
    layout = kept(entry.layout, tables, *((n, chosen[SPARSE.name]) if entry.matrices else ()))
    if entry.matrices and layout.newton == FULL and n > MOST_FULL:
        raise ModelError(
            f"integrator {entry.name!r} keeps the full Jacobian of its states here, and there are "
            f"{n}. "
            "Use coordinates=\"cartesian\", where it is sparse, for stiff machines; 'adams' where "
            "nothing is stiff."
        )
    return layout


@cache
def _typed(function: Callable, which: int) -> Callable | Pointer:
    """The kernel compiled for the signature the loops call."""
    if JIT and not isinstance(function, Function):
        raise ModelError(
            f"{function!r} is not compiled: decorate it with @kernel from kinetree.kernel.decorators."
        )
    return pointer(function, signatures()[which])
