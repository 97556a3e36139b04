"""Positions in a file for errors, `four-bar.yaml:12: bodies.crank.mass`, and the error messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import ValidationError

from ...errors import ModelError, short, suggestion
from ...synonyms import called_here
from .declared import Declared, families, family_of
from .document import Mapping
from .document import Sequence as Rows

SHOWN = 10  # errors in one message


def where(tree: Any, path: Iterable[str | int]) -> str:
    """`file:line: bodies.crank.mass` for a path; keys that are not in the tree (names of types) are
    skipped.
    """
    place, steps, file, line = tree, list[str](), tree.file, tree.line
    for step in path:
        if isinstance(place, Mapping) and step in place:
            line, inner = place.lines.get(str(step), line), place[str(step)]
        elif isinstance(place, Rows) and isinstance(step, int) and step < len(place):
            line, inner = place.lines[step], place[step]
        else:
            continue
        place, file = inner, getattr(inner, "file", file)
        steps.append(f"[{step}]" if isinstance(step, int) else f".{step}")
    return f"{file}:{line}: {''.join(steps).lstrip('.')}".rstrip(": ")


def without_tags(tree: Any, path: Sequence[str | int]) -> list[str | int]:
    """A path of pydantic without the names of types."""
    place, found, entered = tree, list[str | int](), False
    for step in path:
        if entered and step == place.get("type"):
            entered = False
            continue
        inside = (isinstance(place, Mapping) and step in place) or (
            isinstance(place, Rows) and isinstance(step, int)
        )
        if inside and (not isinstance(place, Rows) or int(step) < len(place)):
            place = place[step]
            entered = isinstance(place, Mapping)
        found.append(step)
    return found


def explained(error: ValidationError, tree: Any) -> ModelError:
    """All errors of pydantic as sentences."""
    found = list(dict.fromkeys(_sentence(one, tree) for one in error.errors(include_url=False)))
    more = [f"... and {len(found) - SHOWN} more."] if len(found) > SHOWN else []
    return ModelError("\n".join([*found[:SHOWN], *more]))


def _sentence(one: Any, tree: Any) -> str:
    kind, full, value = one["type"], one["loc"], one.get("input")
    path = without_tags(tree, full)
    if kind == "extra_forbidden":
        names = _options(full[:-1])
        return f"{where(tree, path)}: there is no option {path[-1]!r}.{suggestion(path[-1], names)} Options: {', '.join(names)}."
    if kind == "missing":
        return f"{where(tree, path[:-1])}: {path[-1]!r} is missing. Options: {', '.join(_options(full[:-1]))}."
    if kind == "union_tag_not_found":
        return f"{where(tree, path)}: give a `type`, {_one_of(_tags_near(path, full))}; got {short(value)}."
    if kind == "union_tag_invalid":
        names, given = re.findall(r"'([^']*)'", one["ctx"]["expected_tags"]), one["ctx"]["tag"]
        hint = _elsewhere(str(given), names) or suggestion(given, names)
        return f"{where(tree, (*path, 'type'))}: there is no type {short(given)}.{hint} Types: {', '.join(names)}."
    if kind == "literal_error":
        return f"{where(tree, path)}: must be {one['ctx']['expected']}, got {short(value)}."
    if kind == "value_error":
        return f"{where(tree, path)}: {one['ctx']['error']}."
    return f"{where(tree, path)}: {_plain(one, value)}."


def _elsewhere(given: str, names: Sequence[str]) -> str:
    """` 'Bushing' is a force here, in the section forces.` for a type of another section, or an
    empty string.
    """
    from .schema import SECTIONS

    elsewhere = any(given in families()[family] for family in SECTIONS.values())
    if called_here(given, names) and not elsewhere:
        return ""
    for section, family in SECTIONS.items():
        members = families()[family]
        for one in [given] if given in members else called_here(given, members):
            name = "" if one == given else f"called {one!r} here, "
            return f" {short(given)} is {name}a {family}: put it into the section {section!r}."
    return ""


def _plain(one: Any, value: Any) -> str:
    count = one.get("ctx", {})
    if one["type"] in ("too_short", "too_long"):
        least, most = count.get("min_length"), count.get("max_length")
        return f"must have {least or most} values, got {count['actual_length']}: {short(value)}"
    words = {
        "list_type": "must be a list",
        "dict_type": "must be a mapping of names",
        "model_type": "must be a mapping",
        "model_attributes_type": "must be a mapping",
        "string_type": "must be a text",
        "none_required": "must be left out",
    }
    return f"{words.get(one['type'], one['msg'])}, got {short(value)}"


def _options(path: Sequence[str | int]) -> list[str]:
    """The options at a path of pydantic: of the object named last, of a marker, or of the file."""
    from .marker import Marker
    from .schema import SECTIONS, model_file

    named, family = _last_named(path)
    if family == "place":
        return list(Marker.model_fields)
    if family in families() and len(families()[family]) == 1:
        named = next(iter(families()[family].values()))
    if (
        named is None
        and len(path) > 1
        and len(families().get(SECTIONS.get(str(path[0]), ""), ())) == 1
    ):
        named = next(iter(families()[SECTIONS[str(path[0])]].values()))
    return (
        ["type", *named.options, *named.beside]
        if named is not None
        else list(_at(model_file(), path).model_fields)
    )


def _last_named(path: Sequence[str | int]) -> tuple[Declared | None, str]:
    """The last object named by its type on a path, and the family of its option that follows."""
    known = {name: one for members in families().values() for name, one in members.items()}
    for k in reversed(range(len(path))):
        one = known.get(str(path[k]))
        if one is not None and (k == 0 or path[k - 1] not in known):
            option = (
                {**one.options, **one.beside}.get(str(path[k + 1])) if k + 1 < len(path) else None
            )
            return one, "" if option is None else family_of(option.hint)
    return None, ""


def _at(model: Any, path: Sequence[str | int]) -> Any:
    """The pydantic model of the file, of an assembly or of a part of an arm, by the keys of the
    path.
    """
    from .schema import arm, assembly

    if path and path[0] == "arm":
        parts = [str(step) for step in path if step in ("links", "payloads", "closures")]
        return arm().model_fields[parts[0]].annotation.__args__[-1] if parts else arm()
    return assembly() if len(path) > 1 and path[0] == "assemblies" else model


def _tags_near(path: Sequence[str | int], full: Sequence[str | int]) -> list[str]:
    """The types allowed at a path."""
    from .schema import SECTIONS

    family = SECTIONS.get(str(path[0]), "") if len(path) == 2 else _last_named(full)[1]
    return list(families().get(family, ()))


def _one_of(names: Sequence[str]) -> str:
    return f"one of {', '.join(names)}" if names else "such as Sine, Table or Section.circle"
