"""Commands that show machines: view, run --animate, and what the demo ends with."""

import sys

import pytest

from kinetree.apps.cli import main as entry


@pytest.fixture
def kinetree(monkeypatch, capsys, tmp_path):
    """Run a command in an empty folder: (exit code, stdout, pages opened)."""
    opened = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("webbrowser.open", opened.append)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["kinetree", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            entry.main()
        return end.value.code or 0, capsys.readouterr().out, opened

    return run


def test_view_writes_a_page_says_where_and_opens_it(kinetree, tmp_path):
    code, out, opened = kinetree("view", "pendulum")
    page = tmp_path / "kinetree-output" / "pendulum" / "model.html"
    assert code == 0 and out.strip() == str(page)
    assert opened == [page.as_uri()]
    assert "kinetree scene" in page.read_text("utf-8")


def test_view_can_leave_the_browser_alone(kinetree, tmp_path):
    code, out, opened = kinetree("view", "pendulum", "--no-open", "--out", "there")
    assert code == 0 and opened == []
    assert out.strip() == str(tmp_path / "there" / "model.html")


@pytest.mark.parametrize(
    "out, expected", [((), "kinetree-output/pendulum"), (("--out", "results"), "results")]
)
def test_run_with_animate_writes_a_page_beside_the_rest(kinetree, tmp_path, out, expected):
    code, said, opened = kinetree("run", "pendulum", "--until", 0.1, "--animate", *out)
    page = tmp_path / expected / "animation.html"
    assert code == 0 and opened == []
    assert "animation.html" in said and page.exists()


def test_the_demo_ends_with_the_path_of_its_animation(kinetree, tmp_path):
    code, said, _ = kinetree("demo")
    page = tmp_path / "kinetree-output" / "demo" / "animation.html"
    assert code == 0 and page.exists()
    assert str(page) in "\n".join(said.splitlines()[-4:])


def test_an_unknown_model_is_refused(kinetree, capsys):
    assert kinetree("view", "pendulm")[0] == 3
