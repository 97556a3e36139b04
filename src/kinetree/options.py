"""The options of a run, each declared once: its name, what it may be, what it means, and what it is if nobody says.

A formulation or an integrator names the options it has in its line of the catalogue, with a default or range of its own
where that differs. `simulate`, `solve_ode`, `compare`, the command line and its lists read these declarations, and what
the chosen methods do not have is refused here, in one sentence. None means: not given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from numbers import Integral
from typing import Any, NamedTuple, Protocol

from .errors import ModelError, no_such

_USUAL = 1e9  # numbers up to which nothing more need be asked than whether they are in range


@dataclass(frozen=True)
class Option:
    """One option: a number, a whole number, or yes or no."""

    name: str
    type: type
    help: str
    default: Any = None  # None: as the help says
    least: float = -inf
    most: float = inf
    positive: bool = False
    required: bool = False
    several: bool = False  # also several numbers: one per component, or one per event

    def value(self, given: Any, what: str) -> Any:
        """What was given, checked; `what` begins the sentence of a refusal."""
        if self.several and hasattr(given, "__len__") and not isinstance(given, (str, dict)):
            if getattr(getattr(given, "dtype", None), "kind", "") == "f" and self._all_right(given):
                return given
            return [self._checked(one, what) for one in given]
        return self._checked(given, what)

    def _all_right(self, given: Any) -> bool:
        """An array of numbers at once; if any is wrong, the sentence is made one by one."""
        least, most = (float(given.min()), float(given.max())) if given.ndim == 1 and len(given) else (-inf, inf)
        return self.least <= least and most <= self.most and -inf < least and most < inf and (least > 0.0 or not self.positive)

    def _checked(self, given: Any, what: str) -> Any:
        least, most = max(self.least, 0.0 if self.positive else -_USUAL), min(self.most, _USUAL)
        if type(given) is float is self.type and least < given < most:  # what is usual, without ado
            return given
        from .frames import number  # stands on NumPy, which the command line loads only when it computes

        if self.type is bool:
            if not isinstance(given, bool):
                raise ModelError(f"{what} must be True or False, got {given!r}.")
            return given
        if self.type is int and (isinstance(given, bool) or not isinstance(given, Integral)):
            raise ModelError(f"{what} must be a whole number, got {given!r}.")
        found = self.type(number(given, what, positive=self.positive))
        if not self.least <= found <= self.most:
            raise ModelError(f"{what} must be {self.allowed}, got {given!r}.")
        return found

    @property
    def allowed(self) -> str:
        """The range in words."""
        if self.type is bool:
            return "yes or no"
        if self.most < inf:
            return f"{self.least:g} to {self.most:g}"
        return "positive" if self.positive else f"at least {self.least:g}"

    def __str__(self) -> str:
        if isinstance(self.default, bool):
            return f"{self.name}={'yes' if self.default else 'no'}"
        return self.name if self.default is None else f"{self.name}={self.default:g}"


RTOL = Option("rtol", float, "relative accuracy per step", 1e-8, least=1e-14, most=1.0)
ATOL = Option("atol", float, "absolute accuracy per step; by default rtol, in units of the machine's size and of the "
              "scales of states", positive=True, several=True)
MAX_STEP = Option("max_step", float, "the longest step (s); by default the whole run", positive=True)
FIRST_STEP = Option("first_step", float, "the first step (s); by default found from the motion", positive=True)
STEP = Option("step", float, "the length of its fixed steps (s)", positive=True, required=True)
ORDER = Option("order", int, "the order of the method, the highest where it varies", least=1)
THRESHOLD = Option("threshold", float, "L (1/s) from which the machine is stiff", 1500.0, positive=True)  # [Han1994, sec. 4.5]
CALIBRATE = Option("calibrate", bool, "whether measured costs may move the threshold", True)
BREAKPOINTS = Option("breakpoints", float, "times (s) at which a step must end, besides those that the time functions of the "
                     "model know", several=True)
MAX_STEPS = Option("max_steps", int, "accepted steps after which the run ends and says what holds it up; by default a million, "
                   "or 2000 per sample if that is more, and no limit with fixed steps", least=1)
TIME_LIMIT = Option("time_limit", float, "seconds of the clock after which the run ends and says what holds it up; by default "
                    "none", positive=True)
STABILISATION = Option("stabilisation", float, "alpha = beta (1/s), how fast violations decay", 20.0, least=0.0)

SPARSE = Option("sparse", bool, "whether the equations, and the steps of implicit methods, are solved by sparse factors or in "
                "local bases; by default where that is quicker: in machines with many loops or freedoms")
SPECTRAL_RADIUS = Option("spectral_radius", float, "of its fastest oscillations from step to step: 1 damps nothing, 0 all of it",
                         0.7, least=0.0, most=1.0)
PLANAR = Option("planar", bool, "whether a machine with beams is computed in a plane, with three freedoms a node; by default "
                "where it stays in one across x, y or z")

OPTIONS = (RTOL, ATOL, MAX_STEP, FIRST_STEP, STEP, ORDER, THRESHOLD, CALIBRATE, STABILISATION, SPARSE, BREAKPOINTS, MAX_STEPS,
           TIME_LIMIT, SPECTRAL_RADIUS, PLANAR)


class Method(Protocol):
    """An entry of a catalogue of methods."""

    @property
    def name(self) -> str: ...

    @property
    def options(self) -> tuple[Option, ...]: ...


class Choice(NamedTuple):
    """The method chosen of a catalogue; `kind` is what one calls such a method."""

    kind: str
    method: Method
    catalogue: Sequence[Method]


def values(given: Mapping[str, Any], *choices: Choice, beside: Iterable[str] = ()) -> dict[str, Any]:
    """Every option of the chosen methods by name: as given, checked, or the default. Anything else is refused.

    `beside` names what else the caller understands, to find what a misspelt name may have meant.
    """
    given = {name: value for name, value in given.items() if value is not None}
    found = {option.name: option.default for choice in choices for option in choice.method.options}
    for name in given:
        if name not in found:
            raise _refusal(name, choices, beside)
    for choice in choices:
        for option in choice.method.options:
            if option.name in given or option.required:
                found[option.name] = _value(option, choice, given)
    return found


def has(method: Method, name: str) -> bool:
    """Whether a method has an option of that name."""
    return any(option.name == name for option in method.options)


def _value(option: Option, choice: Choice, given: Mapping[str, Any]) -> Any:
    """What was given, checked; an option that is required and not given is asked for."""
    who = f"{choice.kind} {choice.method.name!r}"
    if option.name in given:
        return option.value(given[option.name], f"{who}: {option.name}")
    raise ModelError(f"{who} needs {option.name}=, {option.help}.")


def _refusal(name: str, choices: Sequence[Choice], beside: Iterable[str]) -> ModelError:
    """Which method has no such option, what it has instead, and who has it."""
    for choice in choices:
        owners = [method.name for method in choice.catalogue if has(method, name)]
        if owners:
            own = ", ".join(map(str, choice.method.options)) or "none"
            return ModelError(f"{choice.kind} {choice.method.name!r} has no option {name!r}; its options: {own}. "
                              f"{choice.kind.capitalize()}s with {name!r}: {', '.join(owners)}.")
    return no_such("option", name, [*known(choices), *beside])


def known(choices: Iterable[Choice]) -> list[str]:
    """Names of all options of all methods that could have been chosen."""
    return list(dict.fromkeys(o.name for choice in choices for method in choice.catalogue for o in method.options))
