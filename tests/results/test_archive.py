"""Runs as files: opened again they are the same, bit by bit, and a run that is killed leaves what
it had written.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import kinetree as kt
from kinetree.models.catalogue import model_entry
from kinetree.models.flexible_four_bar import flexible_four_bar
from kinetree.results.sources import catalogue


def bouncing():
    m = kt.Model("ball")
    ball = m.body("ball", kt.sphere(1.0, 0.1), position=(0, 0, 1))
    m.joint("rail", kt.Translational(axis="z"), m.ground, ball, at=(0, 0, 1))
    floor = kt.Event(
        "ball.position.z",
        0.1,
        direction=-1,
        then=lambda t, s: {"ball.velocity.z": -0.8 * s["ball.velocity.z"]},
        name="floor",
    )
    return kt.simulate(m, 1.5, events=[floor, kt.Event("ball.velocity.z", name="top")])


def impacts():
    m = kt.Model("bounce")
    ball = m.body("ball", kt.sphere(1.0, 0.1), position=(0, 0, 0.6))
    m.float(ball)
    floor, round_ = kt.shapes.HalfSpace().on(m.ground), kt.shapes.Ball(0.1).on(ball)
    m.contact("touch", floor, round_, kt.RigidContact(restitution=0.5, friction=0.2))
    return kt.simulate(m, 0.8, output_interval=0.02)


RUNS = {  # rigid with a loop, stiff hydraulics, structural, symbolic, events, other coordinates
    "four-bar": lambda: kt.simulate(model_entry("four-bar").build(), 0.4, formulation="projection"),
    "excavator": lambda: kt.simulate(
        model_entry("excavator").build(), 0.05, integrator="switching", output_interval=0.01
    ),
    "flexible": lambda: kt.simulate(
        flexible_four_bar(), 0.05, integrator="energy-conserving", step=5e-3
    ),
    "symbolic": lambda: kt.simulate(model_entry("ralf-rigid").build(), 0.2, output_interval=0.02),
    "events": bouncing,
    "impacts": impacts,
    "cartesian": lambda: kt.simulate(
        model_entry("slider-crank").build(),
        0.1,
        coordinates="cartesian",
        state={"crankshaft.angle": 0.3},
    ),
}


def different(sol, other, names) -> list[str]:
    return [name for name in names if not np.array_equal(sol[name], other[name], equal_nan=True)]


@pytest.mark.parametrize("name", RUNS)
def test_a_run_saved_and_opened_has_the_same_channels_bit_by_bit(name, tmp_path):
    sol = RUNS[name]()
    sol.save(tmp_path / "run.nc")
    again = kt.open_solution(tmp_path / "run.nc")
    assert again.names() == sol.names() and len(sol.names()) > 10
    assert different(sol, again, sol.names(components=True)) == []
    assert np.array_equal(again.t, sol.t) and (again.message, again.success, str(again)) == (
        sol.message,
        sol.success,
        str(sol),
    )
    assert (again.statistics, again.options) == (
        sol.statistics,
        json.loads(json.dumps(sol.options)),
    )
    for channel in sol.channels.values():
        assert channel.unit and channel.about
    computed = catalogue(again.run)  # what is not read, from the states and the model in the file
    assert [
        n for n in computed if not np.array_equal(computed[n].values(), sol[n], equal_nan=True)
    ] == []
    assert again.compiled.hash == sol.compiled.hash


def test_events_and_other_times_come_with_the_file(tmp_path):
    sol = bouncing()
    sol.save(tmp_path / "run.nc")
    again = kt.open_solution(tmp_path / "run.nc")
    assert str(again.events) == str(sol.events) and len(sol.events["floor"]) >= 2
    assert np.array_equal(
        again.events["floor"].after["ball.velocity.z"], sol.events["floor"].after["ball.velocity.z"]
    )
    assert np.array_equal(
        again.at([0.2, 0.71])["ball.position.z"], sol.at([0.2, 0.71])["ball.position.z"]
    )
    assert np.array_equal(again.energy.by_source["floor"], sol.energy.by_source["floor"])


def test_plots_animation_and_tables_are_those_of_the_run(tmp_path):
    sol = RUNS["four-bar"]()
    sol.save(tmp_path / "run.nc")
    again = kt.open_solution(tmp_path / "run.nc")
    lines, others = (
        run.plot("A.angle", "crank.position.z").axes[0].lines[0].get_ydata() for run in (sol, again)
    )
    assert np.array_equal(lines, others)
    for plot in (again.plot_energy, again.plot_steps):
        assert plot().axes
    sol.animate(tmp_path / "a.html")
    again.animate(tmp_path / "b.html")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    pandas = pytest.importorskip("pandas")
    frame = again.to_pandas(["A.angle", "crank.position"])
    assert list(frame.columns) == [
        "A.angle",
        "crank.position.x",
        "crank.position.y",
        "crank.position.z",
    ]
    assert isinstance(frame, pandas.DataFrame) and frame.attrs["units"]["A.angle"] == "rad"
    assert np.array_equal(frame["A.angle"], sol["A.angle"]) and np.array_equal(frame.index, sol.t)


def test_other_programs_read_the_file(tmp_path):
    xarray = pytest.importorskip("xarray")
    sol = RUNS["four-bar"]()
    sol.save(tmp_path / "run.nc")
    with xarray.open_dataset(tmp_path / "run.nc", engine="h5netcdf") as data:
        one = data["channels"].sel(channel="crank.position.z")
        assert np.array_equal(one.values, sol["crank.position.z"]) and np.array_equal(
            one.time, sol.t
        )
        told = data.set_coords(["units", "long_name"])["channels"].sel(channel="A.angle")
        assert (str(told.units.values), data.time.units) == ("rad", "s")
        assert str(told.long_name.values) == f"angle of joint A: {kt.Revolute.meaning('angle')}"
        assert np.array_equal(
            data["step_channels"].sel(step_channel="step.size").values, sol.steps.h
        )
        assert data.attrs["model_hash"] == sol.compiled.hash and data.attrs["complete"] == 1
        assert {"kinetree", "numpy", "llvmlite", "python"} <= set(data.attrs)
        assert json.loads(data.attrs["options"])["formulation"] == "projection"
        again = kt.open_solution(tmp_path / "run.nc")  # while another program has it open
        assert (
            np.array_equal(again["crank.position"], sol["crank.position"])
            and again.compiled.hash == sol.compiled.hash
        )
    table = kt.open_solution(tmp_path / "run.nc").to_xarray()
    assert (
        np.array_equal(table["crank.position"].values, sol["crank.position"])
        and table["crank.position"].units == "m"
    )


def test_a_file_of_many_channels_is_not_much_larger_than_its_numbers(tmp_path):
    m, before = kt.Model("chain"), None
    for k in range(60):
        body = m.body(f"b{k}", kt.rod(0.01, 0.1, along="x"), position=(0.1 * k + 0.05, 0, 0))
        m.joint(f"j{k}", kt.Revolute("y"), before or m.ground, body, at=(0.1 * k, 0, 0))
        before = body
    sol = kt.simulate(m, 0.01, output_interval=0.0005)
    sol.save(tmp_path / "run.nc")
    numbers = (
        8 * len(sol.t) * sum(max(1, len(channel.components)) for channel in sol.channels.values())
    )
    assert os.path.getsize(tmp_path / "run.nc") < 2 * numbers


def test_chosen_channels_are_written_and_the_others_are_computed(tmp_path):
    sol = RUNS["four-bar"]()
    sol.save(tmp_path / "run.nc", ["A.angle", "crank.position.z"])
    again = kt.open_solution(tmp_path / "run.nc")
    assert set(again.names()) == {"A.angle", "crank.position"}
    assert np.array_equal(again.run["D.force"], sol["D.force"])


def test_a_model_with_python_functions_is_given_when_its_run_is_opened(tmp_path):
    def pushed():
        m = model_entry("pendulum").build()
        m.force("push", kt.PointForce((lambda t: 3.0 * t, 0.0, 0.0)), next(iter(m.bodies.values())))
        return m

    model = pushed()
    sol = kt.simulate(model, 0.1)
    sol.save(tmp_path / "run.nc")
    again = kt.open_solution(tmp_path / "run.nc")
    assert different(sol, again, sol.names()) == []
    with pytest.raises(kt.ResultError, match=r"force 'push'.*model="):
        again.at(0.05)
    given = kt.open_solution(tmp_path / "run.nc", model)
    assert np.array_equal(given.at(0.05).y, sol.at(0.05).y)
    with pytest.raises(kt.ResultError, match="was not computed with this model"):
        kt.open_solution(tmp_path / "run.nc", model_entry("pendulum").build()).at(0.05)


def test_files_are_kept_and_what_is_no_result_is_refused(tmp_path):
    sol = RUNS["symbolic"]()
    path = tmp_path / "run.nc"
    path.write_text("mine")
    with pytest.raises(kt.ResultError, match="overwrite=True"):
        sol.save(path)
    assert path.read_text() == "mine" and list(tmp_path.iterdir()) == [path]
    for bad in (path, tmp_path / "none.nc", tmp_path):
        with pytest.raises(kt.ResultError):
            kt.open_solution(bad)
    sol.save(path, overwrite=True)
    sol.save(path)  # the same run again
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(kt.ResultError):
        kt.open_solution(path)["A.angle"]
    with pytest.raises(kt.ResultError, match="folder"):
        sol.save(tmp_path / "nowhere" / "run.nc")


@pytest.mark.parametrize("name", ["four-bar", "flexible"])
def test_a_run_with_a_file_is_the_run_without_and_leaves_the_file_whole(
    name, tmp_path, monkeypatch
):
    from kinetree.results.storage import growing

    monkeypatch.setattr(growing, "SECONDS", 0.0)
    monkeypatch.setattr(growing, "BYTES", 1)
    ways = {
        "four-bar": (model_entry("four-bar").build, {"until": 0.3}),
        "flexible": (
            flexible_four_bar,
            {"until": 0.05, "integrator": "energy-conserving", "step": 5e-3},
        ),
    }
    build, options = ways[name]
    plain, grown = (
        kt.simulate(build(), **options),
        kt.simulate(build(), **options, out=tmp_path / "run.nc"),
    )
    again = kt.open_solution(tmp_path / "run.nc")
    assert (
        again.complete
        and different(plain, grown, plain.names()) == []
        and different(plain, again, plain.names()) == []
    )


RUN = """
import kinetree as kt
from kinetree.models.catalogue import model_entry
from kinetree.results.storage import growing
growing.SECONDS = 0.05
kt.simulate(model_entry("four-bar").build(), 1e5, output_interval=0.01, rtol=1e-6, out={path!r}, progress=False)
"""


def test_a_killed_run_leaves_what_it_had_written(tmp_path):
    path = tmp_path / "run.nc"
    process = subprocess.Popen(
        [sys.executable, "-c", RUN.format(path=str(path))],
        env=dict(os.environ),
        stderr=subprocess.PIPE,
    )
    try:
        _wait_for_samples(path, 300, process)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    left = kt.open_solution(path)
    assert (
        not left.complete
        and not left.success
        and "not finished" in left.message
        and len(left.t) >= 300
    )
    short = kt.simulate(
        model_entry("four-bar").build(), float(left.t[300]), output_interval=0.01, rtol=1e-6
    )
    rows = slice(0, 250)  # the last steps before its end are cut to end there
    for name in ("A.angle", "rocker.position", "C.force", "energy.total"):
        assert np.array_equal(left[name][rows], short[name][rows]), name


def _wait_for_samples(path: Path, count: int, process) -> None:
    for _ in range(1200):
        if process.poll() is not None:
            raise AssertionError(process.stderr.read().decode())
        try:
            if path.exists() and len(kt.open_solution(path).t) > count:
                return
        except kt.ResultError:
            pass  # not begun, or in the middle of a block
        time.sleep(0.1)
    raise AssertionError("the run wrote nothing")


def test_a_run_keeps_its_model_whatever_is_added_afterwards(tmp_path):
    m = kt.Model("p")
    rod = m.body("r", kt.rod(mass=1.0, length=1.0, along="x"))
    m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"))
    first = kt.simulate(m, 0.5)
    second = m.body("q", kt.rod(mass=5.0, length=1.0, along="x"))
    m.joint("B", kt.Revolute(axis="y"), rod.end("+"), second.end("-"))
    m.force("push", kt.PointForce((1.0, 0.0, 0.0)), rod)
    m.gravity[2] = -1.0
    first.save(tmp_path / "run.nc")
    again = kt.open_solution(tmp_path / "run.nc")
    assert (
        list(again.model.bodies) == ["r"]
        and not again.model.forces
        and again.names() == first.names()
    )
    assert np.array_equal(kt.simulate(again.model, 0.5)["A.angle"], first["A.angle"])
    assert (
        np.array_equal(again.at(0.2).y, first.at(0.2).y)
        and again.energy.drift == first.energy.drift
    )
    kept = first.model  # can be built on
    kept.force("pull", kt.PointForce((0.0, 0.0, 1.0)), kept.bodies["r"])
    assert kt.simulate(kept, 0.1).success and "pull" not in m.forces
