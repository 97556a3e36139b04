"""Kernels compiled ahead: jobs, marks, the other process, and the word about it."""

import os
import subprocess
import sys

import pytest

from kinetree import warm
from kinetree.cli.warmup import all_jobs
from kinetree.formulations.catalogue import FORMULATIONS
from kinetree.integrators.catalogue import INTEGRATORS
from kinetree.num.jit import JIT

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")


@pytest.fixture
def nothing_done(tmp_path, monkeypatch):
    """As on a machine where nothing was compiled: no marks. What compiles is only noted."""
    done = []
    monkeypatch.setattr(warm, "CACHE", tmp_path)
    for name in ("_known", "_told"):
        monkeypatch.setattr(warm, name, set())
    monkeypatch.setattr(warm, "_other", None)
    monkeypatch.setattr(warm, "_function", lambda kind: lambda *name: done.append(" ".join((kind, *name))))
    return done


def test_every_job_has_a_function_that_compiles_it():
    assert all(callable(warm._function(kind)) for kind in warm._JOBS)


def test_jobs_cover_every_formulation_integrator_and_force():
    jobs = all_jobs()
    assert len(set(jobs)) == len(jobs)
    assert {f"formulation {entry.kernels}" for entry in FORMULATIONS} <= set(jobs)
    assert {f"integrator {entry.family}" for entry in INTEGRATORS} <= set(jobs)
    assert set(warm.USUAL) - {"samples", "results"} <= set(jobs)


def test_formulations_of_one_file_share_their_kernels_and_others_do_not():
    kernels = {entry.name: entry.kernels for entry in FORMULATIONS}
    assert kernels["qr"] == kernels["svd"] and len({kernels[n] for n in ("augmented", "overdetermined", "baumgarte")}) == 3


def test_a_job_is_done_once_and_then_known(nothing_done):
    assert not warm.is_ready("samples")
    warm.ready("samples")
    warm.ready("samples")
    assert nothing_done == ["samples"] and warm.is_ready("samples")


def test_what_is_ready_is_not_talked_about_and_what_is_not_is(nothing_done, monkeypatch, capsys):
    monkeypatch.setattr(warm, "_Other", lambda first, todo: None)
    warm.ahead("formulation augmented", "integrator adams-step", "samples")
    told = capsys.readouterr().err
    assert "augmented and adams" in told and told.count("\n") == 1
    for job in ("formulation augmented", "integrator adams-step", "samples"):
        warm.ready(job)
    warm.ahead("formulation augmented", "integrator adams-step", "samples")
    assert capsys.readouterr().err == ""


def test_a_process_that_dies_is_not_waited_for(nothing_done):
    other = warm._Other.__new__(warm._Other)
    other.todo, other.process = ["samples"], subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE, text=True)
    other.wait("samples")
    assert not other.todo


def test_the_other_process_compiles_into_the_same_cache_and_says_so():
    other = warm._Other("engine", ["samples"])
    other.wait("samples")
    assert other.process.wait(600) == 0 and (warm.CACHE / "ready-samples").exists()


def test_what_the_other_has_not_begun_is_done_here_while_it_is_busy(nothing_done, tmp_path):
    other = warm._Other.__new__(warm._Other)
    other.todo, echo = ["samples", "results"], (
        "import select, sys; told = select.select([sys.stdin], [], [], 20)[0]; "  # not for ever: it may be told nothing
        "taken = sys.stdin.readline() if told else 'nothing'; print('samples'); print(taken)")
    other.process = subprocess.Popen([sys.executable, "-c", echo], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    other.wait("samples")
    assert other.todo == [] and nothing_done == ["results"] and (tmp_path / "ready-results").exists()
    assert other.process.stdout.readline().strip() == "results"  # what it was told


def test_the_other_process_leaves_out_what_it_is_told(tmp_path):
    code = "from kinetree import warm; warm.compile_now = lambda job: None; warm.is_ready = lambda job: False; " \
           "warm.main('engine', ['results', 'samples'])"
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    print("results", file=process.stdin, flush=True)  # it waits for an engine that never comes, until it hears this
    assert process.stdout.readline().strip() == "samples" and process.wait(60) == 0


def test_the_command_says_what_it_found():
    run = subprocess.run([sys.executable, "-m", "kinetree.cli.main", "warmup"], capture_output=True, text=True, env=os.environ)
    assert run.returncode == 0, run.stderr
    assert "found ready in" in run.stdout
