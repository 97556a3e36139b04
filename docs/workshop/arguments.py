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

WORDS = {  # types by tag, for docstrings without types; see kinetree/annotations.py
    "vector": "three numbers",
    "sides": "three lengths",
    "axial": "three numbers",
    "rotation": "rotation",
    "axis": "axis",
    "inertia": "moments or tensor",
    "matrix": "numbers or matrix",
    "across": "numbers",
    "motion": "number, time function or function",
    "input": "number, time function or controller's output",
    "push": "three inputs",
    "couple": "three inputs",
    "travel": "three motions",
    "turning": "three motions",
    "turn axis": "axis",
    "sequence": "axes",
    "reference": "name",
    "start": "numbers by label",
    "law": "law",
    "line": "points or function",
    "ring": "points",
    "points": "points by name",
    "look": "outlines",
    "place": "body or marker",
    "file": "path",
}
PLAIN = ((bool, "yes or no"), (int, "whole number"), (float, "number"), (str, "text"))
QUANTITIES = {
    "vector",
    "sides",
    "axial",
    "inertia",
    "matrix",
    "across",
    "motion",
    "input",
    "push",
    "couple",
    "travel",
    "turning",
}
HANDED_OVER = {
    "parameters",
    "options",
    "scales",
    "states",
    "weights",
    "targets",
    "guess",  # units are the user's own
    "q",
    "v",
    "vdot",
    "y0",
    "motion",
    "terms",
    "hold",
}  # or those of the coordinates
USUAL = {  # what many functions take, said once
    "model": "the machine",
    "name": "what it is called",
    "gravity": "acceleration of gravity (m/s^2)",
    "coordinates": '"relative" or "cartesian"',
    "topology": 'which spanning tree: "auto", "minimum", "dijkstra" or "shallow"',
    "until": "when the run ends (s)",
    "output_interval": "between samples; 500 over the run by default (s)",
    "t": "time, at which time functions are frozen (s)",
    "start": "when the run begins (s)",
    "state": "where the machine is, as `kt.simulate` takes it: by default at its start",
    "slack": "gap that loops may leave open in redundant directions, in sizes of the machine (1)",
    "q": "positions, in the order of an assembly",
    "v": "velocities, in the order of an assembly",
    "vdot": "accelerations, in the order of an assembly",
    "x": "states of elements and controllers",
    "y0": "state at the start",
    "count": "how many are wanted",
    "rtol": "accuracy per step (1)",
    "reference_rtol": "accuracy of the run that others are compared with (1)",
    "path": "of the file",
    "parameters": "values in the place of those of the file, by name",
    "allow_python": "whether functions that a file names may run",
    "flexible": "bodies that bend, by name: how many modes, or kt.Bending",
    "title": "above the picture",
    "options": "of the formulation and the integrator, by name",
    "formulation": "how constraints are treated",
    "integrator": "how time advances",
    "integrators": "names of those to compare",
    "solutions": "one run, or several over each other",
    "spin": "steady angular velocity in world axes (rad/s)",
    "samples": "times at which the state is wanted, or their number (s)",
    "part": "of the loads under which it is bent (1)",
    "origin": "the assembly that it belongs to",
    "intervals": "pieces of the run that are looked at",
}


class Argument(NamedTuple):
    """One argument."""

    name: str
    hint: Any
    default: str
    text: str
    type: str = ""

    @property
    def kind(self) -> str:
        """Type of the parameter, as the docstring states it or from its annotation."""
        if self.type:
            return self.type
        found = list(_inside(self.hint))
        tags = [WORDS[x] for x in found if isinstance(x, str) and x in WORDS]
        return (
            tags[0]
            if tags
            else next(
                (word for kind, word in PLAIN if kind in found),
                "function" if Callable in found else "",
            )
        )

    @property
    def declared(self) -> tuple[str, ...]:
        """Units of its annotation."""
        return next((tuple(x) for x in _inside(self.hint) if isinstance(x, In)), ())

    @property
    def unit(self) -> str:
        said = docstrings.unit_of(self.text) or docstrings.unit_of(USUAL.get(self.name, ""))
        return said or " or ".join(self.declared)

    @property
    def measured(self) -> bool:
        """Whether it is a physical quantity, whose unit must be documented."""
        found = list(_inside(self.hint))
        tags = [part for part in found if isinstance(part, str) and part in WORDS]
        physical = not QUANTITIES.isdisjoint(tags) if tags else float in found
        user_code = not tags and Callable in found
        return bool(self.declared or physical) and self.name not in HANDED_OVER and not user_code


def arguments_of(thing) -> list[Argument]:
    """Parameters of a class or function in order, with their descriptions in its docstring."""
    said = docstrings.read(thing)
    hints = _hints(thing)
    return [
        Argument(
            name,
            hints.get(name),
            _default(p),
            said.arguments.get(name) or USUAL.get(name, ""),
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
        return "{}"
    return f"{type(p.default).__name__}()" if len(text) > 40 else re.sub(r"\.0\b(?!\d)", ".0", text)


def argument_table(thing) -> str:
    """Return the parameters as a table."""
    rows = [
        (
            f"`{a.name}`",
            a.kind,
            a.unit,
            f"`{a.default}`" if a.default else "required",
            docstrings.without_unit(a.text),
        )
        for a in arguments_of(thing)
    ]
    return docstrings.table(("parameter", "type", "unit", "default", "description"), rows)
