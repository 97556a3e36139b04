"""Joint coordinates as anything may read them: from q when the joint is in the tree, from its
frames when it is cut.

A sensor has a value, a unit wrench pair (F_i, F_j) with  rate = F_i.V_i + F_j.V_j,  and a
velocity-quadratic bias with
acceleration = F_i.A_i + F_j.A_j + bias.  Drivers, couplings and torsion springs are written on
sensors and so work in
any coordinates. The angle of a cut joint is known from the frames only up to whole turns; a state x
that integrates
the rate determines the turn:  angle = raw + 2 pi round((x - raw) / 2 pi).  The position along
a closed curve, the one nearest to the origin of M, has such a state too.
"""

import math

from ...kernel.algebra.spatial import angular, dot6, join, load6, velocity_at, wrench
from ...kernel.algebra.vec3 import (
    add,
    column,
    cross,
    dot,
    load3,
    load9,
    matmul,
    neg,
    rotate,
    rotate_t,
    scale,
    sub,
)
from ...kernel.decorators import inline
from ...kernel.tables.poses import END, START
from .curve import curve_at, foot

TREE, SLIDE_X, SLIDE_Y, SLIDE_Z, TURN_X, TURN_Y, TURN_Z, ALONG = range(8)
LENGTHS = (SLIDE_X, SLIDE_Y, SLIDE_Z, ALONG)
KINDS = {
    "slide_x": SLIDE_X,
    "slide_y": SLIDE_Y,
    "slide_z": SLIDE_Z,
    "turn_x": TURN_X,
    "turn_y": TURN_Y,
    "turn_z": TURN_Z,
    "along": ALONG,
}
_ZERO = (0.0, 0.0, 0.0)
_ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
TURN = 2.0 * math.pi


@inline
def frames_of(sensor, bodies):
    """R_WF, p_WF, R_WM, p_WM of the two joint frames."""
    i, j = bodies[sensor.i], bodies[sensor.j]
    R_i, R_j = load9(i.R), load9(j.R)
    return (
        matmul(R_i, load9(sensor.R_iF)),
        add(load3(i.p), rotate(R_i, load3(sensor.p_iF))),
        matmul(R_j, load9(sensor.R_jM)),
        add(load3(j.p), rotate(R_j, load3(sensor.p_jM))),
    )


@inline
def turn_axis(kind, R_WF, R_WM):
    """Axis of a measured rotation: z or x of F, or y of M."""
    if kind == TURN_Y:
        return column(R_WM, 1)
    return column(R_WF, 2) if kind == TURN_Z else column(R_WF, 0)


@inline
def raw_angle(kind, R_WF, R_WM):
    """The angle in (-pi, pi]."""
    if kind == TURN_Z:
        x = column(R_WM, 0)
        return math.atan2(dot(x, column(R_WF, 1)), dot(x, column(R_WF, 0)))
    if kind == TURN_X:
        y = column(R_WM, 1)
        return math.atan2(dot(y, column(R_WF, 2)), dot(y, column(R_WF, 1)))
    x = column(R_WF, 0)
    return math.atan2(dot(x, column(R_WM, 2)), dot(x, column(R_WM, 0)))


@inline
def sensor_value(tables, sensor, q, x, bodies):
    if sensor.kind == TREE:
        return q[sensor.iq]
    R_WF, p_WF, R_WM, p_WM = frames_of(sensor, bodies)
    if sensor.kind <= SLIDE_Z:
        return dot(column(R_WF, sensor.kind - SLIDE_X), sub(p_WM, p_WF))
    if sensor.kind == ALONG:
        raw = foot(tables.pool, sensor.first, rotate_t(R_WF, sub(p_WM, p_WF)))
        period = round_of(tables, sensor)
    else:
        raw, period = raw_angle(sensor.kind, R_WF, R_WM), TURN
    return on_turn(raw, period, x[sensor.ix])


@inline
def without_turns(tables, sensor, bodies):
    """A measured angle or place along a curve in its first round, and the period."""
    R_WF, p_WF, R_WM, p_WM = frames_of(sensor, bodies)
    if sensor.kind == ALONG:
        raw = foot(tables.pool, sensor.first, rotate_t(R_WF, sub(p_WM, p_WF)))
        return raw, round_of(tables, sensor)
    return raw_angle(sensor.kind, R_WF, R_WM), TURN


@inline
def on_turn(raw, period, x):
    """A value known up to whole periods, on the one nearest to x; 0: there is but one."""
    return raw + period * math.floor((x - raw) / period + 0.5) if period > 0.0 else raw


@inline
def along_curve(tables, sensor, bodies):
    """Of a place along a curve: dual direction c' / c'.c' in the world, the point of M, c' and c''."""
    R_WF, p_WF, _, p_WM = frames_of(sensor, bodies)
    s = foot(tables.pool, sensor.first, rotate_t(R_WF, sub(p_WM, p_WF)))
    _, slope, bend = curve_at(tables.pool, sensor.first, s)
    return rotate(R_WF, scale(1.0 / dot(slope, slope), slope)), p_WM, slope, bend


@inline
def sensor_wrench(tables, sensor, bodies):
    """Unit wrench pair (F_i, F_j) of a sensor on frames; a tree sensor uses its hinge column
    instead.
    """
    if sensor.kind == TREE:
        return _ZERO6, _ZERO6
    if sensor.kind == ALONG:
        a, p_WM, _, _ = along_curve(tables, sensor, bodies)
        return force_pair(sensor, a, p_WM, bodies)
    R_WF, _, R_WM, p_WM = frames_of(sensor, bodies)
    if sensor.kind <= SLIDE_Z:
        return force_pair(sensor, column(R_WF, sensor.kind - SLIDE_X), p_WM, bodies)
    a = turn_axis(sensor.kind, R_WF, R_WM)
    return join(neg(a), _ZERO), join(a, _ZERO)


@inline
def force_pair(sensor, a, p, bodies):
    """Unit wrenches of a force a on body j and its reaction on body i, both at the point p."""
    return (
        wrench(_ZERO, neg(a), sub(p, load3(bodies[sensor.i].O))),
        wrench(_ZERO, a, sub(p, load3(bodies[sensor.j].O))),
    )


@inline
def turn_over(sensor, R_i, R_j, Q_i, Q_j):
    """Change of a measured angle from frames R of bodies i and j to frames Q, less than half a
    turn.
    """
    before = raw_angle(
        sensor.kind, matmul(R_i, load9(sensor.R_iF)), matmul(R_j, load9(sensor.R_jM))
    )
    turn = (
        raw_angle(sensor.kind, matmul(Q_i, load9(sensor.R_iF)), matmul(Q_j, load9(sensor.R_jM)))
        - before
    )
    return turn - TURN * math.floor(turn / TURN + 0.5)


@inline
def offset_at(work, sensor, place):
    """R_WF, and the origin of M from that of F in world axes, at a row of `work.poses`."""
    R_i, R_j = load9(work.poses[place, sensor.i, 3:]), load9(work.poses[place, sensor.j, 3:])
    p_F = add(
        load3(work.poses[place, sensor.i]),
        rotate(R_i, sub(load3(sensor.p_iF), load3(work.nodes[sensor.i].com))),
    )
    p_M = add(
        load3(work.poses[place, sensor.j]),
        rotate(R_j, sub(load3(sensor.p_jM), load3(work.nodes[sensor.j].com))),
    )
    return matmul(R_i, load9(sensor.R_iF)), sub(p_M, p_F)


@inline
def slide_at(tables, work, sensor, place):
    """A measured travel at a row of `work.poses`; along a closed curve, in its first round."""
    R_WF, p = offset_at(work, sensor, place)
    if sensor.kind == ALONG:
        return foot(tables.pool, sensor.first, rotate_t(R_WF, p))
    return dot(column(R_WF, sensor.kind - SLIDE_X), p)


@inline
def round_of(tables, sensor):
    """The period of a place along a curve, 0 if the curve is open."""
    return tables.pool[sensor.first + 2] if tables.pool[sensor.first + 1] != 0.0 else 0.0


@inline
def axis_over(work, sensor):
    """Discrete derivative of a measured angle over a step, and its change; bodies are at the
    average.

        s_f - s_i = (a + rho (s_f - s_i - a.rho) / rho.rho) . rho,      rho = r_j - r_i
    """
    R_WF, _, R_WM, _ = frames_of(sensor, work.bodies)
    a = turn_axis(sensor.kind, R_WF, R_WM)
    rho = sub(load3(work.nodes[sensor.j].r), load3(work.nodes[sensor.i].r))
    n = dot(rho, rho)
    turn = turn_over(
        sensor,
        load9(work.poses[START, sensor.i, 3:]),
        load9(work.poses[START, sensor.j, 3:]),
        load9(work.poses[END, sensor.i, 3:]),
        load9(work.poses[END, sensor.j, 3:]),
    )
    return (a, turn) if n < 1e-24 else (add(a, scale((turn - dot(a, rho)) / n, rho)), turn)


@inline
def sensor_rate(tables, sensor, v, bodies):
    if sensor.kind == TREE:
        return v[sensor.iv]
    F_i, F_j = sensor_wrench(tables, sensor, bodies)
    return dot6(F_i, load6(bodies[sensor.i].V)) + dot6(F_j, load6(bodies[sensor.j].V))


@inline
def sensor_bias(tables, sensor, bodies):
    """Acceleration of the coordinate that comes from velocities alone."""
    if sensor.kind == TREE:
        return 0.0
    R_WF, _, R_WM, p_WM = frames_of(sensor, bodies)
    i, j = bodies[sensor.i], bodies[sensor.j]
    V_i, V_j = load6(i.V), load6(j.V)
    if sensor.kind == ALONG:
        a, _, slope, bend = along_curve(tables, sensor, bodies)
        r_i, r_j = sub(p_WM, load3(i.O)), sub(p_WM, load3(j.O))
        rate = dot(a, sub(velocity_at(V_j, r_j), velocity_at(V_i, r_i)))
        curving = rate * rate * dot(slope, bend) / dot(slope, slope)
        return plane_bias(a, V_i, V_j, r_i, r_j) - curving
    if sensor.kind <= SLIDE_Z:
        return plane_bias(
            column(R_WF, sensor.kind - SLIDE_X),
            V_i,
            V_j,
            sub(p_WM, load3(i.O)),
            sub(p_WM, load3(j.O)),
        )
    carrier = angular(V_j) if sensor.kind == TURN_Y else angular(V_i)
    a = turn_axis(sensor.kind, R_WF, R_WM)
    return dot(cross(carrier, a), sub(angular(V_j), angular(V_i)))


@inline
def plane_bias(a, V_i, V_j, r_i, r_j):
    """Bias of a.(p_j - p_i) with a fixed in body i; r_i, r_j are vectors from each body's O to p_j.

    rate = a.(v_j - v_i),   bias = (w_i x a).(v_j - v_i) + a.((w_j - w_i) x v_j)
    v_i, v_j: velocities at p_j
    """
    v_i, v_j = velocity_at(V_i, r_i), velocity_at(V_j, r_j)
    w_i, w_j = angular(V_i), angular(V_j)
    slip = sub(v_j, v_i)
    return dot(cross(w_i, a), slip) + dot(a, sub(cross(w_j, v_j), cross(w_i, v_j)))
