"""Unilateral elements: rigid contacts, joint stops, one-way clutches, ratchets, ropes.

A place of an element has a gap that must not become negative, or a rate that must not, and with
friction two tangents. It is apart, slips or sticks, and its mode is a state:

    apart   lam = 0                       the row u = F_i.V_i + F_j.V_j is free
    slip    u_N = 0, lam_N >= 0,          lam_T = -mu lam_N d        d the direction of slip
    stick   u_N = 0, lam_N >= 0, u_T = 0, |lam_T| <= mu lam_N

The loads lam are unknowns of engine/contacts, which finds them in `work.place_loads` from the
responses of the formulation. Elements only apply them, and supply one kernel:

    meet(tables, work, force, k, t, q, v, x, out)   place k: out[0] the gap, then 13 numbers for each
                                                    row: the wrenches F_i and F_j about the origins O
                                                    of the bodies, and the bias of its acceleration
                                                    F_i.A_i + F_j.A_j + bias, which may be left out
                                                    unless `wants_rates`
"""

from __future__ import annotations

import math

from ...kernel.algebra.spatial import add_to6, angular, load6, scale6, velocity_at, wrench
from ...kernel.algebra.vec3 import cross, dot, load3, neg, scale, sub
from ...kernel.decorators import inline
from ..controllers.contract import State
from .contract import ZERO

APART, SLIP, STICK = range(3)
NEWTON, POISSON = range(2)  # laws of impact
REFUSED, SIMULTANEOUS, SEQUENTIAL = range(3)  # several blows at once
LAWS = {"newton": NEWTON, "poisson": POISSON}
BLOWS = {None: REFUSED, "simultaneous": SIMULTANEOUS, "sequential": SEQUENTIAL}
ALL_RATES, CLOSED_RATES, NO_RATES = 0.0, 1.0, 2.0  # places whose bias is wanted
PER_ROW = 13  # numbers of a row in `work.place_pairs`
MODES = "mode"


def states_of(places: int, friction: bool, more: tuple[State, ...] = ()) -> tuple[State, ...]:
    """The states of an element: the mode of each place, and with friction the direction of slip."""
    found: list[State] = []
    for k in range(1, places + 1):
        suffix = str(k) if places > 1 else ""
        found.append(State(f"{MODES}{suffix}", 0.0, 1.0, "1"))
        if friction:
            found += [State(f"slip{suffix}_{axis}", 0.0, 1.0, "1") for axis in "xyz"]
        found += more
    return tuple(found)


def meaning_of_state(label: str) -> str:
    """What a state of a unilateral element is."""
    if label.startswith(MODES):
        place = f" of place {label[4:]}" if label[4:] else ""
        return f"mode{place}: 0 apart, 1 sliding, 2 sticking; 1 if closed without friction"
    place = f" of place {label[4:-2]}" if label[4:-2] else ""
    return f"component {label[-1]} of the direction of slip{place}, world axes"


@inline
def mode_of(x, place):
    """Mode of a place."""
    return int(x[place.ix] + 0.5)


@inline
def write_pair(out, r, F_i, F_j, bias):
    """Write row r of a place."""
    at = 1 + PER_ROW * r
    for n in range(6):
        out[at + n] = F_i[n]
        out[at + 6 + n] = F_j[n]
    out[at + 12] = bias


@inline
def tangents(n):
    """Two unit vectors normal to n and to each other."""
    x, y, z = abs(n[0]), abs(n[1]), abs(n[2])
    if x <= y and x <= z:
        a = (1.0, 0.0, 0.0)
    elif y <= z:
        a = (0.0, 1.0, 0.0)
    else:
        a = (0.0, 0.0, 1.0)
    a = sub(a, scale(dot(a, n), n))
    e = scale(1.0 / math.sqrt(dot(a, a)), a)
    return e, cross(n, e)


@inline
def write_direction(out, r, i, j, e, point, point_rate, e_rate):
    """Row r: velocity of body j relative to body i along e at a point.

    u = e.(v_j - v_i),   u' = F.A + e.((w_j - w_i) x point') + e'.(v_j - v_i)
    """
    r_i, r_j = sub(point, load3(i.O)), sub(point, load3(j.O))
    V_i, V_j = load6(i.V), load6(j.V)
    slip, turn = sub(velocity_at(V_j, r_j), velocity_at(V_i, r_i)), sub(angular(V_j), angular(V_i))
    bias = dot(e, cross(turn, point_rate)) + dot(e_rate, slip)
    write_pair(out, r, wrench(ZERO, neg(e), r_i), wrench(ZERO, e, r_j), bias)


@inline
def row_velocity(out, r, i, j):
    """u of a row that is written."""
    at, total = 1 + PER_ROW * r, 0.0
    for n in range(6):
        total += out[at + n] * i.V[n] + out[at + 6 + n] * j.V[n]
    return total


@inline
def wants_rates(work, closed):
    """Whether the bias of a place is wanted."""
    wanted = work.place_known[3]
    return wanted == ALL_RATES or (wanted == CLOSED_RATES and closed)


@inline
def is_loaded(work, place):
    """Whether a place transmits a load."""
    for r in range(place.rows):
        if work.place_loads[place.row + r] != 0.0:
            return True
    return False


@inline
def push_rows(tables, work, force, place, t, q, v, x, meet):
    """Apply the loads of a place to its bodies; `meet` is the kernel of its element."""
    out = work.place_pairs[int(force.input[0]) + place.k]
    if work.place_known[0] == 0.0:
        meet(tables, work, force, place.k, t, q, v, x, out)
    for r in range(place.rows):
        lam = work.place_loads[place.row + r]
        at = 1 + PER_ROW * r
        add_to6(work.bodies[place.i].F, scale6(lam, load6(out[at : at + 6])))
        add_to6(work.bodies[place.j].F, scale6(lam, load6(out[at + 6 : at + 12])))


@inline
def limit_step(report, gap, speed, fall, way):
    """Limit the step, so that no more than half of the gap and a short way is passed in it.

    The way in the time t is at most speed t + |fall| t^2 / 2.
    """
    left, fall = 0.5 * gap + way, abs(fall)
    root = math.sqrt(speed * speed + 2.0 * fall * left)
    if root > 0.0:
        report.longest = min(report.longest, 2.0 * left / (speed + root))
