"""Model files on the command line: where a built-in model can be named, a file can be."""

import json

import pytest

from cli.test_commands import kinetree  # noqa: F401
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
    assert code == 0 and "1 bodies, 1 joints" in out and "1 degrees of freedom" in out
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


@pytest.mark.parametrize("arguments, code, words", [
    (("run", "pendulum.yaml"), 3, "--until"), (("run", "none.yaml", "--until", 1), 3, "none.yaml: the file cannot be read"),
    (("check", "four-bra"), 3, "Did you mean 'four-bar'?"), (("check", "sub/none.txt"), 3, "model files end with .yaml"),
    (("run", "four-bar", "--set", "L=1"), 3, "for model files")])
def test_what_cannot_be_is_said(kinetree, file, arguments, code, words):  # noqa: F811
    found, _, err = kinetree(*arguments)
    assert found == code and words in err


def test_the_schema_is_printed_or_written(kinetree, file):  # noqa: F811
    printed = json.loads(kinetree("schema")[1])
    assert "bodies" in printed["properties"] and "SpringDamper" in printed["$defs"]
    assert kinetree("schema", "--out", "model.json")[0] == 0
    assert json.loads((file.parent / "model.json").read_text()) == printed
