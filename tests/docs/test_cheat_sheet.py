"""The cheat sheet is one page of A4 when it is printed, and its joints are those of the catalogue."""

import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kinetree.elements.joints.catalogue import JOINTS
from viewer.browser import found

DOCS = Path(__file__).resolve().parents[2] / "docs"
CONFIGURATION = f"""
extensions = ["myst_parser"]
suppress_warnings = ["myst"]  # links to other pages
highlight_language = "none"
html_theme = "furo"
html_static_path = [{str(DOCS / "static")!r}]
html_css_files = ["pages.css", "landing.css"]
"""
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-pdf-header-footer",
)


@pytest.fixture(scope="module")
def sheet(tmp_path_factory):
    """The page, built alone with the style of all pages."""
    folder = tmp_path_factory.mktemp("sheet")
    (folder / "docs").mkdir()
    shutil.copy(DOCS / "cheat-sheet.md", folder / "docs" / "index.md")
    (folder / "docs" / "conf.py").write_text(CONFIGURATION, encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "docs", "built"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "built" / "index.html"


@pytest.mark.skipif(found() is None, reason="Chromium is not installed")
def test_the_cheat_sheet_prints_on_one_page(sheet, tmp_path):
    pdf, profile = tmp_path / "sheet.pdf", f"--user-data-dir={tmp_path / 'profile'}"
    command = [found(), *OPTIONS, profile, f"--print-to-pdf={pdf}", sheet.as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf.read_bytes())) == 1
    assert re.search(rb"/MediaBox\s*\[0 0 59[45][.\d]* 84[12]", pdf.read_bytes())  # A4, in points
    if shutil.which("pdftotext"):
        text = subprocess.run(["pdftotext", str(pdf), "-"], capture_output=True, text=True).stdout
        assert "kinetree run four-bar" in text  # the last line, in the second column


JOINT_ROW = re.compile(r"^\| `(\w+)\(([\w, ]*)\)` \| ([\w, ]+) \|", re.M)
SHOWN = {row[0]: row[1:] for row in JOINT_ROW.findall((DOCS / "cheat-sheet.md").read_text("utf-8"))}
CLASSES = {entry.joint.__name__: entry.joint for entry in JOINTS}


def test_the_cheat_sheet_has_the_joints_that_are_used_most():
    usual = {"Revolute", "Translational", "Cylindrical", "Universal", "Spherical", "Fixed", "Free"}
    assert usual <= set(SHOWN) <= set(CLASSES)


@pytest.mark.parametrize("name", SHOWN)
def test_a_joint_of_the_cheat_sheet_has_the_coordinates_of_the_catalogue(name):
    """Their order is that of q; three rotations are one quaternion."""
    arguments, coordinates = SHOWN[name]
    turns = ["quaternion"] if "wx" in CLASSES[name].speeds else []
    assert coordinates.split(", ") == ([*CLASSES[name].coordinates, *turns] or ["none"])
    known = inspect.signature(CLASSES[name]).parameters
    assert [word for word in arguments.split(", ") if word and word not in known] == []
