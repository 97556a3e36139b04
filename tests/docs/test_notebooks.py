"""Every page of tutorial and tasks is also a notebook with the same code, which runs."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))

from workshop import notebooks  # noqa: E402
from workshop.run import blocks_of  # noqa: E402

nbformat = pytest.importorskip("nbformat", reason="the package nbformat is not installed")
PAGES = notebooks.pages_with_notebook(ROOT / "docs")
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def named(page):
    return f"{page.parent.name}/{page.stem}"


def book_of(page):
    return notebooks.notebook_from_page(page.read_text(encoding="utf-8"), page.parent)


def sources(book, kind):
    return [cell["source"] for cell in book["cells"] if cell["cell_type"] == kind]


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_a_notebook_is_valid_and_has_no_outputs(page):
    book = nbformat.reads(json.dumps(book_of(page)), as_version=4)
    nbformat.validate(book)
    assert all(cell.outputs == [] for cell in book.cells if cell.cell_type == "code")


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_the_code_of_a_notebook_is_that_of_its_page(page):
    blocks = [b.body for b in blocks_of(page.read_text(encoding="utf-8")) if b.language == "python"]
    cells = sources(book_of(page), "code")
    assert "\n".join(cells).split() == "\n".join(blocks).split()
    assert "\n".join(cells).replace("\n", "") == "".join(blocks).replace("\n", "")


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_the_text_of_a_notebook_has_no_link_into_the_site(page):
    text = "\n".join(sources(book_of(page), "markdown"))
    assert [
        mark for mark in ("](../", ".md)", "<details>", ".ipynb", "```text") if mark in text
    ] == []
    assert text.startswith("# ")


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda p: p.stem)
def test_an_example_becomes_a_notebook_with_its_code(script):
    text = script.read_text(encoding="utf-8")
    book = notebooks.notebook_from_script(text)
    nbformat.validate(nbformat.reads(json.dumps(book), as_version=4))
    assert sources(book, "markdown")[0] in text
    code = "".join("".join(sources(book, "code")).split())
    assert "".join(text.split()).endswith(code) and len(code) > 0.5 * len("".join(text.split()))


def test_a_cell_ends_behind_each_statement_that_draws():
    code = 'a = 1\nsol.plot("x",\n    path="a.png")\n# next\nsol.picture("b.png")\nprint(a)\n'
    assert notebooks.split(code) == [
        'a = 1\nsol.plot("x",\n    path="a.png")',
        '# next\nsol.picture("b.png")',
        "print(a)",
    ]


def test_figures_are_attached_and_pictures_of_the_code_are_left_out(tmp_path):
    (tmp_path / "f.svg").write_text("<svg/>")
    text = (
        "# T\n\n![a figure](f.svg)\n\n![drawn](../images/tutorial/x.png)\n\nSee [this](../a.md).\n"
    )
    (cell,) = notebooks.notebook_from_page(text, tmp_path)["cells"]
    assert cell["source"] == "# T\n\n![a figure](attachment:f.svg)\n\nSee this."
    assert list(cell["attachments"]) == ["f.svg"]
    (alone,) = notebooks.notebook_from_page(text)["cells"]
    assert "*Figure: a figure*" in alone["source"]


def test_notebooks_are_written_where_the_pages_link_to(tmp_path):
    notebooks.write(ROOT / "docs", tmp_path)
    for page in PAGES:
        link = page.read_text(encoding="utf-8").split('href="../')[1].split('"')[0]
        assert json.loads((tmp_path / link).read_text(encoding="utf-8"))["nbformat"] == 4


@pytest.mark.parametrize("name", ["tutorial/1-pendulum", "tasks/slider-crank"])
def test_a_notebook_runs_and_shows_its_plots(name, tmp_path):
    nbclient = pytest.importorskip("nbclient", reason="the package nbclient is not installed")
    pytest.importorskip("ipykernel", reason="the package ipykernel is not installed")
    page = next(page for page in PAGES if named(page) == name)
    book = nbformat.reads(json.dumps(book_of(page)), as_version=4)
    client = nbclient.NotebookClient(
        book, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    drawing = [c for c in book.cells if c.cell_type == "code" and "path=" in c.source]
    assert drawing
    for cell in drawing:
        assert any("image/png" in out.get("data", {}) for out in cell.outputs), cell.source
