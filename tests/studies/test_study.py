"""Studies: engines, stored results, failures, bad input."""

import json
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import kinetree as kt
from kinetree.models.pendulum import pendulum
from kinetree.studies.parts import part_size

from . import machines

SPACE = kt.Space.sobol(24, crank=(0.45, 0.55), coupler=(1.1, 2.9), seed=1)
OUTPUTS = {"end": "final A.angle", "where": "final rocker.position"}


def study(outputs=OUTPUTS, space=SPACE, until=0.1, **options):
    return kt.Study(machines.four_bar, space, outputs, until, rtol=1e-6, **options)


def same(one, other):
    return (
        one.outputs == other.outputs
        and all(np.array_equal(one[n], other[n], equal_nan=True) for n in one.names)
        and (one.status == other.status).all()
        and one.reasons == other.reasons
    )


@pytest.fixture(scope="module")
def shared():
    return study()


@pytest.fixture(scope="module")
def serial(shared):
    return shared.run(workers=1)


def test_a_row_that_fails_has_a_reason_and_no_numbers_and_the_others_are_done(serial):
    failed = serial.status == "not assembled"
    assert 0 < failed.sum() < len(serial)
    assert np.isnan(serial["end"][failed]).all() and np.isfinite(serial["end"][~failed]).all()
    assert all(bool(text) == bad for text, bad in zip(serial.reasons, failed))


def test_vectors_have_a_column_for_each_component(serial):
    assert serial.outputs == ("end", "where.x", "where.y", "where.z")


def test_the_table_has_the_same_bits_with_one_and_two_threads(serial, shared):
    assert same(serial, shared.run(workers=2))


def test_the_table_has_the_same_bits_in_other_processes_and_from_its_folder(
    serial, shared, tmp_path
):
    found = shared.run("processes", workers=2, store=tmp_path / "runs")
    assert same(serial, found)
    assert same(serial, study().stored(tmp_path / "runs"))


def test_only_missing_parts_are_run_again(serial, shared, tmp_path):
    shared.run(workers=1, store=tmp_path)
    parts = sorted(tmp_path.glob("part-*.nc"))
    for lost in parts[1], parts[-1]:
        lost.unlink()
    kept = {part: part.stat().st_mtime_ns for part in parts if part.exists()}
    assert same(serial, shared.run(workers=1, store=tmp_path))
    assert {part: part.stat().st_mtime_ns for part in kept} == kept
    assert sorted(tmp_path.glob("part-*.nc")) == parts


def test_a_damaged_part_is_run_again(serial, shared, tmp_path):
    shared.run(workers=1, store=tmp_path)
    part = sorted(tmp_path.glob("part-*.nc"))[0]
    part.write_bytes(part.read_bytes()[:100])
    assert same(serial, shared.run(workers=1, store=tmp_path))


@pytest.mark.parametrize(
    "other, what",
    [
        (lambda: study(until=0.2), "the run"),
        (lambda: study({"end": "max A.angle"}), "the outputs"),
        (lambda: study(space=kt.Space.grid(crank=[0.5])), "the cases"),
        (lambda: study(fixed={"m2": 2.0}), "the model"),
    ],
)
def test_the_folder_of_another_study_is_refused_with_what_differs(other, what, tmp_path):
    study(space=kt.Space.sobol(4, crank=(0.45, 0.55), coupler=(1.1, 1.3))).run(store=tmp_path)
    with pytest.raises(kt.ResultError, match=f"another study.*{what}"):
        other().run(store=tmp_path)


def test_a_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("all of it")
    with pytest.raises(kt.ResultError, match="not empty"):
        study().run(store=tmp_path)


def test_the_case_that_ends_its_process_is_a_row_and_the_others_are_done(tmp_path):
    module = tmp_path / "deadly.py"
    module.write_text(
        textwrap.dedent("""
        import os
        from kinetree.models.pendulum import pendulum

        def peak(sol):
            if abs(sol["hinge.angle"][0] - 0.3) < 1e-9:
                os._exit(1)
            return sol["hinge.rate"].max()
        """)
    )
    sys.path.insert(0, str(tmp_path))
    try:
        from deadly import peak  # type: ignore[import-not-found]

        space = kt.Space.grid(angle=[0.1, 0.2, 0.3, 0.4])
        table = kt.Study(pendulum, space, {"peak": peak}, 0.05).run("processes", workers=1)
    finally:
        sys.path.remove(str(tmp_path))
    assert table.status.tolist() == ["done", "done", "error", "done"]
    assert "process" in table.reasons[2]


def test_a_killed_client_leaves_whole_parts_and_the_next_one_has_the_table_of_a_serial_run(
    serial, shared, tmp_path
):
    script = tmp_path / "client.py"
    script.write_text(
        "from tests.studies.test_study import study\n"
        "import sys\n"
        "study().run(workers=1, store=sys.argv[1])\n"
    )
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), *sys.path])}
    client = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path / "runs")], env=environment, cwd=root
    )
    folder, deadline = tmp_path / "runs", time.monotonic() + 120.0
    while len(list(folder.glob("part-*.nc"))) < 3 and client.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.002)
    client.kill()
    client.wait()
    assert same(serial, shared.run(workers=1, store=folder))


def test_an_exception_of_a_function_is_the_reason_of_its_row():
    def make(length=0.5):
        if length > 0.55:
            raise ZeroDivisionError("no rod is that long")
        return pendulum(length)

    table = kt.Study(make, {"length": [0.5, 0.6]}, ["final hinge.angle"], 0.05).run(workers=1)
    assert table.status.tolist() == ["done", "error"]
    assert table.reasons[1] == "ZeroDivisionError: no rod is that long"


def test_whole_channels_are_those_of_simulate():
    table = kt.Study(pendulum, {"length": [0.5, 0.6]}, ["hinge.angle"], 0.2).run(workers=1)
    exact = kt.simulate(pendulum(0.6), 0.2, progress=False)["hinge.angle"]
    # both runs have rtol 1e-8
    assert np.abs(table["hinge.angle"][1] - exact).max() < 1e-6
    assert table.to_xarray()["hinge.angle"].dims == ("case", "time")


def test_a_number_that_bends_where_no_comparison_was_made_is_found_by_checks_of_cases():
    space = kt.Space.table({"mass": [1.99, *np.linspace(0.1, 1.0, 20)]})
    table = kt.Study(machines.kinked, space, ["final A.angle"], 0.05).run(workers=1)
    exact = kt.simulate(machines.kinked(1.99), 0.05, progress=False)["A.angle"][-1]
    assert abs(table["final A.angle"][0] - exact) < 1e-7


def test_another_topology_is_simulated_one_by_one_and_the_summary_says_so():
    space = kt.Space.grid(links=[2, 3])
    table = kt.Study(machines.chain, space, ["final J0.angle"], 0.05).run(workers=1)
    assert table.done == 2 and "one by one, because models" in str(table)
    exact = kt.simulate(machines.chain(3), 0.05, progress=False)["J0.angle"][-1]
    assert table["final J0.angle"][1] == exact


def test_a_study_without_runs_calls_functions_of_the_model():
    def frequency(model):
        return kt.modes(model, state={"hinge.angle": 0.0}).frequencies[0]

    table = kt.Study(pendulum, {"length": [0.5, 1.0]}, {"f": frequency}).run(workers=1)
    # a rod of length l swings with sqrt(3 g / (2 l)) / 2 pi
    exact = np.sqrt(1.5 * 9.81 / np.array([0.5, 1.0])) / (2.0 * np.pi)
    assert np.abs(table["f"] / exact - 1.0).max() < 1e-6


@pytest.mark.parametrize(
    "wrong, text",
    [
        (lambda: study({"x": "largest A.angle"}), "form of output"),
        (lambda: study(["final A.angel"]).run(workers=1), "A.angel"),
        (lambda: study(["time of lock"]).run(workers=1), "lock"),
        (lambda: study([]), "at least one output"),
        (lambda: kt.Study(machines.four_bar, {"crankk": [0.5]}, ["final A.angle"], 1.0), "'crank'"),
        (lambda: kt.Study(pendulum(), {"length": [0.5]}, ["final A.angle"], 1.0), "function"),
        (lambda: study(fixed={"crank": 0.5}), "both fixed and part"),
        (lambda: study().run("thread"), "Did you mean 'threads'"),
        (lambda: study(rtoll=1e-6), "Did you mean 'rtol'"),
        (lambda: study(space={"crank": (0.4, 0.6)}), "kt.Space.sobol"),
    ],
)
def test_bad_input_is_refused_in_words(wrong, text):
    with pytest.raises(kt.KinetreeError, match=text):
        wrong()


def test_a_plan_that_takes_days_is_refused_with_its_duration():
    million = kt.Space.random(4_000_000, length=(0.4, 0.6))
    long = kt.Study(pendulum, million, ["final hinge.angle"], 1000.0, rtol=1e-10)
    with pytest.raises(kt.ModelError, match=r"takes about .* (hours|days).*yes=True"):
        long.run(workers=1)


def test_parts_are_neither_too_many_nor_too_large():
    assert [part_size(n) for n in (1, 40, 1000, 100_000)] == [1, 1, 31, 256]


def test_a_stored_study_says_what_it_is(tmp_path):
    study(space=kt.Space.grid(crank=[0.5])).run(workers=1, store=tmp_path)
    manifest = json.loads((tmp_path / "study.json").read_text())
    assert manifest["parameters"] == ["crank"] and manifest["outputs"] == ["end", "where"]


def test_indices_of_a_linear_output_are_its_shares_of_the_variance():
    pytest.importorskip("SALib", reason="SALib is not installed")

    def twice_mass_and_half_length(model):
        rod = model.bodies["rod"].properties
        return 2.0 * rod.mass + rod.ends["+"][0]

    def make(mass=1.0, half=1.0):
        m = kt.Model("rod")
        m.float(m.body("rod", kt.rod(mass, 2.0 * half, along="x")))
        return m

    space = kt.Space.sobol(128, mass=(1.0, 2.0), half=(1.0, 2.0))
    table = kt.Study(make, space, {"y": twice_mass_and_half_length}).run(workers=1)
    # variances of 2 m and h are as 4 to 1
    found = table.indices("y", "rbd-fast")
    assert list(found.index) == ["mass", "half"]
    # the confidence intervals of the estimates are 0.07 and 0.2 wide
    assert np.abs(found["S1"] - [0.8, 0.2]).max() < 0.1
    medians = table.indices(method="pawn")["median"]
    assert medians["mass"] > 2.0 * medians["half"]
    with pytest.raises(kt.ModelError, match="no method named 'sobol'"):
        table.indices(method="sobol")
    few = kt.Study(make, {"mass": [1.0, 2.0]}, {"y": twice_mass_and_half_length}).run(workers=1)
    with pytest.raises(kt.ModelError, match="at least 32 cases"):
        few.indices()


def test_a_hydraulic_lift_has_the_values_of_simulate():
    space = kt.Space.random(4, bore=(0.045, 0.055), flow=(2e-4, 4e-4))
    made = kt.Study(machines.lift, space, ["final mast.displacement", "max lift.pressure1"], 0.2)
    table = made.run(workers=1)
    assert set(table.ways) == {"patched"}
    for k in range(2):
        sol = made.solution(k)
        assert table["final mast.displacement"][k] == pytest.approx(
            sol["mast.displacement"][-1], rel=1e-7
        )
        assert table["max lift.pressure1"][k] == pytest.approx(
            sol["lift.pressure1"].max(), rel=1e-7
        )


def test_rigid_contacts_are_simulated_one_by_one_and_the_summary_says_so():
    def ball(height=0.3):
        m = kt.Model("ball")
        body = m.body("ball", kt.sphere(1.0, 0.1), position=(0, 0, height))
        m.float(body)
        floor, shape = kt.shapes.HalfSpace().on(m.ground), kt.shapes.Ball(0.1).on(body)
        m.contact("floor", floor, shape, kt.RigidContact(restitution=0.5))
        return m

    table = kt.Study(ball, {"height": [0.2, 0.3]}, ["final ball.position.z"], 0.3).run(workers=1)
    assert "contacts without deformation" in str(table)
    exact = kt.simulate(ball(0.2), 0.3, progress=False)["ball.position.z"][-1]
    assert table["final ball.position.z"][0] == exact
