"""An arm that is lifted by a hydraulic cylinder: EXUDYN's hydraulicActuatorSimpleTest.

Its chambers have constant volume (here: large and as much stiffer), equal areas, no laminar
transition, Q = a Qn sqrt(dp) with the opening as a factor, and the valve follows the length of the
actuator. Its start of 2 rad/s with the mass center at rest breaks the pivot; what the pivot leaves
of it is 2 I / (I + m / 4) = 0.5 rad/s. The published pressures are stated to about 1e-5.
"""

from __future__ import annotations

import math

import kinetree as kt

PRESSURES = (6441296.09, 3008420.04)  # Pa, at 0.4 s


def lifted_arm() -> kt.Model:
    """Return the arm with its cylinder, valve and controller."""

    def follow(t, u, x, parameters, xdot, out):
        length = math.sqrt(0.125 + 0.125 * math.sin(u[0]))
        goal = math.sqrt(0.125) + 0.1 * (max(0.5, min(1.5, 1.0 - math.cos(math.pi * t))) - 0.5)
        out[0] = 2.0 * (goal - length)

    m = kt.Model("arm", gravity=(0, -9.81, 0))
    arm = m.body("arm", kt.mass(120.0, inertia=(1.0, 10.0, 10.0), com=(0.5, 0, 0)))
    m.joint("pivot", kt.Revolute(axis="z"), m.ground, arm, speed={"angle": 0.5})
    m.controller("follow", kt.Controller(follow, ("pivot.angle",), {}, ("opening",)))
    m.force(
        "actuator",
        kt.HydraulicCylinder(
            bore=math.sqrt(0.04 / math.pi),
            rod=1e-7,
            stroke=10.0,
            dead_volume=1e6,
            supply=2e7,
            tank=1e-3,
            extension=5.0,
            pressure=(2e6, 2e6),
            bulk_modulus=1e17,
            air=0.0,
            damping=2e5,
            valve=kt.Valve(
                spool="follow.opening", area=1.0, discharge=2e-5, density=2.0, transition=1.0
            ),
        ),
        m.ground.at(0, -0.25, 0),
        arm.at(0.25, 0, 0),
    )
    return m
