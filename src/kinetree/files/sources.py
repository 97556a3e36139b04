"""One file as a checked tree: includes taken in, parameters known, expressions computed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import ModelError, no_such, short
from .document import Mapping, Sequence, parse, read_text
from .expressions import expanded, has_expression
from .places import where
from .units import looks_like_quantity, quantity

MOST_FILES = 100
SECTIONS = ("assemblies", "bodies", "joints", "constraints", "controllers", "forces", "weights")
LISTS = ("cut", "surroundings")


class Sources:
    """Reads files inside one folder, not too many of them, none within itself."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.count = folder.resolve(), 0

    def tree(self, path: Path, given: dict[str, Any], inside: tuple[Path, ...] = ()) -> Mapping:
        """The tree of a file with its includes; `given` are parameters from outside, which come before its own."""
        self.count += 1
        if self.count > MOST_FILES:
            raise ModelError(f"{path}: more than {MOST_FILES} files are included.")
        return self.with_includes(parse(read_text(path), self.shown(path)), path, given, inside)

    def with_includes(self, tree: Mapping, path: Path, given: dict[str, Any], inside: tuple[Path, ...] = ()) -> Mapping:
        known = dict(given)
        _at(tree, ("parameters",), lambda: self._parameters(tree, known))
        others = [self._included(tree, k, path, known, (*inside, path.resolve()))
                  for k in range(len(tree.get("include") or ()))] if isinstance(tree.get("include"), list) else []
        for other in others:
            known = {**other["parameters"], **known}
        resolved(tree, known)
        for other in reversed(others):
            _merge(tree, other)
        holder = tree.get("parameters")
        tree["parameters"] = plain = Mapping(tree.file, tree.line)
        plain.update(known)
        for said in (*(other["parameters"] for other in others), holder):
            plain.lines.update(getattr(said, "lines", {}))
        return tree

    def shown(self, path: Path) -> str:
        """A path as errors say it: within the folder of the model, by its name."""
        try:
            return str(path.resolve().relative_to(self.folder))
        except ValueError:
            return str(path)

    def beside(self, name: Any, path: Path) -> Path:
        """A file named in another one, if it lies inside the folder of the model."""
        if not isinstance(name, str) or not name or "\0" in name:
            raise ModelError(f"must be the name of a file, got {short(name)}.")
        found = (path.parent / name).resolve()
        if self.folder not in found.parents:
            raise ModelError(f"{name!r} lies outside the folder of the model, {self.folder}; files are taken from inside only.")
        return found

    def _included(self, tree: Mapping, k: int, path: Path, known: dict[str, Any], inside: tuple[Path, ...]) -> Mapping:
        def found() -> Path:
            other = self.beside(tree["include"][k], path)
            if other in inside:
                raise ModelError(f"{tree['include'][k]!r} includes itself.")
            return other

        return self.tree(_at(tree, ("include", k), found), known, inside)

    @staticmethod
    def _parameters(tree: Mapping, known: dict[str, Any]) -> None:
        """Own parameters in their order, each from those before it; what is given from outside stays."""
        own = tree.get("parameters")
        if own is None:
            return
        if not isinstance(own, Mapping):
            raise ModelError(f"must be a mapping of names, got {short(own)}.")
        for name, value in own.items():
            if not name.isidentifier():
                raise ModelError(f"a parameter must be named like a variable, got {short(name)}.")
            if name not in known:
                known[name] = _at(tree, ("parameters", name), partial(_parameter, value, known))


def resolved(tree: Any, known: dict[str, Any]) -> None:
    """Replace every text with an expression by its value."""
    _resolve(tree, known, tree, ())


def _resolve(place: Any, known: dict[str, Any], root: Any, path: tuple) -> None:
    steps = list(place.items()) if isinstance(place, Mapping) else list(enumerate(place))
    for step, value in steps:
        if isinstance(value, str):
            if has_expression(value):
                place[step] = _at(root, (*path, step), partial(expanded, value, known))
        elif isinstance(value, (Mapping, Sequence)) and not (place is root and step == "parameters"):
            _resolve(value, known, root, (*path, step))


def _parameter(value: Any, known: dict[str, Any]) -> Any:
    """The value of a parameter, to compute with."""
    if isinstance(value, str) and has_expression(value):
        value = expanded(value, known)
    elif isinstance(value, (Mapping, Sequence)):
        resolved(value, known)
    return _measured(value)


def _measured(value: Any) -> Any:
    """Numbers with units among parameters, to compute with."""
    if isinstance(value, str) and looks_like_quantity(value):
        return quantity(value)
    if isinstance(value, Sequence):
        value[:] = [_measured(one) for one in value]
    return value


def _merge(tree: Mapping, other: Mapping) -> None:
    """Put what an included file says before what the file says itself."""
    for section in SECTIONS:
        first, second = other.get(section), tree.get(section)
        if not isinstance(first, Mapping) or not isinstance(second, Mapping | None):
            continue
        for name in (second or {}):
            if name in first:
                raise ModelError(f"{where(tree, (section, name))}: the name is taken in {where(other, (section, name))}.")
        for name, value in (second or {}).items():
            first[name], first.lines[name] = value, second.lines[name]  # type: ignore[union-attr]
        tree[section], tree.lines[section] = first, tree.lines.get(section, 1)
    for section in LISTS:
        if isinstance(other.get(section), Sequence):
            whole = other[section]
            for value, line in zip(tree.get(section) or [], getattr(tree.get(section), "lines", [])):
                whole.append(value)
                whole.lines.append(line)
            tree[section], tree.lines[section] = whole, tree.lines.get(section, 1)
    for key in ("gravity", "arm"):
        if key in other and key not in tree:
            tree[key], tree.lines[key] = other[key], other.lines[key]


def _at(tree: Any, path: tuple, function: Callable[[], Any]) -> Any:
    """Call, and put the place before the sentence of a ModelError that has none yet."""
    try:
        return function()
    except ModelError as error:
        text = str(error)
        if text.startswith(f"{tree.file}:"):
            raise
        raise ModelError(f"{where(tree, path)}: {text.rstrip('.')}.") from None


def check_given(given: dict[str, Any], tree: Mapping, name: str) -> None:
    """Refuse parameters from outside that the file does not have."""
    for one in given:
        if one not in tree["parameters"].lines:
            raise no_such("parameter", one, tree["parameters"].lines, f" in {name}")
