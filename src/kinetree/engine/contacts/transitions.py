"""What happens at the event of a contact: impacts, then the modes that the accelerations allow.

lam_N >= 0,   u_N' >= 0,   lam_N u_N' = 0         places that touch and do not separate
lam_T = -mu lam_N d                               where they slide in the direction d
|lam_T| <= mu lam_N,  opposite to u_T' if equal   where they do not
"""

from __future__ import annotations

import math

from ...elements.forces.unilateral import APART, PER_ROW, SLIP, STICK, mode_of
from ...kernel.algebra.blas1 import fill
from ...kernel.decorators import inline, internal_kernel, kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.state import parts
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import Work
from ...kernel.types import Vector
from .cone import solve_cone, velocity
from .guards import LIFT, PASS, SLIDE, STOP
from .impacts import impact, is_approached, velocities_before
from .modes import project, solve_modes
from .responses import free_response, respond_rows, slip_direction, tangent_part
from .rows import along, rows_at, write_rows

OK, PENETRATION = int(Status.OK), int(Status.PENETRATION)
NO_MODE, PAINLEVE = int(Status.NO_MODE), int(Status.PAINLEVE)
TOUCHES = 1e-9  # sizes of the machine: places nearer than this touch
DEEPEST = 1e-6  # sizes of the machine: penetration at the start of a run
SEPARATES = 1e-10  # sizes of the machine per second
SLIDES = 1e-9  # sizes of the machine per second: slower sliding is none
NOTHING = 1e-9  # of the largest load
REST = 1e-13  # sizes of the machine per second: slower velocities after an event are zero
START = -1
OFTEN = 10  # lifts at one time: the load is zero but for errors of interpolation


@kernel
def transition(tables: Tables, work: Work, t: float, y: Vector, started: int):
    """Apply what follows from the event in place_event to y; `started`: 1 at the start of a run.

    Returns a Status.
    """
    q, v, x = parts(tables, y)
    n, kind = int(work.place_event[0]), START if started > 0 else int(work.place_event[1])
    work.place_event[2], work.place_event[3] = 0.0, 0.0
    if started == 0:
        status = project(tables, work, t, y)
        if status != OK:
            return status
    if kind == SLIDE:
        status = begin_to_slide(tables, work, t, y, n)
        if status != OK:
            return status
    rows_at(tables, work, t, q, v, x)
    if started > 0 and is_deep(tables, work):
        return PENETRATION
    count_teeth(tables, work, x, n if kind == PASS else -1)
    status = touch(tables, work, t, y)
    if status != OK:
        return status
    velocities_before(tables, work, v)
    if is_approached(tables, work):
        if is_slow(tables, work):
            status = capture(tables, work, t, y)
        else:
            status = impact(tables, work, y)
        if status == OK:
            status = free_response(tables, work, t, y)
        if status != OK:
            return status
        write_rows(tables, work, t, q, v, x)
    status = choose_modes(tables, work, y, n, kind)
    if status == OK:
        status = project(tables, work, t, y)
    settle(tables, v)
    return status


@inline
def is_deep(tables, work):
    for n in range(tables.places.shape[0]):
        if work.place_gap[n] < -DEEPEST * tables.settings[0].length:
            work.report[0].index = n
            return True
    return False


@inline
def count_teeth(tables, work, x, passed):
    """The last tooth of each ratchet, at the start and where one has passed."""
    for n in range(tables.places.shape[0]):
        place = tables.places[n]
        if place.steps > 0 and (n == passed or x[place.ix + 1] < -1e14):
            x[place.ix + 1] = math.floor(work.place_pairs[n, 14] + 1e-9)


@internal_kernel
def touch(tables, work, t, y):
    """Free response, rows, and D over all rows of the places that touch. Returns a Status."""
    q, v, x = parts(tables, y)
    status = free_response(tables, work, t, y)
    if status != OK:
        return status
    write_rows(tables, work, t, q, v, x)
    count = 0
    for n in range(tables.places.shape[0]):
        place = tables.places[n]
        near = work.place_gap[n] <= TOUCHES * tables.settings[0].length
        if place.rates > 0:
            near = along(work, place.row, v) <= SEPARATES * tables.settings[0].length
        work.struck[n, 0] = -1.0
        if near or mode_of(x, place) != APART:
            work.struck[n, 0] = count
            for r in range(place.rows):
                work.active[count] = place.row + r
                count += 1
    work.active[work.active.shape[0] - 1] = count
    return respond_rows(tables, work, t, y)


@inline
def is_slow(tables, work):
    """Whether no touching place is approached faster than its speed of rest."""
    for n in range(tables.places.shape[0]):
        a = int(work.struck[n, 0])
        if a >= 0 and -work.place_before[a] > tables.places[n].rest_speed:
            return False
    return True


@internal_kernel
def capture(tables, work, t, y):
    """End a sequence of ever smaller impacts: places that hardly move are closed.

    Returns a Status.
    """
    x = parts(tables, y)[2]
    for n in range(tables.places.shape[0]):
        a, place = int(work.struck[n, 0]), tables.places[n]
        if a < 0 or abs(work.place_before[a]) > place.rest_speed:
            continue
        x[place.ix] = 1.0
        if place.rows > 1:
            u, w = work.place_before[a + 1], work.place_before[a + 2]
            if u * u + w * w <= place.rest_speed * place.rest_speed:
                x[place.ix] = STICK
            else:
                set_direction(work, x, place, n, u, w)
    work.place_event[2] += 1.0
    status = project(tables, work, t, y)
    if status != OK:
        return status
    take_projection(tables, work, y)
    return touch(tables, work, t, y)


@inline
def closed_rows(x, place):
    """Number of rows that the mode of a place closes."""
    mode = mode_of(x, place)
    return 0 if mode == APART else place.rows if mode == STICK else 1


@inline
def take_projection(tables, work, y):
    """Add the work of the impulses P = D^-1 (u+ - u-) with which a projection has closed its rows.

    Velocities before are in place_before, in the order of `struck`.
    """
    s, count, i = tables.settings[0], work.active[work.active.shape[0] - 1], 0
    _, v, x = parts(tables, y)
    works = s.nq + s.nv + s.nx
    for n in range(tables.places.shape[0]):
        for r in range(closed_rows(x, tables.places[n])):
            a = int(work.struck[n, 0]) + r
            work.place_target[i] = along(work, work.active[i], v) - work.place_before[a]
            i += 1
    i = 0
    for n in range(tables.places.shape[0]):
        place = tables.places[n]
        for r in range(closed_rows(x, place) if y.shape[0] > works else 0):
            P = 0.0
            for b in range(count):
                P += work.delassus_inverse[i, b] * work.place_target[b]
            u = mean_velocity(work, n, r, place.row, v)
            if place.rows > 1 and mode_of(x, place) == SLIP:
                d = slip_direction(tables, work, n, v, x)
                for k in range(2):
                    rub = mean_velocity(work, n, 1 + k, place.row, v)
                    u -= place.friction * d[k] * rub
            y[works + place.force] += P * u
            i += 1


@inline
def mean_velocity(work, n, r, first, v):
    """Mean velocity along row r of place n before and after a projection."""
    return 0.5 * (along(work, first + r, v) + work.place_before[int(work.struck[n, 0]) + r])


@inline
def set_direction(work, x, place, n, u, w):
    """Direction of slip in world axes, from its components along the tangents."""
    size = math.sqrt(u * u + w * w)
    for k in range(3):
        e = work.place_pairs[n, 1 + PER_ROW + 9 + k]
        f = work.place_pairs[n, 1 + 2 * PER_ROW + 9 + k]
        x[place.ix + 1 + k] = (u * e + w * f) / size


@internal_kernel
def begin_to_slide(tables, work, t, y, n):
    """Let place n slide against its friction, and other places of its element at their limits.

    Returns a Status.
    """
    x = parts(tables, y)[2]
    status = solve_modes(tables, work, t, y)
    if status != OK:
        return status
    for m in range(tables.places.shape[0]):
        place = tables.places[m]
        if place.force != tables.places[n].force or mode_of(x, place) != STICK:
            continue
        f, g = work.place_loads[place.row + 1], work.place_loads[place.row + 2]
        size = math.sqrt(f * f + g * g)
        if size > 0.0 and size >= (1.0 - 1e-6) * place.friction * work.place_loads[place.row]:
            x[place.ix] = SLIP
            set_direction(work, x, place, m, -f, -g)
    return OK


@internal_kernel
def choose_modes(tables, work, y, event, kind):
    """Modes from the accelerations; rows, D and the free response are known. Returns a Status."""
    s, count = tables.settings[0], work.active[work.active.shape[0] - 1]
    _, v, x = parts(tables, y)
    vdot, c = work.responses[0, s.nq : s.nq + s.nv], work.place_target
    for a in range(count):
        c[a] = work.place_bias[work.active[a]] + along(work, work.active[a], vdot)
        work.place_before[a] = along(work, work.active[a], v)
    for n in range(tables.places.shape[0]):
        if set_kind(tables, work, n, x, event, kind):
            work.report[0].index = n
            return PAINLEVE
    fill(work.place_trial, 0.0)
    fill(work.place_low, 0.0)
    if solve_cone(tables, work, work.struck, c, work.place_low, count) < 0:
        return NO_MODE
    a = int(work.struck[event, 0])
    if kind == LIFT and a >= 0 and velocity(work, c, a, count) < 0.0:
        presses = velocity(work, c, a, count) < -1e-9 * abs(c[a])
        if presses and work.place_event[4] < OFTEN:  # it cannot lift, others must
            work.struck[event, 1] = 1.0 if tables.places[event].rows > 1 else 0.0
            if solve_cone(tables, work, work.struck, c, work.place_low, count) < 0:
                return NO_MODE
    write_modes(tables, work, x, count)
    return OK


@inline
def set_kind(tables, work, n, x, event, kind):
    """The kind of a place in the solve (cone.py); returns whether friction presses it in."""
    a, place, length = int(work.struck[n, 0]), tables.places[n], tables.settings[0].length
    if a < 0:
        return False
    work.struck[n, 1] = 1.0 if place.rows > 1 else 0.0
    if work.place_before[a] > SEPARATES * length or (kind == LIFT and n == event):
        work.struck[n, 1] = 3.0
        return False
    if place.rows == 1:
        return False
    u, w = work.place_before[a + 1], work.place_before[a + 2]
    speed = math.sqrt(u * u + w * w)
    stops = kind == STOP and place.force == tables.places[event].force and speed <= place.rest_speed
    if speed > SLIDES * length and not stops:
        work.struck[n, 1], work.struck[n, 2], work.struck[n, 3] = 2.0, u / speed, w / speed
    elif kind == SLIDE and mode_of(x, place) == SLIP and place.force == tables.places[event].force:
        d = x[place.ix + 1 : place.ix + 4]
        work.struck[n, 1] = 2.0
        work.struck[n, 2], work.struck[n, 3] = (
            tangent_part(work, n, 1, d),
            tangent_part(work, n, 2, d),
        )
    else:
        return False
    D = work.delassus
    yields = D[a, a + 1] * work.struck[n, 2] + D[a, a + 2] * work.struck[n, 3]
    return not D[a, a] - place.friction * yields > 1e-12 * D[a, a]


@inline
def write_modes(tables, work, x, count):
    """The modes and directions of slip that follow from the loads."""
    largest, lam = 0.0, work.place_trial
    for a in range(count):
        largest = max(largest, abs(lam[a]))
    least = NOTHING * max(largest, 1e-3 * tables.settings[0].force)
    for n in range(tables.places.shape[0]):
        a, place = int(work.struck[n, 0]), tables.places[n]
        if a < 0 or work.struck[n, 1] == 3.0 or not lam[a] > least:
            x[place.ix] = APART
            continue
        x[place.ix] = SLIP
        if place.rows == 1:
            continue
        if work.struck[n, 1] == 2.0:
            set_direction(work, x, place, n, work.struck[n, 2], work.struck[n, 3])
            continue
        f, g = lam[a + 1], lam[a + 2]
        size = math.sqrt(f * f + g * g)
        pulls = math.sqrt(
            velocity(work, work.place_target, a + 1, count) ** 2
            + velocity(work, work.place_target, a + 2, count) ** 2
        )
        if size < (1.0 - NOTHING) * place.friction * lam[a] or pulls <= NOTHING * (
            abs(work.place_target[a]) + abs(work.place_target[a + 1])
        ):
            x[place.ix] = STICK
        else:
            set_direction(work, x, place, n, -f, -g)


@inline
def settle(tables, v):
    """Velocities that are rounding are zero."""
    for k in range(v.shape[0]):
        size = 1.0 if tables.turns[k] > 0.0 else tables.settings[0].length
        if abs(v[k]) < REST * size:
            v[k] = 0.0
