"""Responses of a machine to loads at its places, through the formulation beneath.

    ydot = ydot_0 + sum_a lam_a r_a,       r_a = (ydot(s e_a) - ydot_0) / s

A formulation is affine in the loads, so that each r_a needs one evaluation with a unit load s. The
part r_a of the velocities is M^-1 w_a within the closed loops: G r_a = 0. Contacts therefore see a
machine only through its response matrix (Delassus)

    D_ab = w_a . r_b
"""

from __future__ import annotations

import math

from ...elements.forces.unilateral import APART, PER_ROW, SLIP, STICK, mode_of
from ...kernel.algebra.blas1 import fill
from ...kernel.decorators import inline, internal_kernel
from ...kernel.intrinsics import by_address
from ...kernel.tables.signatures import signatures
from ...kernel.tables.state import parts
from .rows import along, write_closed_rows

_rhs = by_address("tables, work, t, y, ydot", lambda: signatures()[2])
_project = by_address("tables, work, t, y", lambda: signatures()[3])
STILL = 1e-12  # sizes of the machine per second: slower sliding has no direction of its own


@inline
def base_rhs(tables, work, t, y, ydot):
    """`rhs` of the formulation beneath, with the present loads."""
    return _rhs(tables.formulation[0], tables, work, t, y, ydot)


@inline
def base_project(tables, work, t, y):
    """`project` of the formulation beneath."""
    return _project(tables.formulation[1], tables, work, t, y)


@inline
def tangent_part(work, n, r, d):
    """Component of a world direction along row r (1 or 2) of place n."""
    e = work.place_pairs[n, 1 + PER_ROW * r + 9 : 1 + PER_ROW * r + 12]
    return e[0] * d[0] + e[1] * d[1] + e[2] * d[2]


@inline
def slip_direction(tables, work, n, v, x):
    """Direction of slip of place n along its two tangents.

    It is that of the velocity, or opposite to it where this has passed zero, so that trial states
    beyond the end of sliding are smooth.
    """
    place = tables.places[n]
    d = x[place.ix + 1 : place.ix + 4]
    a, b = tangent_part(work, n, 1, d), tangent_part(work, n, 2, d)
    u, w = along(work, place.row + 1, v), along(work, place.row + 2, v)
    speed, size = math.sqrt(u * u + w * w), math.sqrt(a * a + b * b)
    if speed <= STILL * tables.settings[0].length:
        return (a / size, b / size) if size > 0.0 else (1.0, 0.0)
    speed = math.copysign(speed, u * a + w * b)
    return u / speed, w / speed


@internal_kernel
def free_response(tables, work, t, y):
    """Derivative of the state without loads, into responses[0]. Returns a Status."""
    fill(work.place_loads, 0.0)
    free, n = work.responses[0], y.shape[0]
    status = base_rhs(tables, work, t, y, free[:n])
    first = free.shape[0] - work.lam.shape[0]
    for k in range(work.lam.shape[0]):
        free[first + k] = work.lam[k]
    return status


@internal_kernel
def unit_response(tables, work, t, y, a, row, rubs, along_1, along_2):
    """Response r_a to a unit load along a row; if it `rubs`, friction acts along the next two rows.

    The rows at this state must be written.

    Returns a Status.
    """
    s, n, out = tables.settings[0].force, y.shape[0], work.responses[1 + a]
    work.place_loads[row] = s
    if rubs > 0:
        work.place_loads[row + 1], work.place_loads[row + 2] = s * along_1, s * along_2
    work.place_known[0] = 1.0
    status = base_rhs(tables, work, t, y, out[:n])
    work.place_known[0] = 0.0
    work.place_loads[row] = 0.0
    if rubs > 0:
        work.place_loads[row + 1], work.place_loads[row + 2] = 0.0, 0.0
    first, free = out.shape[0] - work.lam.shape[0], work.responses[0]
    for k in range(n):
        out[k] = (out[k] - free[k]) / s
    for k in range(work.lam.shape[0]):
        out[first + k] = (work.lam[k] - free[first + k]) / s
    return status


@internal_kernel
def respond_rows(tables, work, t, y):
    """D over the rows in `work.active`, each with a load of its own. Returns a Status.

    The free response and the rows must be known.
    """
    count, work.place_known[1] = work.active[work.active.shape[0] - 1], 0.0
    for a in range(count):
        status = unit_response(tables, work, t, y, a, work.active[a], 0, 0.0, 0.0)
        if status != 0:
            return status
    fill_delassus(tables, work, count)
    return 0


@inline
def fill_delassus(tables, work, count):
    s = tables.settings[0]
    for a in range(count):
        for b in range(count):
            work.delassus[a, b] = along(
                work, work.active[a], work.responses[1 + b, s.nq : s.nq + s.nv]
            )


@internal_kernel
def respond_modes(tables, work, t, y):
    """Free response, rows, and D over the rows that the modes in y close. Returns a Status.

    A sliding place has one row, whose load brings its friction with it.
    """
    q, v, x = parts(tables, y)
    work.place_known[1] = 0.0
    status = free_response(tables, work, t, y)
    if status != 0:
        return status
    write_closed_rows(tables, work, t, q, v, x)
    count = 0
    for n in range(tables.places.shape[0]):
        place = tables.places[n]
        mode = mode_of(x, place)
        if mode == APART:
            continue
        rubs, a, b = 0, 0.0, 0.0
        if place.rows > 1 and mode == SLIP:
            d = slip_direction(tables, work, n, v, x)
            rubs, a, b = 1, -place.friction * d[0], -place.friction * d[1]
        for r in range(place.rows if mode == STICK else 1):
            work.active[count] = place.row + r
            status = unit_response(tables, work, t, y, count, place.row + r, rubs, a, b)
            if status != 0:
                return status
            count += 1
    work.active[work.active.shape[0] - 1] = count
    fill_delassus(tables, work, count)
    return 0
