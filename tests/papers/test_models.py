"""Built-in models build, assemble and run in both kinds of coordinates, and give published values."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.errors import NameNotFound
from kinetree.models.andrews import andrews
from kinetree.models.catalogue import MODELS, model_entry
from kinetree.models.five_dof import five_dof
from kinetree.models.heavy_top import heavy_top
from kinetree.models.n_four_bar import n_four_bar
from kinetree.models.slider_crank import slider_crank
from kinetree.models.units import INCH, POUND_FORCE

MOBILITY = {
    "pendulum": 1,
    "double-pendulum": 2,
    "four-bar": 1,
    "slider-crank": 1,
    "rssr": 2,
    "five-dof": 5,
    "andrews": 1,
    "n-four-bar": 1,
    "door": 1,
    "heavy-top": 3,
    "quarter-car": 2,
    "flyball-governor": 4,
    "excavator": 3,
    "ralf": 8,
    "ralf-open": 6,
    "ralf-rigid": 2,
    "tracked-vehicle": 18,
    "car": 14,
    "flexible-four-bar": 1,
    "flexible-slider-crank": 0,
    "flexible-crank": 13,
    "bicycle": 3,
}
BENDING = (
    "ralf",
    "ralf-open",
    "flexible-four-bar",
    "flexible-slider-crank",
    "flexible-crank",  # test_flexible_machines.py compares its coordinates
)  # they move in coordinates of their own alone


@pytest.mark.parametrize("entry", MODELS, ids=lambda e: e.name)
def test_model_has_its_mobility_and_the_name_of_the_catalogue(entry):
    model = entry.build()
    assert model.name == entry.name
    assert model.topology().mobility == MOBILITY[entry.name]


@pytest.mark.parametrize(
    "entry", [e for e in MODELS if e.name not in BENDING], ids=lambda e: e.name
)
def test_relative_and_cartesian_coordinates_give_the_same_motion(entry):
    """Generated equations of rigid links beside those of their bodies."""
    model, until = entry.build(), 0.2 * entry.until
    bodies = model.variant(generated=None)
    relative, cartesian = (
        kt.simulate(model, until, rtol=1e-9),
        kt.simulate(bodies, until, coordinates="cartesian", rtol=1e-9),
    )
    for body in model.bodies:
        p, r = relative[f"{body}.position"], cartesian[f"{body}.position"]
        assert np.abs(p - r).max() < 1e-6 * max(
            1.0, np.abs(p).max()
        )  # rtol 1e-9 over some hundred steps


def test_the_squeezer_ends_at_the_reference_of_the_test_set():
    """Reference solution of the IVP test set at 0.03 s [Mazzia2008], good to 1.4e-9 rad."""
    sol = kt.simulate(andrews(), 0.03, rtol=1e-10)
    ends = {
        "O": 15.81077119629904,
        "F": -15.75637105984298,
        "B": 0.04082224013073101,
        "G": -0.5347301163226948,
        "A5": 0.5244099658805304,
        "H": 0.5347301163226948,
        "A7": 1.048080741042263,
    }
    for joint, angle in ends.items():
        assert abs(sol[f"{joint}.angle"][-1] - angle) < 1e-7, (
            joint
        )  # 320 steps at rtol 1e-10, 2 1/2 turns of the motor


def test_two_windows_move_as_an_equivalent_pendulum():
    """All uprights turn alike, so I th'' = -C g cos th with I = 3 and C = 7/2 for N = 2
    [Gonzalez2006]; tip at 5 s.
    """
    sol = kt.simulate(n_four_bar(), 5.0, rtol=1e-9)
    tip = sol["upright0.end+.position"][-1]
    np.testing.assert_allclose(
        tip[[0, 2]], (-0.811310461002, -0.584615545354), atol=1e-6
    )  # through singular positions


def test_the_heavy_top_ends_at_the_published_position():
    """Mass center at 2 s [Bruels2012]; the published value is good to 1.2e-6 m."""
    sol = kt.simulate(heavy_top(), 2.0, rtol=1e-10)
    np.testing.assert_allclose(
        sol["top.position"][-1],
        (-0.150416985652933, -0.724164450779749, -0.673023460701136),
        atol=2e-6,
    )


def test_the_driven_slider_crank_follows_the_textbook():
    sol = kt.simulate(slider_crank(speed=10.0, driven=True), 1.0)
    phi = 10.0 * sol.t
    x = 0.15 * np.cos(phi) + np.sqrt(0.5**2 - (0.15 * np.sin(phi)) ** 2)
    assert np.abs(sol["piston.position.x"] - x).max() < 1e-8


def test_a_tyre_on_a_moving_road_equals_its_actuator():
    """A wheel on a body that is driven along the road moves as with k f + c f' in the tyre."""
    k, c, f = 1000.0, 20.0, kt.Sine(amplitude=0.05, frequency=2.0)
    on_road = kt.Model("driven", gravity=(0, 0, 0))
    road = on_road.body("road", kt.mass(1.0))
    wheel = on_road.body("wheel", kt.mass(10.0), position=(0, 0, 0.5))
    on_road.joint("road slide", kt.Translational(axis="z"), on_road.ground, road)
    on_road.joint("wheel slide", kt.Translational(axis="z"), on_road.ground.at(0, 0, 0.5), wheel)
    on_road.constraint("profile", kt.Driver("road slide.displacement", f))
    on_road.force("tyre", kt.SpringDamper(k, c, length=0.5), road, wheel)

    actuated = kt.Model("actuated", gravity=(0, 0, 0))
    wheel = actuated.body("wheel", kt.mass(10.0), position=(0, 0, 0.5))
    actuated.joint("wheel slide", kt.Translational(axis="z"), actuated.ground.at(0, 0, 0.5), wheel)
    rate = 2 * np.pi * 2.0
    push = kt.Function(lambda t: 0.05 * (k * np.sin(rate * t) + c * rate * np.cos(rate * t)))
    actuated.force("tyre", kt.SpringDamper(k, c, length=0.5, force=push), actuated.ground, wheel)

    a, b = (kt.simulate(m, 1.0, rtol=1e-10)["wheel.position.z"] for m in (on_road, actuated))
    np.testing.assert_allclose(a, b, rtol=0, atol=1e-9)


def test_the_vehicle_has_the_masses_of_its_weights():
    masses = {name: body.properties.mass for name, body in five_dof().bodies.items()}
    for name, pounds in (("seat", 290.0), ("chassis", 4500.0), ("front", 96.6), ("rear", 96.6)):
        assert masses[name] * 386.09 * INCH == pytest.approx(pounds * POUND_FORCE)


def test_an_unknown_model_gets_a_suggestion():
    with pytest.raises(NameNotFound, match="Did you mean 'four-bar'"):
        model_entry("fourbar")
