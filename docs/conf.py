"""How Sphinx builds these pages, offline:  python -m sphinx -W docs docs/_build

Reference and gallery are written into `_generated` first, from the catalogues (workshop/), so that whatever is added to a
catalogue appears by itself.
"""

import sys
from importlib.metadata import version as version_of
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

project = "Kinetree"
author = "The Kinetree founders"
release = version = version_of("kinetree")
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
html_extra_path = ["_generated/site"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"top_of_page_buttons": []}


def write_pages(app) -> None:
    """Everything that follows from the catalogues."""
    from workshop import gallery, reference

    made = HERE / "_generated"
    reference.write(made / "reference")
    gallery.write(made)


def setup(app) -> None:
    app.connect("config-inited", lambda app, config: write_pages(app))
