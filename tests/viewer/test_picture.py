"""Pictures and films without a browser."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

import kinetree as kt
from kinetree.errors import ModelError, NameNotFound, ResultError
from kinetree.viewer import film as films
from kinetree.viewer.colours import body_colour, rgb
from kinetree.viewer.labels import Place
from kinetree.viewer.painter import FINE, Painter
from kinetree.viewer.scene import scene_of

from .machines import every_joint, hostile, run

SMALL = (2.0, 1.5)


def pixels(path) -> np.ndarray:
    return np.asarray(Image.open(path).convert("RGB"))


def test_a_model_is_drawn_with_the_names_of_its_parts(tmp_path):
    figure = every_joint().draw(tmp_path / "model.png", size=SMALL)
    written = {text.get_text() for text in figure.axes[0].texts}
    assert {"revolute", "body0", "bird"} <= written
    assert pixels(tmp_path / "model.png").shape == (180, 240, 3)


def test_hostile_names_are_drawn_as_they_are(tmp_path):
    figure = hostile().draw(tmp_path / "model.png", size=SMALL)
    assert any("<script>" in text.get_text() for text in figure.axes[0].texts)


@pytest.mark.parametrize("offset", [0.0, 0.1, 0.15, 0.2, 0.25, 0.3])
def test_names_of_neighboring_parts_do_not_cover_each_other(offset):
    m = kt.Model("rocker")
    beam = m.body("beam", kt.rod(1.0, 4.0, along="x"))
    arm = m.body("arm", kt.rod(1.0, 0.4, along="z"), position=(2.0, 0.0, 0.2))
    m.joint("D", kt.Revolute(axis="y"), m.ground, beam, at=(offset, 0, 0))
    m.joint("E", kt.Revolute(axis="y"), beam, arm, at=(2.0, 0, 0))
    figure = m.draw(size=(6.5, 4.5), view="front")
    FigureCanvasAgg(figure).draw()
    boxes = [
        text.get_bbox_patch().get_window_extent()
        for text in figure.axes[0].texts
        if text.get_text() in ("beam", "arm", "D", "E")
    ]
    assert len(boxes) == 4
    assert [(a, b) for k, a in enumerate(boxes) for b in boxes[:k] if a.overlaps(b)] == []


def test_the_picture_shows_the_requested_time(tmp_path):
    sol = run("rssr")
    for name, t in (("a", 0.0), ("b", 0.5), ("c", 0.5), ("end", None)):
        figure = sol.picture(tmp_path / f"{name}.png", t=t, size=SMALL)
    assert figure.axes[0].texts[1].get_text() == "1.000 s"
    a, b, c = (pixels(tmp_path / f"{name}.png") for name in "abc")
    assert np.array_equal(b, c) and not np.array_equal(a, b)


def test_a_body_is_painted_at_its_position_in_its_color():
    scene = scene_of([run("rssr")], channels=(), traces=())
    painter = Painter(scene, scene.view, 400, 300)
    image, depth = painter.paint(0)
    # middle of the coupler, the second body
    x, y, near = painter.lens.on_screen(scene.path(Place(2, np.zeros(3)))[0])
    pixel, paint = image[int(y / FINE), int(x / FINE)] / 255.0, rgb(body_colour(1))
    # orange remains orange in light and shade
    assert np.argsort(pixel).tolist() == np.argsort(paint).tolist()
    assert depth[int(y), int(x)] <= near  # its surface is in front of its center
    assert np.isinf(depth[0, 0])


@pytest.mark.parametrize("view", ["front", "side", "top", (0.3, 0.2)])
def test_every_view_gives_another_picture(tmp_path, view):
    sol = run("rssr")
    sol.picture(tmp_path / "home.png", t=0.0, size=SMALL)
    sol.picture(tmp_path / "other.png", t=0.0, view=view, forces=["B"], names=True, size=SMALL)
    assert not np.array_equal(pixels(tmp_path / "home.png"), pixels(tmp_path / "other.png"))


def test_wrong_requests_are_refused(tmp_path):
    sol = run("rssr")
    with pytest.raises(ModelError, match="outside the run"):
        sol.picture(t=7.0)
    for wrong in (3, (0, 4), (4, 400)):
        with pytest.raises(ModelError, match="size"):
            sol.picture(size=wrong)
    with pytest.raises(NameNotFound, match="front"):
        sol.picture(view="frond")
    with pytest.raises(ModelError, match=r"end in \.gif"):
        sol.film(tmp_path / "run.avi")
    with pytest.raises(ModelError, match="speed="):
        sol.film(tmp_path / "run.gif", rate=1000.0)
    with pytest.raises(ResultError, match="nowhere"):
        sol.picture(tmp_path / "nowhere" / "a.png", size=SMALL)


@pytest.mark.parametrize("ending", ["gif", "webp"])
def test_a_film_has_a_picture_for_every_moment(tmp_path, ending):
    path = run("rssr").film(tmp_path / f"run.{ending}", rate=5.0, speed=0.5, size=SMALL)
    with Image.open(path) as film:
        frames = []
        for k in range(film.n_frames):
            film.seek(k)
            film.load()
            frames.append(np.asarray(film.convert("RGB")))
            assert film.info["duration"] == 200
    assert len(frames) == 11  # 1 s at half speed
    assert not np.array_equal(frames[0], frames[5])


def test_an_mp4_without_an_encoder_raises_an_error_that_names_the_package(tmp_path, monkeypatch):
    monkeypatch.setattr(films.shutil, "which", lambda name: None)
    monkeypatch.setitem(__import__("sys").modules, "imageio_ffmpeg", None)
    with pytest.raises(ResultError, match="ffmpeg"):
        run("rssr").film(tmp_path / "run.mp4", size=SMALL)


def test_the_encoder_gets_every_picture(tmp_path, monkeypatch):
    """The encoder is a substitute that stores its input: pictures of the right size, one after the
    other.
    """
    stand_in = tmp_path / "ffmpeg"
    stand_in.write_text('#!/bin/sh\nfor last; do :; done\ncat > "$last"\n')
    stand_in.chmod(0o755)
    monkeypatch.setattr(films.shutil, "which", lambda name: str(stand_in))
    path = run("rssr").film(tmp_path / "run.mp4", rate=4.0, size=SMALL)
    assert path.stat().st_size == 5 * 240 * 180 * 3


def test_the_floor_is_visible_from_above_only():
    scene = scene_of([run("rssr")], channels=(), traces=())
    above, below = (Painter(scene, (0.3, angle), 80, 60).floor for angle in (0.5, -0.5))
    assert np.ptp(above, axis=(0, 1)).max() > 0.01 and np.ptp(below, axis=(0, 1)).max() == 0.0


def test_a_single_free_body_can_be_drawn():
    m = kt.Model()
    m.float(m.body("stone", kt.mass(1.0)))
    assert m.draw(size=SMALL) is not None


def test_the_picture_follows_a_model_that_drives_away():
    """At every time the car is where it was in the first picture, and its path moves past."""
    m = kt.Model("cart")
    cart = m.body("cart", kt.box(1.0, (1.0, 0.5, 0.5)))
    m.joint("rail", kt.Translational(axis="x"), m.ground, cart, speed={"displacement": 20.0})
    sol = kt.simulate(m, 2.0)
    scene = scene_of([sol], channels=(), traces=["cart"], forces=())
    painter = Painter(scene, scene.view, 320, 240)
    seen = []
    for k in (0, 100, 500):
        assert painter.drive_along(k)
        seen.append(painter.lens.on_screen(scene.poses[0][k, :3])[:2])
    assert np.ptp(seen, axis=0).max() < 1e-6 and scene.poses[0][500, 0] > 39.0  # pixels; metres


def test_a_node_of_a_beam_can_be_traced_by_its_name():
    m = kt.Model("swing")
    arm = m.beam(
        "arm", [(0, 0, 0), (1, 0, 0)], kt.Section.circle(0.01, E=1e9, density=1000.0), elements=4
    )
    m.joint("pin", kt.Revolute(axis="y"), m.ground, arm.end("-"))
    sol = kt.simulate(m, 0.1, step=0.01)
    (trace,) = scene_of([sol], channels=(), traces=["arm.4"], forces=()).traces
    assert trace.name == "arm.4"
    with pytest.raises(NameNotFound, match="no body named 'arm'"):
        scene_of([sol], channels=(), traces=["arm.9"], forces=())
