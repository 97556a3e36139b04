"""Cases of a study one after the other in one compiled call: numbers, start, time loop.

    for each case:  tables <- numbers;  loops closed, velocities consistent (closing.py);  y <- (q, v, x)
                    advance(..) until the end (engine/integrators/loop.py);  y is kept

This is the usual way of `start.py` and `run.py` with the same bits. A case that is unusual in any
respect keeps the status UNUSUAL, and Python computes it alone.
"""

from __future__ import annotations

from functools import cache

from ...assembly.closing import (
    CLOSED,
    check_closed,
    check_regular,
    close_position,
    consistent_speeds,
    count_turns,
    initial_turns,
)
from ...engine.dynamics.kinematics import positions
from ...engine.formulations.samples import complete_samples
from ...engine.integrators.integrate import signature
from ...engine.integrators.loop import advance
from ...engine.integrators.memory import ATOL, SLOW_STEPS, RunArrays, Y
from ...engine.integrators.stepping import DONE, MORE
from ...kernel import types
from ...kernel.algebra.blas1 import copy, fill
from ...kernel.decorators import compiled, inline, kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.signatures import signatures
from ...kernel.tables.workspace import Work
from ...kernel.types import Vector
from .blocks import Batch, Equations, Samples, Starts
from .start import RCOND

UNUSUAL = -1


@inline
def put(words, places, members, numbers):
    """Write the numbers of one case into one memory."""
    for k in range(places.shape[0]):
        words[places[k]] = numbers[members[k]]


@inline
def rescale(tables, on):
    """The scales for the size of the model."""
    length = tables.settings[0].length
    for k in range(on.scale.shape[0]):
        on.scale[k] = 1.0 if tables.row_scale[k] > 0.0 else length
        on.holonomic[k] = on.scale[k] if on.of_positions[k] > 0.0 else 0.0
    for k in range(on.natural.shape[0]):
        on.natural[k] = 1.0 / length if on.travels[k] > 0.0 else 1.0
        on.root[k] = 1.0 / on.natural[k]


@kernel
def close_case(tables: Tables, work: Work, t: float, on: Equations, start: Starts, x: Vector):
    """Close the loops at the drawn position; CLOSED or not."""
    error, _ = close_position(
        tables, work, t, start.q, x, on.scale, on.holonomic, on.root, on.natural,
        on.A, on.W, on.s, on.g, on.step, on.q_new, on.x_new, RCOND,
    )  # fmt: skip
    return check_closed(tables, work, error, start.pairs, start.axes)


@kernel
def speeds_of_case(tables: Tables, work: Work, t: float, free: Equations, start: Starts, rank: int):
    """Consistent speeds of a closed position; CLOSED if nothing about it is unusual."""
    length = tables.settings[0].length
    for k in range(free.scale.shape[0]):
        start.scaled[k] = free.scale[k] / length
    for k in range(start.units.shape[0]):
        start.units[k] = length if start.lengths[k] > 0.0 else 1.0
    status = consistent_speeds(
        tables, work, t, start.v, start.scaled, free.natural, start.dofs, start.speeds,
        start.units, start.A, start.W, start.s, start.b,
    )  # fmt: skip
    if status != CLOSED or free.scale.shape[0] == 0:
        return status
    for k in range(start.ways.shape[0]):
        copy(start.ways[k], start.tried[k])
    return check_regular(
        tables, work, t, start.q, start.x, start.v, rank, start.scaled, free.natural, start.tried,
        free.A, free.W, free.s, free.g, free.step, free.q_new, start.T, start.T_behind,
    )  # fmt: skip


@kernel
def start_of_case(
    tables: Tables,
    work: Work,
    free: Equations,
    held_tables: Tables,
    held_work: Work,
    held: Equations,
    start: Starts,
    batch: Batch,
):
    """q, v, x of the case in the tables; CLOSED if nothing about it is unusual."""
    t = batch.numerical[0]
    rescale(tables, free)
    copy(start.drawn, start.q)
    copy(free.states, start.x)
    initial_turns(tables, work, start.q, free.turns, start.x)
    if free.scale.shape[0] > 0:
        for n in range(start.axes_at.shape[0]):
            for k in range(start.axes_at.shape[1]):
                start.axes[n, k] = start.frames[start.axes_at[n, k]]
        if batch.counts[1] > 0:
            rescale(held_tables, held)
            copy(held.states, start.x_held)
            initial_turns(held_tables, held_work, start.q, held.turns, start.x_held)
            status = close_case(held_tables, held_work, t, held, start, start.x_held)
            if status == CLOSED:
                count_turns(tables, work, start.q, start.x)
        else:
            status = close_case(tables, work, t, free, start, start.x)
        if status != CLOSED:
            return status
    else:
        positions(tables, work, start.q)
    return speeds_of_case(tables, work, t, free, start, batch.counts[0])


@inline
def path_lengths(tables, work, out):
    """The length of the path through the markers of each force."""
    for n in range(tables.forces.shape[0]):
        force, total = tables.forces[n], 0.0
        for m in range(force.im + 1, force.im + force.nm):
            squared = 0.0
            for k in range(3):
                ends = 0.0
                for side in range(2):
                    marker = tables.markers[m - side]
                    body = work.bodies[marker.body]
                    at = body.p[k]
                    for j in range(3):
                        at += body.R[3 * k + j] * marker.p[j]
                    ends = at - ends
                squared += ends * ends
            total += squared**0.5
        out[n] = total


@inline
def set_state(start, batch, case, run):
    """The records, the tolerances and the state of a run at its start."""
    y, nq, nv = run.vectors[Y], start.q.shape[0], start.v.shape[0]
    for k in range(run.vectors.shape[0]):
        fill(run.vectors[k], 0.0)
    n = batch.first.shape[1]
    for k in range(n):
        y[k] = start.q[k] if k < nq else start.v[k - nq] if k < nq + nv else start.x[k - nq - nv]
        batch.first[case, k] = y[k]
        run.vectors[ATOL, k] = batch.tolerances[case, k]
    fastest = 3.0 / batch.numerical[1]
    for k in range(nv):
        fastest = max(fastest, abs(start.v[k] / batch.rates[case, k]))
    weight, inertia = batch.energies[case, 0], batch.energies[case, 1] * fastest * fastest
    for k in range(n, y.shape[0]):
        run.vectors[ATOL, k] = batch.numerical[3] * max(weight, inertia) * batch.numerical[2]


@inline
def complete_run(tables, work, rhs, project, run, samples, batch, row):
    """Complete the samples of a run, as `results/completion.py` does, and keep the channels that are
    asked for; whether that succeeds.
    """
    times, states = run.samples_t, samples.states
    count = times.shape[0]
    if run.memory[0].sample < count:
        return False
    for m in range(count):
        copy(run.samples_y[m], states[m])
    if times[count - 1] == run.memory[0].t:
        copy(run.vectors[Y], states[count - 1])
    copy(batch.sample_new, batch.sample_words)
    first = complete_samples(
        tables, work, rhs, project, times, states, samples.ydot, samples.raw, samples.before,
        samples.back, samples.vdot, samples.lam, samples.loads,
    )  # fmt: skip
    for m in range(count):
        for k in range(batch.kept_at.shape[0]):
            batch.kept[row, m, k] = states[m, batch.kept_at[k]]
    return first == count


@kernel
def run_cases(
    tables,
    work,
    begin,
    end,
    free,
    held_tables,
    held_work,
    held,
    starts,
    run_work,
    sample_work,
    start,
    step,
    dense,
    rhs,
    project,
    control,
    memory,
    run,
    samples,
    batch,
):
    """Run the cases begin .. end; returns the number of runs in vain, which Python repeats."""
    vain = 0
    for case in range(begin, end):
        if batch.status[case] == UNUSUAL:
            continue
        numbers = batch.numbers[case]
        put(batch.run_words, batch.run_places, batch.run_members, numbers)
        put(batch.held_words, batch.held_places, batch.held_members, numbers)
        put(batch.other_words, batch.other_places, batch.other_members, numbers)
        status = start_of_case(tables, work, free, held_tables, held_work, held, starts, batch)
        if status != CLOSED:
            batch.status[case] = UNUSUAL
            continue
        path_lengths(tables, work, batch.paths[case])
        copy(batch.work_new, batch.work_words)
        copy(batch.control, control)
        copy(batch.memory, memory)
        run.control[0].second = batch.seconds[case]
        set_state(starts, batch, case, run)
        record, status = run.memory[0], MORE
        while status == MORE and record.slow_steps < SLOW_STEPS:
            if record.accepted + record.rejected >= batch.counts[2]:
                break
            record.row = 0
            status = advance(tables, run_work, start, step, dense, rhs, project, run)
        usual = status == DONE and record.accepted <= batch.counts[2]
        if usual and run.samples_t.shape[0] > 0:
            usual = complete_run(
                tables, sample_work, rhs, project, run, samples, batch, case - begin
            )
        if not usual:
            status = UNUSUAL
            vain += 1
        batch.status[case], batch.steps[case] = status, record.accepted
        for k in range(batch.last.shape[1]):
            batch.last[case, k] = run.vectors[Y, k]
    return vain


@cache
def entry():
    """`run_cases`, compiled or loaded."""
    t_tables, t_work, rhs, project = signatures()
    _, step, dense = signature()
    free, starts, samples, batch = (k.type_of_all() for k in (Equations, Starts, Samples, Batch))
    words = types.int64[::1]
    model, functions = (
        (t_tables, t_work),
        map(types.FunctionType, (step, step, dense, rhs, project)),
    )
    first = *model, types.int64, types.int64, free, *model, free, starts, t_work, t_work
    last = words, words, RunArrays.type_of_all(), samples, batch
    return compiled(run_cases, types.int64(*first, *functions, *last))
