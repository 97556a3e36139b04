"""Files appear whole or not at all, and what is there stays there."""

import json
import os

import pytest

import kinetree as kt
from kinetree.core import atomic_write as files

from .machines import pendulum


@pytest.fixture(scope="module")
def runs():
    return [kt.simulate(pendulum(), 0.1, output_interval=0.05, rtol=rtol) for rtol in (1e-8, 1e-4)]


@pytest.mark.parametrize("kind", ["to_csv", "to_json"])
def test_another_run_is_kept_unless_it_may_go(kind, runs, tmp_path):
    one, other = runs
    path = tmp_path / "file"
    getattr(one, kind)(path)
    before = path.read_bytes()
    getattr(one, kind)(path)  # the same run again
    with pytest.raises(
        kt.ResultError, match=r"another result of that name is there.*overwrite=True"
    ):
        getattr(other, kind)(path)
    assert path.read_bytes() == before
    getattr(other, kind)(path, overwrite=True)
    assert path.read_bytes() != before


def test_the_same_run_computed_again_counts_as_the_same(runs, tmp_path):
    """Its file differs in the seconds it took."""
    runs[0].to_json(tmp_path / "run.json")
    again = kt.simulate(pendulum(), 0.1, output_interval=0.05, rtol=1e-8)
    again.to_json(tmp_path / "run.json")
    assert (
        json.loads((tmp_path / "run.json").read_text())["provenance"]["statistics"]["seconds"]
        == again.wall
    )


def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(tmp_path, monkeypatch):
    path = tmp_path / "file"
    files.write(path, "old")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(kt.ResultError, match="No space left on device"):
        files.write(path, "new", overwrite=True)
    assert path.read_text() == "old" and [p.name for p in tmp_path.iterdir()] == ["file"]


def test_under_its_name_a_file_is_never_half_written(tmp_path, monkeypatch):
    path, seen = tmp_path / "file", []
    files.write(path, "old")
    monkeypatch.setattr(
        os, "fsync", lambda descriptor: seen.append(path.read_text())
    )  # all is written, nothing moved yet
    files.write(path, "new", overwrite=True)
    assert seen == ["old"] and path.read_text() == "new"


def test_a_link_is_replaced_and_not_followed(tmp_path):
    (tmp_path / "target").write_text("precious")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "target")
    with pytest.raises(kt.ResultError, match="a link of that name is there"):
        files.write(link, "precious")
    files.write(link, "new", overwrite=True)
    assert (
        (tmp_path / "target").read_text() == "precious"
        and link.read_text() == "new"
        and not link.is_symlink()
    )


def test_a_link_that_leads_nowhere_is_something_that_is_there(tmp_path):
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")
    with pytest.raises(kt.ResultError, match="a link of that name is there"):
        files.write(link, "new")
    assert not (tmp_path / "nowhere").exists()


def test_a_folder_is_never_replaced(tmp_path):
    (tmp_path / "folder").mkdir()
    for overwrite in (False, True):
        with pytest.raises(kt.ResultError, match="folder"):
            files.write(tmp_path / "folder", "new", overwrite)


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="no such device here")
def test_a_device_is_written_to_and_stays_a_device(runs):
    runs[0].to_csv("/dev/null")
    assert not os.path.isfile("/dev/null")


def test_names_with_dollars_and_underscores_are_plotted_as_written(tmp_path):
    m = kt.Model("costs $1 or $2")
    rod = m.body(r"$\frac{$", kt.rod(1.0, 1.0, axial=1e-3))
    m.joint("_hinge$", kt.Revolute(axis="y"), m.ground, rod.end("-"))
    sol = kt.simulate(m, 0.1, output_interval=0.05)
    figure = sol.plot(r"$\frac{$.position", "_hinge$.angle", path=tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 5000
    labels = [
        text.get_text().strip() for axis in figure.axes for text in axis.get_legend().get_texts()
    ]
    assert labels == [rf"$\frac{{$.position.{k}" for k in "xyz"] + ["_hinge$.angle"]
    for kind in (sol.plot_steps, sol.plot_energy):
        kind(path=tmp_path / "other.png")
