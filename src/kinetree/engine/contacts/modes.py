"""A formulation with contacts: the loads of the present modes, and the projection onto their rows.

    D lam = -(W vdot_0 + bias)          rows that the modes close
    g_N = 0,   u_N = 0,   u_T = 0       after each step: closed places stay closed, sticking ones at rest

The modes are states, constant between two events (guards.py). Where D is singular, because a body
rests on more places than necessary, the loads are shared with the smallest sum of squares that
satisfies the limits, if there is one (sharing.py).
"""

from __future__ import annotations

from ...elements.forces.unilateral import APART, SLIP, STICK, mode_of
from ...kernel.algebra.blas1 import copy, fill
from ...kernel.decorators import inline, internal_kernel, kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.state import parts
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import Work
from ...kernel.types import Vector
from ..equations.interface import shift
from .dense import invert
from .responses import base_project, base_rhs, free_response, respond_modes, slip_direction
from .rows import along, rows_at, write_closed_rows
from .sharing import share

OK, OPEN = int(Status.OK), int(Status.NO_CLOSURE)
PAINLEVE = int(Status.PAINLEVE)
ROUNDING = 2.0**-45  # of the largest terms: accelerations that are smaller are zero
CLOSED = 1e-14  # sizes of the machine (per second): rows are closed to this
TRIES = 12
REGULAR, SINGULAR = 1.0, 2.0  # inverses of D


@inline
def closes(tables, x):
    """Whether a place is closed."""
    for n in range(tables.places.shape[0]):
        if mode_of(x, tables.places[n]) != APART:
            return True
    return False


@internal_kernel
def solve_modes(tables, work, t, y):
    """Loads of the present modes, into place_loads; their solution into place_trial.

    Returns a Status.
    """
    status = inverse_response(tables, work, t, y)
    if status != OK:
        return status
    s, count = tables.settings[0], work.active[work.active.shape[0] - 1]
    _, v, x = parts(tables, y)
    vdot = work.responses[0, s.nq : s.nq + s.nv]
    for a in range(count):
        row = work.active[a]
        work.place_target[a] = -(work.place_bias[row] + along(work, row, vdot))
    if is_jammed(tables, work, x):
        return PAINLEVE
    for a in range(count):
        lam = 0.0
        for b in range(count):
            lam += work.delassus_inverse[a, b] * work.place_target[b]
        work.place_trial[a] = lam
    if work.place_known[1] == SINGULAR:
        share(tables, work, x, count)
    spread_loads(tables, work, v, x, count)
    return OK


@internal_kernel
def inverse_response(tables, work, t, y):
    """Free response, rows, D and its inverse at a state in its modes. Returns a Status.

    At the state of the last call only the free response may have changed: what rests costs little.
    At the same time nothing has, unless rows were written at another state.
    """
    if responses_known(tables, work, t, y):
        if work.place_known[2] > 0.0 and work.place_at[work.place_at.shape[0] - 1] == t:
            return OK
        status = free_response(tables, work, t, y)
        q, v, x = parts(tables, y)
        write_closed_rows(tables, work, t, q, v, x)
        work.place_at[work.place_at.shape[0] - 1], work.place_known[2] = t, 1.0
        return status
    status = respond_modes(tables, work, t, y)
    if status == OK:
        count = work.active[work.active.shape[0] - 1]
        regular = invert(work.delassus, count, work.delassus_inverse, work.place_space)
        keep_state(tables, work, t, y)
        work.place_known[1] = REGULAR if regular == 1 else SINGULAR
    return status


@inline
def responses_known(tables, work, t, y):
    """Whether the responses belong to this state; those of constraints may depend on the time."""
    s, known = tables.settings[0], work.place_known[1] > 0.0
    if work.lam.shape[0] > 0 and work.place_at[work.place_at.shape[0] - 1] != t:
        return False
    for k in range(s.nq + s.nv + s.nx):
        known = known and work.place_at[k] == y[k]
    return known


@inline
def keep_state(tables, work, t, y):
    s = tables.settings[0]
    copy(y[: s.nq + s.nv + s.nx], work.place_at[: s.nq + s.nv + s.nx])
    work.place_at[work.place_at.shape[0] - 1], work.place_known[2] = t, 1.0


@inline
def is_jammed(tables, work, x):
    """Whether the load of a sliding place presses it in: the paradox of Painleve."""
    a = 0
    for n in range(tables.places.shape[0]):
        place = tables.places[n]
        mode = mode_of(x, place)
        if mode == APART:
            continue
        if mode == SLIP and place.rows > 1 and place.friction > 0.0:
            if not work.delassus[a, a] > 0.0:
                work.report[0].index = n
                return True
        a += place.rows if mode == STICK else 1
    return False


@inline
def spread_loads(tables, work, v, x, count):
    """Loads of all rows from those of the active ones, and the friction of sliding places."""
    fill(work.place_loads, 0.0)
    for a in range(count):
        work.place_loads[work.active[a]] = work.place_trial[a]
    for n in range(tables.places.shape[0]):
        place = tables.places[n]
        if place.rows > 1 and mode_of(x, place) == SLIP:
            d = slip_direction(tables, work, n, v, x)
            f = -place.friction * work.place_loads[place.row]
            work.place_loads[place.row + 1] = f * d[0]
            work.place_loads[place.row + 2] = f * d[1]


@inline
def combine(tables, work, y, ydot, count):
    """The derivative of the state and the multipliers with the loads.

    Accelerations that are rounding of the largest terms are zero, so that what rests stays at rest.
    """
    n, s, free, largest = y.shape[0], tables.settings[0], work.responses[0], 0.0
    for k in range(n):
        total, size = free[k], abs(free[k])
        for a in range(count):
            part = work.place_trial[a] * work.responses[1 + a, k]
            total += part
            size += abs(part)
        ydot[k] = total
        if s.nq <= k < s.nq + s.nv:
            largest = max(largest, size * natural(tables, k - s.nq))
    for k in range(s.nq, s.nq + s.nv):
        if abs(ydot[k]) * natural(tables, k - s.nq) <= ROUNDING * largest:
            ydot[k] = 0.0
    first = free.shape[0] - work.lam.shape[0]
    for k in range(work.lam.shape[0]):
        total = free[first + k]
        for a in range(count):
            total += work.place_trial[a] * work.responses[1 + a, first + k]
        work.lam[k] = total
    copy(ydot[s.nq : s.nq + s.nv], work.vdot)


@inline
def natural(tables, k):
    """Length that makes velocity k one of displacement."""
    return tables.settings[0].length if tables.turns[k] > 0.0 else 1.0


@kernel
def rhs(tables: Tables, work: Work, t: float, y: Vector, ydot: Vector):
    """Derivative of the state in the present modes. Returns a Status."""
    if not closes(tables, parts(tables, y)[2]):
        fill(work.place_loads, 0.0)
        work.place_known[1] = 0.0
        work.active[work.active.shape[0] - 1] = 0
        return base_rhs(tables, work, t, y, ydot)
    status = solve_modes(tables, work, t, y)
    if status == OK:
        combine(tables, work, y, ydot, work.active[work.active.shape[0] - 1])
    return status


@inline
def gap_error(tables, work, x):
    """Largest gap of a closed place; gaps of the active rows into place_target."""
    a, worst = 0, 0.0
    for n in range(tables.places.shape[0]):
        place = tables.places[n]
        mode = mode_of(x, place)
        if mode == APART:
            continue
        for r in range(place.rows if mode == STICK else 1):
            gap = -work.place_gap[n] if r == 0 and place.rates == 0 else 0.0
            work.place_target[a] = gap
            worst = max(worst, abs(gap))
            a += 1
    return worst


@inline
def speed_error(work, v, count):
    """Largest velocity along an active row; velocities into place_target."""
    worst = 0.0
    for a in range(count):
        work.place_target[a] = -along(work, work.active[a], v)
        worst = max(worst, abs(work.place_target[a]))
    return worst


@inline
def correction(tables, work, count, step):
    """step = sum of the responses that change the active rows by place_target."""
    s = tables.settings[0]
    fill(step, 0.0)
    for a in range(count):
        lam = 0.0
        for b in range(count):
            lam += work.delassus_inverse[a, b] * work.place_target[b]
        r = work.responses[1 + a, s.nq : s.nq + s.nv]
        for k in range(step.shape[0]):
            step[k] += lam * r[k]


@internal_kernel
def close_rows(tables, work, t, y, count):
    """Close positions and velocities of the active rows with the known responses; 1 if they are."""
    q, v, x = parts(tables, y)
    size, before = tables.settings[0].length, 1e300
    for _ in range(TRIES):
        rows_at(tables, work, t, q, v, x)
        error = gap_error(tables, work, x)
        if error <= CLOSED * size or (error <= 1e3 * CLOSED * size and error >= 0.5 * before):
            break
        if not error < before:
            return 0
        before = error
        correction(tables, work, count, work.v_step)
        shift(tables, work, q, work.v_step)
    before = 1e300
    for _ in range(TRIES):
        error = speed_error(work, v, count)
        if error <= CLOSED * size or (error <= 1e3 * CLOSED * size and error >= 0.5 * before):
            return 1
        if not error < before:
            return 0
        before = error
        correction(tables, work, count, work.v_step)
        for k in range(v.shape[0]):
            v[k] += work.v_step[k]
    return 0


@kernel
def project(tables: Tables, work: Work, t: float, y: Vector):
    """Project a state onto the constraints and onto the rows that its modes close.

    Returns a Status.
    """
    status = base_project(tables, work, t, y)
    x = parts(tables, y)[2]
    if status != OK or not closes(tables, x):
        return status
    for attempt in range(3):
        count = active_rows(tables, work, x)
        if attempt > 0 or not is_same(tables, work, x, count):
            status = inverse_response(tables, work, t, y)
            if status != OK:
                return status
            count = work.active[work.active.shape[0] - 1]
        closed = close_rows(tables, work, t, y, count)
        status = base_project(tables, work, t, y)
        if status != OK or closed == 1:
            return status
    return OPEN


@inline
def active_rows(tables, work, x):
    """Number of rows that the modes close."""
    count = 0
    for n in range(tables.places.shape[0]):
        place = tables.places[n]
        mode = mode_of(x, place)
        if mode != APART:
            count += place.rows if mode == STICK else 1
    return count


@inline
def is_same(tables, work, x, count):
    """Whether the known responses belong to these modes."""
    if work.active[work.active.shape[0] - 1] != count:
        return False
    a = 0
    for n in range(tables.places.shape[0]):
        place = tables.places[n]
        mode = mode_of(x, place)
        for r in range(0 if mode == APART else place.rows if mode == STICK else 1):
            if work.active[a] != place.row + r:
                return False
            a += 1
    return True
