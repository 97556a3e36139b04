"""Pydantic fields from annotations: the values an option accepts, their conversion, and their JSON
schema.

A field consists of parts by kind of value (number, text, list, object, boolean, null). The value in
the file selects the part, and errors refer to that part.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    PlainValidator,
    Tag,
    WithJsonSchema,
    create_model,
)

from .declared import FAMILY_OF, Declared, Option, families, kind_of, units_of
from .marker import Marker
from .reading import (
    a_function,
    a_number,
    a_rotation,
    a_start,
    a_text,
    a_whole,
    an_axis,
    nested_numbers,
    yes_or_no,
)
from .units import looks_like_quantity

QUANTITY = {
    "anyOf": [
        {"type": "number"},
        {"type": "string", "description": "a number with a unit, or ${an expression}"},
    ]
}
TEXT = {"type": "string"}
ROWS = {"type": "array", "items": {"anyOf": [QUANTITY, {"type": "array", "items": QUANTITY}]}}
Parts = dict[str, Any]


def _read(function: Callable, schema: dict) -> Any:
    return Annotated[Any, PlainValidator(function), WithJsonSchema(schema)]


def several(item: Any, **limits: int) -> Any:
    """A list with a number of items within the limits."""
    alias = types.GenericAlias(list, (item,))
    return Annotated[alias, Field(**limits)] if limits else alias  # type: ignore[valid-type, call-overload]


def by_name(item: Any) -> Any:
    """A mapping of names."""
    return types.GenericAlias(dict, (str, item))


@cache
def number_in(units: tuple[str, ...]) -> Any:
    """A number, or text with one of these units (or an equivalent one)."""
    about = {**QUANTITY, "description": f"in {' or '.join(units)}"} if units else QUANTITY
    return _read(partial(a_number, units=tuple(units)), about)


@cache
def vector_in(units: tuple[str, ...]) -> Any:
    return several(number_in(units), min_length=3, max_length=3)


Number = number_in(())
Whole = _read(a_whole, QUANTITY)
Text = _read(a_text, TEXT)
YesOrNo = _read(yes_or_no, {"type": "boolean"})
Function = _read(
    a_function, {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_.]*:[A-Za-z_][A-Za-z0-9_]*$"}
)
Rows = _read(nested_numbers, ROWS)
Vector = vector_in(())
_START = {
    "type": "object",
    "additionalProperties": {"anyOf": [QUANTITY, {"type": "array", "items": QUANTITY}]},
}
_AXIS = {"text": _read(an_axis, {"enum": ["x", "y", "z", "-x", "-y", "-z"]}), "list": Vector}


class FileElement(BaseModel):
    """An object given in a file; `declared` is the class or function it names."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)
    declared: typing.ClassVar[Declared]


class Driven(typing.NamedTuple):
    """Units of the values of a time function and of its variable, a time (s) or a distance (m)."""

    units: tuple[str, ...] = ()
    over: str = "s"

    def numbers(self, kind: str) -> Any:
        """The numbers of a time function by their annotation."""
        slopes, frequency = (
            tuple(f"{unit}/{self.over}" for unit in self.units),
            "Hz" if self.over == "s" else "1/m",
        )
        return number_in(
            {
                "value": self.units,
                "slope": slopes,
                "along": (self.over,),
                "per along": (frequency,),
            }[kind]
        )


# annotations whose numbers are always of one kind
MEASURED = {
    "sides": ("m",),
    "points": ("m",),
    "ring": ("m",),
    "line": ("m",),
    "push": ("N",),
    "couple": ("N m",),
    "travel": ("m",),
    "turning": ("rad",),
}


def _named(name: str, units: tuple[str, ...]) -> Parts:
    """Parts of an annotation (core/quantities.py), its numbers in one of these units."""
    units = units or MEASURED.get(name, ())
    vector, rows = vector_in(units), _read(partial(nested_numbers, units=units), ROWS)
    either: Callable[..., Parts] = lambda over="s": {  # noqa: E731
        "number": number_in(units),
        "object": family("time function", Driven(units, over)),
        "text": Text,
    }
    known: dict[str, Callable[[], Parts]] = {
        "vector": lambda: {"list": vector},
        "axial": lambda: {"list": vector},
        "sides": lambda: {"list": vector},
        "rotation": lambda: {"list": _read(a_rotation, {"type": "array"})},
        "axis": lambda: _AXIS,
        "turn axis": lambda: _AXIS,
        "inertia": lambda: {"list": rows},
        "matrix": lambda: {"list": rows, "number": number_in(units)},
        "across": lambda: {"number": number_in(units), "list": rows},
        "motion": lambda: {**either(), "text": Function},
        "input": either,
        "profile": lambda: {**either("m"), "text": Function},
        "travel": lambda: _three({**either(), "text": Function}),
        "turning": lambda: _three({**either(), "text": Function}),
        "push": lambda: _three(either()),
        "couple": lambda: _three(either()),
        "reference": lambda: {"text": Text},
        "reading": lambda: {"text": Text, "object": family("time function", Driven(units))},
        "start": lambda: {"object": by_name(_joined({"number": Number, "list": several(Number)}))},
        "limits": lambda: {
            "object": by_name(
                several(_joined({"number": Number, "nothing": None}), min_length=2, max_length=2)
            )
        },
        "law": lambda: {"object": family("force law"), "text": Function},
        "line": lambda: {"list": several(vector, min_length=2), "text": Function},
        "ring": lambda: {"list": several(vector)},
        "points": lambda: {"object": by_name(vector)},
        "look": lambda: {"object": family("outline"), "list": several(family("outline"))},
        "place": lambda: {"text": Text, "object": Marker},
        "file": lambda: {"text": Text},
    }
    return known[name]()


def _three(parts: Parts) -> Parts:
    return {"list": several(_joined(parts), min_length=3, max_length=3)}


def parts_of(hint: Any, driven: Driven = Driven()) -> Parts:  # noqa: B008
    """Parts that an annotation allows, by kind of value; `driven` applies to time functions."""
    plain: dict[Any, Parts] = {
        float: {"number": Number},
        int: {"number": Whole},
        bool: {"yes or no": YesOrNo},
        str: {"text": Text},
        type(None): {"nothing": None},
        np.ndarray: {"list": Rows},
        Callable: {"text": Function},
        Sequence: {},
    }
    if hint in plain:
        return plain[hint]
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        kind, units = kind_of(hint), units_of(hint)
        if kind in ("value", "slope", "along", "per along"):
            return {"number": driven.numbers(kind)}
        return {"number": number_in(units)} if kind is None else _named(kind, units)
    if origin in (typing.Union, types.UnionType):
        return {kind: part for one in arguments for kind, part in parts_of(one, driven).items()}
    if origin is Callable:
        return {"text": Function}
    if origin is dict:
        return {"object": by_name(field(arguments[1]))}
    if origin in (tuple, list, Sequence):
        return {"list": _list(origin, arguments, driven)}
    if isinstance(hint, type) and hint in FAMILY_OF:
        return {"object": family(FAMILY_OF[hint])}
    return {"text": Text}  # another thing by its name


def _list(origin: Any, arguments: tuple, driven: Driven) -> Any:
    fixed = origin is tuple and len(arguments) > 1 and arguments[1] is not Ellipsis
    count = {"min_length": len(arguments), "max_length": len(arguments)} if fixed else {}
    return several(field(arguments[0], driven=driven), **count)


def field(hint: Any, nothing: bool = False, driven: Driven = Driven()) -> Any:  # noqa: B008
    """The field type of an annotation; with `nothing`, null selects the default."""
    return _joined({**parts_of(hint, driven), **({"nothing": None} if nothing else {})})


def _joined(parts: Parts) -> Any:
    """Combine parts into one type; the value in the file selects the part."""
    if len(parts) == 1:
        return next(iter(parts.values()))
    tagged = [Annotated[part, Tag(kind)] for kind, part in parts.items()]
    return Annotated[typing.Union[tuple(tagged)], Discriminator(_choice(tuple(parts)))]  # noqa: UP007


def _choice(kinds: tuple[str, ...]) -> Callable[[Any], str]:
    """The part for which a value is meant."""

    def chosen(value: Any) -> str:
        kind = _kind(value)
        if (
            kind == "text"
            and "number" in kinds
            and ("text" not in kinds or looks_like_quantity(value))
        ):
            return "number"
        return kind if kind in kinds else kinds[0]

    return chosen


def _kind(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes or no"
    if isinstance(value, (str, int, float)):
        return "text" if isinstance(value, str) else "number"
    return "list" if isinstance(value, list) else "object"


@cache
def family(name: str, driven: Driven = Driven()) -> Any:  # noqa: B008
    """A member of a family, selected by its `type`; of time functions, those for `driven`."""
    members = tuple(member_model(name, one, driven) for one in families()[name])
    if len(members) == 1:
        return members[0]
    either: Any = typing.Union[members]  # noqa: UP007
    return Annotated[either, Field(discriminator="type")]


@cache
def member_model(family_name: str, member: str, driven: Driven = Driven()) -> type[FileElement]:  # noqa: B008
    """The pydantic model of one member of a family."""
    one = families()[family_name][member]
    alone = len(families()[family_name]) == 1
    fields: dict[str, Any] = {"type": (Literal[one.name], one.name if alone else ...)}
    for option in {**one.options, **one.beside}.values():
        fields[option.name] = (field(option.hint, option.default is None, driven), _default(option))
    if family_name == "joint":
        fields.update(
            {
                name: (_read(partial(a_start, units=units), _START), None)
                for name, units in _labels(one.make).items()
            }
        )
    measured = f" in {', '.join(driven.units)} over {driven.over}" if driven.units else ""
    made = create_model(one.name + measured, __base__=FileElement, __doc__=one.about, **fields)
    made.declared = one
    return made


def _labels(joint: Any) -> dict[str, dict[str, str]]:
    """Units of initial coordinates and speeds of a joint, by label."""
    start = dict(zip(joint.labels, joint.coordinate_units()))
    return {
        "start": start,
        "speed": {label: f"{unit}/s" for label, unit in zip(joint.speeds, joint.units)},
    }


def _default(option: Option) -> Any:
    return ... if option.required else None
