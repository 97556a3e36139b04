"""The parameters of a public class or function: description, type, unit and default."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from kinetree.core.quantities import In

from . import docstrings

QUANTITIES = {  # tags of physical quantities, whose units must be documented
    "vector",
    "sides",
    "axial",
    "inertia",
    "matrix",
    "across",
    "motion",
    "profile",
    "input",
    "push",
    "couple",
    "travel",
    "turning",
}
OTHERS = {"axis", "turn axis", "rotation", "reference", "law", "line", "ring", "look", "file"}
OWN_UNITS = {"parameters", "scales", "states"}  # numbers in units that the user chooses


class Argument(NamedTuple):
    """One parameter."""

    name: str
    hint: Any
    default: str
    text: str
    type: str = ""

    @property
    def declared(self) -> tuple[str, ...]:
        """Units of its annotation."""
        return next((tuple(x) for x in _inside(self.hint) if isinstance(x, In)), ())

    @property
    def unit(self) -> str:
        """Unit in its description, or else that of its annotation."""
        return docstrings.unit_of(self.text) or " or ".join(self.declared)

    @property
    def measured(self) -> bool:
        """Whether it is a physical quantity, whose unit must be documented."""
        found = list(_inside(self.hint))
        tags = [part for part in found if isinstance(part, str) and part in QUANTITIES | OTHERS]
        physical = not QUANTITIES.isdisjoint(tags) if tags else float in found
        user_code = not tags and Callable in found
        return bool(self.declared or physical) and self.name not in OWN_UNITS and not user_code


def arguments_of(thing) -> list[Argument]:
    """Parameters of a class or function in order, with their descriptions in its docstring."""
    said = docstrings.read(thing)
    hints = _hints(thing)
    return [
        Argument(
            name,
            hints.get(name),
            _default(p),
            said.arguments.get(name, ""),
            said.types.get(name, ""),
        )
        for name, p in _parameters(thing).items()
        if name not in ("self", "cls")
    ]


def _hints(thing) -> dict[str, Any]:
    """Annotations of the parameters, with their metadata."""
    maker = (
        thing.__init__
        if isinstance(thing, type) and "__init__" in vars(thing) and not is_dataclass(thing)
        else thing
    )
    try:
        return get_type_hints(maker, include_extras=True)
    except NameError:  # a name that is only there for type checkers: each annotation by itself
        return {
            name: _evaluated(note, maker) for name, note in inspect.get_annotations(maker).items()
        }


def _evaluated(note: Any, maker) -> Any:
    try:
        return eval(note, vars(sys.modules[maker.__module__])) if isinstance(note, str) else note
    except NameError:
        return None


def _inside(hint: Any) -> Iterator[Any]:
    """Yield an annotation and all its parts: types, tags, units."""
    yield getattr(hint, "__origin__", None) if get_origin(hint) is Callable else hint
    yield from getattr(hint, "__metadata__", ())
    if get_origin(hint) is Annotated:
        yield from _inside(hint.__origin__)
    elif get_origin(hint) is Callable:
        yield Callable
    else:
        for part in get_args(hint):
            yield from _inside(part)


def _parameters(thing) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(thing).parameters)
    except (TypeError, ValueError):  # errors and modules take none
        return {}


def signature(name: str, thing) -> str:
    """Return the call in one line; optional parameters are shown with their defaults."""
    parts, named = [], False
    for p in _parameters(thing).values():
        if p.kind is p.KEYWORD_ONLY and not named:
            parts.append("*")
            named = True
        stars = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        named |= p.kind is p.VAR_POSITIONAL
        parts.append(stars + p.name + (f"={_default(p)}" if p.default is not p.empty else ""))
    return f"{name}({', '.join(part for part in parts if part != 'self')})"


def _default(p: inspect.Parameter) -> str:
    if p.default is p.empty:
        return ""
    text = repr(p.default)
    if "<factory>" in text:
        return "{}" if str(p.annotation).startswith("dict") else "computed"
    return f"{type(p.default).__name__}()" if len(text) > 40 else re.sub(r"\.0\b(?!\d)", ".0", text)


def argument_list(thing) -> str:
    """Return the documented parameters as a definition list: type, unit, default, meaning."""
    return docstrings.definitions(
        (
            a.name,
            (docstrings.linked_types(a.type), docstrings.unbroken(a.unit), _written(a.default)),
            docstrings.without_unit(a.text),
        )
        for a in arguments_of(thing)
        if a.text and a.name not in _options(thing)
    )


def options_of(thing) -> str:
    """Return the options of methods among the parameters, which have a page of their own."""
    names = [f"`{a.name}`" for a in arguments_of(thing) if a.name in _options(thing)]
    if not names:
        return ""
    about = "[Options](../options.md) of the formulation and of the integrator"
    return f"{about}, with type, unit, default and meaning: {', '.join(names)}."


def _options(thing) -> frozenset[str]:
    """Names of the options of methods, for functions that take all of them by name."""
    from kinetree.options import OPTIONS

    names = frozenset(option.name for option in OPTIONS)
    return names if names <= set(_parameters(thing)) else frozenset()


def _written(default: str) -> str:
    return f"default `{default}`" if default else "required"
