"""Plots are written, with labelled axes, without a window system."""

import sys

import numpy as np
import pytest
from matplotlib.figure import Figure

import kinetree as kt
from kinetree.results.curves import Curve, readable

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
        "crank.position.x",
        "crank.position.y",
        "crank.position.z",
        "rocker.position.z",
    ]


@pytest.mark.parametrize("kind", ["plot_steps", "plot_energy"])
@pytest.mark.parametrize("loops", [True, False])
def test_steps_and_energy_are_plotted(kind, loops, sol, tmp_path):
    run = sol if loops else kt.simulate(pendulum(), 0.2)
    path = tmp_path / "plot.png"
    figure = getattr(run, kind)(path=path)
    assert path.stat().st_size > 5000
    assert all(axis.get_ylabel() for axis in figure.axes)


def test_a_bad_path_is_refused_in_words(sol, tmp_path):
    with pytest.raises(kt.ResultError, match="cannot write the plot"):
        sol.plot("A.angle", path=tmp_path / "plot.unknown")


def test_without_names_the_joints_that_move_most_are_shown(sol):
    names = legend(sol.plot().axes[0])
    travel = [np.ptp(sol[name]) for name in names]
    assert 1 <= len(names) <= 6 and travel == sorted(travel, reverse=True) and travel[0] > 0.0


def legend(axis):
    return [text.get_text() for text in axis.get_legend().get_texts()]


def test_legends_lie_beside_the_axes(sol, tmp_path):
    figure = sol.plot("A.angle", "crank.position", path=tmp_path / "plot.png")
    for axis in figure.axes:
        left = axis.get_legend().get_window_extent().x0
        right = axis.get_legend().get_window_extent().x1
        assert axis.get_window_extent().x1 < left and right <= figure.bbox.x1


@pytest.mark.parametrize(
    "scale, unit, factor", [(1.0, "m", 1.0), (0.02, "mm", 1e3), (3e-5, "µm", 1e6), (5e3, "m", 1.0)]
)
def test_a_prefix_keeps_the_numbers_readable(scale, unit, factor):
    values = scale * np.linspace(-1.0, 0.5, 5)
    assert readable([Curve("a.position.x", "m", values, values)]) == (unit, pytest.approx(factor))


@pytest.mark.parametrize(
    "unit, scale, shown",
    [
        ("Pa", 2e7, "MPa"),
        ("N m", 4e3, "kN m"),
        ("m/s^2", 0.05, "mm/s^2"),
        ("J", 5e-3, "mJ"),
        ("kg", 1e5, "kg"),
        ("rad", 1e-5, "rad"),
        ("1", 1e6, "1"),
        ("m^2", 1e-5, "m^2"),
    ],
)
def test_units_take_the_prefix_that_belongs_to_them(unit, scale, shown):
    assert readable([Curve("a.b", unit, np.ones(1), np.full(1, scale))])[0] == shown


def test_one_channel_against_another_and_angles_in_degrees(sol):
    axis = sol.plot("D.angle", x="A.angle", degrees=True).axes[0]
    line = axis.lines[0]
    assert np.allclose(line.get_xdata(), np.degrees(sol["A.angle"])) and np.allclose(
        line.get_ydata(), np.degrees(sol["D.angle"])
    )
    assert axis.get_xlabel() == "A.angle [deg]" and axis.get_ylabel() == "angle [deg]"
    with pytest.raises(kt.ModelError, match=r"crank.position.x"):
        sol.plot("A.angle", x="crank.position")
    with pytest.raises(kt.ModelError, match="other times"):
        sol.plot("A.angle", x="step.size")


def test_a_plot_on_axes_of_ones_own(sol):
    figure = Figure()
    left, right = figure.subplots(1, 2)
    assert sol.plot("A.angle", ax=left) is figure and len(left.lines) == 1 and not right.lines
    with pytest.raises(kt.ModelError, match=r"2 units \(rad, m\) and need as many axes; ax= has 1"):
        sol.plot("A.angle", "crank.position.z", ax=right)


@pytest.mark.parametrize("kind, begins", [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_plots_for_papers(sol, tmp_path, kind, begins):
    sol.plot("A.angle", path=tmp_path / f"plot.{kind}")
    assert (tmp_path / f"plot.{kind}").read_bytes().startswith(begins)


def test_many_curves_differ_by_colour_or_line(sol):
    axis = sol.plot("crank.position", "rocker.position", "coupler.position").axes[0]
    assert (
        len({(line.get_color(), line.get_linestyle()) for line in axis.lines})
        == len(axis.lines)
        == 9
    )


def test_a_missing_matplotlib_says_what_to_install(sol, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(kt.ResultError, match="pip install matplotlib"):
        sol.plot("A.angle")


@pytest.mark.parametrize("ending", ["mp4", "html", "doc", "pgf"])
def test_unknown_endings_of_pictures_are_refused(ending, tmp_path):
    m = kt.Model("pendulum")
    m.joint(
        "A", kt.Revolute(axis="y"), m.ground, m.body("rod", kt.rod(1.0, 1.0, axial=1e-3)).end("-")
    )
    sol = kt.simulate(m, 0.1, output_interval=0.05)
    for write in (
        lambda path: sol.plot("A.angle", path=path),
        sol.plot_energy,
        sol.picture,
        m.draw,
    ):
        with pytest.raises(kt.ResultError, match=r"must end in \.png, \.svg"):
            write(tmp_path / f"x.{ending}")
    for write in (sol.animate, m.show):
        if ending != "html":
            with pytest.raises(
                kt.ModelError,
                match=r"must end in \.html" + (r".*sol\.film" if ending == "mp4" else ""),
            ):
                write(tmp_path / f"x.{ending}")
    assert list(tmp_path.iterdir()) == []
