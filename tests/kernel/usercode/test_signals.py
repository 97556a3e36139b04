"""Ctrl-C and SIGTERM at any moment of a run: what was done is returned or kept, and nothing is left
behind.
"""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import kinetree as kt
from kinetree.kernel.usercode.signals import TERMINATED
from kinetree.results import completion as complete
from kinetree.results.storage import archive
from kinetree.simulation import collect


@pytest.fixture(autouse=True)
def usual_handlers():
    before = (
        signal.signal(signal.SIGINT, signal.default_int_handler),
        signal.signal(signal.SIGTERM, signal.SIG_DFL),
    )
    yield
    assert (
        signal.getsignal(signal.SIGINT) is signal.default_int_handler
        and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    )
    signal.signal(signal.SIGINT, before[0])
    signal.signal(signal.SIGTERM, before[1])


def pendulum():
    m = kt.Model("m")
    body = m.body("b", kt.sphere(1, 0.1))
    m.joint("A", kt.Revolute("y"), m.ground, body, at=(0.3, 0, 0))
    return m


def at_calls(monkeypatch, module, name, numbers, times=1):
    """Send a signal to this process whenever a function is called, and call it."""
    real = getattr(module, name)

    def call(*arguments, **options):
        for _ in range(times):
            os.kill(os.getpid(), numbers)
            time.sleep(0.001)
        return real(*arguments, **options)

    monkeypatch.setattr(module, name, call)


def test_ctrl_c_after_the_time_loop_loses_nothing(monkeypatch):
    monkeypatch.setattr(collect, "LONG", 0)
    whole = kt.simulate(pendulum(), 0.5)
    at_calls(monkeypatch, complete, "complete", signal.SIGINT)
    sol = kt.simulate(pendulum(), 0.5)
    assert sol.interrupted and sol.success and np.array_equal(sol["A.force"], whole["A.force"])


def test_ctrl_c_at_the_first_use_of_the_samples_loses_nothing(monkeypatch):
    whole, sol = kt.simulate(pendulum(), 0.5), kt.simulate(pendulum(), 0.5)
    with monkeypatch.context() as context, pytest.raises(KeyboardInterrupt):
        at_calls(context, complete, "complete", signal.SIGINT)
        _ = sol.y
    assert sol.success and np.array_equal(sol["A.force"], whole["A.force"])


def test_a_second_ctrl_c_ends_the_completion_and_keeps_the_states(monkeypatch):
    monkeypatch.setattr(collect, "LONG", 0)
    whole = kt.simulate(pendulum(), 0.5)
    monkeypatch.setattr(complete, "_BLOCK", 800)
    monkeypatch.setattr(complete.blocks, "__defaults__", (800,))
    at_calls(monkeypatch, complete, "complete", signal.SIGINT)
    sol = kt.simulate(pendulum(), 0.5)
    assert sol.interrupted and 0 < len(sol.incomplete) < len(sol.t) and len(sol.t) == len(whole.t)
    assert np.allclose(
        sol.y, whole.y, rtol=0.0, atol=1e-6
    )  # interpolated where they were not completed; the run has rtol 1e-6


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_while_the_file_is_written_keeps_the_run(times, monkeypatch, tmp_path):
    at_calls(monkeypatch, archive, "pack", signal.SIGINT, times)
    sol = kt.simulate(pendulum(), 0.5, out=tmp_path / "run.nc")
    assert sol.interrupted and sol.success and len(sol.t) == 501
    assert [path.name for path in tmp_path.iterdir()] == ["run.nc"]
    assert kt.open_solution(tmp_path / "run.nc").complete == (times == 1)


@pytest.mark.parametrize("module, name", [(complete, "complete"), (archive, "pack")])
def test_sigterm_ends_the_process_after_the_file_is_written(module, name, monkeypatch, tmp_path):
    at_calls(monkeypatch, module, name, signal.SIGTERM)
    with pytest.raises(SystemExit) as caught:
        kt.simulate(pendulum(), 0.5, out=tmp_path / "run.nc")
    assert (
        caught.value.code == TERMINATED
        and caught.value.solution.interrupted
        and len(caught.value.solution.t) == 501
    )
    assert kt.open_solution(tmp_path / "run.nc").complete


def test_handlers_of_the_user_are_called_and_decide(monkeypatch):
    monkeypatch.setattr(collect, "LONG", 0)
    came = []
    signal.signal(signal.SIGINT, lambda *about: came.append(about[0]))
    try:
        at_calls(monkeypatch, complete, "complete", signal.SIGINT)
        sol = kt.simulate(pendulum(), 0.5)
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    assert came == [signal.SIGINT] and not sol.interrupted


COMMAND = """
import os, signal
from kinetree.results.storage import growing
signal.signal(signal.SIGINT, signal.default_int_handler)
real, growing.SECONDS, calls = growing._write, 0.0, []
def write(file, data):
    calls.append(real(file, data))
    if len(calls) == 4:  # the run is on its way
        os.kill(os.getpid(), {number})
growing._write = write
from kinetree.apps.cli.main import main
main()
"""


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, TERMINATED)])
def test_the_command_writes_what_an_interrupted_run_has_found(number, code, tmp_path):
    out, saved = tmp_path / "results", tmp_path / "run.nc"
    asked = [
        "run",
        "four-bar",
        "--until",
        "1000",
        "--output-interval",
        "0.1",
        "--out",
        str(out),
        "--save",
        str(saved),
    ]
    done = subprocess.run(
        [sys.executable, "-c", COMMAND.format(number=int(number)), *asked], capture_output=True
    )
    assert done.returncode == code, done.stderr.decode()
    left = kt.open_solution(saved)
    assert b"interrupted at t =" in done.stdout and list(out.glob("*.csv"))
    assert (
        left.complete
        and left.interrupted
        and 0 < len(left.t) < 10_000
        and not list(tmp_path.glob(".*part"))
    )
