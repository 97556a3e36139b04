"""Controlled machines and, beside each, its equations written by hand."""

from __future__ import annotations

import numpy as np

import kinetree as kt

GOAL, KP, KI, KD, LAG, G = 0.5, 40.0, 30.0, 6.0, 0.1, 9.81
START = (0.3, 0.0, 0.1, 0.0, 0.2)  # angle, rate, integral, torque behind the lag, level


def pid(t, u, x, parameters, xdot, out):
    """Integral of the error; the torque asked for."""
    error = parameters[0] - u[0]
    xdot[0] = error
    out[0] = parameters[1] * error + parameters[2] * x[0] - parameters[3] * u[1]


def lag(t, u, x, parameters, xdot, out):
    """First-order lag of an input."""
    xdot[0] = (u[0] - x[0]) / parameters[0]
    out[0] = x[0]


def follower(t, u, x, parameters, xdot, out):
    """A state that follows another controller's state."""
    xdot[0] = 3.0 * (u[0] - x[0])


def controlled_pendulum() -> kt.Model:
    """A rod on a hinge, turned by a PID controller through a lag; a third controller reads the
    first one's state.
    """
    m = kt.Model("controlled pendulum", gravity=(0, 0, -G))
    rod = m.body("rod", kt.rod(1.0, 1.0, along="z"))
    m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("+"), start={"angle": START[0]})
    m.controller(
        "pid",
        kt.Controller(
            pid,
            ("A.angle", "A.angle.rate"),
            {"integral": START[2]},
            ("torque",),
            (GOAL, KP, KI, KD),
            units={"integral": "rad s", "torque": "N m"},
        ),
    )
    m.controller(
        "lag",
        kt.Controller(
            lag, ("pid.torque",), {"level": START[3]}, ("torque",), (LAG,), scales={"level": 10.0}
        ),
    )
    m.controller("follower", kt.Controller(follower, ("pid.integral",), {"level": START[4]}))
    m.force("motor", kt.TorsionSpring("A.angle", torque="lag.torque"))
    return m


def pendulum_rates(t, y):
    """m l^2 / 3 angle'' = -m g l / 2 sin(angle) + torque, and the controllers."""
    angle, rate, integral, torque, level = y
    error = GOAL - angle
    asked = KP * error + KI * integral - KD * rate
    return [
        rate,
        3.0 * (torque - 0.5 * G * np.sin(angle)),
        error,
        (asked - torque) / LAG,
        3.0 * (integral - level),
    ]


CHANNELS = ("A.angle", "A.rate", "pid.integral", "lag.level", "follower.level")


def reference(until: float) -> np.ndarray:
    """The hand-written equations by another program's integrator."""
    from scipy.integrate import solve_ivp

    return solve_ivp(
        pendulum_rates, (0.0, until), START, method="DOP853", rtol=1e-13, atol=1e-13
    ).y[:, -1]


def lagged_mass(mass: float = 2.0, stiffness: float = 50.0, time: float = 0.3) -> kt.Model:
    """A mass on a slide, pulled back by a force that lags behind -k s."""
    m = kt.Model("lagged mass", gravity=(0, 0, 0))
    body = m.body("mass", kt.sphere(mass, 0.1))
    m.joint("slide", kt.Translational(axis="x"), m.ground, body, start={"displacement": 0.1})

    def behind(t, u, x, parameters, xdot, out):
        xdot[0] = (-parameters[0] * u[0] - x[0]) / parameters[1]
        out[0] = x[0]

    m.controller(
        "drive",
        kt.Controller(
            behind,
            ("slide.displacement",),
            {"force": 0.0},
            ("push",),
            (stiffness, time),
            scales={"force": 10.0},
        ),
    )
    m.force("push", kt.PointForce(("drive.push", 0.0, 0.0)), body)
    return m
