"""Equations by user code between joint coordinates, differentiated along curves of coordinates.

    g(t, s) = 0,           gddot = sum g_k s_k'' + bias,   bias = 2 c2 along s + s' c, t + c
    h(t, s, s') = 0        hdot  = sum h_k s_k'' + bias,   bias = c1 along the same curve, s' fixed

g_k = dg/ds_k, or h_k = dh/ds_k', is the ratio of coordinate k in the row (coordinates.py). The row
of `work.aims` has the time, jets of s and s', jets of the results, and the ratios.
"""

from __future__ import annotations

from ...kernel.decorators import inline, internal_kernel
from ..joints.sensors import sensor_rate, sensor_value
from .coordinates import sensor_acceleration
from .user_rows import STATE, call


@internal_kernel
def place(tables, work, p):
    """Set the coordinates at rest."""
    row = work.aims[p.aim]
    for m in range(p.sensors):
        sensor = tables.sensors[tables.terms[p.term + m].sensor]
        set_number(row, m, sensor_value(tables, sensor, work.q_seen, work.x_seen, work.bodies), 0.0)
        set_number(row, p.sensors + m, 0.0, 0.0)


@inline
def set_number(row, m, value, rate):
    at = STATE + 3 * m
    row[at], row[at + 1], row[at + 2] = value, rate, 0.0


@internal_kernel
def result(tables, work, p, rate, k):
    """Coefficient k of the row of p."""
    call(tables, p.aim, work.aims, rate, 2 * p.sensors, p.sensors, p.sensors)
    return work.aims[p.aim, STATE + 6 * p.sensors + 3 * p.first + k]


@inline
def first_ratio(tables, p):
    return STATE + 6 * p.sensors + 3 * tables.aims[p.aim].rows


@internal_kernel
def find_ratios(tables, work, p):
    """Write the ratios of the coordinates in the row; needs positions."""
    place(tables, work, p)
    row, at = work.aims[p.aim], p.sensors if p.rates[0] > 0 else 0
    for m in range(p.sensors):
        row[STATE + 3 * (at + m) + 1] = 1.0
        row[first_ratio(tables, p) + m] = result(tables, work, p, 0.0, 1)
        row[STATE + 3 * (at + m) + 1] = 0.0


@inline
def ratio(tables, work, p, m):
    """Ratio of term m; of user code after `find_ratios`."""
    if p.aim >= 0:
        return work.aims[p.aim, first_ratio(tables, p) + m - p.term]
    return tables.terms[m].ratio


@internal_kernel
def user_value(tables, work, p):
    if p.rates[0] > 0:
        return 0.0
    place(tables, work, p)
    return result(tables, work, p, 0.0, 0)


@internal_kernel
def user_drift(tables, work, p):
    """g_t, or h without velocities."""
    place(tables, work, p)
    if p.rates[0] > 0:
        return result(tables, work, p, 0.0, 0)
    return result(tables, work, p, 1.0, 1)


@internal_kernel
def user_bias(tables, work, p):
    """gddot at vdot = 0; needs velocities and accelerations, and `find_ratios`."""
    total, row = 0.0, work.aims[p.aim]
    for m in range(p.sensors):
        sensor = tables.sensors[tables.terms[p.term + m].sensor]
        share = ratio(tables, work, p, p.term + m)
        total += share * sensor_acceleration(tables, sensor, work.bodies)
    for m in range(p.sensors):
        sensor = tables.sensors[tables.terms[p.term + m].sensor]
        value = sensor_value(tables, sensor, work.q_seen, work.x_seen, work.bodies)
        rate = sensor_rate(tables, sensor, work.v_seen, work.bodies)
        set_number(row, m, value, rate)
        set_number(row, p.sensors + m, rate, 0.0)
    if p.rates[0] > 0:
        return total + result(tables, work, p, 1.0, 1)
    return total + 2.0 * result(tables, work, p, 1.0, 2)
