"""Read one file into a tree: insert includes, evaluate parameters and expressions."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as AnyMapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ...core.regular_files import size_of
from ...errors import ModelError, no_such, short
from .dimensions import Measured
from .document import DEEPEST, Count, Mapping, Sequence, parse, read_text
from .expansion import Expansion
from .expressions import expanded, has_expression
from .places import where
from .scalars import LARGEST
from .units import in_words, looks_like_quantity, measured

MOST_FILES = 100
MOST_DATA = 256 * 1024 * 1024  # bytes of meshes
SECTIONS = (
    "assemblies",
    "bodies",
    "joints",
    "constraints",
    "controllers",
    "forces",
    "contacts",
    "weights",
)
LISTS = ("cut", "surroundings")


class Sources:
    """Read files inside one folder, with a limit on their number and without recursion."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.files, self.data_bytes = folder.resolve(), 0, 0
        self.count, self.expansion = Count(), Expansion()

    def tree(self, path: Path, given: dict[str, Any], inside: tuple[Path, ...] = ()) -> Mapping:
        """The tree of a file with its includes; `given` parameters take precedence over those of
        the file.
        """
        self.files += 1
        if self.files > MOST_FILES:
            raise ModelError(f"{path}: more than {MOST_FILES} files are included.")
        return self.with_includes(
            parse(read_text(path), self.shown(path), self.count), path, given, inside
        )

    def with_includes(
        self, tree: Mapping, path: Path, given: dict[str, Any], inside: tuple[Path, ...] = ()
    ) -> Mapping:
        known = dict(given)
        _at(tree, ("parameters",), lambda: self._parameters(tree, known))
        others = (
            [
                self._included(tree, k, path, known, (*inside, path.resolve()))
                for k in range(len(tree.get("include") or ()))
            ]
            if isinstance(tree.get("include"), list)
            else []
        )
        for other in others:
            known = {**other["parameters"], **known}
        self._resolve(tree, known, tree, ())
        for other in reversed(others):
            _merge(tree, other)
        holder = tree.get("parameters")
        tree["parameters"] = plain = Mapping(tree.file, tree.line)
        plain.update(known)
        for source in (*(other["parameters"] for other in others), holder):
            plain.lines.update(getattr(source, "lines", {}))
        return tree

    def shown(self, path: Path) -> str:
        """A path as errors print it: relative to the folder of the model."""
        try:
            return str(path.resolve().relative_to(self.folder))
        except ValueError:
            return str(path)

    def beside(self, name: Any, path: Path) -> Path:
        """The path of a file named in another one; it must be inside the folder of the model."""
        if not isinstance(name, str) or not name or "\0" in name:
            raise ModelError(f"must be the name of a file, got {short(name)}.")
        found = (path.parent / name).resolve()
        if self.folder not in found.parents:
            raise ModelError(
                f"{name!r} lies outside the folder of the model, {self.folder}; files are taken "
                "from inside only."
            )
        return found

    def data(self, name: Any, path: Path) -> Path:
        """The path of a data file, such as a mesh; their total size is limited."""
        found = self.beside(name, path)
        self.data_bytes += size_of(found)
        if self.data_bytes > MOST_DATA:
            raise ModelError(
                f"the files with data that this model names, up to {name!r}, have "
                f"{self.data_bytes} bytes; all "
                f"together may have at most {MOST_DATA}."
            )
        return found

    def _included(
        self, tree: Mapping, k: int, path: Path, known: dict[str, Any], inside: tuple[Path, ...]
    ) -> Mapping:
        def found() -> Path:
            other = self.beside(tree["include"][k], path)
            if other in inside:
                raise ModelError(f"{tree['include'][k]!r} includes itself.")
            return other

        return self.tree(_at(tree, ("include", k), found), known, inside)

    def _parameters(self, tree: Mapping, known: dict[str, Any]) -> None:
        """Evaluate the parameters of a file in their order; those given from outside are kept."""
        own = tree.get("parameters")
        if own is None:
            return
        if not isinstance(own, Mapping):
            raise ModelError(f"must be a mapping of names, got {short(own)}.")
        for name, value in own.items():
            if not name.isidentifier():
                raise ModelError(f"a parameter must be named like a variable, got {short(name)}.")
            make = (
                partial(_like_declared, known[name], value)
                if name in known
                else partial(self._parameter, tree, name, known)
            )
            known[name] = _at(tree, ("parameters", name), make)

    def _parameter(self, tree: Mapping, name: str, known: dict[str, Any]) -> Any:
        """The value of a parameter for use in expressions."""
        value = tree["parameters"][name]
        if isinstance(value, str):
            return self._text(value, known, 2, True)
        if isinstance(value, (Mapping, Sequence)):
            self._resolve(value, known, tree, ("parameters", name), isinstance(value, Sequence))
        return value

    def _resolve(
        self, place: Any, known: dict[str, Any], root: Any, path: tuple, measuring: bool = False
    ) -> None:
        """Replace every text with an expression by its value; in lists of parameters, also texts
        with units by numbers.
        """
        steps = list(place.items()) if isinstance(place, Mapping) else list(enumerate(place))
        for step, value in steps:
            if isinstance(value, str):
                if measuring or has_expression(value):
                    place[step] = _at(
                        root,
                        (*path, step),
                        partial(self._text, value, known, len(path) + 1, measuring),
                    )
            elif isinstance(value, (Mapping, Sequence)) and not (
                place is root and step == "parameters"
            ):
                self._resolve(
                    value, known, root, (*path, step), measuring and isinstance(value, Sequence)
                )

    def _text(self, text: str, known: dict[str, Any], level: int, measuring: bool) -> Any:
        """Evaluate the expressions in a text; with `measured`, a number with a unit becomes a
        Measured.
        """
        value = (
            self.expansion.put(expanded(text, known, self.expansion.text), level)
            if has_expression(text)
            else text
        )
        return _measured(value) if measuring and isinstance(value, str) else value


def given_values(given: AnyMapping[str, Any]) -> dict[str, Any]:
    """Parameters from outside, by name."""
    return {name: _at_name(name, value) for name, value in dict(given).items()}


def _at_name(name: Any, value: Any) -> Any:
    try:
        return _given(value)
    except ModelError as error:
        raise ModelError(f"the parameter {short(name)}: {error}") from None


def _given(value: Any, level: int = 0) -> Any:
    """A parameter from outside as in files: numbers, texts, lists and mappings; texts with units
    become Measured.
    """
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if level > DEEPEST:
        raise ModelError(f"a parameter is nested more than {DEEPEST} levels deep")
    if isinstance(value, (tuple, list)):
        return [_given(one, level + 1) for one in value]
    if isinstance(value, str):
        return _measured(value)
    if (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and not -LARGEST <= value <= LARGEST
    ):
        raise ModelError(f"a parameter must be a finite number, got {short(value, 60)}")
    return value


def _measured(text: str) -> Any:
    """A number with a unit as a Measured; any other text unchanged."""
    return measured(text) if looks_like_quantity(text) else text


def _like_declared(given: Any, declared: Any) -> Any:
    """A given parameter with the dimension that the file declares for it, if any."""
    if (
        not isinstance(declared, str)
        or not looks_like_quantity(declared)
        or isinstance(given, bool)
        or not isinstance(given, (int, float))
    ):
        return given
    own = measured(declared)
    if not isinstance(given, Measured):
        return Measured(given, own.dimension, own.text)
    if not given.dimension.fits(own.dimension):
        raise ModelError(
            f"{given.text or float(given)} is given from outside, {in_words(given.dimension)}, "
            "where "
            f"{in_words(own.dimension)} is expected"
        )
    return given


def _merge(tree: Mapping, other: Mapping) -> None:
    """Insert the contents of an included file before those of the file itself."""
    for section in SECTIONS:
        first, second = other.get(section), tree.get(section)
        if not isinstance(first, Mapping) or not isinstance(second, Mapping | None):
            continue
        for name in second or {}:
            if name in first:
                raise ModelError(
                    f"{where(tree, (section, name))}: the name is taken in "
                    f"{where(other, (section, name))}."
                )
        for name, value in (second or {}).items():
            first[name], first.lines[name] = value, second.lines[name]  # type: ignore[union-attr]
        tree[section], tree.lines[section] = first, tree.lines.get(section, 1)
    for section in LISTS:
        if isinstance(other.get(section), Sequence):
            whole = other[section]
            for value, line in zip(
                tree.get(section) or [], getattr(tree.get(section), "lines", [])
            ):
                whole.append(value)
                whole.lines.append(line)
            tree[section], tree.lines[section] = whole, tree.lines.get(section, 1)
    for key in ("gravity", "arm"):
        if key in other and key not in tree:
            tree[key], tree.lines[key] = other[key], other.lines[key]


def _at(tree: Any, path: tuple, function: Callable[[], Any]) -> Any:
    """Call a function; a ModelError without a place gets this one."""
    try:
        return function()
    except ModelError as error:
        text = str(error)
        if text.startswith(f"{tree.file}:"):
            raise
        raise ModelError(f"{where(tree, path)}: {text.rstrip('.')}.") from None


def check_given(given: dict[str, Any], tree: Mapping, name: str) -> None:
    """Raise an error for parameters from outside that the file does not have."""
    for one in given:
        if one not in tree["parameters"].lines:
            raise no_such("parameter", one, tree["parameters"].lines, f" in {name}")
