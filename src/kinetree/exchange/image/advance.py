"""Advance a run to a time that is given from outside, and continue from there.

It is the time loop of `engine/integrators/loop.py` together with the segments of
`engine/integrators/segments.py`, without samples and without a log, as one kernel. A run to the end
in one call has the bits of `kt.simulate`. The integrator chooses its steps: it may pass the time,
and the state there is interpolated (`exact` = 0), or it ends a step on it (`exact` = 1).
"""

import math

from ...engine.dynamics.sampling import take_samples
from ...engine.integrators.error_norm import mark_passive
from ...engine.integrators.memory import Y
from ...engine.integrators.probing import SWITCHED, probe_step, save_start
from ...engine.integrators.run import MOST_SWITCHES
from ...engine.integrators.stepping import OK, record
from ...kernel.algebra.blas1 import copy
from ...kernel.decorators import inline, internal_kernel, kernel
from ...kernel.tables.state import parts
from ...kernel.tables.status import Status
from .session import AFTER_BREAK, NO_RESTART, RESTART

MORE = int(Status.MORE)
# u (1 + 2 u) with u = 2^-53 [Rump2009]
_NEIGHBOR = 2.0**-53 * (1.0 + 2.0**-52)


@inline
def just_before(t):
    """The largest number below t [Rump2009]."""
    gap = _NEIGHBOR * abs(t)
    return t - gap if gap > 0.0 else -5e-324


@inline
def just_after(t):
    """The smallest number above t [Rump2009]."""
    gap = _NEIGHBOR * abs(t)
    return t + gap if gap > 0.0 else 5e-324


@inline
def next_sample(c, t):
    """First time after t at which a sampled controller samples, or its outputs begin to act."""
    k = max(math.floor((t - c.begin) / c.period) - 1, 0)
    when = t
    while when <= t:
        since = k * c.period  # rounded, as in Python
        when = c.begin + since
        if when <= t and c.delay > 0.0 and when + c.delay > t:
            when += c.delay
        k += 1
    return when


@internal_kernel
def find_end(tables, session, t):
    """Find the end of the segment that starts at t, and the start of the next one."""
    s, breaks = session.state[0], session.breaks
    while s.next_break < len(breaks) and breaks[s.next_break] <= t + s.close:
        s.next_break += 1
    first = breaks[s.next_break] if s.next_break < len(breaks) else math.inf
    for c in tables.controllers:
        if c.period > 0.0:
            first = min(first, next_sample(c, t + s.close))
    s.switched = 0
    if first > s.until + s.close:
        s.end, s.resume = max(s.until, t), math.inf
        return
    last, k = first, s.next_break
    while k < len(breaks) and breaks[k] - last <= s.close:
        last = max(last, breaks[k])
        k += 1
    for c in tables.controllers:
        if c.period > 0.0 and next_sample(c, t + s.close) - last <= s.close:
            last = max(last, next_sample(c, t + s.close))
    s.end, s.resume = just_before(first), just_after(last)


@inline
def plan_fixed_steps(control, s, t):
    """Number of fixed steps up to the end of the segment, and the length of the last one."""
    length, step = s.end - t, control.h_fixed
    far = max(abs(t), abs(s.end))
    count = round(length / step)
    near = 8.0 * (just_after(far) - far)
    if abs(length / step - count) <= near / step:
        control.steps, control.h_last = count, step
    else:
        whole = math.floor(length / step)
        done = whole * step
        control.steps, control.h_last = whole + 1, length - done


@internal_kernel
def begin_segment(run, s, t):
    """Restart the method at t."""
    control, memory = run.control[0], run.memory[0]
    if memory.started != 0:
        memory.t_carry = memory.h = memory.h_used = memory.error = 0.0
        memory.spacing = memory.c = memory.rate = 0.0
        memory.order = memory.order_used = memory.equal_steps = memory.started = 0
        memory.start_phase = memory.jacobian_age = memory.slope_row = memory.judge = 0
        if memory.accepted > 0:
            control.h_initial = 0.0
        memory.steps_before = memory.accepted
    control.t_start = memory.t = t
    if s.adaptive == 0:
        plan_fixed_steps(control, s, t)


@inline
def change_at_break(tables, work, project, s, t, y):
    """What a break changes: velocities of driven bodies, samples of controllers. Returns a Status."""
    status = OK
    if s.drivers != 0 and s.restart == AFTER_BREAK:
        status = project(tables, work, t, y)
    if status == OK and s.sampled != 0:
        q, v, x = parts(tables, y)
        status = take_samples(tables, work, t, q, v, x)
    return status


@inline
def restart(tables, work, project, run, session):
    """Start a segment at `now` from the state in `y`. Returns a Status."""
    s = session.state[0]
    status = change_at_break(tables, work, project, s, s.now, session.y)
    if status == OK:
        copy(session.y, run.vectors[Y])
        find_end(tables, session, s.now)
        begin_segment(run, s, s.now)
        s.restart = NO_RESTART
    return status


@inline
def cross(session, run):
    """Go on after the break at the end of the segment."""
    s = session.state[0]
    copy(run.vectors[Y], session.y)
    s.restart = RESTART if s.switched != 0 else AFTER_BREAK
    s.now = s.resume


@inline
def switch(session, run):
    """The step was undone because user code switches inside it: a segment ends at the switch."""
    s, memory, control = session.state[0], run.memory[0], run.control[0]
    s.switched, s.switches = 1, s.switches + 1
    s.end, s.resume = memory.switch_before, memory.switch_after
    if s.switches >= MOST_SWITCHES:
        control.probe = 0.0
    if s.end - memory.t > s.close:
        begin_segment(run, s, memory.t)
    else:
        s.end = memory.t


@inline
def next_stop(session, run, t, exact):
    """Time at which a step must end."""
    s, memory = session.state[0], run.memory[0]
    end = s.end
    if s.adaptive == 0:
        return end
    for k in range(len(session.stops)):
        if session.stops[k] > memory.t + s.close:
            if session.stops[k] < end - s.close:
                end = session.stops[k]
            break
    return min(end, t) if exact != 0 else end


@inline
def one_step(tables, work, start, step, dense, rhs, project, run):
    """Take one step of the method. Returns a Status."""
    memory = run.memory[0]
    status = OK
    if memory.started == 0:
        status = start(tables, work, rhs, project, run)
        mark_passive(tables, work, run)
    if status == OK:
        save_start(run)
        status = step(tables, work, rhs, project, run)
    if status == OK:
        memory.row = 0
        record(work, run)
        mark_passive(tables, work, run)
        status = probe_step(tables, work, rhs, dense, run)
    return status


@kernel
def advance_to(tables, work, start, step, dense, rhs, project, run, session, t, exact, most):
    """Advance the run to the time t >= `now`. Returns a Status: OK at t, MORE after `most` steps.

    A failure leaves the last valid state in `session.y`, and its time in `now`.
    """
    s, memory = session.state[0], run.memory[0]
    status, taken = OK, 0
    while status == OK:
        if s.restart != NO_RESTART:
            status = restart(tables, work, project, run, session)
        elif memory.t >= t or (memory.t >= s.end and t < s.resume < math.inf):
            break
        elif memory.t >= s.end and s.resume < math.inf:
            cross(session, run)
        elif memory.t >= s.end:
            s.until = max(s.until, memory.t) + s.length
            find_end(tables, session, memory.t)
        elif taken >= most:
            status = MORE
        else:
            run.samples_t[0], memory.sample = math.inf if exact != 0 else t, 0
            run.control[0].t_end = next_stop(session, run, t, exact)
            status = one_step(tables, work, start, step, dense, rhs, project, run)
            taken += 1
            if status == SWITCHED:
                switch(session, run)
                status = OK
    if status == OK and memory.t > t:
        dense(run, t, session.y)
    elif s.restart == NO_RESTART:
        copy(run.vectors[Y], session.y)
    s.now = t if status == OK else memory.t if s.restart == NO_RESTART else s.now
    s.index = work.report[0].index
    return status
