"""Where the models of a study come from: a function `make(**parameters)`, or a model file."""

from __future__ import annotations

import hashlib
import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.checks import a_path, mapping
from ...description.files.opening import load, parameters_in
from ...description.model import Model
from ...errors import KinetreeError, ModelError, NameNotFound, no_such, short
from .texts import text_of_function


@dataclass(frozen=True)
class Source:
    """Makes the model of a study for given values of its parameters.

    Attributes
    ----------
    make : callable
        Returns the model for parameters given by name.
    defaults : dict of str to Any
        Parameters with a default value.
    names : tuple of str or None
        All parameters; None if the function accepts any name.
    what : str
        The function or the file, for messages.
    text : str
        Content by which a stored study is recognized.
    """

    make: Callable[..., Model]
    defaults: dict[str, Any]
    names: tuple[str, ...] | None
    what: str
    text: str

    def __call__(self, values: Mapping[str, Any]) -> Model:
        """The model for these values; an error if the function returns something else."""
        found = self.make(**values)
        if not isinstance(found, Model):
            raise ModelError(f"{self.what} must return a kt.Model, and returned {short(found)}.")
        return found

    def check(self, names: Iterable[str]) -> None:
        """Raise an error for a parameter that the source does not have."""
        for name in names:
            if self.names is not None and name not in self.names:
                raise no_such("parameter", name, self.names, f" of {self.what}")

    def required(self) -> tuple[str, ...]:
        """Parameters without a default value."""
        return tuple(name for name in self.names or () if name not in self.defaults)


def source_of(given: Any, fixed: Mapping[str, Any] | None = None) -> Source:
    """The source of a function, a model file, or a source; `fixed` are values for all cases."""
    if isinstance(given, Source):
        found = given
    elif isinstance(given, (str, os.PathLike)):
        found = _of_file(a_path(given, "the model of a study"))
    elif isinstance(given, Model):
        raise ModelError(
            "a study needs a function that returns the model for given parameters, and got a model. "
            "Put the lines that build it into a function: def make(length=0.5): ... return m"
        )
    elif callable(given):
        found = _of_function(given)
    else:
        raise ModelError(
            "a study needs a function that returns a model, or the path of a model file, and got "
            f"{short(given)}."
        )
    if not fixed:
        return found
    fixed = dict(mapping(fixed, "Study: fixed", "{'L': 0.5}"))
    found.check(fixed)
    return Source(found.make, {**found.defaults, **fixed}, found.names, found.what, found.text)


def _of_function(make: Callable[..., Model]) -> Source:
    name = getattr(make, "__qualname__", type(make).__qualname__)
    try:
        parameters = list(inspect.signature(make).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    defaults = {p.name: p.default for p in parameters if p.default is not p.empty}
    plain = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    anything = not parameters or any(p.kind is p.VAR_KEYWORD for p in parameters)
    return Source(
        make, defaults, None if anything else tuple(plain), f"{name}()", text_of_function(make)
    )


def _of_file(path: Path) -> Source:
    if not path.is_file():
        raise ModelError(
            f"no model file {str(path)!r}; give the path of a YAML file or a function."
        )
    values = parameters_in(path)
    content = hashlib.sha256(path.read_bytes()).hexdigest()
    return Source(FileModel(str(path)), values, tuple(values), f"file {path.name!r}", content)


@dataclass(frozen=True)
class FileModel:
    """Function that loads a model file with given parameters; it can be pickled."""

    path: str
    allow_python: bool = False

    def __call__(self, **values: Any) -> Model:
        return load(self.path, values, allow_python=self.allow_python)


def reason(error: BaseException) -> str:
    """The first line of an error, for a table."""
    if not isinstance(error, KinetreeError):
        return f"{type(error).__name__}: {error}".splitlines()[0]
    text = str(error.args[0]) if isinstance(error, NameNotFound) else str(error)
    return text.splitlines()[0] if text else type(error).__name__
