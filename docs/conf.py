"""How Sphinx builds these pages, offline:  python -m sphinx -W docs docs/_build

Reference and gallery are written first, from the catalogues (workshop/), so that whatever is added
to a catalogue appears by itself. Sphinx reads a copy of the pages, kept with its own files
(`.doctrees`), where these have the folder `_generated`: nothing is written into this folder.
"""

import importlib.util
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

extensions = ["myst_parser", "sphinx.ext.mathjax"]
myst_enable_extensions = ["dollarmath", "deflist", "attrs_inline"]
mathjax_path = "mathjax/tex-svg.js"  # one file with its fonts, copied by add_mathjax: no network
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
html_css_files = ["pages.css", "landing.css"]
templates_path = ["templates"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"top_of_page_buttons": []}


INCLUDED = ("CHANGELOG.md", "CONTRIBUTING.md")  # pages of the repository that pages here include


def write_pages(app) -> None:
    """A copy of the pages, with everything that follows from the catalogues."""
    from workshop import figures, gallery, landing, performance, reference, validation

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
        ignore=shutil.ignore_patterns("_*", "__pycache__", "workshop", "templates"),
        dirs_exist_ok=True,
    )
    for page in INCLUDED:
        shutil.copy(HERE.parent / page, pages.parent)
    figures.write(pages / "_generated" / "figures")
    reference.write(pages / "_generated" / "reference")
    gallery.write(pages / "_generated")
    landing.write(pages / "_generated" / "site" / "landing")
    validation.write(pages / "_generated")
    performance.write(pages / "_generated")
    app.srcdir = type(app.srcdir)(pages)


def add_machines(app) -> None:
    """The pages and pictures of the gallery, and the notebooks, beside the other pages."""
    from workshop import notebooks

    shutil.copytree(Path(app.srcdir) / "_generated" / "site", app.outdir, dirs_exist_ok=True)
    notebooks.write(Path(app.srcdir), Path(app.outdir))


def add_mathjax(app) -> None:
    """MathJax, from the package that ships it, for pages with equations."""
    package = importlib.util.find_spec("sphinx-mathjax-offline").submodule_search_locations[0]
    target = Path(app.outdir) / "_static" / mathjax_path
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(Path(package) / "static" / mathjax_path, target)


def add_search_words(app) -> None:
    """The words that the search shows first."""
    from workshop import search

    search.write(app)


def collapse_navigation(app, page, template, context, doctree) -> None:
    """Expand the navigation at the present page only: a tree of all pages on each of them is slow."""
    whole = context.get("toctree")
    if whole is not None:
        context["toctree"] = lambda **options: whole(**{**options, "collapse": True})


def setup(app) -> None:
    from workshop import links, search

    links.setup(app)
    app.connect("env-check-consistency", search.check)
    app.connect("html-page-context", collapse_navigation, priority=400)  # before the theme
    sys.dont_write_bytecode = True  # not in this folder either
    app.connect("config-inited", lambda app, config: write_pages(app))
    app.connect("build-finished", lambda app, error: None if error else add_machines(app))
    app.connect("build-finished", lambda app, error: None if error else add_mathjax(app))
    app.connect("build-finished", lambda app, error: None if error else add_search_words(app))
