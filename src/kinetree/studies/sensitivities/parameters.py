"""Parameters of a derivative: their values, their increments, and the models built with them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...core.checks import items, words
from ...description.model import Model
from ...errors import ModelError, no_such, short
from ...kernel.frames import number
from ...simulation.plan import Plan, plan_of

INCREMENT = 1e-5  # of the size of a parameter: truncation 1e-10, rounding 1e-11


@dataclass(frozen=True)
class Parameter:
    """One parameter: its name, its value, and the size to which its increment refers."""

    name: str
    value: float
    size: float

    @property
    def increment(self) -> float:
        """Change of the value in the two companions."""
        return INCREMENT * self.size


@dataclass(frozen=True)
class Source:
    """Where the models come from: a function of parameters, or one model with initial values."""

    make: Callable[..., Any] | Model
    parameters: tuple[Parameter, ...]
    options: Mapping[str, Any]  # of `simulate`

    def plan(self, changed: Parameter | None = None, by: float = 0.0) -> Plan:
        """The assembled model, with one parameter changed."""
        values = {one.name: one.value for one in self.parameters}
        if changed is not None:
            values[changed.name] = changed.value + by
        options = dict(self.options)
        if isinstance(self.make, Model):
            model = self.make
            options["state"] = {**(options["state"] or {}), **values}
        else:
            model = self.make(**values)
            if isinstance(model, tuple) and len(model) == 2:
                model, options["events"] = model
            if not isinstance(model, Model):
                raise ModelError(
                    f"sensitivities: make(...) returned {short(model)}; it must return a kt.Model, "
                    "or a model and its events."
                )
        return plan_of(model, options, "sensitivities")


def parameters_of(
    make: Callable[..., Any] | Model, given: Any, sizes: Mapping[str, float]
) -> tuple[Parameter, ...]:
    """The parameters with values, from a mapping or, with defaults of `make`, from names."""
    if isinstance(given, str):
        given = (given,)
    if given is not None and not isinstance(given, Mapping):
        listed = items(given, "sensitivities: parameters", "names, or a dict of names and values")
        given = words(listed, "sensitivities: parameters", "length")
    if isinstance(make, Model):
        values = given if isinstance(given, Mapping) else dict.fromkeys(given or ())
    else:
        values = _of_function(make, given)
    if not values:
        raise ModelError(
            "sensitivities: there are no parameters. Give names and values, such as "
            'parameters={"length": 0.5}, for the arguments of make(...).'
        )
    for name in sizes:
        if name not in values:
            raise no_such("parameter", name, list(values), " in `sizes`")
    return tuple(_parameter(name, value, sizes.get(name)) for name, value in values.items())


def _parameter(name: str, value: Any, size: float | None) -> Parameter:
    what = f"sensitivities: parameter {name!r}"
    value = number(value, what)
    if size is None:
        size = abs(value) or 1.0
    return Parameter(name, value, number(size, f"{what}: size", positive=True))


def _of_function(make: Callable[..., Any], given: Any) -> dict[str, Any]:
    if not callable(make):
        raise ModelError(
            "sensitivities: the first argument is a kt.Model, or a function make(...) that returns "
            f"one; got {short(make)}."
        )
    known = inspect.signature(make).parameters
    anything = any(one.kind is one.VAR_KEYWORD for one in known.values())
    defaults = {n: one.default for n, one in known.items() if one.default is not one.empty}
    if given is None:
        given = [n for n, value in defaults.items() if type(value) in (int, float)]
    if isinstance(given, Mapping):
        values = dict(given)
    else:
        values = {name: defaults.get(name) for name in _names(given)}
    for name, value in values.items():
        if name not in known and not anything:
            raise no_such("parameter", name, list(known), f" of {_title(make)}")
        if value is None:
            raise ModelError(
                f"sensitivities: parameter {name!r} of {_title(make)} has no default value. Give "
                f"one: parameters={{{name!r}: ...}}."
            )
    return values


def _names(given: Any) -> Iterable[str]:
    names = list(given)
    if not all(isinstance(name, str) for name in names):
        raise ModelError(
            "sensitivities: parameters are a mapping of names to values, or names; got "
            f"{short(given)}."
        )
    return names


def _title(make: Callable[..., Any]) -> str:
    return f"{getattr(make, '__name__', 'make')}(...)"
