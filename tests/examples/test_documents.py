"""Every block on every page runs as printed, shows what is shown, and no link leads nowhere."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))

from workshop.pictures import difference, shown_pictures  # noqa: E402
from workshop.run import all_pages, blocks_of, compare, run_page  # noqa: E402

PAGES = all_pages()
ELSEWHERE = {"extending.md"}  # adds files to a copy of the package: test_extending.py


def named(page):
    return str(page.relative_to(ROOT))


def played(page):
    return page.name not in ELSEWHERE and any(
        block.language != "text" for block in blocks_of(page.read_text())
    )


@pytest.mark.parametrize("page", [page for page in PAGES if played(page)], ids=named)
def test_a_page_runs_as_printed_and_makes_its_pictures(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scope = run_page(page)
    for check in AFTERWARDS.get(named(page), ()):
        check(scope, tmp_path)
    for picture in shown_pictures(page):
        assert difference(tmp_path / picture.name, picture) < 0.04, (
            picture.name
        )  # fonts and versions of matplotlib differ


def _front_page(scope, folder):
    assert (folder / "rocker.png").stat().st_size > 0


def _states(scope, folder):
    assert (
        abs(scope["on"]["guide.displacement"][0] - scope["pushed"]["guide.displacement"][-1]) < 1e-9
    )  # the same state


def _vehicles(scope, folder):
    assert scope["turn"].steady["yaw rate"] > 0.0


def _files(scope, folder):
    import kinetree as kt

    assert {"copy.yaml", "live.nc", "run.nc", "first.nc", "model.json"} <= {
        path.name for path in folder.iterdir()
    }
    assert scope["short"].bodies["crank"].properties.arguments["length"] == 0.45
    assert list(kt.load("cart.yaml").joints) == ["left hinge", "right hinge", "heave"]


def _beams(scope, folder):
    assert scope["sol"].success and scope["sol"].energy.imbalance < 1e-11
    assert (
        abs(scope["free"]["board.10.position"] - scope["bent"]["board.10.position"]).max() < 1e-9
    )  # it stays at rest there


AFTERWARDS = {
    "README.md": [_front_page],
    "docs/recipes/starts.md": [_states],
    "docs/vehicles.md": [_vehicles],
    "docs/files.md": [_files],
    "docs/beams.md": [_beams],
}


def test_the_first_model_of_the_front_page_is_short():
    first = blocks_of((ROOT / "README.md").read_text())
    code = next(block.body for block in first if block.language == "python")
    assert len([line for line in code.splitlines() if line.strip()]) <= 15


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_block_says_its_language(page):
    languages = {block.language for block in blocks_of(page.read_text())}
    assert languages <= {"python", "text", "console", "yaml"}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_commands_stand_in_blocks_of_their_own(page):
    """An indented line would not be run."""
    assert re.findall(r"^    \$? ?kinetree [a-z]+ .*$", page.read_text(), re.MULTILINE) == []


@pytest.mark.parametrize("page", [*PAGES, *sorted(ROOT.glob("C*.md"))], ids=named)
def test_links_between_the_pages_lead_somewhere(page):
    targets = [
        t
        for t in re.findall(r"\]\(([^)#\s]+)", page.read_text())
        if "://" not in t and "_generated" not in t
    ]
    assert [t for t in targets if not (page.parent / t).exists()] == []


def test_the_map_names_every_package_and_only_files_that_exist():
    text = (ROOT / "docs" / "where-is-what.md").read_text()
    package = ROOT / "src" / "kinetree"
    packages = {p.name for p in package.iterdir() if p.is_dir() and p.name != "__pycache__"}
    assert [name for name in sorted(packages) if f"`{name}/`" not in text] == []
    files = re.findall(r"`(\w+/[\w/]+\.py)`", text)
    assert len(files) > 15
    assert [f for f in files if not any((p / f).exists() for p in (package, ROOT))] == []


@pytest.mark.parametrize("command", ["kinetree demo", "-m pytest"])
def test_the_front_page_has_each_command_in_one_line(command):
    line = next(
        line for line in (ROOT / "README.md").read_text().splitlines() if line.endswith(command)
    )
    assert line.strip().startswith("python3 -m venv .venv && .venv/bin/pip install ")


@pytest.mark.parametrize(
    ("shown", "printed"),
    [("a 1.0", "a 1.1"), ("a ... b", "a c"), ("one", "one\ntwo"), ("...x", "")],
)
def test_what_is_shown_must_be_what_was_printed(shown, printed):
    with pytest.raises(AssertionError, match="but printed was"):
        compare(shown, printed, "here")


def test_dots_stand_for_anything():
    compare("T = ... s\n...\nend", "T = 1.5 s  \nmany\nlines\nend\n", "here")
