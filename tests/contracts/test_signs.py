"""One sign of every scalar effort: positive makes its coordinate grow, and times its rate it is the
power on the machine.
"""

import numpy as np
import pytest

import kinetree as kt

RUN = {"integrator": "rk4", "step": 1e-3, "output_interval": 0.01, "progress": False}


def on_a_slide(spec, *, at_markers: bool) -> kt.Model:
    """A load on a vertical slide that hangs on, stands on or is held by one element."""
    m = kt.Model("load")
    load = m.body("load", kt.box(2.0, (0.1, 0.1, 0.1)), position=(0, 0, -1.0))
    m.joint("guide", kt.Translational("z"), m.ground, load, speed={"displacement": -0.3})
    m.force("it", spec, *((m.ground, load) if at_markers else ()))
    return m


@pytest.mark.parametrize(
    "spec,at_markers",
    [
        (kt.SpringDamper(stiffness=300.0, damping=4.0, length=0.8), True),
        (kt.SpringDamper(force=3.0), True),
        (kt.Cable(stiffness=300.0, damping=4.0, length=0.9), True),
        (kt.TorsionSpring("guide.displacement", 300.0, damping=4.0), False),
        (
            kt.BumpStop(
                "guide.displacement", at=-1.0, stiffness=300.0, damping=4.0, lower_end=True
            ),
            False,
        ),
        (kt.JointFriction("guide.displacement", coulomb=2.0), False),
    ],
    ids=lambda one: getattr(one, "kind", ""),
)
def test_force_times_rate_is_the_power_on_the_machine(spec, at_markers):
    """The length from the ground grows as the load falls; coordinates of the joint count upwards."""
    sol = kt.simulate(on_a_slide(spec, at_markers=at_markers), 0.1, **RUN)
    force, rate = sol["it.force"], sol["it.rate"]
    sign = (
        -1.0 if isinstance(spec, kt.BumpStop) else 1.0
    )  # its rate is that of the depth, against which it pushes from below
    np.testing.assert_allclose(
        sign * force * rate, sol["it.power"], atol=1e-9 * np.abs(sol["it.power"]).max() + 1e-12
    )
    assert np.abs(sol["it.power"]).max() > 0.1


def test_a_rod_a_cable_and_a_spring_that_carry_the_same_weight_have_the_same_force():
    """m g, all pulling: -19.62 N."""

    def hanging(add) -> float:
        m = kt.Model("hanging")
        load = m.body("load", kt.box(2.0, (0.1, 0.1, 0.1)), position=(0, 0, -1.0))
        m.joint("guide", kt.Translational("z"), m.ground, load)
        add(m, load)
        return float(kt.equilibrium(m)["it.force"])

    weight = 2.0 * 9.81
    for add in (
        lambda m, b: m.constraint("it", kt.Distance(1.0), m.ground, b),
        lambda m, b: m.force("it", kt.SpringDamper(1e3, length=1.0), m.ground, b),
        lambda m, b: m.force("it", kt.Cable(1e3, length=0.99), m.ground, b),
    ):
        assert hanging(add) == pytest.approx(-weight, rel=1e-9)
    assert hanging(
        lambda m, b: m.constraint("it", kt.Driver("guide.displacement", -1.0))
    ) == pytest.approx(weight, rel=1e-9)


def test_tension_is_minus_the_force_and_the_power_of_a_winch_is_force_times_rate():
    m = kt.Model("winch")
    load = m.body("load", kt.sphere(2.0, 0.1), position=(0, 0, -1))
    m.joint("guide", kt.Translational(axis="z"), m.ground, load)
    m.constraint("rope", kt.Distance(kt.Ramp(-0.5, start=1.0)), m.ground, load)
    sol = kt.kinematics(m, 0.5, output_interval=0.1)
    np.testing.assert_allclose(sol["rope.tension"], 2.0 * 9.81, rtol=1e-9)
    np.testing.assert_allclose(
        sol["rope.force"] * -0.5, 2.0 * 9.81 * sol["guide.rate"], rtol=1e-9
    )  # it lifts the load
