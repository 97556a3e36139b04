"""The page as text: small, inert, and made of consistent modules."""

import base64
import hashlib
import json
import os
import re

import numpy as np
import pytest

import kinetree as kt
from kinetree.errors import ModelError, ResultError
from kinetree.viewer.page import MODULES, WEB, Page, inert, page, parts
from kinetree.viewer.scene import scene_of_model, scene_of_motions

from .machines import BAD, chain, hostile, run, wandering

TEXTS = {name: (WEB / f"{name}.js").read_text("utf-8") for name in MODULES}
DECLARED = re.compile(
    r"^(?:export )?(?:async )?(?:function|class|const|let) (?:\[([^\]]+)\]|(\w+|\$))", re.MULTILINE
)


def declared(text: str) -> list[str]:
    """Names at the top level of a module."""
    return [
        name
        for group, one in DECLARED.findall(text)
        for name in (re.findall(r"\w+", group) if group else [one])
    ]


def test_every_module_is_listed():
    assert {path.stem for path in WEB.glob("*.js")} == set(MODULES)


def test_no_name_is_declared_by_two_modules():
    names = [name for text in TEXTS.values() for name in declared(text)]
    assert len(names) > 40
    assert sorted({name for name in names if names.count(name) > 1}) == []


def test_modules_import_what_earlier_ones_export():
    for k, (name, text) in enumerate(TEXTS.items()):
        for wanted, source in re.findall(
            r'^import \{([^}]+)\} from "\./(\w+)\.js";', text, re.MULTILINE
        ):
            assert source in MODULES[:k], (name, source)
            exported = re.findall(
                r"^export (?:function|class|const) (\w+|\$)", TEXTS[source], re.MULTILINE
            )
            assert [w for w in re.split(r",\s*", wanted.strip()) if w not in exported] == [], name


def wanted(text: str) -> list[str]:
    """Names that a module imports."""
    return re.findall(r"[\w$]+", " ".join(re.findall(r"^import \{([^}]+)\}", text, re.MULTILINE)))


def test_modules_use_what_they_import_and_export_what_others_use():
    for name, text in TEXTS.items():
        body = re.findall(
            r"[\w$]+", re.sub(r"^import .*?;\n", "", text, flags=re.MULTILINE | re.DOTALL)
        )
        assert [w for w in wanted(text) if w not in body] == [], name
        exported = re.findall(r"^export (?:function|class|const) (\w+|\$)", text, re.MULTILINE)
        elsewhere = [w for key, other in TEXTS.items() if key != name for w in wanted(other)]
        assert [w for w in exported if w not in elsewhere] == [], name


def test_the_joined_script_has_no_import_export_or_comment_left():
    script = parts()[0]
    assert not re.search(r"^\s*(import|export)\b", script, re.MULTILINE)
    assert not re.search(r"^\s*//", script, re.MULTILINE)


def test_the_viewer_is_smaller_than_sixty_four_kilobytes():
    assert sum(len(part.encode()) for part in parts()) < 64_000


def test_a_run_of_500_frames_makes_a_page_under_150_kilobytes():
    made = run("rssr", samples=499).animate()
    assert json.loads(scene_text(made.text))["times"]["data"]
    assert len(made.text.encode()) < 150_000


def test_two_hundred_bodies_with_600_frames_stay_under_three_megabytes():
    text = page(scene_of_motions([wandering(chain(200), 600)], "chain"))
    assert len(text.encode()) < 3_000_000


def scene_text(text: str) -> str:
    return re.search(
        r'<script type="application/json" id="scene">(.*?)</script>', text, re.DOTALL
    ).group(1)


def test_the_policy_names_exactly_this_script_and_this_style():
    text = page(scene_of_model(hostile()))
    script = re.search(r'<script type="module">(.*?)</script>', text, re.DOTALL).group(1)
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL).group(1)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text).group(1)
    for kind, source in (("script", script), ("style", style)):
        digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert (
        text.count("<script") == 2
        and "http:" not in text.replace("http-equiv", "")
        and "https:" not in text
    )


def test_names_cannot_leave_the_data():
    inside = scene_text(page(scene_of_model(hostile())))
    assert not set("<>&") & set(inside)
    assert any(BAD in thing["name"] for thing in json.loads(inside)["things"])


def test_numbers_that_are_not_finite_are_refused_by_the_page():
    with pytest.raises(ValueError, match="JSON"):
        inert({"a": float("nan")})


def test_a_page_has_the_path_of_its_file(tmp_path):
    made = run("rssr").animate(tmp_path / "run.html")
    assert made.path.read_text("utf-8") == made.text
    assert os.fspath(made) == str(made) == str(tmp_path / "run.html")
    assert os.listdir(tmp_path) == ["run.html"]  # no temporary file remains
    assert "written to" in repr(made)


def test_a_page_that_cannot_be_written_raises_an_error(tmp_path):
    with pytest.raises(ResultError, match="nowhere"):
        run("rssr").animate(tmp_path / "nowhere" / "run.html")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ResultError, match="folder"):
        run("rssr").animate(tmp_path / "folder")
    assert os.listdir(tmp_path) == ["folder"]
    with pytest.raises(ModelError, match="path of a file"):
        run("rssr").animate(5)
    with pytest.raises(ResultError, match="not written"):
        os.fspath(run("rssr").animate())


def test_in_a_notebook_the_page_is_a_frame_that_may_only_run_its_script():
    made = Page(scene_of_model(hostile()))
    shown = made._repr_html_()
    assert shown.count("<") == 2  # the frame alone: all of the page is escaped
    assert 'sandbox="allow-scripts"' in shown and "allow-same-origin" not in shown


def test_show_opens_the_browser_and_returns_the_page(monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    made = hostile().show(tmp_path / "model.html")
    assert opened == [(tmp_path / "model.html").as_uri()]
    assert made.path == tmp_path / "model.html"
    hostile().show(tmp_path / "again.html", opened=False)
    assert len(opened) == 1
    own = hostile().show()
    assert own.path.exists() and opened[-1] == own.path.as_uri()


def test_several_runs_make_one_page(tmp_path):
    made = kt.animate(
        [run("rssr"), run("rssr", coordinates="cartesian")],
        tmp_path / "both.html",
        channels=["A.angle"],
    )
    data = json.loads(scene_text(made.text))
    assert len(data["ghosts"]) == 1
    assert [c["run"] for c in data["channels"]] == [0, 1]
    assert np.isclose(
        data["channels"][0]["values"]["low"][0], data["channels"][1]["values"]["low"][0], rtol=1e-6
    )
