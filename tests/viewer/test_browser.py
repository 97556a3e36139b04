"""The page in a real browser: headless Chromium, driven through the DevTools protocol. Skipped if
there is none.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from kinetree.viewer.camera import Camera
from kinetree.viewer.scene import scene_of

from .browser import found, waited
from .machines import BAD, SHORT, hostile, run

pytestmark = pytest.mark.skipif(
    found() is None, reason="no Chromium is installed (Debian: apt-get install chromium)"
)
NO_WEBGL2 = """HTMLCanvasElement.prototype.getContext = (get => function (kind, ...rest) {
    return kind === "webgl2" ? null : get.call(this, kind, ...rest); })(HTMLCanvasElement.prototype.getContext)"""
MIDDLE = "(viewer.scene.first + viewer.scene.last) / 2"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def rssr(browser, folder):
    """One page for several tests; each leaves it at its start in the first view."""
    with browser.open(
        run("rssr").animate(
            folder / "shared.html", forces=["B"], channels=["A.angle", "energy.kinetic"]
        )
    ) as tab:
        yield tab


def at_start(tab) -> bytes:
    """The picture at the first time from the first view, with nothing highlighted."""
    tab.pointer("mouseMoved", 2, 478)
    tab.wait("viewer.renderer.marked < 0")
    tab.ask("viewer.view('home'); viewer.play(false); viewer.show(viewer.scene.first)")
    return tab.picture()


def point_on(tab, name: str) -> list[float] | None:
    """A point of the screen where a thing is visible: a corner of its meshes at which the page
    reports its name.
    """
    return tab.ask(f"""(() => {{
      const {{scene, renderer}} = viewer, thing = scene.data.things.findIndex(t => t.name === {name!r});
      const spots = scene.data.solids.filter(s => s.of === thing).flatMap(s => {{
        const line = s.a ? [0.2, 0.35, 0.5, 0.65, 0.8].map(k => s.a.map((v, i) => v + k * (s.b[i] - v))) : [];
        return [...line, ...(s.at ? [s.at] : []), ...(s.ring || [])].map(p => viewer.project([s.on, ...p])); }});
      return spots.find(p => p && renderer.pick(...p) === thing) ?? null; }})()""")


@pytest.mark.parametrize("name", SHORT)
def test_playing_scrubbing_and_pointing_give_no_error_and_no_request(browser, folder, name):
    with browser.open(run(name).animate(folder / f"{name}.html")) as tab:
        assert tab.ask("viewer.error") is None
        before = tab.picture()
        tab.ask(
            """(e => { e.value = 600; e.dispatchEvent(new Event("input")) })(document.getElementById("scrub"))"""
        )
        tab.wait(
            "Math.abs(viewer.scene.t - viewer.scene.first - 0.6 * (viewer.scene.last - "
            "viewer.scene.first)) < 1e-9"
        )
        assert tab.picture() != before
        tab.ask(
            """(e => { e.value = 0; e.dispatchEvent(new Event("input")) })(document.getElementById("scrub"))"""
        )
        tab.wait("viewer.scene.t === viewer.scene.first")
        assert tab.picture() == before
        body = list(run(name).model.bodies)[-1]
        x, y = point_on(tab, body)
        tab.pointer("mouseMoved", x, y)
        tab.wait(
            "!document.getElementById('tip').hidden && "
            f"document.getElementById('tip').textContent.startsWith({body!r})"
        )
        assert tab.ask("viewer.renderer.gl.getError()") == 0
        assert tab.complaints() == []
        assert tab.requests() == []


def test_page_and_picture_project_points_alike(rssr):
    """The page and the painter project the same points in two programs."""
    at_start(rssr)
    width, height = rssr.ask(
        "[viewer.renderer.canvas.clientWidth, viewer.renderer.canvas.clientHeight]"
    )
    scene = scene_of([run("rssr")], forces=["B"])
    lens = Camera.fitted(scene.hull, *scene.view, width, height)
    for thing in range(len(scene.things)):
        on_page = rssr.ask(f"viewer.project(viewer.scene.data.things[{thing}].at)")
        place = scene.things[thing].at
        # pixels; six digits, sixteen bits
        assert_allclose(on_page, lens.on_screen(scene.path(place)[0])[:2], atol=0.1)


def test_keys_play_step_and_jump(rssr):
    at_start(rssr)
    rssr.key("ArrowRight")
    rssr.wait("viewer.scene.sample === 1")
    rssr.key("End")
    rssr.wait("viewer.scene.t === viewer.scene.last")
    rssr.key("ArrowLeft")
    rssr.wait("viewer.scene.sample === viewer.scene.times.length - 2")
    rssr.key("Home")
    rssr.wait("viewer.scene.t === viewer.scene.first")
    rssr.key(" ")
    rssr.wait("viewer.scene.t > viewer.scene.first")
    assert rssr.ask("document.getElementById('play').textContent") == "Pause"
    rssr.key(" ")
    rssr.wait("document.getElementById('play').textContent === 'Play'")


def test_every_view_shows_another_side_and_home_comes_back(rssr):
    home, pictures = at_start(rssr), []
    for name in ("front", "side", "top"):
        rssr.ask(f"document.getElementById('{name}').click(); viewer.show(viewer.scene.first)")
        pictures.append(rssr.picture())
    assert len({home, *pictures}) == 4
    assert at_start(rssr) == home


def test_dragging_rotates_the_wheel_zooms_and_fit_shows_all(rssr):
    at_start(rssr)
    yaw, distance = rssr.ask("[viewer.camera.yaw, viewer.camera.distance]")
    for kind, x, buttons in (
        ("mousePressed", 300, 1),
        ("mouseMoved", 360, 1),
        ("mouseReleased", 360, 0),
    ):
        rssr.pointer(kind, x, 200, button="left", buttons=buttons, clickCount=1)
    rssr.wait(f"Math.abs(viewer.camera.yaw - ({yaw} - 0.48)) < 1e-9")
    rssr.pointer("mouseWheel", 320, 150, deltaX=0, deltaY=-100)
    rssr.wait(f"viewer.camera.distance < {distance}")
    rssr.key("0")
    rssr.wait(f"Math.abs(viewer.camera.distance / {distance} - 1) < 1e-9")


def test_one_finger_rotates_and_two_zoom(rssr):
    at_start(rssr)
    yaw, distance = rssr.ask("[viewer.camera.yaw, viewer.camera.distance]")
    touch(rssr, [(200, 150)], [(250, 150)])
    rssr.wait(f"Math.abs(viewer.camera.yaw - ({yaw} - 0.4)) < 1e-6")
    touch(rssr, [(200, 150), (300, 150)], [(150, 150), (350, 150)])
    rssr.wait(f"Math.abs(viewer.camera.distance / {distance} - 0.5) < 0.01")


def touch(tab, start, end) -> None:
    """Fingers set down, moved in a straight line and lifted."""
    for kind, places in (("touchStart", start), ("touchMove", end), ("touchEnd", [])):
        fingers = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(places)]
        tab.call("Input.dispatchTouchEvent", type=kind, touchPoints=fingers)


def test_zooming_keeps_what_is_under_the_pointer(rssr):
    """At half the distance, everything is twice as far from the pointer."""
    at_start(rssr)
    w, h = rssr.ask("[viewer.renderer.canvas.clientWidth, viewer.renderer.canvas.clientHeight]")
    rssr.ask("viewer.camera.view('front'); window.spot = [0.1, 0.2, 0.3]")
    x, y = rssr.ask(f"viewer.camera.onScreen(spot, {w}, {h})")
    rssr.ask(f"viewer.camera.zoom(0.5, 200, 100, {w}, {h})")
    moved = rssr.ask(f"viewer.camera.onScreen(spot, {w}, {h})")
    # pixels; matrices in single precision
    assert_allclose(moved, [200 + 2 * (x - 200), 100 + 2 * (y - 100)], atol=1e-3)


def test_the_chart_has_a_cursor_that_can_be_dragged(rssr):
    at_start(rssr)
    box = "document.getElementById('chart').getBoundingClientRect()"
    left, top, width, height = rssr.ask(f"(r => [r.left, r.top, r.width, r.height])({box})")
    x, y = left + 64 + 0.5 * (width - 80), top + 0.5 * height  # half way between the margins
    rssr.pointer("mousePressed", x, y, button="left", buttons=1, clickCount=1)
    rssr.pointer("mouseReleased", x, y, button="left", clickCount=1)
    rssr.wait(f"Math.abs(viewer.scene.t - {MIDDLE}) < 0.01")
    shown = float(
        rssr.ask("document.querySelector('#legend output').textContent")
        .replace("\u2212", "-")
        .split()[0]
    )
    sol = run("rssr")
    t = rssr.ask("viewer.scene.t")
    # four digits are displayed
    assert shown == pytest.approx(np.interp(t, sol.t, sol["A.angle"]), abs=2e-4)


def test_channels_can_be_chosen(rssr):
    at_start(rssr)
    chart = "document.getElementById('chart').toDataURL()"
    before = rssr.ask(chart)
    rssr.ask(
        "document.querySelector('#legend label input').click(); viewer.show(viewer.scene.first)"
    )
    assert rssr.ask(chart) != before
    rssr.ask(
        "document.querySelector('#legend label input').click(); viewer.show(viewer.scene.first)"
    )
    assert rssr.ask(chart) == before


@pytest.mark.parametrize("switch", ["traces", "forces"])
def test_switches_change_the_picture_and_back(rssr, switch):
    rssr.ask(f"viewer.view('home'); viewer.show({MIDDLE})")
    before = rssr.picture()
    rssr.ask(f"document.getElementById('{switch}').click(); viewer.show({MIDDLE})")
    assert rssr.picture() != before
    rssr.ask(f"document.getElementById('{switch}').click(); viewer.show({MIDDLE})")
    assert rssr.picture() == before


def test_labels_are_at_their_things(rssr):
    at_start(rssr)
    rssr.ask("document.getElementById('names').click(); viewer.show(viewer.scene.first)")
    shown = rssr.ask("[...document.querySelectorAll('#labels span')].map(s => s.textContent)")
    assert set(shown) == {*run("rssr").model.bodies, *run("rssr").model.joints}
    box = "document.querySelector('#labels span').getBoundingClientRect()"
    middle = rssr.ask(f"(r => [(r.left + r.right) / 2, (r.top + r.bottom) / 2])({box})")
    # pixels
    assert_allclose(middle, rssr.ask("viewer.project(viewer.scene.data.things[0].at)"), atol=1.0)
    rssr.ask("document.getElementById('names').click(); viewer.show(viewer.scene.first)")


def test_dark_and_light_are_followed_and_can_be_changed(browser, folder, rssr):
    light = at_start(rssr)
    with browser.open(folder / "shared.html", dark=True) as dark:
        assert dark.ask("document.documentElement.dataset.theme") == "dark"
        assert at_start(dark) != light
        dark.key("d")
        dark.wait("viewer.renderer.theme === 'light'")
        assert at_start(dark) == light


def test_another_run_is_visible_where_it_differs(browser, folder):
    with browser.open(kt.animate([run("rssr"), run("four-bar")], folder / "two.html")) as tab:
        both = tab.picture()
        tab.ask("document.getElementById('others').click(); viewer.show(viewer.scene.first)")
        assert tab.picture() != both
        assert tab.complaints() == []


def test_hostile_names_do_nothing(browser, folder):
    model = hostile()
    sol = kt.simulate(model, 0.1)
    with browser.open(sol.animate(folder / "hostile.html", title=f"{BAD}<!--")) as tab:
        tab.ask("document.getElementById('names').click(); viewer.show(viewer.scene.first)")
        x, y = point_on(tab, next(iter(model.bodies)))
        assert BAD in tab.ask(f"viewer.hover({x}, {y})")
        assert (
            tab.ask("document.images.length + document.querySelectorAll('main script').length") == 0
        )
        assert tab.ask("document.title") == f"{BAD}<!--"
        assert tab.ask("window.hacked === undefined")
        assert tab.complaints() == [] and tab.requests() == []


def test_injected_scripts_are_blocked_by_the_policy(rssr):
    rssr.ask(
        """(s => { s.textContent = "window.injected = 1"; document.body.append(s) })(document.createElement("script"))"""
    )
    rssr.ask(
        "document.body.insertAdjacentHTML('beforeend', '<img hidden src=x "
        'onerror="window.injected = 2">\')'
    )
    assert rssr.ask(
        "new Promise(done => setTimeout(() => done(window.injected === undefined), 100))"
    )


def test_without_webgl2_the_page_shows_a_message(browser, folder, rssr):
    with browser.open(folder / "shared.html", before=NO_WEBGL2) as tab:
        assert "needs WebGL 2" in tab.ask("document.getElementById('message').textContent")
        assert tab.ask("!document.getElementById('message').hidden")
        assert tab.complaints() == []


def test_a_lost_context_is_restored_to_the_byte(browser, folder, rssr):
    with browser.open(folder / "shared.html") as tab:
        before = tab.picture()
        tab.ask("window.x = viewer.renderer.gl.getExtension('WEBGL_lose_context'); x.loseContext()")
        tab.wait("viewer.renderer.gl.isContextLost()")
        tab.ask("window.was = viewer.pictures; x.restoreContext()")
        tab.wait("!viewer.renderer.gl.isContextLost() && viewer.pictures > was")
        assert at_start(tab) == before


def test_a_model_at_rest_has_no_bar(browser, folder):
    with browser.open(hostile().show(folder / "rest.html", opened=False)) as tab:
        assert tab.ask(
            "document.getElementById('bar').hidden && document.getElementById('lower').hidden"
        )
        assert tab.complaints() == []


def test_the_frame_of_a_notebook_shows_the_page(browser, folder):
    """The page also runs in a sandbox without an origin: its picture appears."""
    frame = run("rssr").animate()._repr_html_()
    (folder / "notebook.html").write_text(
        f"<!doctype html><script>viewer = {{ready: true}}</script>{frame}", encoding="utf-8"
    )
    with browser.open(folder / "notebook.html") as tab:
        # an empty page has 17,000 bytes
        waited(lambda: len(tab.screenshot()) > 40_000, "the frame to be filled")
        assert tab.complaints() == []


def test_a_page_opened_without_a_size_shows_all_once_it_has_one(browser, folder):
    """A hidden frame has no size to fit the model to; a view changed by the user is kept."""
    page = run("rssr").animate(folder / "sized.html")
    with browser.open(page) as tab, browser.open(page, size=(1, 480)) as narrow:
        narrow.resize(640, 480)
        narrow.wait("viewer.canvas.clientWidth > 100")
        narrow.wait(
            f"Math.abs(viewer.camera.distance / {tab.ask('viewer.camera.distance')} - 1) < 1e-12"
        )
        narrow.pointer("mouseWheel", 300, 200, deltaX=0, deltaY=-100)
        narrow.wait("!viewer.camera.fitted")
        steered = narrow.ask("viewer.camera.distance")
        narrow.resize(800, 300)
        narrow.wait(
            "viewer.canvas.clientHeight < 250 && viewer.canvas.width === viewer.canvas.clientWidth"
        )
        assert narrow.ask("viewer.camera.distance") == steered
