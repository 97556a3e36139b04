"""The options of a run, each declared once: its name, what it may be, what it means, and what it is
if nobody says.

A formulation or an integrator names the options it has in its line of the catalogue, with a default
or range of its own where that differs. `simulate`, `solve_ode`, `compare`, the command line and its
lists read these declarations, and what the chosen methods do not have is refused here, in one
sentence. None means: not given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any, NamedTuple, Protocol

from .errors import ModelError, no_such, short

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
        if (
            self.several
            and isinstance(given, Iterable)
            and not isinstance(given, str)
            and getattr(given, "ndim", 1) > 0
        ):
            from .checks import row

            return [
                self._checked(one, what)
                for one in row(given, what, "a number or several in a list")
            ]
        return self._checked(given, what)

    def usual(self, given: Any) -> bool:
        """Whether that is a float, or an array of them, of which nothing more need be asked."""
        if type(given) is float:
            return self.type is float and self._above < given < self._below
        if (
            not self.several
            or getattr(getattr(given, "dtype", None), "char", "") != "d"
            or given.ndim != 1
            or not len(given)
            or (hasattr(given, "mask"))
        ):
            return False
        numbers = (
            given.tolist()
        )  # of few, which is usual, quicker than what NumPy has; the sum tells of one that is none
        return self._above < min(numbers) and max(numbers) < self._below and sum(numbers) < inf

    @cached_property
    def _above(self) -> float:
        return max(self.least, 0.0 if self.positive else -_USUAL)

    @cached_property
    def _below(self) -> float:
        return min(self.most, _USUAL)

    def _checked(self, given: Any, what: str) -> Any:
        if type(given) is float and self.usual(given):
            return given
        from .checks import (
            flag,
            number,
            whole,
        )  # stands on NumPy, which the command line loads only when it computes

        if self.type is bool:
            return flag(given, what)
        found = (
            whole(given, what) if self.type is int else number(given, what, positive=self.positive)
        )
        if not self.least <= found <= self.most:
            raise ModelError(f"{what} must be {self.allowed}, got {short(given)}.")
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
ATOL = Option(
    "atol",
    float,
    "absolute accuracy per step; by default rtol, in units of the machine's size and of the "
    "scales of states",
    positive=True,
    several=True,
)
MAX_STEP = Option(
    "max_step",
    float,
    "the longest step (s); by default the whole run, or past user code a 500th of it",
    positive=True,
)
FIRST_STEP = Option(
    "first_step", float, "the first step (s); by default found from the motion", positive=True
)
STEP = Option("step", float, "the length of its fixed steps (s)", positive=True, required=True)
ORDER = Option("order", int, "the order of the method, the highest where it varies", least=1)
THRESHOLD = Option(
    "threshold", float, "L (1/s) from which the machine is stiff", 1500.0, positive=True
)  # [Han1994, sec. 4.5]
CALIBRATE = Option("calibrate", bool, "whether measured costs may move the threshold", True)
LINEARIZE_EVERY = Option(
    "linearize_every",
    float,
    "seconds between linearizations: the switching method as printed, with L of "
    "the whole Jacobian at these times, BDF from `threshold` on and Adams below it, whatever they "
    "cost; by default L is estimated as the run goes",
    positive=True,
)
BREAKPOINTS = Option(
    "breakpoints",
    float,
    "times (s) at which a step must end, besides those that the time functions of the model know",
    several=True,
)
MAX_STEPS = Option(
    "max_steps",
    int,
    "accepted steps after which the run ends and says what holds it up; by default a million, "
    "or 2000 per sample if that is more, and no limit with fixed steps",
    least=1,
)
TIME_LIMIT = Option(
    "time_limit",
    float,
    "seconds of the clock after which the run ends and says what holds it up; by default none",
    positive=True,
)
STABILISATION = Option(
    "stabilisation", float, "alpha = beta (1/s), how fast violations decay", 20.0, least=0.0
)
CLOSURE = Option(
    "closure",
    float,
    "error (m, and m/s of velocities) of the constraints up to which a state is left as it is "
    "after a step, angles at the size of the machine; 0: it is corrected to rounding",
    0.0,
    least=0.0,
)

SPARSE = Option(
    "sparse",
    bool,
    "whether the equations, and the steps of implicit methods, are solved by sparse factors or in "
    "local bases; by default where that is quicker: in machines with many loops or freedoms",
)
SPECTRAL_RADIUS = Option(
    "spectral_radius",
    float,
    "of its fastest oscillations from step to step: 1 damps nothing, 0 all of it",
    0.7,
    least=0.0,
    most=1.0,
)
PLANAR = Option(
    "planar",
    bool,
    "whether a machine with beams is computed in a plane, with three freedoms a node; by default "
    "where it stays in one across x, y or z",
)
PRINTED = Option(
    "printed",
    bool,
    "springs as [Yun2005] prints them, with forces half-way through the step; conserves no energy. "
    "'trapezoidal': eqs. (37a), (40), the midpoint rule; 'energy-conserving': eqs. (39), also with "
    "half the moment of springs on an angle",
    False,
)
HISTORY = Option(
    "history",
    bool,
    "beams carry the frame and the strain of each element from step to step, as in [Yun2005, eq. "
    "(25)]; these drift away from the frames of the nodes and the shape of the beam",
    False,
)
CONVECTED = Option(
    "convected",
    bool,
    "velocities of mass centers in body axes, as in [Yun2005, eq. (25)], with the masses of beams "
    "lumped at nodes; angular momentum is not conserved",
    False,
)

OPTIONS = (
    RTOL,
    ATOL,
    MAX_STEP,
    FIRST_STEP,
    STEP,
    ORDER,
    THRESHOLD,
    CALIBRATE,
    LINEARIZE_EVERY,
    STABILISATION,
    CLOSURE,
    SPARSE,
    BREAKPOINTS,
    MAX_STEPS,
    TIME_LIMIT,
    SPECTRAL_RADIUS,
    PLANAR,
    PRINTED,
    HISTORY,
    CONVECTED,
)


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


def values(
    given: Mapping[str, Any], *choices: Choice, beside: Iterable[str] = ()
) -> dict[str, Any]:
    """Every option of the chosen methods by name: as given, checked, or the default. Anything else
    is refused.

    `beside` names what else the caller understands, to find what a misspelt name may have meant.
    """
    found: dict[str, Any] = {}
    for choice in choices:
        for option in choice.method.options:
            name = option.name
            value = given.get(name)
            if value is None and not option.required:
                found[name] = option.default
            elif option.usual(value):
                found[name] = value
            else:
                _refuse_others(given, choices, beside)
                found[name] = _value(option, choice, value)
    if not given.keys() <= found.keys():
        _refuse_others(given, choices, beside)
    return found


def has(method: Method, name: str) -> bool:
    """Whether a method has an option of that name."""
    return any(option.name == name for option in method.options)


def _refuse_others(
    given: Mapping[str, Any], choices: Sequence[Choice], beside: Iterable[str]
) -> None:
    """Refuse a name that none of the chosen methods has."""
    for name, value in given.items():
        if value is not None and not any(has(choice.method, name) for choice in choices):
            raise _refusal(name, choices, beside)


def _value(option: Option, choice: Choice, given: Any) -> Any:
    """What was given, checked; an option that is required and not given is asked for."""
    who = f"{choice.kind} {choice.method.name!r}"
    if given is not None:
        return option.value(given, f"{who}: {option.name}")
    raise ModelError(f"{who} needs {option.name}=, {option.help}.")


def _refusal(name: str, choices: Sequence[Choice], beside: Iterable[str]) -> ModelError:
    """Which method has no such option, what it has instead, and who has it."""
    for choice in choices:
        owners = [method.name for method in choice.catalogue if has(method, name)]
        if owners:
            own = ", ".join(map(str, choice.method.options)) or "none"
            return ModelError(
                f"{choice.kind} {choice.method.name!r} has no option {name!r}; its options: {own}. "
                f"{choice.kind.capitalize()}s with {name!r}: {', '.join(owners)}."
            )
    return no_such("option", name, [*known(choices), *beside])


def known(choices: Iterable[Choice]) -> list[str]:
    """Names of all options of all methods that could have been chosen."""
    return list(
        dict.fromkeys(
            o.name for choice in choices for method in choice.catalogue for o in method.options
        )
    )
