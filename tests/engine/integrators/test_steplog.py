"""Logs of long runs are thinned; counts over a run stay exact."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from kinetree.engine.integrators import steplog
from kinetree.engine.integrators.integrate import integrate
from kinetree.models.pendulum import pendulum

from .problems import ORBIT_START, orbit


@pytest.fixture
def both(monkeypatch):
    """The same run with all its rows, and with at most 100."""

    def runs(method, **options):
        whole = integrate(orbit, ORBIT_START, 60.0, method=method, **options)
        monkeypatch.setattr(steplog, "LARGEST", 100)
        return whole, integrate(orbit, ORBIT_START, 60.0, method=method, chunk=37, **options)

    return runs


@pytest.mark.parametrize("method", ["adams", "dopri5", "switching"])
def test_a_thinned_log_counts_what_the_whole_log_counts(both, method):
    whole, thin = both(method, rtol=1e-9)
    assert len(whole.log) == whole.accepted > 400 and len(thin.log) <= 100
    assert thin.log["steps"].sum() == thin.accepted == whole.accepted
    for name in ("rejected", "evaluations"):
        assert thin.log[name].sum() == whole.log[name].sum()
    for name in ("iterations", "factorisations", "jacobians", "t"):
        assert thin.log[name][-1] == whole.log[name][-1]
    for name in ("error", "order", "longest", "position_error"):
        assert thin.log[name].max() == whole.log[name].max()
    assert thin.log["shortest"].min() == whole.log["h"].min()
    assert_allclose((thin.log["h"] * thin.log["steps"]).sum(), 60.0, rtol=1e-12)
    assert (np.diff(thin.log["t"]) > 0.0).all()


def test_rows_of_different_methods_are_never_joined():
    rows = np.zeros(64, steplog.STEP)
    rows["steps"], rows["h"], rows["t"] = 1, 1.0, np.arange(64)
    rows["method"][10:13] = 1
    thin = steplog.joined(rows, 8)
    assert np.abs(np.diff(thin["method"])).sum() == 2
    assert thin["steps"].sum() == 64 and thin["steps"][thin["method"] == 1].sum() == 3


def test_the_summary_of_a_thinned_run_is_that_of_the_whole_one(monkeypatch):
    whole = kt.simulate(pendulum(), 20.0)
    monkeypatch.setattr(steplog, "LARGEST", 50)
    thin = kt.simulate(pendulum(), 20.0)
    assert len(thin.steps) <= 50 < len(whole.steps)
    assert str(thin.steps) == str(whole.steps)
    assert thin.statistics["evaluations"] == whole.statistics["evaluations"]
