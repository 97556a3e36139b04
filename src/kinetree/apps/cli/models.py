"""The model of a command: a model file, or a built-in model by name."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...errors import ModelError, short, suggestion

if TYPE_CHECKING:
    from ...models.catalogue import Entry

ENDINGS = (".yaml", ".yml")
Name = Annotated[
    str,
    typer.Argument(help="Model file (.yaml) or built-in model; see `kinetree list models`."),
]
AllowPython = Annotated[
    bool, typer.Option("--allow-python", help="Allow Python functions that the file names.")
]
Parameters = Annotated[
    list[str] | None,
    typer.Option("--set", help="Parameter of the file, such as --set L=0.3; can be repeated."),
]


def machine(
    name: str, allow_python: bool = False, parameters: Sequence[str] | None = None
) -> Entry:
    """How to build the model, and its usual end time (0 for a file)."""
    from ...models.catalogue import MODELS, Entry, model_entry

    path = Path(name)
    if path.suffix.lower() not in ENDINGS and not os.path.isfile(path):
        if parameters or allow_python:
            raise ModelError(
                f"--set and --allow-python need a model file, and {name!r} is not one."
            )
        hint = suggestion(name, [entry.name for entry in MODELS])
        if not hint and ("/" in name or "." in name):
            raise ModelError(f"there is no file {name!r}; model files end with .yaml.")
        return model_entry(name)
    from ...description.files.opening import load

    given = dict(_parameter(text) for text in parameters or ())
    return Entry(
        path.stem, "a model file", lambda: load(path, given, allow_python=allow_python), 0.0
    )


def _parameter(text: str) -> tuple[str, object]:
    from ...description.files.scalars import plain_scalar
    from ...description.files.units import looks_like_quantity, measured

    name, equals, value = text.partition("=")
    if not equals or not name.strip().isidentifier() or not value.strip():
        raise ModelError(f"--set needs name=value, such as --set L=0.3, got {short(text)}.")
    word = value.strip()
    return name.strip(), measured(word) if looks_like_quantity(word) else plain_scalar(word)
