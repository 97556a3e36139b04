"""The linear bicycle model in a steady turn, given the angles of its wheels.

    m V r = F_f + F_r,     a F_f = b F_r
    F_f = C (d_f - (v + a r) / V),     F_r = C (d_r - (v - b r) / V)
    r = V (d_f - d_r) / (L + K V^2),     K = m (b - a) / (C L)

C is the cornering stiffness of the two tyres of an axle, the same for both axles. The angles of the
wheels contain the effects of roll, bump steer and twist of the axle. Shares the data of the model
and no code with the engine.
"""

from __future__ import annotations

from ....models.car import CORNERING, GRAVITY, LOADS, WHEELBASE

MASS = 2.0 * sum(LOADS) / GRAVITY  # kg
AHEAD = WHEELBASE * LOADS[1] / sum(LOADS)  # m, of the front axle before the mass center, by statics


def yaw_rate(front: float, rear: float, speed: float) -> float:
    """Return r (rad/s) for the mean angles (rad) of the front and of the rear wheels relative to
    the chassis.
    """
    behind = WHEELBASE - AHEAD
    understeer = MASS * (behind - AHEAD) / (2.0 * CORNERING * WHEELBASE)
    return speed * (front - rear) / (WHEELBASE + understeer * speed**2)


def gain(speed: float) -> float:
    """Return the yaw rate per angle of the front wheels (1/s) of a car whose rear wheels stay
    straight.
    """
    return yaw_rate(1.0, 0.0, speed)
