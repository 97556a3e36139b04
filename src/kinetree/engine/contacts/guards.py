"""Events of contacts inside an accepted step: values that must stay positive in the present modes.

    touch   the gap of an open place, or its velocity (one-way clutch)
    lift    the normal load of a closed place
    stop    the velocity of a sliding place along its direction of slip
    slide   mu lam_N - |lam_T| of a place that sticks
    pass    the distance to the next tooth of a ratchet

The first root in the step is located to rounding by the interpolating polynomial. The step then
ends there, and the status CONTACT asks for the next modes (transitions.py).
"""

import math

from ...elements.forces.unilateral import APART, SLIP, mode_of
from ...kernel.algebra.blas1 import copy
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.state import parts
from ...kernel.tables.status import Status
from ..integrators.memory import Y
from ..integrators.nodes import INNER_POINTS, POINTS
from .modes import closes, solve_modes
from .responses import tangent_part
from .rows import along, rows_at

TOUCH, LIFT, STOP, SLIDE, PASS = range(5)
OK, CONTACT = int(Status.OK), int(Status.CONTACT)
DEEP = 1e-14  # sizes of the machine: a gap is negative beyond this
PULLING = 1e-9  # of the load, or of a small force
INSIDE = 4  # parts of a step at whose ends values are checked where they may turn
ROUNDS = 100
NEVER = 1e300


@inline
def has_loads(kind):
    """Whether a value needs the loads."""
    return kind == LIFT or kind == SLIDE


@inline
def slipping(tables, work, n, v, x):
    """Velocity of place n along its direction of slip."""
    place = tables.places[n]
    d = x[place.ix + 1 : place.ix + 4]
    a, b = tangent_part(work, n, 1, d), tangent_part(work, n, 2, d)
    return a * along(work, place.row + 1, v) + b * along(work, place.row + 2, v)


@inline
def value_of(tables, work, n, kind, v, x):
    """The value of a guard at the state whose rows, and loads if it needs them, are known."""
    place = tables.places[n]
    if kind == TOUCH:
        return along(work, place.row, v) if place.rates > 0 else work.place_gap[n]
    if kind == LIFT:
        return work.place_loads[place.row]
    if kind == STOP:
        return slipping(tables, work, n, v, x)
    if kind == PASS:
        return x[place.ix + 1] + 1.0 - work.place_pairs[n, 14]
    f, g = work.place_loads[place.row + 1], work.place_loads[place.row + 2]
    return place.friction * work.place_loads[place.row] - math.sqrt(f * f + g * g)


@inline
def watches(tables, n, kind, x):
    """Whether a place has this guard in its present mode."""
    place = tables.places[n]
    mode = mode_of(x, place)
    if kind == PASS:
        return place.steps > 0
    if mode == APART:
        return kind == TOUCH
    if kind == LIFT:
        return True
    if place.rows == 1:
        return False
    return kind == STOP if mode == SLIP else kind == SLIDE


@inline
def is_violated(tables, work, n, kind, v, x):
    """Whether a value is negative by more than rounding."""
    s = tables.settings[0]
    found = value_of(tables, work, n, kind, v, x)
    if has_loads(kind):
        return found < -PULLING * max(abs(work.place_loads[tables.places[n].row]), 1e-3 * s.force)
    if kind == TOUCH and tables.places[n].rates == 0:
        return found < -DEEP * s.length and along(work, tables.places[n].row, v) < 0.0
    return found < -DEEP * s.length


@internal_kernel
def evaluate_guards(tables, work, t, y, loads):
    """Rows, and loads if wanted, at a state. Returns a Status."""
    q, v, x = parts(tables, y)
    if loads:
        return solve_modes(tables, work, t, y)
    rows_at(tables, work, t, q, v, x)
    return OK


@internal_kernel
def first_violation(tables, work, loads, y):
    """Place and kind of a violated guard as one number, or -1; rows and loads are known."""
    _, v, x = parts(tables, y)
    for n in range(tables.places.shape[0]):
        for kind in range(5):
            if (loads or not has_loads(kind)) and watches(tables, n, kind, x):
                if is_violated(tables, work, n, kind, v, x):
                    return 5 * n + kind
    return -1


@internal_kernel
def guard_at(tables, work, dense, run, t, n, kind):
    """The value of a guard at a time inside the step."""
    y = work.place_state[: run.vectors.shape[1]]
    dense(run, t, y)
    if evaluate_guards(tables, work, t, y, has_loads(kind)) != OK:
        return -NEVER
    _, v, x = parts(tables, y)
    return value_of(tables, work, n, kind, v, x)


@internal_kernel
def rate_at(tables, work, dense, run, t, n):
    """The velocity along the normal row at a time inside the step."""
    y = work.place_state[: run.vectors.shape[1]]
    dense(run, t, y)
    evaluate_guards(tables, work, t, y, False)
    return along(work, tables.places[n].row, parts(tables, y)[1])


@internal_kernel
def root(tables, work, dense, run, n, kind, a, b):
    """Time between a and b at which a value loses its sign, the last one at which it has it."""
    at_a = guard_at(tables, work, dense, run, a, n, kind)
    at_b = guard_at(tables, work, dense, run, b, n, kind)
    if at_a <= 0.0:
        if kind != TOUCH or tables.places[n].rates > 0:
            return a
        a = highest(tables, work, dense, run, n, a, b)  # it has just left: look beyond the top
        at_a = guard_at(tables, work, dense, run, a, n, kind)
        if at_a <= 0.0:
            return a
    side = 0
    for k in range(ROUNDS):
        t = (a * at_b - b * at_a) / (at_b - at_a) if k % 3 < 2 else 0.5 * (a + b)
        if not a < t < b:
            t = 0.5 * (a + b)
        if not a < t < b:
            break
        now = guard_at(tables, work, dense, run, t, n, kind)
        if now == 0.0:
            return t
        if now > 0.0:
            a, at_a = t, now
            at_b *= 0.5 if side > 0 else 1.0
            side = 1
        else:
            b, at_b = t, now
            at_a *= 0.5 if side < 0 else 1.0
            side = -1
    return a


@inline
def highest(tables, work, dense, run, n, a, b):
    """Time between a and b at which a gap that rises at first turns; a if it does not rise."""
    if rate_at(tables, work, dense, run, a, n) <= 0.0:
        return a
    for _ in range(60):
        t = 0.5 * (a + b)
        if not a < t < b:
            break
        if rate_at(tables, work, dense, run, t, n) > 0.0:
            a = t
        else:
            b = t
    return a


@inline
def may_turn(tables, work, run):
    """Whether a value may be negative inside the step though it is positive at its end.

    Rows are known at the end of the step; `place_margin` has the values at its start.
    """
    _, v, x = parts(tables, run.vectors[Y])
    h, found = run.memory[0].t - run.memory[0].t_before, False
    for n in range(tables.places.shape[0]):
        for kind in range(5):
            if not watches(tables, n, kind, x):
                continue
            c = 0 if not has_loads(kind) and kind != STOP else 1 if kind == LIFT else 2
            now, before = value_of(tables, work, n, kind, v, x), work.place_margin[n, c]
            change = abs(now - before)
            if kind == TOUCH and tables.places[n].rates == 0:
                change = max(change, h * abs(along(work, tables.places[n].row, v)))
            found = found or min(now, before) < change
            work.place_margin[n, c] = now
    return found


@internal_kernel
def find_event(tables, work, dense, run):
    """Time of the first violation in the last step, NEVER without one; writes place_event."""
    memory, y = run.memory[0], run.vectors[Y]
    loads = closes(tables, parts(tables, y)[2])
    a, b = memory.t_before, memory.t
    status = evaluate_guards(tables, work, b, y, loads)
    found = first_violation(tables, work, loads, y) if status == OK else -1
    turning = may_turn(tables, work, run)
    before = a
    if turning or found >= 0 or status != OK:
        z = work.place_state[: y.shape[0]]
        for k in range(1, INSIDE):
            t = a + k / INSIDE * (b - a)
            dense(run, t, z)
            if evaluate_guards(tables, work, t, z, loads) == OK:
                inside = first_violation(tables, work, loads, z)
                if inside >= 0:
                    found, b = inside, t
                    break
                before = t
    if found < 0:
        return NEVER
    return earliest(tables, work, dense, run, loads, before, b)


@inline
def earliest(tables, work, dense, run, loads, a, b):
    """The first root of all guards that are violated at b.

    Once a root is known, another guard has an earlier one only if it is violated there.
    """
    first, found, known = b, NEVER, False
    z = work.place_state[: run.vectors.shape[1]]
    dense(run, b, z)
    x = parts(tables, z)[2]  # constant in the step as far as modes are concerned
    for m in range(5 * tables.places.shape[0]):
        n, kind = m // 5, m % 5
        if not watches(tables, n, kind, x) or (has_loads(kind) and not loads):
            continue
        if not known:
            dense(run, first, z)
            evaluate_guards(tables, work, first, z, loads)
            known = True
        if is_violated(tables, work, n, kind, parts(tables, z)[1], x):
            t = root(tables, work, dense, run, n, kind, a, first)
            known = False
            if found == NEVER or t < first:
                first, found = t, t
                work.place_event[0], work.place_event[1] = n, kind
    return found


@internal_kernel
def contact_event(tables, work, dense, run):
    """OK, or CONTACT: the step ends at the first event inside it."""
    t = find_event(tables, work, dense, run)
    if t == NEVER:
        return OK
    memory = run.memory[0]
    times = run.samples_t
    while memory.sample < len(times) and times[memory.sample] <= t:
        dense(run, times[memory.sample], run.samples_y[memory.sample])
        memory.sample += 1
    return shorten(work, dense, run, t)


@inline
def shorten(work, dense, run, t):
    """End the last step at a time inside it."""
    memory, row = run.memory[0], run.log[run.memory[0].row - 1]
    if len(run.points) > 0:
        for j in range(INNER_POINTS):
            at = memory.t_before + POINTS[j + 1] * (t - memory.t_before)
            dense(run, at, run.points[memory.row - 1, j])
        dense(run, t, run.points[memory.row - 1, INNER_POINTS])
    y = work.place_state[: run.vectors.shape[1]]
    dense(run, t, y)
    copy(y, run.vectors[Y])
    memory.t = t
    if t <= memory.t_before:
        memory.row -= 1
        memory.accepted -= 1
        memory.rejected_logged -= row.rejected
        memory.evaluations_logged -= row.evaluations
    else:
        row.t, row.h = t, t - memory.t_before
        row.shortest, row.longest = row.h, row.h
    return CONTACT
