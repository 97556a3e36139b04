"""Folder of a stored study: a manifest, and one file for each part.

    study.json           what is studied, with a hash by which it is recognized
    part-000000.nc       rows of the first cases (NetCDF-4), and so on

A part is written beside its name and then moved into its place, so that a killed process leaves
whole parts only.
"""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from ...core.atomic_write import failing, replacing
from ...core.checks import a_path
from ...errors import ResultError
from ..parts import Part

MANIFEST, FORMAT = "study.json", 1


class Store:
    """The folder of one study."""

    def __init__(
        self, path: str | os.PathLike[str], manifest: dict[str, Any] | None = None
    ) -> None:
        self.path = a_path(path, "store")
        if manifest is None:
            self.manifest = self._read()
            return
        self.path.mkdir(parents=True, exist_ok=True)
        file = self.path / MANIFEST
        if file.exists():
            self.manifest = self._read()
            self._refuse_other(manifest)
            return
        others = [one.name for one in self.path.iterdir() if not one.name.startswith(".")]
        if others:
            raise ResultError(
                f"the folder {str(self.path)!r} is not empty ({others[0]!r}) and has no study. Give "
                "another folder as store=."
            )
        self.manifest = {"format": FORMAT, **manifest}
        with failing(file), replacing(file) as out:
            out.write(json.dumps(self.manifest, indent=1).encode())

    def _read(self) -> dict[str, Any]:
        file = self.path / MANIFEST
        try:
            found = json.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise ResultError(
                f"the folder {str(self.path)!r} has no study: {MANIFEST} is missing."
            ) from None
        except (OSError, ValueError) as error:
            raise ResultError(f"cannot read {str(file)!r}: {error}.") from None
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise ResultError(f"{str(file)!r} was not written by this version of Kinetree.")
        return found

    def _refuse_other(self, manifest: dict[str, Any]) -> None:
        mine, other = manifest, self.manifest
        if mine["key"] == other.get("key"):
            return
        parts = {
            "model": "the model",
            "space": "the cases",
            "outputs": "the outputs",
            "run": "the run",
        }
        differs = [
            what
            for name, what in parts.items()
            if mine["keys"][name] != other.get("keys", {}).get(name)
        ]
        raise ResultError(
            f"the folder {str(self.path)!r} has the results of another study"
            f" ({', '.join(differs) or 'of another version'} "
            f"{'differ' if len(differs) > 1 else 'differs'}). Give another folder as store=, or delete this one."
        )

    def file(self, first: int) -> Path:
        """The file of the part that begins with a case."""
        return self.path / f"part-{first // max(1, self.manifest['size']):06d}.nc"

    def save(self, part: Part) -> None:
        """Write a part, completely or not at all."""
        data = packed(part)
        with failing(self.file(part.first)), replacing(self.file(part.first)) as out:
            out.write(data)

    def load(self, first: int, P: np.ndarray) -> Part | None:
        """A stored part; None if there is none, or if it was damaged."""
        try:
            return unpacked(self.file(first).read_bytes(), first, P)
        except FileNotFoundError:
            return None
        except Exception:  # h5py raises many kinds for a damaged file
            return None


def packed(part: Part) -> bytes:
    """The content of the file of a part, with the dimension "case"."""
    import h5py

    memory = io.BytesIO()
    with h5py.File(memory, "w") as file:
        file.attrs["first_case"] = part.first
        file["case"] = np.arange(part.first, part.first + len(part))
        file["case"].make_scale("case")
        for name in ("status", "way", "steps"):
            _put(file, name, getattr(part, name).astype(np.int64))
        for name in ("reasons", "moved"):
            text = "\0".join(getattr(part, name)).encode() + b"\0"
            file[name] = np.frombuffer(text, np.uint8)
        for k, (name, values) in enumerate(part.columns.items()):
            _put(file, f"output_{k}", values).attrs["long_name"] = name
    return memory.getvalue()


def _put(file: Any, name: str, values: np.ndarray) -> Any:
    file[name] = values
    file[name].dims[0].attach_scale(file["case"])
    return file[name]


def unpacked(data: bytes, first: int, P: np.ndarray) -> Part | None:
    """The part of a file's content; None if it does not belong there."""
    import h5py

    with h5py.File(io.BytesIO(data), "r") as file:
        if int(file.attrs["first_case"]) != first or len(file["status"]) != len(P):
            return None
        part = Part.empty(first, P)
        for name in ("status", "way", "steps"):
            setattr(part, name, file[name][...])
        for name in ("reasons", "moved"):
            text = file[name][...].tobytes()[:-1].decode()
            setattr(part, name, text.split("\0"))
        k = 0
        while f"output_{k}" in file:
            part.columns[str(file[f"output_{k}"].attrs["long_name"])] = file[f"output_{k}"][...]
            k += 1
        return part
