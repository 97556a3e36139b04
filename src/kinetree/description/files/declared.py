"""Declaration of model files, derived from the catalogues and from signatures with annotations.

A family is a set of classes of which a file names one by `type`: a joint, a time function, a tyre
law. Names and options are those of the API; there is no second list.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from ...core.quantities import In
from ...elements.constraints.catalogue import CONSTRAINTS, COUPLINGS
from ...elements.controllers.controller import Controller
from ...elements.forces.beam import BeamForce
from ...elements.forces.catalogue import FORCES
from ...elements.forces.contact_group import ContactGroup
from ...elements.forces.contact_law import ContactLaw
from ...elements.forces.laws import Characteristic, Polynomial
from ...elements.forces.valve import Valve
from ...elements.joints.catalogue import JOINTS
from ...elements.roads import Block, HalfRound, Obstacle, Road, random_road
from ...elements.sections import Section
from ...elements.shapes.catalogue import SHAPES as CONTACT_SHAPES
from ...elements.shapes.contract import Placed, Shape
from ...elements.signals.catalogue import SIGNALS
from ...elements.signals.contract import Signal
from ...elements.tyres.catalogue import LAWS
from ...elements.tyres.contract import TyreLaw
from ..look import LOOKS
from ..model import Model
from ..shapes import SHAPES
from ..solids import solid


class Option(NamedTuple):
    """One option of a declared class or function."""

    name: str
    hint: Any
    required: bool
    default: Any = None
    several: bool = False  # *args: a list in files


class Declared(NamedTuple):
    """A class or function that a file may name: its name, its options, and other keys beside them."""

    name: str
    make: Callable
    options: dict[str, Option]
    beside: dict[str, Option]
    about: str


def options_of(make: Callable, without: tuple[str, ...] = ()) -> dict[str, Option]:
    """The options of a class or function, from its signature."""
    hints = typing.get_type_hints(make, include_extras=True)
    found = {}
    for p in inspect.signature(make).parameters.values():
        if p.name in ("self", *without):
            continue
        several = p.kind is inspect.Parameter.VAR_POSITIONAL
        hint = hints.get(p.name, Any)
        if several and not inspect.isclass(make):
            hint = list[hint]  # type: ignore[valid-type]
        found[p.name] = Option(
            p.name, hint, p.default is p.empty and not several, p.default, several
        )
    return found


def summary_of(make: Any) -> str:
    """The first paragraph of a docstring, on one line."""
    return (inspect.getdoc(make) or "").partition("\n\n")[0].replace("\n", " ")


def _declared(make: Any, name: str = "", beside: dict[str, Option] | None = None) -> Declared:
    about = summary_of(make)
    own = options_of(make)
    return Declared(
        name or make.__name__,
        make,
        own,
        {k: o for k, o in (beside or {}).items() if k not in own},
        about,
    )


@cache
def families() -> dict[str, dict[str, Declared]]:
    """All families by name; their members by the name that files give as `type`."""
    at_markers = options_of(Model.force, ("name", "spec"))
    of_contact = options_of(Model.contact, ("name", "law"))
    on_body = {"on": options_of(Shape.on)["place"]._replace(name="on")}
    body = options_of(Model.body, ("name", "properties"))
    joint = options_of(Model.joint, ("name", "joint"))
    beam = Declared(
        "beam", Model.beam, options_of(Model.beam, ("name",)), {}, summary_of(Model.beam)
    )
    flexible = Declared(
        "flexible",
        Model.flexible,
        options_of(Model.flexible, ("name",)),
        {},
        summary_of(Model.flexible),
    )
    found = {
        "body": [
            *(_declared(shape, beside=body) for shape in (*SHAPES, solid)),
            beam,
            flexible,
        ],
        "joint": [_declared(entry.joint, beside=joint) for entry in JOINTS],
        "constraint": [_declared(make, beside=at_markers) for make in (*CONSTRAINTS, *COUPLINGS)],
        "force": [
            _declared(entry.force, beside={} if entry.force is ContactGroup else at_markers)
            for entry in FORCES
            if entry.force is not BeamForce and not issubclass(entry.force, ContactLaw)
        ],
        "contact": [
            _declared(entry.force, beside=of_contact)
            for entry in FORCES
            if issubclass(entry.force, ContactLaw)
        ],
        "controller": [_declared(Controller)],
        "time function": [_declared(signal) for signal, _ in SIGNALS],
        "force law": [_declared(Polynomial), _declared(Characteristic)],
        "tyre law": [_declared(law) for law, _ in LAWS],
        "road": [_declared(Road), _declared(random_road)],
        "contact shape": [_declared(shape, beside=on_body) for shape in CONTACT_SHAPES],
        "obstacle": [_declared(HalfRound), _declared(Block)],
        "valve": [_declared(Valve)],
        "section": [_declared(Section), *_sections()],
        "outline": [_declared(look) for look in LOOKS],
    }
    return {family: {one.name: one for one in members} for family, members in found.items()}


FAMILY_OF: dict[type, str] = {
    Signal: "time function",
    TyreLaw: "tyre law",
    Road: "road",
    Obstacle: "obstacle",
    Placed: "contact shape",
    Shape: "contact shape",
    Valve: "valve",
    Section: "section",
}


# of annotations
KIND_FAMILY = {
    **dict.fromkeys(
        ("motion", "profile", "travel", "turning", "input", "push", "couple", "reading"),
        "time function",
    ),
    "law": "force law",
    "look": "outline",
    "place": "place",
}


@cache
def kind_of(hint: Any) -> str | None:
    """The annotation (core/quantities.py) of an option, also within a list or a choice."""
    if typing.get_origin(hint) is typing.Annotated:
        return next((one for one in typing.get_args(hint)[1:] if not isinstance(one, In)), None)
    if hint is Callable or typing.get_origin(hint) is Callable:
        return "function"
    found = [kind_of(one) for one in typing.get_args(hint) if one is not Ellipsis]
    return next((kind for kind in found if kind), None)


def units_of(hint: Any) -> tuple[str, ...]:
    """The units of the numbers of an annotation."""
    about = typing.get_args(hint)[1:] if typing.get_origin(hint) is typing.Annotated else ()
    return next((one for one in about if isinstance(one, In)), ())


def family_of(hint: Any) -> str:
    """The family of objects that an option accepts, or an empty string."""
    classes = [
        one for one in (hint, *typing.get_args(hint)) if isinstance(one, type) and one in FAMILY_OF
    ]
    return FAMILY_OF[classes[0]] if classes else KIND_FAMILY.get(kind_of(hint) or "", "")


def _sections() -> list[Declared]:
    """Other ways to give a section: `Section.circle` and the like."""
    makers = inspect.getmembers(
        Section, lambda one: inspect.ismethod(one) and not one.__name__.startswith("_")
    )
    return [_declared(make, f"Section.{name}") for name, make in makers]
