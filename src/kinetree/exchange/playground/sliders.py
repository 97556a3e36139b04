"""Sliders of a page, and the function that makes the model for their values.

A slider sets a parameter of the function or file that makes the model, the start value of a joint
coordinate ("hinge.angle") or of its rate ("hinge.angle.rate"), or an input (`kt.Input`) by its name.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...assembly.build import build
from ...core.checks import a_path, mapping
from ...description.element import Element
from ...description.model import Model
from ...elements.forces.bushing import Bushing
from ...elements.signals.input import Input
from ...errors import KinetreeError, ModelError, no_such, short
from ...studies.parameters.source import Source, reason, source_of

PARAMETER, START, INPUT = "parameter", "start", "input"
POINTER = "pointer of the page"  # the spring by which the mouse pulls at a body


@dataclass(frozen=True)
class Slider:
    """A number that the reader of a page can change, from `low` to `high`."""

    name: str
    low: float
    high: float
    value: float
    unit: str
    kind: str = PARAMETER
    start: tuple[str, str, bool] | None = None  # joint, label, whether it is a rate


@dataclass(frozen=True)
class Sliders:
    """All sliders of a page, and the source of its models."""

    source: Source
    fixed: Mapping[str, Any]
    all: tuple[Slider, ...]

    @property
    def low(self) -> dict[str, float]:
        return {one.name: one.low for one in self.all}

    @property
    def high(self) -> dict[str, float]:
        return {one.name: one.high for one in self.all}

    def plain(self, **values: float) -> Model:
        """The model for values of the sliders."""
        named = {one.name: values.get(one.name, one.value) for one in self.all}
        own = {one.name: named[one.name] for one in self.all if one.kind == PARAMETER}
        model = self.source({**self.fixed, **own})
        return _with_starts(model, [(one.start, named[one.name]) for one in self.all if one.start])

    def __call__(self, **values: float) -> Model:
        """The same model with the spring of the pointer, which exerts no force."""
        model = self.plain(**values)
        body = next(iter(model.bodies.values()), None)
        if body is None or POINTER in model.forces:
            raise ModelError(f"a page needs a model with bodies, and {model.name!r} has none.")
        spring = Element(POINTER, Bushing(), (model.ground.at(0, 0, 0), body.at(0, 0, 0)))
        return model.variant(forces={POINTER: spring, **model.forces})


def sliders_of(given: Any, sliders: Any, fixed: Mapping[str, Any] | None) -> Sliders:
    """Check the sliders of a page."""
    if isinstance(given, Model):
        source = Source(lambda: given, {}, (), f"model {given.name!r}", "")
    elif callable(given):
        source = source_of(given)
    elif isinstance(given, (str, os.PathLike)):
        path = a_path(given, "playground: the model")
        if not os.path.isfile(path):
            raise ModelError(f"playground: there is no model file {short(str(path))}.")
        source = source_of(path)
    else:
        raise ModelError(
            "playground: give a model, a function that returns one, or the path of a model file, got "
            f"{short(given)}."
        )
    fixed = dict(mapping({} if fixed is None else fixed, "playground: fixed", "{'length': 0.5}"))
    source.check(fixed)
    ranges = mapping(
        {} if sliders is None else sliders, "playground: sliders", "{'length': (0.2, 1.0)}"
    )
    model = _first(source, {**_needed(source, ranges), **fixed})
    found = tuple(_slider(name, one, source, fixed, model) for name, one in ranges.items())
    return Sliders(source, fixed, found)


def _first(source: Source, values: Mapping[str, Any]) -> Model:
    """The model for the first values; what a function raises becomes part of a sentence."""
    try:
        return source(values)
    except KinetreeError:
        raise
    except Exception as error:
        raise ModelError(f"playground: {source.what} failed: {reason(error)}.") from error


def _needed(source: Source, ranges: Mapping[str, Any]) -> dict[str, float]:
    """Values of the parameters without a default: the middle of their ranges."""
    return {
        name: float(np.mean(_range(name, ranges[name])[:2]))
        for name in source.required()
        if name in ranges
    }


def _slider(
    name: str, given: Any, source: Source, fixed: Mapping[str, Any], model: Model
) -> Slider:
    low, high, *value = _range(name, given)
    start, kind = None, PARAMETER
    inputs = _inputs(model)
    free = source.names is None and "." not in name and name not in inputs
    if name in (source.names or ()) or free:
        default, unit = source.defaults.get(name, 0.5 * (low + high)), ""
        if name in fixed:
            raise ModelError(f"playground: {name!r} is a slider and has a fixed value, too.")
    elif name in inputs:
        kind, default, unit = INPUT, inputs[name].start, inputs[name].unit
    else:
        kind = START
        start, default, unit = _start(name, source, model, tuple(inputs))
    chosen = value[0] if value else default
    if isinstance(chosen, bool) or not isinstance(chosen, (int, float, np.number)):
        raise ModelError(
            f"playground: slider {name!r} needs a number, and its default value is {short(chosen)}. "
            "Give three numbers: (lowest, highest, first)."
        )
    if not low <= chosen <= high:
        raise ModelError(
            f"playground: the value {chosen:g} of slider {name!r} is outside of its range from "
            f"{low:g} to {high:g}."
        )
    return Slider(name, low, high, float(chosen), unit, kind, start)


def _range(name: str, given: Any) -> list[float]:
    try:
        numbers = [float(x) for x in given]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) not in (2, 3) or not np.isfinite(numbers).all() or numbers[0] >= numbers[1]:
        raise ModelError(
            f"playground: slider {name!r} needs its lowest and highest value, such as (0.2, 1.0), or "
            f"(lowest, highest, first); got {short(given)}."
        )
    return numbers


def _start(
    name: str, source: Source, model: Model, inputs: tuple[str, ...]
) -> tuple[tuple[str, str, bool], float, str]:
    """The start value of a slider: its joint and label, its value in the model, and its unit."""
    known = {}
    for joint in model.joints.values():
        units = dict(zip(joint.joint.labels, joint.joint.coordinate_units()))
        for label in joint.joint.scalars:
            known[f"{joint.name}.{label}"] = (
                (joint.name, label, False),
                float(joint.start.get(label, 0.0)),
                units[label],
            )
        for label, unit in zip(joint.joint.speeds, joint.joint.units):
            known[f"{joint.name}.{label}.rate"] = (
                (joint.name, label, True),
                float(joint.speed.get(label, 0.0)),
                f"{unit}/s",
            )
    if name not in known:
        raise no_such(
            "slider",
            name,
            (*(source.names or ()), *inputs, *known),
            f": it is no parameter of {source.what}, no input, and no start value of a joint",
        )
    return known[name]


def _inputs(model: Model) -> dict[str, Input]:
    """The inputs of a model by name."""
    signals = build(model, "relative", "auto").signals
    return {one.name: one for one in signals if isinstance(one, Input)}


def _with_starts(model: Model, values: list[tuple[tuple[str, str, bool], float]]) -> Model:
    """The model with other start values."""
    joints = dict(model.joints)
    for (joint, label, rate), value in values:
        if joint not in joints:
            raise ModelError(f"playground: the joint {joint!r} depends on a slider.")
        spec = joints[joint]
        if rate:
            joints[joint] = replace(spec, speed={**spec.speed, label: value})
        else:
            joints[joint] = replace(spec, start={**spec.start, label: value})
    return model.variant(joints=joints) if values else model
