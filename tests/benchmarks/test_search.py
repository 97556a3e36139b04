"""How the benchmarks look for the loosest setting that is good enough."""

import sys
from importlib import import_module
from pathlib import Path

import pytest


@pytest.fixture
def search(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    yield import_module("search").Search
    sys.modules.pop("search")


def test_whole_numbers_of_steps_are_found_however_few(search):
    found = search(lambda n: 1.0 / n**2, 5, 1.05, 10_000, tighter=4)
    assert found.loosest(1e-2) == (10, 1e-2)  # the first for which 1 / n^2 is as small


def test_luck_does_not_count_and_each_setting_runs_once(search):
    ran = []

    def error(rtol):
        ran.append(rtol)
        return 0.0 if abs(rtol - 0.8**5) < 1e-12 else rtol

    found = search(error, 1.0, 0.8, 1e-6)
    for wanted in (1e-1, 1e-2, 1e-1):
        setting, worst = found.loosest(wanted)
        assert 0.8 * wanted < setting <= wanted and worst <= wanted
    assert len(ran) == len(set(ran))


def test_a_search_without_an_answer_ends(search):
    assert search(lambda steps: 1.0, 20, 1.1, 1000).loosest(1e-3) == (None, float("inf"))
