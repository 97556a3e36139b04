"""The front page runs as printed, and no link leads nowhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_first_model_of_the_front_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL).group(1)
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    exec(compile(code, "README.md", "exec"), {"__name__": "__main__"})
    assert (tmp_path / "rocker.png").stat().st_size > 0


def test_the_page_of_events_runs_as_printed(capsys):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "events.md").read_text(), re.DOTALL)
    scope = {"__name__": "__main__"}
    for block in blocks:
        exec(compile(block, "events.md", "exec"), scope)
    assert len(scope["sol"].t) and "floor: " in capsys.readouterr().out
    assert abs(scope["on"]["slide.displacement"][0] - scope["sol"].at(0.5)["slide.displacement"][0]) < 1e-9  # the same state


def test_the_page_of_vehicles_runs_as_printed(capsys):
    scope = {"__name__": "__main__"}
    for block in re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "vehicles.md").read_text(), re.DOTALL):
        exec(compile(block, "vehicles.md", "exec"), scope)
    assert "roll_centre" in capsys.readouterr().out
    assert scope["turn"].steady["yaw rate"] > 0.0


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_between_the_pages_lead_somewhere(page):
    targets = [t for t in re.findall(r"\]\(([^)#\s]+)", page.read_text()) if "://" not in t]
    assert [t for t in targets if not (page.parent / t).exists()] == []


def test_the_map_names_every_room():
    text = (ROOT / "docs" / "where-is-what.md").read_text()
    rooms = {p.name for p in (ROOT / "src" / "kinetree").iterdir() if p.is_dir() and p.name != "__pycache__"}
    assert [room for room in sorted(rooms) if f"{room}/" not in text] == []


@pytest.mark.parametrize("command", ["kinetree demo", "-m pytest"])
def test_the_front_page_has_each_command_in_one_line(command):
    line = next(line for line in (ROOT / "README.md").read_text().splitlines() if line.endswith(command))
    assert line.strip().startswith("python3 -m venv .venv && .venv/bin/pip install ")


def test_the_page_of_flexible_arms_runs_as_printed(capsys):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "flexible-arms.md").read_text(), re.DOTALL)
    scope = {"__name__": "__main__"}
    for block in blocks:
        exec(compile(block, "flexible-arms.md", "exec"), scope)
    assert scope["sol"].success and "r2 jib: (l1) e(th1)" in capsys.readouterr().out


def test_the_files_of_the_page_on_files_load_and_its_examples_run(tmp_path, monkeypatch):
    import kinetree as kt

    page = (ROOT / "docs" / "files.md").read_text()
    first, *others = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    named = {"four-bar.yaml": first, **{text.split()[1]: text for text in others}}
    monkeypatch.chdir(tmp_path)
    for name, text in named.items():
        (tmp_path / name).write_text(text)
    shared: dict = {}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(block, shared)
    assert {"copy.yaml", "live.nc", "run.nc"} <= {path.name for path in tmp_path.iterdir()}
    assert shared["short"].bodies["crank"].properties.said["length"] == 0.45
    assert list(kt.load("cart.yaml").joints) == ["left hinge", "right hinge", "heave"]


def test_the_page_of_beams_runs_as_printed(capsys):
    scope = {"__name__": "__main__"}
    for block in re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "beams.md").read_text(), re.DOTALL):
        exec(compile(block, "beams.md", "exec"), scope)
    assert scope["sol"].success and scope["sol"].energy.imbalance < 1e-11
    assert abs(scope["free"]["board.10.position"] - scope["bent"]["board.10.position"]).max() < 1e-9  # it stays at rest there
    assert capsys.readouterr().out.count("Frequencies: ") == 2
