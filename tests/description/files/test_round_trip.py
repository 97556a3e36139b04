"""Models saved and loaded again: the same tables, bit by bit, and the same text."""

import numpy as np
import pytest

import kinetree as kt
from description.files.machines import MACHINES
from kinetree.assembly.build import build, build_nodes
from kinetree.description.files.declared import families
from kinetree.description.files.document import parse
from kinetree.description.files.opening import model_text
from kinetree.description.lowering.flexible import beams_of
from kinetree.kernel.tables.records import ADDRESSES


def lowered(model: kt.Model):
    return build_nodes(model) if beams_of(model) else build(model)


def contents(tables) -> dict[str, bytes]:
    """Every table as bytes, without the addresses of kernels in this process."""
    found = {}
    for name, array in tables._asdict().items():
        plain = np.array(array)
        if plain.dtype.names and "address" in plain.dtype.names:
            plain["address"] = plain["address"] != 0
        found[name] = plain.tobytes()
    return {name: value for name, value in found.items() if name not in ADDRESSES}


def looks(model: kt.Model) -> list:
    shown = [
        (type(look), vars(look))
        for body in model.bodies.values()
        for look in (*body.look, body.properties.outline)
        if look
    ]
    return [
        (kind, {name: np.asarray(value).tolist() for name, value in options.items()})
        for kind, options in shown
    ]


@pytest.mark.parametrize("name", MACHINES)
def test_a_machine_saved_and_loaded_has_the_same_tables(name, tmp_path):
    model = MACHINES[name]()
    model.save(tmp_path / "machine.yaml")
    again = kt.load(tmp_path / "machine.yaml")
    first, second = lowered(model), lowered(again)
    assert contents(second.tables) == contents(first.tables)
    assert (second.bodies, second.hash, second.row_owner, list(second.states)) == (
        first.bodies,
        first.hash,
        first.row_owner,
        list(first.states),
    )
    assert looks(again) == looks(model)
    again.save(tmp_path / "again.yaml")
    third = kt.load(tmp_path / "again.yaml")
    assert model_text(third) == model_text(again)


@pytest.mark.parametrize("name", ["elements", "tracked-vehicle"])
def test_objects_shared_by_several_elements_are_written_once(name):
    """They become a parameter that all of them name."""
    text = model_text(MACHINES[name]())
    shared = parse(text, "m.yaml")["parameters"]
    assert shared
    for parameter in shared:
        assert text.count(f"${{{parameter}}}") > 1
    assert text.count("type: Road") <= 1


def test_every_declared_type_is_in_a_machine_that_is_saved():
    said = {word for build_one in MACHINES.values() for word in _types(build_one())}
    makers = {
        "Differential",
        "PlanetaryGear",
        "random_road",
        "mesh",
        "solid",
        "wheel",
        "Function",
        "UserForce",
        "UserConstraint",
        "Controller",
        "Gear",
        "RackAndPinion",
        "Constant",
    }
    sections = {name for name in families()["section"] if name != "Section"}
    missing = (
        {name for members in families().values() for name in members} - said - makers - sections
    )
    assert missing == set()  # makers are said by what they make, the rest is Python code


def _types(model: kt.Model) -> set[str]:
    from pathlib import Path

    from kinetree.description.files.describe import described

    found, todo = set(), [described(model, Path("."))]
    while todo:
        one = todo.pop()
        if isinstance(one, dict):
            found |= {one["type"]} if isinstance(one.get("type"), str) else set()
            todo += one.values()
        elif isinstance(one, list):
            todo += one
    return found


def test_an_existing_file_is_kept_unless_overwrite_is_given(tmp_path):
    model = MACHINES["pendulum"]()
    (tmp_path / "m.yaml").write_text("mine")
    with pytest.raises(kt.ResultError, match="overwrite=True"):
        model.save(tmp_path / "m.yaml")
    assert (tmp_path / "m.yaml").read_text() == "mine"
    model.save(tmp_path / "m.yaml", overwrite=True)
    assert len(kt.load(tmp_path / "m.yaml").bodies) == 1


@pytest.mark.parametrize(
    "add, words",
    [
        (
            lambda m, b: m.force("blow", kt.PointForce((lambda t: t, 0.0, 0.0)), b),
            ("force 'blow'", "components", "module:function"),
        ),
        (
            lambda m, b: m.constraint("drive", kt.Driver("A.angle", lambda t: 0.1 * t)),
            ("constraint 'drive'", "motion"),
        ),
        (lambda m, b: m.force("law", kt.UserForce(len), b), ("force 'law'", "function")),
        (
            lambda m, b: m.beam(
                "bow", lambda s: (s, 0.0, 0.1 * s * s), kt.Section.circle(0.01, 2e11, 7850.0)
            ),
            ("body 'bow'",),
        ),
    ],
)
def test_models_that_files_cannot_describe_are_refused_with_a_remedy(add, words, tmp_path):
    model = MACHINES["pendulum"]()
    body = next(iter(model.bodies.values()))
    add(model, body)
    with pytest.raises(kt.ModelError) as refused:
        model.save(tmp_path / "m.yaml")
    assert all(
        word in str(refused.value) for word in (*words, "cannot be saved", "Python function")
    )
    assert not (tmp_path / "m.yaml").exists()


def test_names_that_yaml_would_read_otherwise_survive(tmp_path):
    names = [
        "yes",
        "no",
        "1",
        "1e3",
        "~",
        "null",
        "a: b",
        "a #b",
        "- x",
        "{x}",
        "[",
        "Räder",
        "it's",
        '"quoted"',
        "*a",
        "&b",
        "!c",
        "%d",
        "@e",
        "`f",
        "0x1F",
        "?",
        "true",
        "mass",
        "crank arm",
        "-",
        "x,y",
        "10 mm",
    ]
    model = kt.Model("true")
    for name in names:
        body = model.body(name, kt.sphere(1.0, 0.1), points={name: (0.1, 0.2, 0.3)})
        model.joint(f"on {name}", kt.Revolute(), model.ground, body.point(name))
    model.save(tmp_path / "m.yaml")
    again = kt.load(tmp_path / "m.yaml")
    assert list(again.bodies) == names and again.name == "true"
    assert all(again.bodies[name].points[name] == (0.1, 0.2, 0.3) for name in names)
