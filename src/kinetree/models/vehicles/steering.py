"""Rack and tie rods: the rack slides across the chassis with prescribed travel, and the tie rods
steer the knuckles.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import kinetree as kt

from ...kernel.linalg import norm, product
from .hard_points import Part, Rod, Side


def add_rack(
    m: kt.Model,
    chassis,
    at: np.ndarray,
    part: Part,
    travel: Any = 0.0,
    *,
    speed: float = 0.0,
    half_length: float = 0.2,
):
    """Add a steering rack to a model: body "rack", joint "rack slide", driver "steer".

    Parameters
    ----------
    m : kt.Model
        The model.
    chassis : kt.Body
        The chassis.
    at : array_like, shape (3,)
        Middle of the rack in world axes (m).
    part : Part
        Mass (kg) and moments of inertia (kg m^2).
    travel : float, time function or None, default 0.0
        Travel of the rack (m), positive to the left; None leaves the rack free.
    speed : float, default 0.0
        Initial speed of the vehicle along x (m/s).
    half_length : float, default 0.2
        Half of the length as drawn (m).

    Returns
    -------
    kt.Body
        The rack.
    """
    body = m.body(
        "rack",
        kt.mass(*part),
        position=at,
        velocity=(speed, 0.0, 0.0),
        look=kt.look.Cylinder((0, -half_length, 0), (0, half_length, 0), 0.015, paint="chrome"),
    )
    m.joint("rack slide", kt.Translational(), chassis, body, at=at, axis="y")
    if travel is not None:
        m.constraint("steer", kt.Driver("rack slide.displacement", travel))
    return body


def add_tie_rod(m: kt.Model, rack, knuckle, side: Side, inner, outer, rod: Rod):
    """Add a tie rod to a model: body "tie FL", joints "tie inner FL" and "tie outer FL".

    The inner joint is universal, so that the rod cannot rotate about its own axis; the outer one is
    spherical.

    Parameters
    ----------
    m : kt.Model
        The model.
    rack : kt.Body
        Body at the inner end: a rack, or the chassis.
    knuckle : kt.Body
        Body at the outer end.
    side : Side
        Side of the vehicle.
    inner : (float, float, float)
        Hard point of the inner joint, drawn for the left side (m).
    outer : (float, float, float)
        Hard point of the outer joint, drawn for the left side (m).
    rod : Rod
        Mass (kg) and moments of inertia (kg m^2).

    Returns
    -------
    kt.Body
        The tie rod.
    """
    a, b = side.at(inner), side.at(outer)
    t = b - a
    body = m.body(
        f"tie {side.name}",
        kt.mass(rod.mass, rod.inertia(t)),
        position=0.5 * (a + b),
        velocity=side.velocity,
        look=kt.look.Cylinder(-0.5 * t, 0.5 * t, 0.01, paint="steel"),
    )
    first = np.array([1.0, 0.0, 0.0]) - t[0] / product(t, t) * t  # across the rod
    first /= norm(first)
    second = np.cross(t / norm(t), first)
    m.joint(
        f"tie inner {side.name}",
        kt.Universal(axis1=tuple(first), axis2=tuple(second)),
        rack,
        body,
        at=a,
    )
    m.joint(f"tie outer {side.name}", kt.Spherical(), body, knuckle, at=b)
    return body
