"""Pages of four models in a browser, as the documentation shows them, with flexible parts, tyres,
roads and tracks.

KINETREE_PICTURES=docs/images writes the screenshots there, for docs/viewer.md.
"""

import io
import os
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import kinetree as kt
from kinetree.models import ralf
from kinetree.models.catalogue import model_entry
from kinetree.models.flexible_four_bar import flexible_four_bar
from kinetree.models.tracked_vehicle import tracked_vehicle

from .browser import found

pytestmark = pytest.mark.skipif(
    found() is None, reason="no Chromium is installed (Debian: apt-get install chromium)"
)
IMAGES = Path(__file__).parents[2] / "docs" / "images"
SIZE = (1100, 720)


class Printable(NamedTuple):
    """A page: the model and the run, the time, options of the page, and things that must be
    visible.
    """

    run: Any
    t: float
    page: dict[str, Any]
    seen: tuple[str, ...]
    strained: bool = False


@cache
def shown(name: str) -> Printable:
    if name == "flexible-four-bar":
        run = kt.simulate(flexible_four_bar(), 0.6, integrator="energy-conserving", step=0.005)
        return Printable(
            run,
            0.36,
            {"channels": ["coupler.energy", "A.angle"]},
            ("coupler", "rocker", "crank"),
            True,
        )
    if name == "ralf":
        run = kt.simulate(ralf.ralf(), 0.6, rtol=1e-6, output_interval=0.005)
        page = {
            "traces": ["upper_tip"],
            "channels": ["lower.strain.25", "upper.deflection.100"],
            "forces": ["C"],
        }
        return Printable(run, 0.45, page, ("lower", "upper", "actuating"), True)
    if name == "car":
        run = kt.simulate(
            model_entry("car").build(), 6.0, rtol=1e-5, output_interval=0.02, integrator="switching"
        )
        page = {"channels": ["tyre FL.lateral_force", "tyre FR.lateral_force"]}
        return Printable(run, 5.5, page, ("wheel FR", "chassis", "ground"))
    band = kt.TrackBand(tension=25e3, bridging=2e5)
    run = kt.simulate(tracked_vehicle(track=band), 2.2, rtol=1e-5, output_interval=0.01)
    return Printable(
        run,
        1.85,
        {"channels": ["hull.seat.acceleration.z"], "traces": ["hull.seat"]},
        ("track R", "arm R1", "ground"),
    )


def is_seen(tab, name: str) -> bool:
    """Whether a thing is found by pointing at one of its corners or, for flexible parts, at its
    line.
    """
    return tab.ask(f"""(() => {{
      const {{scene, renderer}} = viewer, thing = scene.data.things.findIndex(t => t.name === {name!r});
      const lines = renderer.items.filter(i => i.renew && i.of === thing).flatMap(i => i.line().map(p => [0, ...p]));
      const corners = scene.data.solids.filter(s => s.of === thing).flatMap(s => [
        ...(s.a ? [s.a, s.a.map((v, i) => (v + s.b[i]) / 2)] : []), ...(s.at ? [s.at] : []), ...(s.ring || [])]
        .map(p => [s.on, ...p]));
      const w = renderer.canvas.clientWidth, h = renderer.canvas.clientHeight, net = [];
      for (let x = 0.05; x < 1; x += 0.1) for (let y = 0.3; y < 1; y += 0.1) net.push([x * w, y * h]);
      const spots = [...lines, ...corners].map(p => viewer.project(p)).filter(p => p);
      return [...spots, ...net].some(p => renderer.pick(...p) === thing); }})()""")


def coarse(png: bytes) -> np.ndarray:
    """Mean colors of a picture on a grid of 24 by 16, 0 to 1."""
    from matplotlib.image import imread

    image = imread(io.BytesIO(png), format="png")[..., :3]
    rows, columns = (np.linspace(0, n, m + 1).astype(int) for n, m in zip(image.shape, (16, 24)))
    return np.array(
        [
            [image[a:b, c:d].mean(axis=(0, 1)) for c, d in zip(columns, columns[1:])]
            for a, b in zip(rows, rows[1:])
        ]
    )


@pytest.mark.parametrize("name", ["flexible-four-bar", "ralf", "car", "tracked-vehicle"])
def test_the_page_shows_all_parts_and_the_documented_picture_is_current(browser, tmp_path, name):
    run, t, page, seen, strained = shown(name)
    with browser.open(run.animate(tmp_path / "page.html", **page), size=SIZE) as tab:
        assert tab.ask("viewer.error") is None
        tab.ask(f"viewer.show({t})")
        assert [thing for thing in seen if not is_seen(tab, thing)] == []
        assert tab.ask("document.getElementById('strain').hidden") is not strained
        picture = tab.screenshot()
        tab.ask("viewer.show(viewer.scene.first)")
        assert np.abs(coarse(tab.screenshot()) - coarse(picture)).max() > 0.02  # it moves
        assert tab.complaints() == [] and tab.requests() == []
    if folder := os.environ.get("KINETREE_PICTURES"):
        (Path(folder) / f"page-{name}.png").write_bytes(picture)
    kept = IMAGES / f"page-{name}.png"
    assert kept.exists(), "run this test with KINETREE_PICTURES=docs/images"
    apart = np.abs(coarse(kept.read_bytes()) - coarse(picture)).mean()
    # fonts and edges differ by less
    assert apart < 0.03, "out of date: run it with KINETREE_PICTURES=docs/images"


def test_colours_of_strain_move_with_the_beam(browser, tmp_path):
    """The darkest colors of the scale appear at the largest strain, and not while the beam is
    straight.
    """
    from matplotlib.image import imread

    run, t, *_ = shown("flexible-four-bar")

    def dark_red(png: bytes) -> int:
        r, g, b = imread(io.BytesIO(png), format="png")[..., :3].reshape(-1, 3).T
        return int(((r > 1.8 * g) & (r > 1.4 * b) & (r > 0.25)).sum())

    with browser.open(run.animate(tmp_path / "page.html", traces=[]), size=(640, 480)) as tab:
        counts = []
        for moment in (0.0, t):
            tab.ask(f"viewer.show({moment})")
            counts.append(dark_red(tab.picture()))
    assert counts[1] > 100 > 10 > counts[0]


def test_a_page_of_six_hundred_frames_of_the_tracked_vehicle_is_small(tmp_path):
    """At most 3 MB; benchmarks/pages.py measures the time to write it."""
    from kinetree.viewer.page import page
    from kinetree.viewer.scene import scene_of_motions

    from .machines import wandering

    model = tracked_vehicle(track=kt.TrackBand(tension=25e3, bridging=2e5))
    scene = scene_of_motions([wandering(model, 600)], "vehicle")
    assert len(scene.times) == 600 and len(scene.strips) == 2
    assert len(page(scene)) < 1.5e6  # without channels, which add 2.7 bytes per number
    run = shown("tracked-vehicle").run
    assert (
        len(run.t) > 200 and len(run.animate(tmp_path / "page.html").text) / len(run.t) * 600 < 3e6
    )
