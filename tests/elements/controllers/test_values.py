"""States as values: runs that start where another ended, where forces balance, or where the user
says.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import kinetree as kt

from .machines import CHANNELS, controlled_pendulum

RTOL = 1e-9


def four_bar(crank=-1.2, spring=0.0):
    m = kt.Model("four-bar", gravity=(0, 0, -9.81))
    bodies = {
        name: m.body(name, kt.rod(mass=mass, length=length, along="x", axial=1e-3))
        for name, mass, length in (
            ("crank", 0.5, 0.5),
            ("coupler", 1.0, 1.2),
            ("rocker", 0.75, 0.75),
        )
    }
    m.joint(
        "A",
        kt.Revolute(axis="y"),
        m.ground.at(0, 0, 0),
        bodies["crank"].end("-"),
        start={"angle": crank},
    )
    m.joint("B", kt.Revolute(axis="y"), bodies["crank"].end("+"), bodies["coupler"].end("-"))
    m.joint("C", kt.Revolute(axis="y"), bodies["coupler"].end("+"), bodies["rocker"].end("+"))
    m.joint("D", kt.Revolute(axis="y"), m.ground.at(1.1, 0, 0), bodies["rocker"].end("-"))
    if spring:
        m.force("spring", kt.TorsionSpring("A.angle", stiffness=spring))
    return m


def press():
    """A load pushed by a cylinder behind a valve that opens."""
    m = kt.Model("press", gravity=(0, 0, -9.81))
    load = m.body("load", kt.sphere(mass=200.0, radius=0.1))
    m.joint("slide", kt.Translational(axis="z"), m.ground, load, start={"displacement": 1.2})
    m.force(
        "ram",
        kt.HydraulicCylinder(
            bore=0.08,
            rod=0.04,
            stroke=0.6,
            dead_volume=1e-4,
            supply=1e7,
            closed_length=1.0,
            damping=2e3,
            valve=kt.Valve(spool=0.5, area=1e-5),
        ),
        m.ground,
        load,
    )
    return m


CASES = {
    "hydraulics": (press, 0.8, ("slide.displacement", "slide.rate")),
    "controller": (controlled_pendulum, 0.8, CHANNELS),
    "loop": (four_bar, 1.0, ("A.angle", "D.angle", "A.rate")),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("at", [0.4, 0.4123])
@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_run_continued_is_the_run_itself(case, at, coordinates):
    """From a sample, and from between samples, in the same coordinates and carried over to others."""
    build, until, channels = CASES[case]
    model = build()
    whole = kt.simulate(model, until, rtol=RTOL, output_interval=0.1)
    rest = kt.simulate(
        model, until, rtol=RTOL, output_interval=0.1, state=whole.at(at), coordinates=coordinates
    )
    assert (rest.t[0], rest.t[-1]) == (at, until) and rest.success
    for name in channels:
        assert_allclose(
            rest[name][-1], whole[name][-1], rtol=0, atol=100 * RTOL
        )  # errors of steps, a few hundred of them


def test_turns_of_counted_angles_are_carried_along():
    model = four_bar(0.3)
    model.force("spring", kt.TorsionSpring("A.angle", stiffness=1e-3))
    start = {"A.angle": 0.3, "A.rate": 25.0}
    for coordinates, other in (("relative", "cartesian"), ("cartesian", "relative")):
        whole = kt.simulate(model, 1.0, rtol=RTOL, state=start, coordinates=coordinates)
        assert whole["A.angle"][-1] > 2 * np.pi
        rest = kt.simulate(model, 1.0, rtol=RTOL, state=whole.at(0.8), coordinates=other)
        assert_allclose(rest["A.angle"][-1], whole["A.angle"][-1], atol=1e-6)
        assert_allclose(rest["spring.energy"][0], whole.at(0.8)["spring.energy"][0], rtol=1e-9)


def test_a_run_continued_after_an_impact_between_samples():
    model = four_bar()
    events = kt.Event("A.angle", -1.0, name="hit", then=lambda t, s: {"A.rate": -0.9 * s["A.rate"]})
    whole = kt.simulate(model, 1.0, rtol=RTOL, output_interval=0.5, events=events)
    at = float(whole.events["hit"].t[0]) + 0.01
    rest = kt.simulate(model, 1.0, rtol=RTOL, output_interval=0.5, events=events, state=(whole, at))
    assert_allclose(rest["A.angle"][-1], whole["A.angle"][-1], atol=100 * RTOL)
    assert len(rest.events["hit"]) == len(whole.events["hit"]) - 1


def test_a_run_from_an_equilibrium_stays_there():
    model = four_bar()
    sol = kt.simulate(model, 0.5, state=kt.equilibrium(model))
    assert np.abs(sol["A.rate"]).max() < 1e-10 and np.ptp(sol["A.angle"]) < 1e-10


def test_a_run_from_an_assembly_and_from_coordinates_are_the_same():
    model = four_bar()
    one = kt.simulate(model, 0.2, state=kt.assemble(model, targets={"A.angle": 0.5}))
    other = kt.simulate(model, 0.2, state={"A.angle": 0.5})
    assert_array_equal(one["A.angle"], other["A.angle"])
    assert_allclose(one["A.angle"][0], 0.5, atol=1e-12)


def test_coordinates_speeds_and_states_may_be_given_by_name():
    sol = kt.simulate(
        controlled_pendulum(), 0.1, state={"A.angle": 0.2, "A.rate": 3.0, "pid.integral": 0.7}
    )
    assert_allclose(
        [sol[name][0] for name in ("A.angle", "A.rate", "pid.integral")], [0.2, 3.0, 0.7]
    )
    assert_allclose(
        kt.simulate(controlled_pendulum(), 0.1, state={"A.angle.rate": 3.0})["A.rate"][0], 3.0
    )


def test_the_clock_may_start_elsewhere():
    model = controlled_pendulum()
    late, early = kt.simulate(model, 2.5, t0=2.0, rtol=RTOL), kt.simulate(model, 0.5, rtol=RTOL)
    assert (late.t[0], late.t[-1]) == (2.0, 2.5)
    assert_allclose(
        late["A.angle"], early["A.angle"], atol=100 * RTOL
    )  # nothing in it depends on time
    again = kt.simulate(model, 0.4, t0=0.1, state=late.at(2.1), rtol=RTOL)
    assert_allclose(again["A.angle"][-1], early.at(0.4)["A.angle"][-1], atol=1e-7)


def test_a_state_of_another_model_with_the_same_bodies_is_carried_over():
    sol = kt.simulate(four_bar(), 0.3)
    stiff = kt.simulate(four_bar(spring=20.0), 0.4, state=sol.at(0.2))
    assert_allclose(stiff["A.angle"][0], sol.at(0.2)["A.angle"][0], atol=1e-12)
    assert_allclose(stiff["D.rate"][0], sol.at(0.2)["D.rate"][0], atol=1e-9)


def test_a_state_knows_its_machine():
    sol = kt.simulate(four_bar(), 0.3)
    state = kt.State.of(kt.assemble(four_bar()))
    assert (
        state.hash
        == kt.State.of(sol.assembly).hash
        != kt.State.of(kt.assemble(four_bar(spring=3.0))).hash
    )
    assert "A.angle = -1.2" in str(state)
    assert_allclose(
        kt.modes(four_bar(), state=sol.at(0.1)).eigenvalues,
        kt.modes(four_bar(), state=(sol, 0.1)).eigenvalues,
    )


@pytest.mark.parametrize(
    "state, words",
    [
        (3, "state must be None"),
        ({"A.angel": 1.0}, "Did you mean 'angle'"),
        ({"Z.angle": 1.0}, "no joint named 'Z'"),
        ({"A.angle": "x"}, "must be a number"),
    ],
)
def test_what_is_no_state_is_refused_in_words(state, words):
    with pytest.raises(kt.ModelError, match=words):
        kt.simulate(four_bar(), 0.1, state=state)


def test_a_whole_solution_another_machine_or_the_past_are_refused_in_words():
    sol = kt.simulate(four_bar(), 0.3)
    with pytest.raises(kt.ModelError, match=r"choose one with sol\.at\(t\)"):
        kt.simulate(four_bar(), 0.5, state=sol)
    with pytest.raises(kt.ModelError, match="whose bodies are not those"):
        kt.simulate(controlled_pendulum(), 0.5, state=sol.at(0.1))
    with pytest.raises(kt.ModelError, match="must be after the start"):
        kt.simulate(four_bar(), 0.1, state=sol.at(0.2))


def test_a_state_that_a_driver_has_left_is_refused():
    m = four_bar(0.5)
    m.constraint("motor", kt.Driver("A.angle", kt.Ramp(1.0, start=0.5)))
    sol = kt.simulate(m, 0.3)
    assert kt.simulate(m, 0.3, state=sol.at(0.1)).success
    with pytest.raises(kt.ModelError, match="violates the constraints of 'four-bar'"):
        kt.simulate(m, 0.3, state=sol.at(0.1), t0=0.2)
