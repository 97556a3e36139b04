"""Plots are written, with labelled axes, without a window system."""

import sys

import pytest

import kinetree as kt

from .machines import pendulum, rssr


@pytest.fixture(scope="module")
def sol():
    return kt.simulate(rssr(), 0.2)


def test_channels_are_plotted_one_axis_per_unit(sol, tmp_path):
    path = tmp_path / "plot.png"
    figure = sol.plot("crank.position", "A.angle", "rocker.position.z", "step.size", path=path)
    assert path.read_bytes()[:4] == b"\x89PNG" and path.stat().st_size > 5000
    labels = [axis.get_ylabel() for axis in figure.axes]
    assert labels == ["position [m]", "angle [rad]", "size [s]"]
    assert figure.axes[-1].get_xlabel() == "time [s]"
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == [
        "crank.position.x", "crank.position.y", "crank.position.z", "rocker.position.z"]


@pytest.mark.parametrize("kind", ["plot_steps", "plot_energy"])
@pytest.mark.parametrize("loops", [True, False])
def test_steps_and_energy_are_plotted(kind, loops, sol, tmp_path):
    run = sol if loops else kt.simulate(pendulum(), 0.2)
    path = tmp_path / "plot.png"
    figure = getattr(run, kind)(path=path)
    assert path.stat().st_size > 5000
    assert all(axis.get_ylabel() for axis in figure.axes)


def test_a_plot_without_names_and_a_bad_path_are_refused_in_words(sol, tmp_path):
    with pytest.raises(kt.ModelError, match="name at least one channel"):
        sol.plot()
    with pytest.raises(kt.ResultError, match="cannot write the plot"):
        sol.plot("A.angle", path=tmp_path / "plot.unknown")


def test_a_missing_matplotlib_says_what_to_install(sol, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(kt.ResultError, match="pip install matplotlib"):
        sol.plot("A.angle")
