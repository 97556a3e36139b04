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
    """Add "rack" on "rack slide", driven by "steer": a number or a time function (m, positive to
    the left); None leaves it free.
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
    """Add "tie FL" between rack (universal joint, so that it cannot rotate idly) and knuckle (ball
    joint).
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
