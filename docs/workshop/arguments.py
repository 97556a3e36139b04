"""The arguments of a class or function of the public names: what each is, its unit, what it is if nobody says."""

from __future__ import annotations

import inspect
import re
from typing import NamedTuple

from . import docstrings

WORDS = {  # annotations of users' arguments in words; see kinetree/annotations.py
    "Vector": "three numbers", "Sides": "three lengths", "Axial": "three numbers", "Rotation": "rotation", "Axis": "axis",
    "Inertia": "moments or tensor", "Matrix": "numbers or matrix", "Motion": "number, time function or function",
    "Input": "number, time function or controller's output", "Push": "three inputs", "Couple": "three inputs",
    "Reference": "name", "Start": "numbers by label", "ForceLaw": "law", "Line": "points or function", "Ring": "points",
    "Points": "points by name", "Look": "outlines", "Place": "body or marker", "File": "path", "float": "number",
    "int": "whole number", "bool": "yes or no", "str": "text", "builtins.float": "number", "Callable": "function"}
MEASURED = re.compile(r"\b(float|Vector|Sides|Axial|Inertia|Matrix|Motion|Input|Push|Couple)\b")
HANDED_OVER = {"parameters", "options", "scales", "states", "weights", "targets", "guess",  # units are the user's own
               "q", "v", "vdot", "y0", "motion"}  # or those of the coordinates
USUAL = {  # what many functions take, said once
    "model": "the machine", "name": "what it is called", "gravity": "acceleration of gravity (m/s^2)",
    "coordinates": '"relative" or "cartesian"',
    "topology": 'which spanning tree: "auto", "minimum", "dijkstra" or "shallow"',
    "until": "when the run ends (s)", "output_interval": "between samples; 500 over the run by default (s)",
    "t": "time, at which time functions are frozen (s)", "start": "when the run begins (s)",
    "state": "where the machine is, as `kt.simulate` takes it: by default at its start",
    "slack": "gap that loops may leave open in redundant directions, in sizes of the machine (1)",
    "q": "positions, in the order of an assembly", "v": "velocities, in the order of an assembly",
    "vdot": "accelerations, in the order of an assembly", "x": "states of elements and controllers",
    "y0": "state at the start", "count": "how many are wanted", "rtol": "accuracy per step (1)",
    "reference_rtol": "accuracy of the run that others are compared with (1)", "path": "of the file",
    "parameters": "values in the place of those of the file, by name",
    "allow_python": "whether functions that a file names may run", "flexible": "bodies that bend, by name: how many modes, or "
    "kt.Bending",
    "title": "above the picture", "options": "of the formulation and the integrator, by name",
    "formulation": "how constraints are treated", "integrator": "how time advances", "integrators": "names of those to compare",
    "solutions": "one run, or several over each other", "spin": "steady angular velocity in world axes (rad/s)",
    "samples": "times at which the state is wanted, or their number (s)", "part": "of the loads under which it is bent (1)",
    "origin": "the assembly that it belongs to", "intervals": "pieces of the run that are looked at"}


class Argument(NamedTuple):
    """One argument."""

    name: str
    annotation: str
    default: str
    text: str

    @property
    def unit(self) -> str:
        return docstrings.unit_of(self.text) or docstrings.unit_of(USUAL.get(self.name, ""))

    @property
    def measured(self) -> bool:
        """Whether it is a physical quantity, which must say its unit."""
        return bool(MEASURED.search(self.annotation)) and self.name not in HANDED_OVER and "Callable" not in self.annotation


def arguments_of(thing) -> list[Argument]:
    """Arguments of a class or function in order, with what its docstring (or that of its base) says of each."""
    said = docstrings.read(thing).arguments
    return [Argument(name, _annotation(p), _default(p), said.get(name) or USUAL.get(name, ""))
            for name, p in _parameters(thing).items() if name not in ("self", "cls")]


def _parameters(thing) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(thing).parameters)
    except (TypeError, ValueError):  # errors and modules take none
        return {}


def signature(name: str, thing) -> str:
    """How it is called, in one line; what may be left out is shown with its default."""
    parts, named = [], False
    for p in _parameters(thing).values():
        if p.kind is p.KEYWORD_ONLY and not named:
            parts.append("*")
            named = True
        stars = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        named |= p.kind is p.VAR_POSITIONAL
        parts.append(stars + p.name + (f"={_default(p)}" if p.default is not p.empty else ""))
    return f"{name}({', '.join(part for part in parts if part != 'self')})"


def _annotation(p: inspect.Parameter) -> str:
    if p.annotation is p.empty:
        return ""
    text = p.annotation if isinstance(p.annotation, str) else getattr(p.annotation, "__name__", str(p.annotation))
    return re.sub(r"Annotated\[Any, '(\w+)'\]", lambda m: m[1].capitalize(), text)


def _default(p: inspect.Parameter) -> str:
    if p.default is p.empty:
        return ""
    text = repr(p.default)
    if "<factory>" in text:
        return "{}"
    return f"{type(p.default).__name__}()" if len(text) > 40 else re.sub(r"\.0\b(?!\d)", ".0", text)


def kind_in_words(annotation: str) -> str:
    """An annotation for readers."""
    if annotation in WORDS:
        return WORDS[annotation]
    words = [WORDS.get(part.strip(), part.strip()) for part in annotation.split("|") if part.strip() != "None"]
    if any("[" in word or "." in word for word in words):
        return "function" if "Callable" in annotation else "numbers" if "float" in annotation else "names"
    return " or ".join(words)


def argument_table(thing) -> str:
    """As a table; nothing where there is nothing to say."""
    rows = [(f"`{a.name}`", docstrings.without_unit(a.text) or kind_in_words(a.annotation), a.unit,
             f"`{a.default}`" if a.default else "must be given") for a in arguments_of(thing)]
    return docstrings.table(("argument", "what it is", "unit", "by default"), rows)
