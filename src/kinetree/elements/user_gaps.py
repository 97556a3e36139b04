"""Longest step before a contact by user code: a gap function with two derivatives.

    gap(t, ..) > 0:   step  <=  the time in which half of the gap, and a short way, is passed
    with the rate and the acceleration of the gap along the present motion

The derivatives are those of the user's function (kernel/jet_function.py), along the motion of the
markers, or of the inputs of a controller. The acceleration of a body is that of the evaluation
before this one. A step that ends at the touch, or later by the short way, is
followed by steps in which the error control sees the contact.
"""

from __future__ import annotations

import inspect
import math

from ..kernel.algebra.spatial import add6, angular, linear, load6, scale6
from ..kernel.algebra.vec3 import add, cross, load3, load9, matmul, rotate, scale, sub
from ..kernel.decorators import inline, internal_kernel
from ..kernel.tables.fault import set_fault
from ..kernel.usercode.registry import address_of
from ..kernel.usercode.shapes import MARKER, python_of
from .constraints.user_rows import (
    POSITION,
    ROTATION,
    STATE,
    call,
    put,
    put_pose,
    put_turn,
    velocities,
)

SHORT = 1e-4  # of the size of the model: the short way
ARGUMENTS = 4  # of a gap function; a function f(t, s) of a state is an event


def bounds_steps(gap: object) -> bool:
    """Whether gap= is a function of the markers or inputs, which bounds the steps."""
    if not callable(gap):
        return False
    try:
        inspect.signature(python_of(gap)).bind(*range(ARGUMENTS))
    except (TypeError, ValueError):
        return False
    return True


def lower_gap(to, gap: object, shape: str, parameters) -> int:
    """Index of a gap function among the aims, or -1."""
    if not callable(gap) or not bounds_steps(gap):
        return -1
    return to.user_aim(address_of(gap, shape), parameters, 1, True)


@inline
def accelerations(tables, work, i):
    """Spatial acceleration of a body by the last known accelerations, about its O."""
    A, k = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), i
    while k > 0:
        link = tables.links[k]
        A = add6(A, load6(work.bodies[k].c))
        for j in range(link.iv, link.iv + link.nv):
            A = add6(A, scale6(work.vdot[j], load6(work.dofs[j].h)))
        for j in range(link.modes):
            h = load6(work.dofs[link.column + j].h)
            A = add6(A, scale6(work.vdot[link.mode_iv + j], h))
        k = link.parent
    return A


@internal_kernel
def put_marker(tables, work, row, at, m):
    """Set a marker on its motion, with its acceleration."""
    marker = tables.markers[m]
    body = work.bodies[marker.body]
    R = matmul(load9(body.R), load9(marker.R))
    x = add(load3(body.p), rotate(load9(body.R), load3(marker.p)))
    v, w = velocities(body, x)
    A = accelerations(tables, work, marker.body)
    a = add(linear(A), add(cross(angular(A), sub(x, load3(body.O))), cross(w, v)))
    put_pose(row, at, x, R)
    put(row, at + POSITION, 1, v)
    put(row, at + POSITION, 2, scale(0.5, a))
    put_turn(row, at, 2, put_turn(row, at, 1, R, w), scale(0.5, w))
    add_turn(row, at, R, scale(0.5, angular(A)))


@inline
def add_turn(row, at, R, w):
    """Add w~ R to coefficient 2 of a rotation."""
    for j in range(3):
        turned = cross(w, (R[j], R[3 + j], R[6 + j]))
        for k in range(3):
            row[STATE + 3 * (at + ROTATION + 3 * k + j) + 2] += turned[k]


@internal_kernel
def heed_markers(tables, work, force, n, t):
    """Limit the step by the gap function n of a force element."""
    row = work.aims[n]
    row[0] = t
    if force.nm > 1:
        put_marker(tables, work, row, 0, force.im)
    else:  # the ground at the origin
        put_pose(row, 0, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    put_marker(tables, work, row, MARKER, force.im + force.nm - 1)
    call(tables, n, work.aims, 1.0, 2 * MARKER, 0, 0)
    heed(tables, work, row[STATE + 6 * MARKER :])


@inline
def heed(tables, work, gap):
    """Limit the step; the gap is a jet."""
    report, length = work.report[0], tables.settings[0].length
    if not math.isfinite(gap[0]):
        set_fault(report)
    if gap[0] <= 0.0 or not math.isfinite(gap[1] + gap[2]):
        return
    way, speed, fall = 0.5 * gap[0] + SHORT * length, abs(gap[1]), abs(2.0 * gap[2])
    root = math.sqrt(speed * speed + 2.0 * fall * way)
    if root > 0.0:
        report.longest = min(report.longest, 2.0 * way / (speed + root))
