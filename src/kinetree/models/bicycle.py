"""The benchmark bicycle: four rigid bodies on two thin wheels that roll without slipping.

Data [sourced: Meijaard2007, Table 1], with z up instead of down. Between 4.3 and 6.0 m/s the bicycle
with a rigid rider balances itself: after a push it steers into the lean and comes upright again.
"""

import math
from typing import Any

import numpy as np

import kinetree as kt

from ..core.checks import number

WHEELBASE, TRAIL, TILT = 1.02, 0.08, math.pi / 10  # m, m, rad: of the steering axis
REAR, FRONT = 0.3, 0.35  # radii, m
STEERING = (-math.sin(TILT), 0.0, math.cos(TILT))


def bicycle(speed: float = 4.6, lean_rate: float = 0.5) -> kt.Model:
    """A bicycle that rides straight ahead at `speed` (m/s) and leans to the right at `lean_rate`
    (rad/s) at the start.
    """
    speed, lean_rate = number(speed, "bicycle: speed"), number(lean_rate, "bicycle: lean_rate")
    m = kt.Model("bicycle")
    parts = (
        ("frame", 85.0, (0.3, 0.0, 0.9), (9.2, 11.0, 2.8), -2.4),
        ("fork", 4.0, (0.9, 0.0, 0.7), (0.05892, 0.06, 0.00708), 0.00756),
        ("rear", 2.0, (0.0, 0.0, REAR), (0.0603, 0.12, 0.0603), 0.0),
        ("front", 3.0, (WHEELBASE, 0.0, FRONT), (0.1405, 0.28, 0.1405), 0.0),
    )
    frame, fork, rear, front = (
        m.body(
            name,
            kt.mass(mass, np.diag(diagonal) + xz * np.eye(3)[[2, 1, 0]] * (1.0, 0.0, 1.0)),
            position=at,
            look=_look(name, at),
            **_motion(name, speed, lean_rate),
        )
        for name, mass, at, diagonal, xz in parts
    )
    m.float(frame)
    head, steady = (WHEELBASE + TRAIL, 0, 0), {"angle": 0.0}
    m.joint("steer", kt.Revolute(), frame, fork, at=head, axis=STEERING, speed=steady)
    m.joint("rear hub", kt.Revolute(), frame, rear, at=(0, 0, REAR), axis="y")
    m.joint("front hub", kt.Revolute(), fork, front, at=(WHEELBASE, 0, FRONT), axis="y")
    m.constraint("rear contact", kt.Rolling(REAR), m.ground, rear)
    m.constraint("front contact", kt.Rolling(FRONT), m.ground, front)
    return m


def _motion(name: str, speed: float, lean_rate: float) -> dict[str, Any]:
    """Initial velocities of the frame: forward, and a rotation about the line through the
    contacts. Those of the other bodies follow.
    """
    if name != "frame":
        return {}
    velocity = (speed, -0.9 * lean_rate, 0.0)
    return {"velocity": velocity, "angular_velocity": (lean_rate, 0.0, 0.0)}


def _look(name: str, at: tuple[float, ...]) -> list[kt.look.Outline]:
    """Outlines in body axes; points are given where the bicycle is drawn."""

    def tube(a, b, radius=0.018, paint="red"):
        ends = (tuple(float(u - o) for u, o in zip(p, at)) for p in (a, b))
        return kt.look.Cylinder(*ends, radius, paint=paint)

    def on_axis(height):
        return (WHEELBASE + TRAIL - math.tan(TILT) * height, 0.0, height)

    if name in ("rear", "front"):
        radius = REAR if name == "rear" else FRONT
        rim = kt.look.Cylinder((0, -0.02, 0), (0, 0.02, 0), radius, paint="rubber")
        spots = [(0.6 * radius * c, 0.025 * s, 0) for c in (-1, 1) for s in (-1, 1)]
        return [rim, *(kt.look.Sphere(0.03, spot, paint="chrome") for spot in spots)]
    if name == "fork":
        hub = (WHEELBASE, 0.0, FRONT)
        sides = [tube((hub[0], y, hub[2]), on_axis(0.72), 0.014, "chrome") for y in (-0.05, 0.05)]
        left, right = ((on_axis(1.0)[0], y, 1.0) for y in (0.25, -0.25))
        return [*sides, tube(on_axis(0.72), on_axis(1.0)), tube(left, right, paint="dark")]
    crank, seat, head = (0.42, 0.0, 0.28), (0.25, 0.0, 0.85), on_axis(0.8)
    rider = [
        tube(seat, (0.5, 0, 1.35), 0.11, "grey"),
        kt.look.Sphere(0.11, (0.55 - at[0], 0, 1.55 - at[2]), paint="grey"),
    ]
    return [tube((0, 0, REAR), crank), tube(crank, seat), tube((0, 0, REAR), seat)] + [
        tube(seat, head),
        tube(crank, head),
        *rider,
    ]
