"""Files of reduced parts: HDF5 with one dataset per array and the names as attributes."""

from __future__ import annotations

import io
import json
import os
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from ...core.atomic_write import write
from ...core.checks import a_path, flag
from ...core.regular_files import existing
from ...errors import ResultError
from .reduced_part import ReducedPart

FORMAT = "kinetree reduced part 1"
TEXTS = ("name", "markers", "frame", "mass", "loads", "facts")


def save(part: ReducedPart, path: str | os.PathLike[str], overwrite: bool = False) -> Path:
    """Write a part completely or not at all, and return the path."""
    import h5py

    path = a_path(path, "save: path")
    content = io.BytesIO()
    with h5py.File(content, "w", track_order=True) as file:
        file.attrs["format"] = FORMAT
        for field in fields(part):
            value = getattr(part, field.name)
            if field.name in TEXTS:
                file.create_dataset(field.name, data=json.dumps(value))
            elif field.name == "groups":
                for name, rows in value.items():
                    _array(file, f"groups/{name.replace('/', '|')}", rows)
            else:
                _array(file, field.name, value)
    write(path, content.getvalue(), flag(overwrite, "save: overwrite"))
    return path


def _array(file: Any, name: str, value: np.ndarray) -> None:
    large = {"compression": "gzip", "shuffle": True} if value.size > 1000 else {}
    file.create_dataset(name, data=value, track_times=False, **large)


def read(path: str | os.PathLike[str]) -> ReducedPart:
    """Open a reduced part that `ReducedPart.save` wrote; no mesh library is needed.

    Parameters
    ----------
    path : path
        The HDF5 file.

    Returns
    -------
    ReducedPart
        The same part, bit by bit.

    Raises
    ------
    ResultError
        If there is no such file, or it is not a complete file of a reduced part.

    Examples
    --------
    >>> import kinetree as kt
    >>> part = kt.fe.block((0.3, 0.02, 0.02), cells=(4, 1, 1), E=2.1e11, poisson=0.3, density=7850.0)
    >>> path = part.reduce({"left": "x-", "right": "x+"}, upto=500.0).save("bar.h5", overwrite=True)
    >>> kt.fe.open(path).markers
    ('left', 'right')
    """
    import h5py

    path = existing(path, "open: path")
    try:
        with h5py.File(path, "r") as file:
            if file.attrs.get("format") != FORMAT:
                raise ResultError(
                    f"cannot read {os.fspath(path)!r}: it is not a reduced part of this version. "
                    "Write one with rod.save('rod.h5')."
                )
            values: dict[str, Any] = {"groups": {}}
            for field in fields(ReducedPart):
                if field.name in TEXTS:
                    values[field.name] = json.loads(file[field.name][()])
                elif field.name != "groups":
                    values[field.name] = file[field.name][()]
            for name, rows in file.get("groups", {}).items():
                values["groups"][name.replace("|", "/")] = rows[()]
    except (OSError, KeyError, ValueError) as error:
        raise ResultError(
            f"cannot read {os.fspath(path)!r}: it is not a complete file of a reduced part ({error})."
        ) from None
    values["markers"], values["loads"] = tuple(values["markers"]), tuple(values["loads"])
    return ReducedPart(**values)
