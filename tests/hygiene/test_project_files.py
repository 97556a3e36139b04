"""The files that describe the project agree with each other: version, tools, workflow, changelog."""

import re
import shlex
import shutil
import subprocess
import tomllib
from importlib import import_module

import pytest
from ruamel.yaml import YAML

import kinetree as kt

from .sources import PACKAGE, ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
EXPECTED = (
    "CHANGELOG.md",
    "CITATION.cff",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    ".pre-commit-config.yaml",
    ".github/PULL_REQUEST_TEMPLATE.md",
    ".github/workflows/tests.yml",
    "docs/decisions/index.md",
    "docs/releasing.md",
)
FOLDERS = {".ci", ".github", "benchmarks", "docs", "examples", "src", "tests"}
ROOT_FILES = {".gitignore", "hatch_build.py", "pyproject.toml"} | {
    name for name in EXPECTED if "/" not in name
}
SECTIONS = ["Added", "Changed", "Fixed", "Performance", "Removed"]
CHECKS = {"ruff check", "ruff format", "mypy src"}


def read_yaml(name):
    return YAML(typ="safe").load(ROOT / name)


def steps(job):
    """Commands of one job of the workflow."""
    return [step["run"] for step in WORKFLOW["jobs"][job]["steps"] if "run" in step]


WORKFLOW = read_yaml(".github/workflows/tests.yml")


@pytest.mark.parametrize("name", EXPECTED)
def test_the_files_that_newcomers_expect_exist(name):
    assert (ROOT / name).stat().st_size > 0


def test_nothing_that_a_program_left_is_among_the_sources():
    """Log files and results of runs in the root folder are committed by mistake easily."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("not a clone of the repository")
    listed = ["git", "ls-tree", "--name-only", "-z", "HEAD"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(names.rstrip("\0").split("\0")) - FOLDERS - ROOT_FILES == set()


def test_the_version_is_written_in_one_place_and_the_citation_repeats_it():
    assert "version" not in PROJECT["project"] and "version" in PROJECT["project"]["dynamic"]
    source = ROOT / PROJECT["tool"]["hatch"]["version"]["path"]
    assert f'VERSION = "{kt.__version__}"' in source.read_text(encoding="utf-8")
    assert str(read_yaml("CITATION.cff")["version"]) == kt.__version__
    assert (
        re.search(r"^## (\S+)", CHANGELOG, re.MULTILINE)[1] == kt.__version__.partition(".dev")[0]
    )


def test_the_citation_has_what_its_format_requires():
    citation = read_yaml("CITATION.cff")
    assert citation["cff-version"] == "1.2.0"
    assert citation["license"] == PROJECT["project"]["license"]
    assert all(citation[key] for key in ("message", "title", "authors"))
    assert [author["name"] for author in citation["authors"]] == [
        author["name"] for author in PROJECT["project"]["authors"]
    ]


def test_the_changelog_has_one_line_per_change_in_known_sections():
    versions = re.split(r"^## ", CHANGELOG, flags=re.MULTILINE)[1:]
    for version in versions:
        title, _, text = version.partition("\n")
        assert re.fullmatch(r"\d+\.\d+\.\d+ \((unreleased|\d{4}-\d\d-\d\d)\)", title)
        found = re.findall(r"^### (.*)", text, re.MULTILINE)
        assert found and found == [
            name for name in SECTIONS if name in found
        ]  # in this order, once
        lines = [line for line in text.splitlines() if line and not line.startswith("###")]
        allowed = re.compile(r"- .*[.:]|\*\*[\w ,]+\*\*")
        assert [line for line in lines if not allowed.fullmatch(line)] == []


def test_the_page_about_the_installation_lists_every_extra_once():
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE)
    assert sorted(rows) == sorted(PROJECT["project"]["optional-dependencies"])


def tools(commands):
    """The first two words behind the interpreter or its folder: `ruff check`, `mypy src`."""
    words = (shlex.split(command, comments=True) for command in commands)
    found = {" ".join([w for w in line if w not in ("python", "-m")][:2]) for line in words}
    return {tool.removeprefix(".venv/bin/") for tool in found}


def test_hooks_continuous_integration_and_the_workflow_run_the_same_checks():
    local = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    hooks = [
        hook for repo in read_yaml(".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]
    ]
    assert {hook["language"] for hook in hooks} == {"system"}  # the versions of the environment
    assert tools(hook["entry"] for hook in hooks) == CHECKS
    assert tools(line for line in local if re.match(r"\.venv/bin/(ruff|mypy)", line)) == CHECKS
    assert CHECKS < tools(steps("style"))
    for commands in (local, steps("style")):
        assert any("ruff format --check ." in command for command in commands)


def test_the_workflow_covers_systems_python_versions_plain_mode_and_lowest_versions():
    matrix = WORKFLOW["jobs"]["tests"]["strategy"]["matrix"]
    assert {os.partition("-")[0] for os in matrix["os"]} == {"ubuntu", "macos", "windows"}
    lowest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert matrix["python"][0] == lowest and matrix["python"][-1] == "3.14"
    assert PROJECT["tool"]["mypy"]["python_version"] == lowest
    assert WORKFLOW["jobs"]["plain"]["env"]["KINETREE_PLAIN"] == "1"
    assert any("lowest-direct" in command for command in steps("lowest"))
    assert "python -m sphinx -W docs docs/_build" in steps("docs")


def test_folders_that_the_workflow_tests_exist():
    named = [word for job in WORKFLOW["jobs"] for run in steps(job) for word in run.split()]
    folders = [word for word in named if word.startswith("tests/")]
    assert folders and [folder for folder in folders if not (ROOT / folder).is_dir()] == []


def test_templates_for_issues_can_be_read():
    forms = [path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")]
    for form in (YAML(typ="safe").load(path) for path in forms if path.name != "config.yml"):
        assert form["name"] and form["description"]
        identities = [field["id"] for field in form["body"]]
        assert identities and len(set(identities)) == len(identities)


def test_modules_that_mypy_checks_strictly_exist():
    """A module that is renamed would otherwise no longer be checked, without a message."""
    strict = [o for o in PROJECT["tool"]["mypy"]["overrides"] if "disallow_untyped_defs" in o]
    names = [name for override in strict for name in override["module"]]
    assert names and names == sorted(set(names))
    for name in names:
        import_module(name.removesuffix(".*"))


def test_decisions_are_numbered_listed_and_have_four_parts():
    folder = ROOT / "docs" / "decisions"
    pages = sorted(path for path in folder.glob("*.md") if path.name != "index.md")
    assert [path.name[:4] for path in pages] == [f"{k:04}" for k in range(1, len(pages) + 1)]
    index = (folder / "index.md").read_text(encoding="utf-8")
    for page in pages:
        parts = re.findall(r"^## (.*)", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert parts == ["Context", "Decision", "Consequences", "Measurements"]
        assert f"]({page.name})" in index and f"\n{page.stem}\n" in index


@pytest.mark.skipif(not (PACKAGE / "elements").is_dir(), reason="the package has no elements/")
def test_paths_of_the_package_on_these_pages_exist():
    pages = [ROOT / "CONTRIBUTING.md", *(ROOT / "docs" / "decisions").glob("*.md")]
    texts = "".join(page.read_text(encoding="utf-8") for page in pages)
    named = set(re.findall(r"`((?:[a-z_]+/)+(?:[a-z_]+\.py)?)`", texts))
    elsewhere = ("benchmarks/", "docs/", "tests/", "contracts/", "identities/", "closed_form/")
    inside = [name for name in sorted(named) if not name.startswith((*elsewhere, "src/"))]
    assert inside and [name for name in inside if not (PACKAGE / name).exists()] == []
