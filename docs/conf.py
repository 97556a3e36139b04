"""How Sphinx builds these pages, offline:  python -m sphinx -W docs docs/_build

Reference and gallery are written first, from the catalogues (workshop/), so that whatever is added
to a catalogue appears by itself. Sphinx reads a copy of the pages, kept with its own files
(`.doctrees`), where these have the folder `_generated`: nothing is written into this folder.
"""

import shutil
import sys
from pathlib import Path

from kinetree import __version__

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

project = "Kinetree"
author = "The Kinetree founders"
release = version = __version__
project_copyright = author

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "workshop", "_generated/site"]
myst_heading_anchors = 3
myst_links_external_new_tab = False
highlight_language = "none"
pygments_style = "friendly"
smartquotes = False

html_theme = "furo"
html_title = "Kinetree"
html_static_path = ["static"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"top_of_page_buttons": []}


INCLUDED = ("CHANGELOG.md", "CONTRIBUTING.md")  # pages of the repository that pages here include


def write_pages(app) -> None:
    """A copy of the pages, with everything that follows from the catalogues."""
    from workshop import gallery, reference

    pages = Path(app.doctreedir) / "pages" / "docs"
    for old in pages.glob(
        "*"
    ):  # what was removed from this folder must not stay; the gallery knows by itself whether it is new
        if old.is_dir() and old.name != "_generated":
            shutil.rmtree(old)
        elif old.is_file():
            old.unlink()
    shutil.copytree(
        HERE,
        pages,
        ignore=shutil.ignore_patterns("_*", "__pycache__", "workshop"),
        dirs_exist_ok=True,
    )
    for page in INCLUDED:
        shutil.copy(HERE.parent / page, pages.parent)
    reference.write(pages / "_generated" / "reference")
    gallery.write(pages / "_generated")
    app.srcdir = type(app.srcdir)(pages)


def add_machines(app) -> None:
    """The pages and pictures of the gallery, beside the others."""
    shutil.copytree(Path(app.srcdir) / "_generated" / "site", app.outdir, dirs_exist_ok=True)


def setup(app) -> None:
    sys.dont_write_bytecode = True  # not in this folder either
    app.connect("config-inited", lambda app, config: write_pages(app))
    app.connect("build-finished", lambda app, error: None if error else add_machines(app))
