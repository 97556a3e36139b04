"""`kinetree view MODEL`: the assembled machine as a page in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .models import AllowPython, Name, Parameters, machine


def view(
    model: Name,
    out: Annotated[Path | None, typer.Option(help="Folder for the page.")] = None,
    opened: Annotated[
        bool, typer.Option("--open/--no-open", help="Open it in the browser.")
    ] = True,
    parameters: Parameters = None,
    allow_python: AllowPython = False,
) -> None:
    """Show a model."""
    from .output import OWN_FOLDER, make_folder

    entry = machine(model, allow_python, parameters)
    built = entry.build()
    path = make_folder(out or OWN_FOLDER / entry.name) / "model.html"
    built.show(path, opened)
    print(path.resolve())
