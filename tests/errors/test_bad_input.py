"""Whatever a field is given, a wrong value is a ModelError that names the place and the reason,
before anything runs.

The error must come from building the model, from assembling it or from the request of a run; the
table is `fields.py`.
"""

import re

import pytest

import kinetree as kt

from .fields import FIELDS, arm, run, with_constraint


def shown(value) -> str:
    return (
        "object"
        if type(value) is object
        else getattr(value, "__name__", str(value)[:40].replace("\n", " "))
    )


CASES = [
    pytest.param(field, value, id=f"{name}={shown(value)}")
    for name, field in FIELDS.items()
    for value in field.bad
]


@pytest.mark.parametrize("field, value", CASES)
@pytest.mark.filterwarnings("ignore::kinetree.kernel.usercode.registry.SlowCallback")
def test_a_wrong_value_is_refused_with_place_and_reason(field, value):
    with pytest.raises(kt.ModelError) as caught:
        field.give(value)
    message = str(caught.value)
    missing = [word for word in field.says if not re.search(word, message, re.IGNORECASE)]
    assert not missing, f"the message {message!r} does not say {missing}"
    assert len(message) < 600


# --- structure
# ----------------------------------------------------------------------------------------------------


def test_an_empty_model_is_refused():
    with pytest.raises(kt.ModelError, match="'nothing' has no bodies"):
        kt.simulate(kt.Model("nothing"), 1.0)


@pytest.mark.parametrize("how", ["assemble", "simulate", "topology"])
def test_a_body_that_hangs_in_the_air_is_refused_by_name(how):
    model = arm()
    model.body("cloud", kt.sphere(1.0, 0.1))
    act = {
        "assemble": kt.assemble,
        "simulate": lambda m: kt.simulate(m, 1.0),
        "topology": kt.Model.topology,
    }[how]
    with pytest.raises(
        kt.TopologyError, match=r"(?s)'cloud' is not connected to ground.*model\.float\('cloud'\)"
    ):
        act(model)


def test_two_bodies_that_hang_in_the_air_together_are_refused_by_name():
    model = arm()
    a, b = model.body("a", kt.sphere(1.0, 0.1)), model.body("b", kt.sphere(1.0, 0.1))
    model.joint("ab", kt.Revolute(), a, b)
    with pytest.raises(kt.TopologyError, match=r"'a' is not connected(.|\n)*ab(.|\n)*'b'"):
        kt.assemble(model)


@pytest.mark.parametrize(
    "add",
    [
        lambda m: m.body("shoulder", kt.sphere(1.0, 0.1)),
        lambda m: m.joint("upper", kt.Revolute(), m.ground, m.bodies["lower"]),
        lambda m: m.joint("elbow", kt.Revolute(), m.ground, m.bodies["lower"]),
        lambda m: m.constraint("upper", kt.Distance(), m.ground, m.bodies["lower"]),
        lambda m: m.force("elbow", kt.Torque((0, 0, 1)), m.bodies["lower"]),
        lambda m: m.body("ground", kt.sphere(1.0, 0.1)),
    ],
)
def test_a_name_is_given_once(add):
    with pytest.raises(kt.ModelError, match=r"the name is taken by a (body|joint)"):
        add(arm())


def test_a_body_floats_once():
    model = arm()
    model.float("upper")
    with pytest.raises(kt.ModelError, match=r"upper\.free"):
        model.float("upper")


@pytest.mark.parametrize(
    "attempt",
    [
        lambda m: m.body("x", kt.sphere(1.0, 0.1), position=(1, 2)),
        lambda m: m.joint("x", kt.Revolute(), m.ground, 1),
        lambda m: m.joint("x", kt.Revolute("w"), m.ground, m.bodies["upper"]),
        lambda m: m.joint("x", kt.Revolute(), m.ground, m.bodies["upper"], start={"angel": 1}),
        lambda m: m.force("x", kt.Torque((0, 0, 1)), 3),
        lambda m: m.constraint("x", kt.Distance(), m.ground),
    ],
)
def test_a_refused_element_leaves_nothing_behind(attempt):
    model = arm()
    before = repr(model)
    with pytest.raises(kt.ModelError):
        attempt(model)
    assert repr(model) == before
    model.body("x", kt.sphere(1.0, 0.1))


def test_a_joint_needs_two_bodies():
    with pytest.raises(kt.ModelError, match="joint 'x': both sides are on body 'upper'"):
        model = arm()
        model.joint("x", kt.Revolute(), model.bodies["upper"], model.bodies["upper"].end("+"))


def test_markers_of_another_model_are_refused():
    model, other = arm(), kt.Model("other")
    with pytest.raises(kt.ModelError, match="belongs to model 'arm', not to this model 'other'"):
        other.joint("x", kt.Revolute(), other.ground, model.bodies["upper"])


def test_misspelt_names_get_a_suggestion():
    with pytest.raises(kt.NameNotFound, match="Did you mean 'elbow'"):
        with_constraint(kt.Driver("elbwo.angle", 0.0))
    with pytest.raises(kt.NameNotFound, match="Did you mean 'displacement'"):
        with_constraint(kt.Driver("elbow.displacment", 0.0))
    with pytest.raises(kt.NameNotFound, match="Did you mean 'augmented'"):
        run(formulation="augmentd")
    with pytest.raises(kt.NameNotFound, match="Did you mean 'adams'"):
        run(integrator="adam")
    with pytest.raises(kt.NameNotFound, match="Did you mean 'tool'"):
        arm().bodies["upper"].point("tol")


def test_a_formulation_for_trees_refuses_loops_by_name():
    model = arm()
    model.constraint("rod", kt.Distance(), model.ground.at(0, 0, 1), model.bodies["taken"])
    with pytest.raises(kt.ModelError, match=r"'tree' is for open trees.*rod"):
        kt.simulate(model, 1.0, formulation="tree")


def test_a_body_without_mass_cannot_have_inertia():
    with pytest.raises(kt.ModelError, match="without mass"):
        kt.mass(0.0, (1, 1, 1))
    with pytest.raises(kt.ModelError, match="without mass"):
        kt.rod(0.0, 1.0, axial=1.0)


def test_inertias_out_of_printed_tables_are_taken():
    """Rounded digits may break the triangle inequality by a thousandth; that is no mistake."""
    kt.mass(1.0, (0.500, 0.499, 0.9995))
