"""Attributes of the objects that functions return: type, unit, shape and meaning.

They come from the Attributes section of the class, and from the docstrings of its properties.
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Iterator
from functools import cache, cached_property
from typing import NamedTuple

from . import docstrings

UNLISTED = {"with_markers", "with_states"}  # properties of a model for the package itself
MANY = 25  # attributes above which a function lists only those of the Attributes section
SHAPE = re.compile(r",? shape (\([^()]*\)(?: or \([^()]*\))?)")


class Attribute(NamedTuple):
    """One attribute of an object."""

    name: str
    type: str
    unit: str
    shape: str
    text: str


@cache
def result_classes() -> dict[str, type]:
    """Return the classes of results by name: public ones, and those of their parts."""
    import kinetree.api as api
    from kinetree.analysis.comparison.compare import Row
    from kinetree.analysis.comparison.runs import Reference, Run
    from kinetree.description.topology.loops import Loop
    from kinetree.results.beams import BeamMotion
    from kinetree.results.channels import Channel
    from kinetree.results.energy import Budget, EnergyLedger, Momentum
    from kinetree.results.event_record import EventRecord, Events
    from kinetree.results.extremes import Extreme
    from kinetree.results.measured import JointMotion
    from kinetree.results.reactions import Reactions
    from kinetree.results.relative_motion import RelativeMotion
    from kinetree.results.steps import ConstraintError, Steps, Switch

    parts = (
        *(EnergyLedger, Budget, Momentum, ConstraintError, Steps, Switch, Events, EventRecord),
        *(Reactions, BeamMotion, JointMotion, Channel, Extreme, RelativeMotion),
        *(Row, Run, Reference, Loop),
    )
    return {c.__name__: c for c in (*api.RESULTS, api.State, *parts)}


def is_public(name: str) -> bool:
    import kinetree.api as api

    return name in api.__all__


def shown_name(name: str) -> str:
    """Return the name of a class as the pages write it."""
    return f"kt.{name}" if is_public(name) else name


def attributes_of(cls: type) -> list[Attribute]:
    """Return the documented attributes of a class, those of its Attributes section first."""
    found = {name: _attribute(name, kind, about) for name, kind, about in _section(cls)}
    for name, member in inspect.getmembers(cls):
        if name not in found and name not in UNLISTED and name[0] != "_" and is_property(member):
            about = docstrings.read(member)
            if about.summary:
                kind = about.returns[0][1] if about.returns else _annotated(member)
                found[name] = _attribute(name, kind, about.summary)
    return list(found.values())


def _section(cls: type) -> Iterator[tuple[str, str, str]]:
    """Yield the rows of the Attributes sections of a class and of those that it extends."""
    for one in (cls, *(base for base in cls.__mro__[1:] if base in result_classes().values())):
        for names, kind, about in docstrings.read(one).attributes:
            for name in names.split(", "):
                yield name, kind, about


def is_property(member) -> bool:
    return isinstance(member, property | cached_property)


def _attribute(name: str, kind: str, about: str) -> Attribute:
    shape = SHAPE.search(kind) or SHAPE.search(about)
    return Attribute(
        name,
        docstrings.linked_types(SHAPE.sub("", kind)),
        docstrings.unit_of(about),
        shape[1] if shape else "",
        _first_capital(SHAPE.sub("", docstrings.without_unit(about))),
    )


def _first_capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _annotated(member) -> str:
    """The type that a property returns, as it is written in its annotation."""
    function = member.fget if isinstance(member, property) else member.func
    return str(function.__annotations__.get("return", "")).replace("np.ndarray", "ndarray")


def listed(cls) -> str:
    """Return the attributes of a class as a definition list; of many, the main ones."""
    if not isinstance(cls, type):
        return ""
    return _definitions(split(cls)[0])


def others(cls: type) -> str:
    """Return the attributes that `listed` leaves out."""
    return _definitions(split(cls)[1])


def split(cls: type) -> tuple[list[Attribute], list[Attribute]]:
    """Return the main attributes and the others; if there are few, all of them are main ones."""
    found = attributes_of(cls)
    named = {name for name, *_ in _section(cls)}
    if len(found) <= MANY:
        return found, []
    return [a for a in found if a.name in named], [a for a in found if a.name not in named]


def _definitions(found: list[Attribute]) -> str:
    return docstrings.definitions(
        (
            a.name,
            (a.type, f"shape {a.shape}" if a.shape else "", docstrings.unbroken(a.unit)),
            a.text,
        )
        for a in found
    )


def summary(cls: type) -> str:
    """Return the attributes of a result for the page of the function that returns it."""
    main, more = split(cls)
    name = shown_name(cls.__name__)
    lead = f"Main attributes; `{name}` has more, and methods" if more else f"Attributes of `{name}`"
    return f"{lead}:\n\n{_definitions(main)}"


def returned_class(function) -> type | None:
    """Return the result class that a function returns, if it is one."""
    try:
        hint = typing.get_type_hints(function).get("return")
    except (NameError, TypeError):
        hint = None
    known = result_classes()
    if hint is None:  # a name that is only there for type checkers
        note = getattr(function, "__annotations__", {}).get("return", "")
        return known.get(str(note))
    return hint if hint in known.values() else None
