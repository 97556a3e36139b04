"""Model files on the command line: where a built-in model can be named, a file can be."""

import json

import pytest

from apps.cli.test_commands import kinetree  # noqa: F401
from kinetree.models.catalogue import model_entry

PENDULUM = """\
parameters: {L: 1 m}
bodies:
  rod: {type: rod, mass: 1, length: "${L}", along: z}
joints:
  hinge: {type: Revolute, axis: y, parent: ground, child: rod.+, start: {angle: 1 rad}}
"""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "pendulum.yaml").write_text(PENDULUM)
    return tmp_path / "pendulum.yaml"


def test_a_file_runs_as_the_built_in_model_does(kinetree, file):  # noqa: F811
    _, ours, _ = kinetree("run", "pendulum.yaml", "--until", 0.2, "--json")
    _, theirs, _ = kinetree("run", "pendulum", "--until", 0.2, "--json")
    ends = [list(json.loads(out)["end"].values()) for out in (ours, theirs)]
    assert model_entry("pendulum").build().joints and ends[0] == pytest.approx(ends[1], abs=1e-12)


def test_parameters_come_with_set(kinetree, file):  # noqa: F811
    code, out, _ = kinetree("check", "pendulum.yaml", "--set", "L=50 cm")
    assert code == 0 and "1 body, 1 joint, " in out and "1 degree of freedom" in out
    code, _, err = kinetree("check", "pendulum.yaml", "--set", "M=5")
    assert code == 3 and "no parameter named 'M'" in err
    code, _, err = kinetree("check", "pendulum.yaml", "--set", "5")
    assert code == 3 and "name=value" in err


def test_a_run_is_saved_for_later(kinetree, file):  # noqa: F811
    import kinetree as kt

    code, out, _ = kinetree("run", "pendulum.yaml", "--until", 0.1, "--save", "run.nc")
    assert code == 0 and "run.nc" in out
    assert kt.open_solution(file.parent / "run.nc").message == "reached t = 0.1 s"


def test_topology_and_view_take_files(kinetree, file):  # noqa: F811
    assert "rod" in kinetree("topology", "pendulum.yaml")[1]
    code, out, _ = kinetree("view", "pendulum.yaml", "--no-open")
    assert code == 0 and out.strip().endswith("model.html")


@pytest.mark.parametrize(
    "arguments, code, words",
    [
        (("run", "pendulum.yaml"), 3, "--until"),
        (("run", "none.yaml"), 3, "none.yaml: the file cannot be read"),
        (("derive", "none.yaml"), 3, "none.yaml: the file cannot be read"),
        (("run", "none.yaml", "--until", 1), 3, "none.yaml: the file cannot be read"),
        (("check", "four-bra"), 3, "Did you mean 'four-bar'?"),
        (("check", "sub/none.txt"), 3, "model files end with .yaml"),
        (("run", "four-bar", "--set", "L=1"), 3, "need a model file"),
    ],
)
def test_what_cannot_be_is_said(kinetree, file, arguments, code, words):  # noqa: F811
    found, _, err = kinetree(*arguments)
    assert found == code and words in err


def test_derive_takes_files(kinetree, file):  # noqa: F811
    code, out, _ = kinetree("derive", "pendulum.yaml", "--set", "L=2 m")
    assert (
        code == 0
        and out == kinetree("derive", "pendulum.yaml", "--set", "L=200 cm")[1]
        and "hinge" in out
    )


def test_units_are_listed(kinetree):  # noqa: F811
    code, out, _ = kinetree("list", "units")
    assert code == 0 and "4.448221615 N" in out and "6894.757293 Pa" in out


EDITS = {
    "mass": ("mass: 1", "mass: 2"),
    "start": ("angle: 1 rad", "angle: 0.5 rad"),
    "name": ("rod:", "bar:"),
    "axis": ("axis: y", "axis: x"),
    "parameter": ("L: 1 m", "L: 1.5 m"),
    "point": ("along: z", "along: z, points: {p: [0, 0, 1]}"),
    "gravity": ("bodies:", "gravity: [0, 0, -1]\nbodies:"),
}


def test_results_of_another_model_other_parameters_or_an_edited_file_stay_unless_forced(
    kinetree,  # noqa: F811
    file,
):
    run = ("run", "pendulum.yaml", "--until", 0.05, "--output-interval", 0.05, "--out", "r")
    assert kinetree(*run)[0] == 0
    before = {path.name: path.read_bytes() for path in (file.parent / "r").iterdir()}

    def refused(*more) -> None:
        code, _, err = kinetree(*run, *more)
        assert code == 5 and "holds other results" in err and "--force" in err
        assert {path.name: path.read_bytes() for path in (file.parent / "r").iterdir()} == before

    refused("--set", "L=0.5")
    refused("--set", "L=50 cm")
    for old, new in EDITS.values():
        file.write_text(
            PENDULUM.replace("rod.+", "bar.+" if old == "rod:" else "rod.+").replace(old, new)
        )
        refused()
    file.write_text("# a comment changes nothing\n" + PENDULUM)
    assert kinetree(*run)[0] == 0
    assert kinetree(*run, "--set", "L=0.5", "--force")[0] == 0
    assert kinetree(*run, "--set", "L=0.5")[0] == 0  # now they are those of the other one
    assert kinetree(*run)[0] == 5


def test_edited_python_code_is_another_model(kinetree, file):  # noqa: F811
    import sys

    file.write_text(
        PENDULUM
        + "forces:\n  push: {type: PointForce, components: ['laws_out:rise', 0, 0], markers: "
        "[rod]}\n"
    )
    run = (
        "run",
        "pendulum.yaml",
        "--until",
        0.05,
        "--output-interval",
        0.05,
        "--out",
        "r",
        "--allow-python",
    )
    for text, code in (("2 * t", 0), ("2 * t", 0), ("3 * t", 5)):
        (file.parent / "laws_out.py").write_text(f"def rise(t):\n    return {text}\n")
        sys.modules.pop("laws_out", None)
        assert kinetree(*run)[0] == code


def test_the_schema_is_printed_or_written(kinetree, file):  # noqa: F811
    printed = json.loads(kinetree("schema")[1])
    assert "bodies" in printed["properties"] and "SpringDamper" in printed["$defs"]
    assert kinetree("schema", "--out", "model.json")[0] == 0
    assert json.loads((file.parent / "model.json").read_text()) == printed
