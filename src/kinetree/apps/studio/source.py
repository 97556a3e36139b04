"""The file of a studio: a model file, or a Python file with a function `make`."""

from __future__ import annotations

import runpy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...description.files.opening import load, parameters_in
from ...description.model import Model
from ...errors import ModelError
from ...studies.parameters.source import source_of

SUFFIXES = (".yaml", ".yml", ".py")


@dataclass(frozen=True)
class Loaded:
    """What a file says: its parameters that are numbers, and the function that makes the model."""

    parameters: dict[str, float]
    make: Callable[..., Model]

    def model(self, values: Mapping[str, float]) -> Model:
        """The model for values of parameters that the file still has."""
        found = self.make(**{k: v for k, v in values.items() if k in self.parameters})
        if not isinstance(found, Model):
            raise ModelError("the function make must return a kt.Model.")
        return found


def studio_file(path: str | Path) -> Path:
    """Check the path of a file."""
    found = Path(path)
    if found.suffix.lower() not in SUFFIXES:
        raise ModelError(
            f"studio: {found.name!r} must be a model file (.yaml) or a Python file (.py) with a function "
            "make that returns the model."
        )
    if not found.is_file():
        raise ModelError(f"studio: there is no file {str(path)!r}.")
    return found


def loaded(path: Path, allow_python: bool) -> Loaded:
    """Read the file."""
    if path.suffix.lower() == ".py":
        make = runpy.run_path(str(path), run_name="studio").get("make")
        if not callable(make):
            raise ModelError(
                f"{path.name} has no function make. Write: def make(length=0.5): ... return m"
            )
        return Loaded(_numbers(source_of(make).defaults), make)

    def read(**values: float) -> Model:
        return load(path, values, allow_python=allow_python)

    return Loaded(_numbers(parameters_in(path)), read)


def _numbers(values: Mapping[str, Any]) -> dict[str, float]:
    return {
        name: float(value)
        for name, value in values.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    }
