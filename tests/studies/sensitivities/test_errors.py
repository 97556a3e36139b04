"""Bad requests are refused in whole sentences that say what to do."""

import pytest

import kinetree as kt
from kinetree.models.pendulum import pendulum


def make(length=0.5, mass=1.0, links=1):
    m = kt.Model("chain")
    place = m.ground
    for k in range(round(links)):
        rod = m.body(f"rod {k}", kt.rod(mass, length))
        m.joint(f"J{k}", kt.Revolute(axis="y"), place, rod.end("-"))
        place = rod.end("+")
    return m


@pytest.mark.parametrize(
    "outputs, parameters, options, said",
    [
        ("final J0.angel", ["length"], {}, "J0.angle"),
        ("final J0.angle", ["lenght"], {}, "Did you mean 'length'"),
        ("final J0.angle", {"length": "long"}, {}, "parameter 'length'"),
        ("count of hit", ["length"], {}, "it changes in whole numbers"),
        ("peak J0.angle", ["length"], {}, "ask for max and min"),
        (lambda sol: 1.0, ["length"], {}, "an output is a text"),
        ({"a": lambda sol: 1.0}, ["length"], {}, "a function cannot be differentiated"),
        ("largest J0.angle", ["length"], {}, "form of output"),
        ("time of hit", ["length"], {}, "no event"),
        ("J0.angle at 3", ["length"], {}, "lies outside the run"),
        ([], ["length"], {}, "there are no outputs"),
        ("final J0.angle", [], {}, "there are no parameters"),
        ("final J0.angle", ["length"], {"sizes": {"mass": 1.0}}, "in `sizes`"),
        ("final J0.angle", ["length"], {"out": "a.nc"}, "does not have the argument out="),
        ("final J0.angle", ["length"], {"integrator": "bdf-direct"}, "has no derivatives"),
    ],
)
def test_a_bad_request_is_refused(outputs, parameters, options, said):
    with pytest.raises(kt.KinetreeError, match=said):
        kt.sensitivities(make, outputs, parameters, 1.0, **options)


def test_a_parameter_that_changes_the_structure_is_refused():
    def fork(split=0.5):
        return make(links=2 if split > 0.5 else 1)

    with pytest.raises(kt.ModelError, match="'split' changes the structure"):
        kt.sensitivities(fork, "final J0.angle")


def test_something_else_than_a_model_is_refused():
    with pytest.raises(kt.ModelError, match=r"must return a kt\.Model"):
        kt.sensitivities(lambda a=1.0: a, "final J0.angle")
    with pytest.raises(kt.ModelError, match="a function make"):
        kt.sensitivities("pendulum", "final J0.angle", ["a"])


def test_an_unknown_initial_value_names_those_that_exist():
    with pytest.raises(kt.KinetreeError, match="Did you mean 'angle'"):
        kt.sensitivities(pendulum(), "final hinge.angle", {"hinge.angel": 0.3})


def test_a_start_that_jumps_with_a_parameter_is_refused():
    def flipped(a=0.0):
        m = kt.Model("pendulum")
        rod = m.body("rod", kt.rod(1.0, 0.5))
        start = 0.3 if a > 0.0 else -0.3
        m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"), start={"angle": start})
        return m

    with pytest.raises(kt.ModelError, match="not a smooth function of parameter 'a'"):
        kt.sensitivities(flipped, "final A.angle")


def test_two_equal_maxima_have_no_derivative():
    def swing(angle=0.5):
        m = kt.Model("swing", gravity=(0, 0, 0))
        body = m.body("body", kt.mass(2.0))
        m.joint("rail", kt.Translational(axis="x"), m.ground, body, start={"displacement": angle})
        m.force("spring", kt.TorsionSpring("rail.displacement", stiffness=50.0))
        return m

    # all maxima of the speed are equal, and change alike: their derivative exists
    found = kt.sensitivities(swing, "max rail.rate", until=3.0, rtol=1e-11)
    assert found["max rail.rate"]["angle"] == pytest.approx(5.0, rel=1e-6)


def test_the_result_prints_and_becomes_a_table():
    found = kt.sensitivities(make, ["final J0.angle", "J0.angle"], ["length", "mass"], 0.3)
    text = str(found)
    assert "2 outputs, 2 parameters" in text and "d/d length" in text and "over 501 times" in text
    table = found.to_pandas()
    assert list(table.columns) == ["value", "length", "mass"]
    assert table.loc["final J0.angle", "length"] == found["final J0.angle"]["length"]
    assert found["J0.angle"]["mass"].shape == found.t.shape
    assert found.relative["final J0.angle"]["mass"] == pytest.approx(0.0, abs=1e-9)
    with pytest.raises(kt.KinetreeError, match="length"):
        found["final J0.angle"]["lenght"]


def struck(limit=0.5, kind="stop"):
    """A rod that reaches a stop, or the end of a rope."""
    m = kt.Model("struck", gravity=(0, 0, 0))
    rod = m.body("rod", kt.rod(1.0, 1.0))
    m.joint("A", kt.Revolute("y"), m.ground, rod.end("-"), speed={"angle": 2.0})
    if kind == "stop":
        m.force("stop", kt.JointStop("A.angle", maximum=limit, restitution=0.5))
    elif kind == "rope":
        m.force("stop", kt.Rope(1.0 + limit), m.ground.at(0.8, 0, 0), rod.end("+"))
    else:
        ball, wall = kt.shapes.Ball(0.05), kt.shapes.HalfSpace()
        m.contact(
            "stop", wall.on(m.ground.at(0, 0, -limit)), ball.on(rod.end("+")), kt.RigidContact()
        )
    return m


@pytest.mark.parametrize("kind", ["stop", "rope", "contact"])
def test_contacts_without_deformation_are_refused_and_not_differentiated_as_if_they_were_open(kind):
    with pytest.raises(kt.ModelError, match=r"contacts without deformation \('stop'\)"):
        kt.sensitivities(lambda limit=0.5: struck(limit, kind), "final A.angle", until=0.4)
