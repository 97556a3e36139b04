"""Files of the first format, for reading: NetCDF-4 with a variable per channel and no checksums of
texts and attributes.

Channels are computed again from the states, so that they have today's names and signs; those in the
file are read only where the file could not hold its model.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...errors import ResultError
from .container import sound
from .frame import library

_GROUP, FORMAT = "kinetree", 1
_SINCE: dict[str, dict[str, Any]] = {
    "assembly": {"happened": [], "turned": {}}
}  # what texts of this format did not have yet
_KINDS = "fiu"


class EarlierFormat(UserWarning):
    """Warning about a file of an earlier version, in which damage cannot be detected."""


def is_earlier(path: Path) -> bool:
    """Whether a file has the first format."""
    try:
        with library("h5py").File(path, "r", locking=False) as file:
            return int(np.ravel(file.attrs["format"])[0]) == FORMAT and _GROUP in file
    except Exception:  # no such file, another one, or a damaged one
        return False


class Earlier:
    """Reader of a file of the first format, with the interface of `Container`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self.sound(), self._opened() as file:
            size, group = path.stat().st_size, file[_GROUP]
            held = {
                name: place
                for name, place in group.items()
                if not name.rpartition("_")[2].isdigit()
            }  # no dimensions
            self._texts = {
                name: _text(place, size) for name, place in held.items() if place.dtype.kind == "O"
            }
            for name, more in _SINCE.items():
                self._texts[name] = json.dumps({**more, **json.loads(self._texts[name])})
            self._places = {
                "time": "time",
                **{name: f"{_GROUP}/{name}" for name in held if name not in self._texts},
            }
            self.arrays: dict[str, Any] = {
                name: SimpleNamespace(shape=_sound(file[place], size).shape)
                for name, place in self._places.items()
            }
            self.arrays.update(
                {
                    f"text {name}": SimpleNamespace(shape=(len(text),))
                    for name, text in self._texts.items()
                }
            )
            attributes = {
                name: value.item() if hasattr(value, "item") else value
                for name, value in file.attrs.items()
                if not name.startswith("_")
            }
            self.index = {
                "attributes": attributes,
                "channels": [] if self._texts["model"] else self._tables(file, size),
            }
        warnings.warn(
            f"{self} was written by an earlier version of Kinetree, without checksums: damage to "
            "it may not be seen. "
            "Save it again to have them.",
            EarlierFormat,
            stacklevel=6,
        )

    def _tables(self, file: Any, size: int) -> list[list]:
        """Channels of the file, as rows of a table at the samples and of one at the steps."""
        found, self._rows = [], {"channels": list[str](), "step_channels": list[str]()}
        for name, place in file.items():
            if "channel" not in place.attrs:
                continue
            parts, at_steps = (
                str(place.attrs.get("components", "")).split(),
                name.startswith("step."),
            )
            rows = self._rows["step_channels" if at_steps else "channels"]
            found.append(
                [
                    str(place.attrs["channel"]),
                    str(place.attrs["units"]),
                    str(place.attrs["long_name"]),
                    parts,
                    at_steps,
                    len(rows),
                    int(_sound(place, size).dtype.kind in "iu"),
                ]
            )
            rows += [name] * max(1, len(parts))
        for name, at in (("channels", "time"), ("step_channels", "log_t")):
            if self._rows[name]:
                self.arrays[name] = SimpleNamespace(
                    shape=(len(self._rows[name]), *self.arrays[at].shape)
                )
        return found

    def __str__(self) -> str:
        return repr(os.fspath(self.path))

    def sound(self) -> AbstractContextManager[None]:
        return sound(self)

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        with library("h5py").File(self.path, "r", locking=False) as file:
            yield file

    def read(self, name: str, first: int = 0, last: int | None = None) -> np.ndarray:
        if name.startswith("text "):
            return np.frombuffer(self._texts[name[5:]].encode(), np.uint8)
        if name not in self.arrays:
            raise ResultError(f"{self} has no {name!r}; it was not finished.")
        with self.sound(), self._opened() as file:
            if name in self._places:
                return file[self._places[name]][()]
            place = self._rows[name][first]
            values = file[place][()].T
            start = first - self._rows[name].index(place)
            return (
                values[None]
                if values.ndim == 1
                else values[start : start + (1 if last is None else last - first)]
            )


def _sound(place: Any, size: int) -> Any:
    """A numeric variable that is not larger than its file, which is not compressed."""
    if place.dtype.kind not in _KINDS or place.nbytes > size:
        raise ValueError(f"{place.name} is no array that fits into the file")
    return place


def _text(place: Any, size: int) -> str:
    text = place[()] if place.shape == () else None
    if not isinstance(text, bytes) or len(text) > size:
        raise ValueError(f"{place.name} is no text")
    return text.decode()
