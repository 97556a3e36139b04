"""`kinetree view MODEL`: the assembled machine as a page in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def view(
    model: Annotated[str, typer.Argument(help="A built-in model; see `kinetree list models`.")],
    out: Annotated[Path | None, typer.Option(help="Folder for the page.")] = None,
    opened: Annotated[bool, typer.Option("--open/--no-open", help="Open it in the browser.")] = True,
) -> None:
    """Show a built-in model."""
    from ..models.catalogue import model_entry
    from .output import OWN_FOLDER, make_folder

    folder = make_folder(out or OWN_FOLDER / model_entry(model).name)
    page = model_entry(model).build().show(folder / "model.html", opened)
    print(page.path.resolve())
