"""Attributes of the objects that functions return: type, unit, shape and meaning.

They come from the Attributes section of the class, and from the docstrings of its properties.
"""

from __future__ import annotations

import inspect
import re
import typing
from functools import cache, cached_property
from typing import NamedTuple

from . import docstrings

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
    text = docstrings.read(cls)
    found = {
        name: _attribute(name, kind, about)
        for names, kind, about in text.attributes
        for name in names.split(", ")
    }
    for name, member in inspect.getmembers(cls):
        if name not in found and not name.startswith("_") and is_property(member):
            about = docstrings.read(member)
            if about.summary:
                kind = about.returns[0][1] if about.returns else _annotated(member)
                found[name] = _attribute(name, kind, about.summary)
    return list(found.values())


def is_property(member) -> bool:
    return isinstance(member, property | cached_property)


def _attribute(name: str, kind: str, about: str) -> Attribute:
    shape = SHAPE.search(kind) or SHAPE.search(about)
    return Attribute(
        name,
        _type(SHAPE.sub("", kind)),
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


def _type(text: str) -> str:
    """Return a type whose classes have links."""
    known = result_classes()
    return re.sub(
        r"\b[A-Z]\w+\b", lambda m: f"`{shown_name(m[0])}`" if m[0] in known else m[0], text
    )


def listed(cls) -> str:
    """Return all attributes of a class as a definition list."""
    return _definitions(attributes_of(cls)) if isinstance(cls, type) else ""


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
    found, name = attributes_of(cls), shown_name(cls.__name__)
    if len(found) <= MANY:
        return f"Attributes of `{name}`:\n\n{_definitions(found)}"
    named = {n for names, *_ in docstrings.read(cls).attributes for n in names.split(", ")}
    main = _definitions([a for a in found if a.name in named])
    return f"Main attributes; `{name}` lists all of them, and its methods:\n\n{main}"


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
