"""One mass on a slide, pushed by user code; and the integrators, each with a step where it needs
one.
"""

from __future__ import annotations

import kinetree as kt
from kinetree.engine.integrators.catalogue import INTEGRATORS

METHODS = [(entry.name, {} if entry.adaptive else {"step": 0.01}) for entry in INTEGRATORS]
MASS = 2.0


def slide(**start) -> tuple[kt.Model, object]:
    m = kt.Model("slide", gravity=(0, 0, 0))
    body = m.body("mass", kt.sphere(MASS, 0.1))
    m.joint("A", kt.Translational("x"), m.ground, body, **start)
    return m, body


def with_law(law) -> kt.Model:
    m, _ = slide()
    m.force("law", kt.TorsionSpring("A.displacement", law=law))
    return m


def with_signal(f) -> kt.Model:
    m, body = slide(speed={"displacement": 1.0})
    m.force("push", kt.PointForce((kt.Function(f), 0.0, 0.0)), body)
    return m


def with_force(f, parameters=()) -> kt.Model:
    m, body = slide()
    m.force("user", kt.UserForce(f, parameters), body)
    return m


def with_controllers(first, states=None, outputs=("a",)) -> kt.Model:
    """A controller under test, and after it one whose state decays and whose output is what the
    mass is pushed by.
    """
    m, body = slide()
    m.controller("first", kt.Controller(first, ("A.displacement",), states or {}, outputs))
    m.controller("second", kt.Controller(decay, (), {"level": 1.0}, ("push",)))
    m.force("push", kt.PointForce(("second.push", 0.0, 0.0)), body)
    return m


def decay(t, u, x, parameters, xdot, out):
    xdot[0] = -x[0]
    out[0] = x[0]


def linkage(f) -> kt.Model:
    """A four-bar with a user's torque at its crank: a closed loop."""
    from kinetree.models.four_bar import four_bar

    m = four_bar()
    m.force("user", kt.TorsionSpring("A.angle", torque=kt.Function(f)))
    return m
