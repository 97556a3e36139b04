"""CSV, JSON and xarray give back the numbers that went in."""

import csv
import json
import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import kinetree as kt

from .machines import rssr


@pytest.fixture(scope="module")
def sol():
    return kt.simulate(rssr(), 0.1, output_interval=0.01)


def test_csv_gives_every_digit_back(sol, tmp_path):
    path = tmp_path / "run.csv"
    sol.to_csv(path, ["A.angle", "crank.position", "energy.total"])
    with open(path, newline="") as file:
        header, *rows = csv.reader(file)
    assert header == [
        "t [s]",
        "A.angle [rad]",
        "crank.position.x [m]",
        "crank.position.y [m]",
        "crank.position.z [m]",
        "energy.total [J]",
    ]
    numbers = np.array(rows, float)
    assert_array_equal(numbers[:, 0], sol.t)
    assert_array_equal(numbers[:, 2:5], sol["crank.position"])
    assert_array_equal(numbers[:, 5], sol["energy.total"])


def test_csv_holds_all_channels_if_none_is_named(sol, tmp_path):
    sol.to_csv(tmp_path / "run.csv")
    with open(tmp_path / "run.csv", newline="") as file:
        header = next(csv.reader(file))
    for name in (
        "B.wx [rad/s]",
        "crank.knob.velocity.y [m/s]",
        "D.torque.z [N m]",
        "constraint.velocity [m/s]",
    ):
        assert name in header


def test_json_holds_numbers_units_options_and_provenance(sol, tmp_path):
    sol.to_json(tmp_path / "run.json", ["crank.velocity", "A.rate"])
    content = json.loads((tmp_path / "run.json").read_text())
    assert_array_equal(content["channels"]["crank.velocity"], sol["crank.velocity"])
    assert_array_equal(content["t"], sol.t)
    assert content["units"] == {"t": "s", "crank.velocity": "m/s", "A.rate": "rad/s"}
    assert content["provenance"]["options"]["until"] == 0.1
    assert content["provenance"]["model_hash"] == sol.compiled.hash
    assert_array_equal(content["steps"]["h"], sol.steps.h)


def test_xarray_holds_channels_with_units_and_long_names(sol):
    data = sol.to_xarray()
    assert_array_equal(data["crank.position"].sel(axis="z"), sol["crank.position.z"])
    assert_array_equal(data["crank.quaternion"].sel(quaternion="w"), sol["crank.quaternion.w"])
    assert_array_equal(data["time"], sol.t)
    assert data["A.force"].attrs == {"units": "N", "long_name": "force of joint A on crank"}
    assert data.attrs["model"] == "rssr" and json.loads(data.attrs["options"])["until"] == 0.1


def test_a_missing_xarray_says_what_to_install(sol, monkeypatch):
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(kt.ResultError, match=r"pip install kinetree\[results\]"):
        sol.to_xarray()


def test_step_channels_and_bad_paths_are_refused_in_words(sol, tmp_path):
    with pytest.raises(kt.ResultError, match="lives at the steps"):
        sol.to_csv(tmp_path / "run.csv", ["step.size"])
    with pytest.raises(kt.ResultError, match="cannot write"):
        sol.to_csv(tmp_path / "nowhere" / "run.csv")
