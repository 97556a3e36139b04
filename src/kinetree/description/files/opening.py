"""Entry points of model files; the libraries for reading them are slow to load, so they are
imported when needed.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ...core.atomic_write import write
from ...core.checks import a_path, flag, mapping
from ..model import Model


def load(
    path: str | os.PathLike,
    parameters: Mapping[str, Any] | None = None,
    *,
    allow_python: bool = False,
) -> Model:
    """The model of a file (YAML; see docs/files.md); `parameters` take the place of those in it.

    Python functions that the file names as `module:function` are run only with `allow_python=True`,
    from modules beside it.
    """
    from .document import read_text
    from .load import load_text

    path = a_path(path, "kt.load: path")
    given = mapping({} if parameters is None else parameters, "kt.load: parameters", "{'L': 0.5}")
    with _no_collection():
        return load_text(read_text(path), path, given, flag(allow_python, "kt.load: allow_python"))


@contextmanager
def _no_collection() -> Iterator[None]:
    """Disable the garbage collector: a large file has many small values and no cycles among them."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def model_text(model: Model, folder: str | os.PathLike = ".") -> str:
    """The text of the file of a model; Python functions are named if their modules are in that
    folder.
    """
    from .describe import described
    from .write import text_of

    return text_of(described(model, Path(folder)))


def save(model: Model, path: str | os.PathLike, overwrite: bool = False) -> Path:
    """Write the file of a model atomically; return its path."""
    path = a_path(path, "save: path")
    write(path, model_text(model, path.parent), overwrite)
    return path
