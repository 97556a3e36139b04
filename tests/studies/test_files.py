"""Studies from files, as `kinetree study` runs them."""

import numpy as np
import pytest
from typer.testing import CliRunner

import kinetree as kt
from kinetree.apps.cli.main import app
from kinetree.studies.files import study_of_file

MODEL = """\
kinetree: 1
model: pendulum
parameters: {length: 500 mm, mass: 1}
bodies:
  arm: {type: rod, mass: "${mass}", length: "${length}"}
joints:
  A: {type: Revolute, axis: y, parent: ground, child: arm.+, start: {angle: 30 deg}}
"""
STUDY = """\
study: pendulum
model: model.yaml
parameters:
  length: {low: 400 mm, high: 60 cm}
  mass: [1, 2]
plan: latin hypercube
cases: 12
until: 200 ms
outputs: {end: final A.angle}
run: {rtol: 1e-7}
"""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "model.yaml").write_text(MODEL)
    path = tmp_path / "study.yaml"
    path.write_text(STUDY)
    return path


def test_a_file_has_the_table_of_the_same_study_in_python(file):
    found = study_of_file(file).study.run(workers=1)
    space = kt.Space.latin_hypercube(12, length=(0.4, 0.6), mass=(1.0, 2.0))
    same = kt.Study(file.parent / "model.yaml", space, {"end": "final A.angle"}, 0.2, rtol=1e-7)
    np.testing.assert_array_equal(found["end"], same.run(workers=1)["end"])


def test_the_command_writes_table_page_and_plots_and_continues_a_store(file):
    folder = file.parent
    arguments = ["study", str(file), "--table", str(folder / "t.csv"), "--plots", str(folder / "p"),
                 "--store", str(folder / "runs"), "--workers", "1"]  # fmt: skip
    found = CliRunner().invoke(app, arguments)
    assert found.exit_code == 0 and "12 cases of 12 done" in found.output
    assert (folder / "t.csv").read_text().count("\n") == 13
    assert "data:image/png" in (folder / "study.html").read_text()
    assert {one.stem for one in (folder / "p").iterdir()} == {
        "scatter", "contour", "tornado", "parallel", "convergence",
    }  # fmt: skip
    parts = sorted((folder / "runs").glob("part-*.nc"))
    kept = {one: one.stat().st_mtime_ns for one in parts[1:]}
    parts[0].unlink()
    assert CliRunner().invoke(app, arguments).exit_code == 0
    assert parts[0].exists() and {one: one.stat().st_mtime_ns for one in kept} == kept


@pytest.mark.parametrize(
    "old, new, said",
    [
        (
            "  length: {low",
            "  lenght: {low",
            r"study.yaml:\d+: parameters: .*Did you mean 'length'",
        ),
        ("until: 200 ms", "until: 200 mm", r"study.yaml:8: until: .*a time \(s\) is expected"),
        (
            "high: 60 cm",
            "high: 60 N",
            r"study.yaml:\d+: parameters: .*is a length \(m\) in the model",
        ),
        ("high: 60 cm", "high: wide", "'wide' is not a number with a unit"),
        ("rtol: 1e-7", "rtoll: 1e-7", r"study.yaml:10: run: .*Did you mean 'rtol'"),
        ("plan: latin", "plan: latine", "no plan named 'latine hypercube'"),
        ("cases: 12\n", "", "needs the number of cases"),
        ("model: model.yaml", "model: modell.yaml", "modell.yaml"),
        ("run:", "runs:", "Did you mean 'run'"),
        ("outputs: {end: final A.angle}", "", "needs an entry 'outputs'"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(file, old, new, said):
    file.write_text(STUDY.replace(old, new))
    with pytest.raises(kt.KinetreeError, match=said):
        study_of_file(file)
