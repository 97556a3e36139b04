"""Outputs of an image: numbers computed from a record, by a kernel.

An output is one of these:

    SUM           sum of factors times numbers of the record, of the state, of vdot and of lam
    VELOCITY      of a point of a body:       v + w x r
    ACCELERATION  of a point of a body:       a + alpha x r + w x (w x r)
    QUATERNION    a component of the unit quaternion of a body, with w >= 0
    COORDINATE    of a cut joint: an angle or a displacement between two frames, ...
    RATE          ... its derivative ...
    SECOND        ... and its second derivative
"""

import math
from typing import NamedTuple

import numpy as np

from ...elements.joints.sensors import (
    SLIDE_X,
    SLIDE_Z,
    TURN,
    frames_of,
    raw_angle,
    sensor_bias,
    sensor_wrench,
)
from ...kernel.algebra.spatial import dot6, load6
from ...kernel.algebra.vec3 import add, column, cross, dot, load3, load9, rotate, sub
from ...kernel.array_block import all_are_like, block
from ...kernel.decorators import inline, kernel, table
from ...kernel.tables.records import SENSOR

SUM, VELOCITY, ACCELERATION, QUATERNION, COORDINATE, RATE, SECOND = range(7)
OF_RECORD, OF_STATE, OF_VDOT, OF_LAM = range(4)  # sources of the terms of a sum
OUTPUT = np.dtype(
    [
        ("kind", "i8"),
        ("first", "i8"),  # of its terms, or its sensor
        ("count", "i8"),  # of its terms
        ("body", "i8"),
        ("component", "i8"),
        ("turn", "i8"),  # state that counts the turns of an angle, or -1
        ("p", "f8", 3),  # the point in the axes of the body
    ],
    align=True,
)
TERM = np.dtype([("source", "i8"), ("index", "i8"), ("factor", "f8")], align=True)


@block
class Outputs(NamedTuple):
    """The outputs of an image."""

    rows: np.ndarray  # OUTPUT
    terms: np.ndarray  # TERM
    sensors: np.ndarray  # SENSOR, of cut joints
    flat: np.ndarray  # all numbers of the record
    values: np.ndarray  # written by `read_outputs`


all_are_like(
    Outputs,
    lambda: Outputs(table(OUTPUT, 0), table(TERM, 0), table(SENSOR, 0), np.zeros(0), np.zeros(0)),
)


@inline
def sum_of(view, outputs, row):
    """The sum of the terms of an output."""
    total = 0.0
    for k in range(row.first, row.first + row.count):
        term = outputs.terms[k]
        if term.source == OF_RECORD:
            number = outputs.flat[term.index]
        elif term.source == OF_STATE:
            number = view.y[0, term.index]
        elif term.source == OF_VDOT:
            number = view.vdot[0, term.index]
        else:
            number = view.lam[0, term.index]
        total += term.factor * number
    return total


@inline
def of_point(record, row):
    """Velocity or acceleration of a point of a body."""
    b = row.body
    r = rotate(load9(record.rotation[0, b]), load3(row.p))
    w = load3(record.angular_velocity[0, b])
    if row.kind == VELOCITY:
        a = add(load3(record.velocity[0, b]), cross(w, r))
    else:
        turning = cross(load3(record.angular_acceleration[0, b]), r)
        a = add(add(load3(record.acceleration[0, b]), turning), cross(w, cross(w, r)))
    return a[0] if row.component == 0 else a[1] if row.component == 1 else a[2]


@inline
def quaternion(R, component):
    """A component of the unit quaternion of a rotation matrix, with w >= 0 [Shepperd1978]."""
    trace = R[0] + R[4] + R[8]
    w, x, y, z = 1.0 + trace, R[7] - R[5], R[2] - R[6], R[3] - R[1]
    if R[0] >= max(trace, R[4], R[8]):
        w, x, y, z = R[7] - R[5], 1.0 + 2.0 * R[0] - trace, R[1] + R[3], R[2] + R[6]
    elif R[4] >= max(trace, R[8]):
        w, x, y, z = R[2] - R[6], R[1] + R[3], 1.0 + 2.0 * R[4] - trace, R[5] + R[7]
    elif R[8] >= trace:
        w, x, y, z = R[3] - R[1], R[2] + R[6], R[5] + R[7], 1.0 + 2.0 * R[8] - trace
    length = math.sqrt(w * w + x * x + y * y + z * z)
    if w < 0.0:
        length = -length
    return (w if component == 0 else x if component == 1 else y if component == 2 else z) / length


@inline
def of_joint(tables, work, view, row, sensor):
    """A coordinate of a cut joint, or its derivatives, from the motion of its bodies."""
    i, j = work.bodies[sensor.i], work.bodies[sensor.j]
    if row.kind == COORDINATE:
        R_WF, p_WF, R_WM, p_WM = frames_of(sensor, work.bodies)
        if sensor.kind <= SLIDE_Z:
            return dot(column(R_WF, sensor.kind - SLIDE_X), sub(p_WM, p_WF))
        raw = raw_angle(sensor.kind, R_WF, R_WM)
        if row.turn < 0:
            return raw
        return raw + TURN * math.floor((view.y[0, row.turn] - raw) / TURN + 0.5)
    F_i, F_j = sensor_wrench(tables, sensor, work.bodies)
    if row.kind == RATE:
        return dot6(F_i, load6(i.V)) + dot6(F_j, load6(j.V))
    return dot6(F_i, load6(i.A)) + dot6(F_j, load6(j.A)) + sensor_bias(tables, sensor, work.bodies)


@kernel
def read_outputs(seen, seen_work, view, record, outputs):
    """Write the values of all outputs, after `observe`."""
    for k in range(outputs.rows.shape[0]):
        row = outputs.rows[k]
        if row.kind == SUM:
            outputs.values[k] = sum_of(view, outputs, row)
        elif row.kind <= ACCELERATION:
            outputs.values[k] = of_point(record, row)
        elif row.kind == QUATERNION:
            R = load9(record.rotation[0, row.body])
            outputs.values[k] = quaternion(R, row.component)
        else:
            outputs.values[k] = of_joint(seen, seen_work, view, row, outputs.sensors[row.first])
    return 0
