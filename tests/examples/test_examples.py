"""Every example runs, and its CHECK holds."""

import runpy
from pathlib import Path

import pytest

SCRIPTS = sorted((Path(__file__).resolve().parents[2] / "examples").glob("[0-9]*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_example_runs_and_its_check_holds(script, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script), run_name="__main__")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_example_has_a_check_with_an_assertion(script):
    check = script.read_text().partition("# CHECK ")[2]
    assert "assert " in check


def test_examples_are_numbered_without_gaps():
    assert [int(path.stem[:2]) for path in SCRIPTS] == list(range(1, len(SCRIPTS) + 1))
