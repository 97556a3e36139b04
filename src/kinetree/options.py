"""The options of a run, each declared once: name, type, meaning, range and default.

A formulation or an integrator lists the options it has in its line of the catalogue, with a default
or range of its own where that differs. `simulate`, `solve_ode`, `compare`, the command line and its
lists use these declarations. An option that the chosen methods do not have is refused here, in one
sentence. None means that the option was not given.
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
    help: str  # a noun phrase with the unit in brackets, without a full stop
    default: Any = None  # None: as the help says
    least: float = -inf
    most: float = inf
    positive: bool = False
    required: bool = False
    several: bool = False  # also several numbers: one per component, or one per event

    @property
    def annotation(self) -> str:
        """The type in a signature; None means that the option was not given."""
        several = f" | Sequence[{self.type.__name__}]" if self.several else ""
        return f"{self.type.__name__}{several} | None"

    @property
    def description(self) -> str:
        """The help as a sentence, with the default; the same in docstrings and on the command line."""
        default = "" if self.default is None else f"; default {str(self).partition('=')[2]}"
        return f"{self.help[0].upper()}{self.help[1:]}{default}."

    def value(self, given: Any, what: str) -> Any:
        """The given value, checked; `what` begins the sentence of an error."""
        if (
            self.several
            and isinstance(given, Iterable)
            and not isinstance(given, str)
            and getattr(given, "ndim", 1) > 0
        ):
            from .core.checks import row

            return [
                self._checked(one, what)
                for one in row(given, what, "a number or several in a list")
            ]
        return self._checked(given, what)

    def usual(self, given: Any) -> bool:
        """Whether this is a float, or an array of floats, within the range: no further check."""
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
        )  # quicker than NumPy for the few numbers that are usual; the sum is NaN if one of them is
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
        from .core.checks import (  # stands on NumPy, which the command line loads only when it computes
            flag,
            number,
            whole,
        )

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


RTOL = Option("rtol", float, "relative tolerance per step", 1e-8, least=1e-14, most=1.0)
ATOL = Option(
    "atol",
    float,
    "absolute tolerance per step (rad; lengths relative to the size of the model, states of "
    "elements relative to their scale; rates per second); by default the value of rtol",
    positive=True,
    several=True,
)
MAX_STEP = Option(
    "max_step",
    float,
    "longest step (s); by default the whole run, or 1/500 of it if the model has user code that "
    "declares no longest_step",
    positive=True,
)
FIRST_STEP = Option(
    "first_step", float, "first step (s); by default estimated from the motion", positive=True
)
STEP = Option("step", float, "length of the fixed steps (s)", positive=True, required=True)
ORDER = Option("order", int, "order of the method; the highest order if it varies", least=1)
THRESHOLD = Option(
    "threshold",
    float,
    "Lipschitz constant L (1/s) above which the model counts as stiff",
    1500.0,
    positive=True,
)  # [Han1994, sec. 4.5]
CALIBRATE = Option(
    "calibrate", bool, "whether measured costs may change the threshold during the run", True
)
LINEARIZE_EVERY = Option(
    "linearize_every",
    float,
    "interval between linearizations (s), for the switching method as printed: L is the spectral "
    "radius of the Jacobian at these times, and BDF is used wherever L exceeds the threshold; by "
    "default L is estimated during the run",
    positive=True,
)
BREAKPOINTS = Option(
    "breakpoints",
    float,
    "times (s) at which a step must end, in addition to those of the time functions of the model",
    several=True,
)
MAX_STEPS = Option(
    "max_steps",
    int,
    "number of accepted steps after which the run ends with an error that names the stiffest "
    "coordinate; by default 1,000,000, or 2000 per sample if that is more, and no limit with fixed "
    "steps",
    least=1,
)
TIME_LIMIT = Option(
    "time_limit",
    float,
    "wall-clock time (s) after which the run ends with an error that names the stiffest "
    "coordinate; by default no limit",
    positive=True,
)
STABILISATION = Option(
    "stabilisation",
    float,
    "coefficients alpha = beta (1/s) of Baumgarte's method, the rate at which constraint "
    "violations decay",
    20.0,
    least=0.0,
)
CLOSURE = Option(
    "closure",
    float,
    "constraint violation (m and m/s) up to which a state is not projected after a step; 0 "
    "projects to rounding",
    0.0,
    least=0.0,
)

SPARSE = Option(
    "sparse",
    bool,
    "whether the equations and the implicit steps are solved with sparse factorizations; by "
    "default if that is faster, in models with many loops or degrees of freedom",
)
SPECTRAL_RADIUS = Option(
    "spectral_radius",
    float,
    "spectral radius at infinite frequency: 1 damps nothing, 0 removes the fastest oscillations in "
    "one step",
    0.7,
    least=0.0,
    most=1.0,
)
PLANAR = Option(
    "planar",
    bool,
    "whether a model with beams is computed in a plane, with three degrees of freedom per node; by "
    "default if it stays in a plane normal to x, y or z",
)
PRINTED = Option(
    "printed",
    bool,
    "whether springs are those printed in [Yun2005], with forces half-way through the step: eqs. "
    '(39) of "energy-conserving", eqs. (37a), (40) of "trapezoidal". Energy is not conserved',
    False,
)
HISTORY = Option(
    "history",
    bool,
    "whether beams carry the frame and the strain of each element from step to step, as in "
    "[Yun2005, eq. (25)]; they drift away from the frames of the nodes and from the shape of the "
    "beam",
    False,
)
CONVECTED = Option(
    "convected",
    bool,
    "whether velocities of mass centers are in body axes, as in [Yun2005, eq. (25)], with the "
    "masses of beams lumped at nodes; angular momentum is not conserved",
    False,
)
EXACT_FRICTION = Option(
    "exact_friction",
    bool,
    "whether a sliding body stays on its surface instead of being lifted by friction times speed "
    "times step; more iterations, for models with few contacts",
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
    EXACT_FRICTION,
)


class Method(Protocol):
    """An entry of a catalogue of methods."""

    @property
    def name(self) -> str: ...

    @property
    def options(self) -> tuple[Option, ...]: ...


class Choice(NamedTuple):
    """The method chosen from a catalogue; `kind` is the word for such a method in messages."""

    kind: str
    method: Method
    catalogue: Sequence[Method]


def values(given: Mapping[str, Any], *choices: Choice) -> dict[str, Any]:
    """Every option of the chosen methods by name: as given, checked, or the default.

    An option that none of the chosen methods has raises an error.
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
                _refuse_others(given, choices)
                found[name] = _value(option, choice, value)
    if not given.keys() <= found.keys():
        _refuse_others(given, choices)
    return found


def has(method: Method, name: str) -> bool:
    """Whether a method has an option of that name."""
    return any(option.name == name for option in method.options)


def _refuse_others(given: Mapping[str, Any], choices: Sequence[Choice]) -> None:
    """Refuse a name that none of the chosen methods has."""
    for name, value in given.items():
        if value is not None and not any(has(choice.method, name) for choice in choices):
            raise _refusal(name, choices)


def _value(option: Option, choice: Choice, given: Any) -> Any:
    """The given value, checked; raises an error if a required option is missing."""
    who = f"{choice.kind} {choice.method.name!r}"
    if given is not None:
        return option.value(given, f"{who}: {option.name}")
    raise ModelError(f"{who} needs {option.name}=, the {option.help}.")


def _refusal(name: str, choices: Sequence[Choice]) -> ModelError:
    """The error that names the method, its own options, and the methods that have this one."""
    for choice in choices:
        owners = [method.name for method in choice.catalogue if has(method, name)]
        if owners:
            own = ", ".join(map(str, choice.method.options)) or "none"
            return ModelError(
                f"{choice.kind} {choice.method.name!r} has no option {name!r}; its options: {own}. "
                f"{choice.kind.capitalize()}s with {name!r}: {', '.join(owners)}."
            )
    return no_such("option", name, known(choices))


def known(choices: Iterable[Choice]) -> list[str]:
    """Names of all options of all methods that could have been chosen."""
    return list(
        dict.fromkeys(
            o.name for choice in choices for method in choice.catalogue for o in method.options
        )
    )
