"""`kinetree view MODEL`: show the assembled model in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .models import AllowPython, Name, Parameters, machine


def view(
    model: Name,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the page, or its file (.html).")
    ] = None,
    opened: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in the browser.")
    ] = True,
    parameters: Parameters = None,
    allow_python: AllowPython = False,
) -> None:
    """Show the assembled model as a page in the browser."""
    from .output import OWN_FOLDER, make_folder

    entry = machine(model, allow_python, parameters)
    built = entry.build()
    if out is not None and out.suffix.lower() in (".html", ".htm") and not out.is_dir():
        path = make_folder(out.parent) / out.name
    else:
        path = make_folder(out or OWN_FOLDER / entry.name) / "model.html"
    built.show(path, opened)
    print(path.resolve())
