"""Models for several tests of the stiff integrators."""

import kinetree as kt
from kinetree.models.four_bar import four_bar


def braked() -> kt.Model:
    """A falling linkage of spatial hinges with five redundant equations and a strong damper."""
    m = four_bar()
    m.force("brake", kt.TorsionSpring("A.angle", stiffness=0.0, damping=2000.0))
    return m


def controlled() -> kt.Model:
    """The linkage with a controller that has a state and turns the crank through a torque."""

    def pi(t, u, x, p, xdot, out):
        xdot[0] = 0.3 - u[0]
        out[0] = 40.0 * (0.3 - u[0]) + 25.0 * x[0] - 6.0 * u[1]

    m = four_bar()
    m.controller(
        "pi",
        kt.Controller(
            pi, inputs=("A.angle", "A.angle.rate"), outputs=("torque",), states={"integral": 0.0}
        ),
    )
    m.force("motor", kt.Torque((0.0, "pi.torque", 0.0)), m.bodies["crank"])
    return m
