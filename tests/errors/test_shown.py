"""What objects look like: one line in an error or a list, all of it in a notebook; names that are
nearly right are guessed.
"""

import pickle

import numpy as np
import pytest

import kinetree as kt
from kinetree.analysis.comparison.compare import compare
from kinetree.core.display import LONGEST, parts_table
from kinetree.models.four_bar import four_bar
from kinetree.models.rssr import rssr


@pytest.fixture(scope="module")
def shown():
    """One of everything that a user is given."""
    model, solution = four_bar(), kt.simulate(four_bar(), until=0.02, output_interval=0.01)
    balanced = kt.equilibrium(model)
    ode = kt.solve_ode(lambda t, y, ydot: None, [1.0], 1.0)
    return {
        "model": model,
        "body": model.bodies["crank"],
        "joint": model.joints["A"],
        "marker": model.bodies["crank"].at(1, 2, 3),
        "shape": kt.rod(1.0, 2.0),
        "solution": solution,
        "assembly": solution.assembly,
        "equilibrium": balanced,
        "linear": kt.linearize(model),
        "modes": kt.modes(model, balanced.assembly),
        "mode": kt.modes(model)[0],
        "efforts": kt.inverse_dynamics(model, solution, drives=["A.angle"]),
        "topology": model.topology(),
        "tree": solution.compiled.tree,
        "graph": solution.compiled.tree.graph,
        "energy": solution.energy,
        "steps": solution.steps,
        "error": solution.constraint_error,
        "reaction": solution.reactions["A"],
        "comparison": compare(model, until=0.02, formulations=("augmented",), repeats=1),
        "ode": ode,
        "velocity transformation": kt.velocity_transformation(model),
        "compiled": solution.compiled,
        "result": solution.result,
        "record": solution.record,
        "momentum": solution.momentum,
        "between": solution.between("ground", "crank"),
    }


NAMES = (
    "model",
    "body",
    "joint",
    "marker",
    "shape",
    "solution",
    "assembly",
    "equilibrium",
    "linear",
    "modes",
    "mode",
    "efforts",
    "topology",
    "tree",
    "graph",
    "energy",
    "steps",
    "error",
    "reaction",
    "comparison",
    "ode",
    "velocity transformation",
    "compiled",
    "result",
    "record",
    "momentum",
    "between",
)
WHOLE = (
    "solution",
    "assembly",
    "equilibrium",
    "linear",
    "modes",
    "efforts",
    "topology",
    "comparison",
    "ode",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_repr_is_one_short_line(name, shown):
    text = repr(shown[name])
    assert "\n" not in text and text.startswith("<") and text.endswith(">")
    assert len(text) <= LONGEST + (
        200 if name == "reaction" else 0
    )  # which says what is not unique


@pytest.mark.parametrize("name", WHOLE)
def test_a_notebook_shows_the_whole_story(name, shown):
    html = shown[name]._repr_html_()
    assert html.startswith("<pre>") and html.count("\n") == str(shown[name]).count("\n")
    assert "<" not in html.removeprefix("<pre>").removesuffix("</pre>")


def test_what_a_user_gave_is_cut_short_in_an_error():
    with pytest.raises(kt.ModelError) as caught:
        kt.simulate(four_bar(), until=list(range(5000)))
    assert len(str(caught.value)) < 300
    with pytest.raises(kt.ModelError) as caught:
        kt.linearize(four_bar(), state=kt.simulate(four_bar(), until=0.02))
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "where, wrong, right", [("bodies", "cranc", "crank"), ("joints", "AA", "A")]
)
def test_a_misspelt_name_gets_the_nearest_one(where, wrong, right):
    kind = {"bodies": "body", "joints": "joint"}[where]
    with pytest.raises(KeyError, match=f"no {kind} named '{wrong}' in model 'four-bar'.*{right}"):
        getattr(four_bar(), where)[wrong]
    assert getattr(four_bar(), where).get(wrong) is None and wrong not in getattr(four_bar(), where)


def test_coordinates_of_a_receipt_are_asked_for_by_name():
    with pytest.raises(
        KeyError,
        match=r"no coordinate named 'A\.angel' in model 'four-bar'\. Did you mean 'A\.angle'\?",
    ):
        kt.assemble(four_bar()).coordinates["A.angel"]


def test_names_survive_copying():
    coordinates = kt.assemble(four_bar()).coordinates
    again = pickle.loads(pickle.dumps(coordinates))
    assert again == coordinates and again.what == "coordinate"


def test_a_misspelt_public_name_gets_the_nearest_one():
    with pytest.raises(
        AttributeError, match=r"kinetree has no 'Revolut'\. Did you mean 'Revolute'\?"
    ):
        kt.Revolut  # noqa: B018
    assert not hasattr(kt, "frobnicate")


def test_a_body_of_a_namesake_is_told_apart():
    one, other = kt.Model("pend"), kt.Model("pend")
    stranger = one.body("rod", kt.rod(1.0, 1.0))
    with pytest.raises(
        kt.ModelError,
        match="belongs to another model that is also called 'pend', not to this model 'pend'",
    ):
        other.joint("A", kt.Revolute(axis="y"), other.ground, stranger)


def test_a_change_point_without_a_joint_of_a_loop_names_none():
    """Two rods in line hold a point across: to first order nothing does."""
    m = kt.Model("taut", gravity=(0, 0, 0))
    bead = m.body("bead", kt.sphere(1.0, 0.1))
    m.joint("P", kt.Planar(axis="y"), m.ground, bead)
    for name, x in (("left", -1.0), ("right", 1.0)):
        m.constraint(name, kt.Distance(1.0), m.ground.at(x, 0, 0), bead)
    with pytest.raises(kt.ModelError, match="change point") as caught:
        kt.simulate(m, until=0.1)
    assert "a joint" not in str(caught.value) and "start= of" not in str(caught.value)


def test_a_long_name_does_not_make_a_long_error():
    with pytest.raises(kt.NameNotFound) as caught:
        rssr().bodies["x" * 10000]
    assert len(str(caught.value)) < 400


def test_the_plural_of_body_is_bodies():
    with pytest.raises(KeyError, match=r"Bodies: crank, coupler, rocker\."):
        four_bar().bodies["x"]


def test_arrays_do_not_break_lines(shown):
    assert "\n" not in repr(kt.mass(1.0, inertia=np.diag([1.0, 1.0, 1.5])))


@pytest.mark.parametrize(
    "shape",
    [kt.rod(1.0, 2.0), kt.tube(1.0, 0.2, 0.1, 2.0), kt.box(1.0, (1, 2, 3)), kt.sphere(1.0, 0.1)],
)
def test_a_shape_says_its_mass_in_one_line(shape):
    assert "1 kg" in repr(shape) and "\n" not in repr(shape)


def test_a_notebook_shows_the_parts_of_a_model_by_name(shown):
    html = shown["model"]._repr_html_()
    assert html.startswith("<table>") and all(
        name in html for name in ("3 bodies", "crank, coupler, rocker", "4 joints")
    )
    many = parts_table("<chain>", {"bodies": [f"b{k}" for k in range(100)], "joints": []})
    assert "&lt;chain&gt;" in many and "and 70 more" in many and "joints" not in many
