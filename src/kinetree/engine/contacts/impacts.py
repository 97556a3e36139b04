"""Impacts of touching places, through all joints and closed loops.

    u+ = u- + D P,     v+ = v- + sum_a P_a r_a

    Newton      u_N+ >= -e u_N-,   P_N >= 0,   complementary                    [Pfeiffer1996]
    Poisson     compression: u_N >= 0 with P^C; expansion: P_N^E >= e P_N^C, u_N >= 0

Friction acts within its cone: |P_T| <= mu P_N, and a place sticks where it is inside. With several
places the laws hold for all at once, or for one after the other, the fastest first.
"""

from ...elements.forces.unilateral import POISSON, REFUSED, SEQUENTIAL
from ...kernel.algebra.blas1 import fill
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.state import parts
from ...kernel.tables.status import Status
from .cone import solve_cone, velocity
from .rows import along

OK, BLOWS, NO_MODE = int(Status.OK), int(Status.BLOWS), int(Status.NO_MODE)
APPROACH = 1e-11  # sizes of the machine per second: slower approach is rounding
COUPLED = 1e-9  # of the responses: places that respond less to each other are independent
MOST = 10_000  # blows one after the other


@inline
def restitution(tables, n, u):
    """e of a place that is approached with the velocity u."""
    place = tables.places[n]
    return place.restitution if -u > place.rest_speed else 0.0


@inline
def is_approached(tables, work):
    """Whether a touching place is approached; velocities are in place_before."""
    for n in range(tables.places.shape[0]):
        a = int(work.struck[n, 0])
        if a >= 0 and work.place_before[a] < -APPROACH * tables.settings[0].length:
            return True
    return False


@internal_kernel
def impact(tables, work, y):
    """Impulses of the touching places; changes the velocities and the energy balance in y.

    Rows, their responses, and the velocities in place_before are known. Returns a Status.
    """
    count = work.active[work.active.shape[0] - 1]
    fill(work.place_sum, 0.0)
    if strikes_in_turn(tables, work):
        status = in_turn(tables, work, y, count)
    else:
        status = together(tables, work, y, count)
    if status != OK:
        return status
    s = tables.settings[0]
    v, power = parts(tables, y)[1], s.nq + s.nv + s.nx + tables.forces.shape[0]
    for a in range(count):
        P, r = work.place_sum[a], work.responses[1 + a]
        for k in range(s.nv):
            v[k] += P * r[s.nq + k]
        if y.shape[0] > power:
            y[power] += P * r[power]  # of the drivers
    return OK


@inline
def strikes_in_turn(tables, work):
    for n in range(tables.places.shape[0]):
        if work.struck[n, 0] >= 0.0 and tables.places[n].together == SEQUENTIAL:
            return True
    return False


@internal_kernel
def take_impulses(tables, work, y, count):
    """Add the impulses in place_trial: to the sum, to the velocities, to the energy balance.

    The work of an impulse P is P (u- + u+) / 2.
    """
    s, u, P = tables.settings[0], work.place_before, work.place_trial
    for a in range(count):
        work.place_sum[a] += P[a]
        work.place_target[a] = velocity(work, u, a, count)
    works = s.nq + s.nv + s.nx
    for n in range(tables.places.shape[0]):
        a, place = int(work.struck[n, 0]), tables.places[n]
        if a >= 0:
            for r in range(a, a + place.rows):
                done = 0.5 * P[r] * (u[r] + work.place_target[r])
                work.place_event[3] += done
                if y.shape[0] > works:
                    y[works + place.force] += done
    for a in range(count):
        u[a] = work.place_target[a]


@internal_kernel
def together(tables, work, y, count):
    """All places at once. Returns a Status."""
    c, poisson = work.place_target, False
    for n in range(tables.places.shape[0]):
        a = int(work.struck[n, 0])
        work.place_low[n] = 0.0
        if a >= 0:
            poisson = poisson or tables.places[n].law == POISSON
            work.struck[n, 1] = 1.0 if tables.places[n].rows > 1 else 0.0
    for a in range(count):
        c[a] = work.place_before[a]
    for n in range(tables.places.shape[0]):
        a = int(work.struck[n, 0])
        if a >= 0 and tables.places[n].law != POISSON and c[a] < 0.0:
            c[a] *= 1.0 + restitution(tables, n, c[a])
    fill(work.place_trial, 0.0)
    if solve_cone(tables, work, work.struck, c, work.place_low, count) < 0:
        return NO_MODE
    if several_blows(tables, work):
        return BLOWS
    work.place_event[2] += 1.0
    if poisson:
        expand_later(tables, work)
    take_impulses(tables, work, y, count)
    if poisson:
        return expansion(tables, work, y, count)
    return OK


@inline
def expand_later(tables, work):
    """The impulses that the expansion gives back at least, into place_low."""
    for n in range(tables.places.shape[0]):
        a = int(work.struck[n, 0])
        if a >= 0 and tables.places[n].law == POISSON:
            e = restitution(tables, n, work.place_before[a])
            work.place_low[n] = e * work.place_trial[a]


@inline
def expansion(tables, work, y, count):
    """The second part of an impact by the law of Poisson. Returns a Status."""
    for a in range(count):
        work.place_target[a], work.place_trial[a] = work.place_before[a], 0.0
    for n in range(tables.places.shape[0]):
        a = int(work.struck[n, 0])
        if a >= 0:
            work.place_trial[a] = work.place_low[n]
    if solve_cone(tables, work, work.struck, work.place_target, work.place_low, count) < 0:
        return NO_MODE
    take_impulses(tables, work, y, count)
    return OK


@inline
def several_blows(tables, work):
    """Whether two places with restitution, which respond to each other, have impulses and no law."""
    largest = 0.0
    for n in range(tables.places.shape[0]):
        a = int(work.struck[n, 0])
        if a >= 0:
            largest = max(largest, work.place_trial[a])
    for n in range(tables.places.shape[0]):
        a, p = int(work.struck[n, 0]), tables.places[n]
        if a < 0 or p.restitution == 0.0 or not work.place_trial[a] > COUPLED * largest:
            continue
        for m in range(n + 1, tables.places.shape[0]):
            b, o = int(work.struck[m, 0]), tables.places[m]
            if b < 0 or o.restitution == 0.0 or not work.place_trial[b] > COUPLED * largest:
                continue
            D = work.delassus
            coupled = D[a, b] * D[a, b] > COUPLED * COUPLED * D[a, a] * D[b, b]
            slow = -work.place_before[a] <= p.rest_speed and -work.place_before[b] <= o.rest_speed
            if coupled and not slow and (p.together == REFUSED or o.together == REFUSED):
                work.report[0].index, work.report[0].weakest = n, m
                return True
    return False


@internal_kernel
def in_turn(tables, work, y, count):
    """One place after the other, the fastest first. Returns a Status."""
    for _ in range(MOST):
        worst, least = -1, -APPROACH * tables.settings[0].length
        for n in range(tables.places.shape[0]):
            a = int(work.struck[n, 0])
            if a >= 0 and work.place_before[a] < least:
                worst, least = n, work.place_before[a]
        if worst < 0:
            return OK
        for n in range(tables.places.shape[0]):
            rough = 1.0 if tables.places[n].rows > 1 else 0.0
            work.struck[n, 1] = rough if n == worst else 3.0
            work.place_low[n] = 0.0
        for a in range(count):
            work.place_target[a], work.place_trial[a] = work.place_before[a], 0.0
        a = int(work.struck[worst, 0])
        work.place_target[a] *= 1.0 + restitution(tables, worst, least)
        if solve_cone(tables, work, work.struck, work.place_target, work.place_low, count) < 0:
            return NO_MODE
        work.place_event[2] += 1.0
        take_impulses(tables, work, y, count)
    return NO_MODE


@internal_kernel
def velocities_before(tables, work, v):
    """Velocities of the active rows, into place_before."""
    for a in range(work.active[work.active.shape[0] - 1]):
        work.place_before[a] = along(work, work.active[a], v)
