"""Load and save model files. The readers use libraries that import slowly, so they load on demand."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ...core.atomic_write import write
from ...core.checks import a_path, flag, mapping
from ...errors import explains_arguments
from ..model import Model


@explains_arguments
def load(
    path: str | os.PathLike[str],
    parameters: Mapping[str, Any] | None = None,
    *,
    allow_python: bool = False,
) -> Model:
    """Load a model from a file (YAML).

    Parameters
    ----------
    path : str or path-like
        The file; docs/files.md describes the format.
    parameters : dict of str to Any, optional
        Values that replace the parameters of the file, such as ``{"L": 0.5}``.
    allow_python : bool, default False
        Whether Python functions that the file names as `module:function` may run. Their modules must
        be in the folder of the file.

    Returns
    -------
    Model
        The model.

    Raises
    ------
    ModelError
        If the file cannot be read or the model is wrong; the message names the line.

    See Also
    --------
    Model.save : Write a model to a file.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.four_bar import four_bar
    >>> path = four_bar().save("four-bar.yaml")
    >>> sorted(kt.load(path).bodies)
    ['coupler', 'crank', 'rocker']
    """
    from .document import read_text
    from .load import load_text

    path = a_path(path, "kt.load: path")
    given = mapping({} if parameters is None else parameters, "kt.load: parameters", "{'L': 0.5}")
    with _no_collection():
        return load_text(read_text(path), path, given, flag(allow_python, "kt.load: allow_python"))


def parameters_in(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The parameters of a model file with their values in SI units."""
    from .sources import Sources

    path = a_path(path, "model file")
    found = Sources(path.parent).tree(path, {})["parameters"]
    return {name: float(v) if isinstance(v, float) else v for name, v in found.items()}


@contextmanager
def _no_collection() -> Iterator[None]:
    """Turn the garbage collector off: the values of a large file have no cycles to search for."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def model_text(model: Model, folder: str | os.PathLike[str] = ".") -> str:
    """The text of the file of a model; Python functions are named relative to that folder."""
    from .describe import described
    from .write import text_of

    return text_of(described(model, Path(folder)))


def save(model: Model, path: str | os.PathLike[str], overwrite: bool = False) -> Path:
    """Write the file of a model, complete or not at all, and return its path."""
    path = a_path(path, "save: path")
    write(path, model_text(model, path.parent), overwrite)
    return path
