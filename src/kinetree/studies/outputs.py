"""What a study keeps of each run: numbers such as "max A.angle", whole channels, or functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import ModelError, no_such, short
from ..results.solution import Solution

Values = dict[str, np.ndarray]  # columns by name: numbers, or arrays over time

FINAL, INITIAL, LARGEST, SMALLEST, MEAN, RMS = "final", "initial", "max", "min", "mean", "rms"
RANGE, PEAK, INTEGRAL, TIME, COUNT, SERIES = "range", "peak", "integral", "time", "count", "series"
FORMS = {
    FINAL: "final CHANNEL          the value at the end",
    INITIAL: "initial CHANNEL        the value at the start",
    LARGEST: "max CHANNEL            the largest sample",
    SMALLEST: "min CHANNEL            the smallest sample",
    PEAK: "peak CHANNEL           the largest magnitude",
    RANGE: "range CHANNEL          the largest sample less the smallest",
    MEAN: "mean CHANNEL           the mean over time",
    RMS: "rms CHANNEL            the root of the mean square over time",
    INTEGRAL: "integral CHANNEL       the integral over time",
    TIME: "time of EVENT          the time of the first occurrence",
    COUNT: "count of EVENT         the number of occurrences",
}
AT = re.compile(r"(?P<channel>.+?)\s+at\s+(?P<t>\S+)(\s*s)?")


@dataclass(frozen=True)
class Output:
    """One entry of `outputs`.

    kind      one of the forms above, "at", "series", or "function"
    of        name of the channel or the event
    t         time of "at"
    function  of the solution, or of the model in a study without runs
    """

    name: str
    kind: str
    of: str = ""
    t: float = 0.0
    function: Callable[[Any], Any] | None = None

    @property
    def sampled(self) -> bool:
        """Whether it needs all samples of the run."""
        return self.kind not in (FINAL, INITIAL, "at", TIME, COUNT)

    def values(self, sol: Solution) -> Values:
        """Its columns for a run; vectors have one column for each component."""
        if self.kind == "function":
            assert self.function is not None
            return columns_of(self.name, self.function(sol))
        if self.kind in (TIME, COUNT):
            times = np.asarray(sol.events[self.of].t, float)
            first = float(times[0]) if len(times) else np.nan
            return {self.name: np.asarray(len(times) if self.kind == COUNT else first, float)}
        found = sol[self.of]
        reduced = self._reduced(np.asarray(sol.t, float), np.asarray(found, float))
        if self.kind == SERIES or reduced.ndim == 0:
            return {self.name: reduced}
        parts = channel_components(sol, self.of)
        return {f"{self.name}.{part}": reduced[k] for k, part in enumerate(parts)}

    def reduced_by_column(self, t: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Its value for each column of y, each one a channel of numbers."""
        if self.kind == PEAK:
            return np.abs(y).max(axis=0)
        return self._reduced(t, y)

    def _reduced(self, t: np.ndarray, y: np.ndarray) -> np.ndarray:
        if self.kind == SERIES:
            return y
        if self.kind == "at":
            k = int(np.argmin(np.abs(t - self.t)))
            return y[k] if abs(t[k] - self.t) <= 1e-9 * max(1.0, abs(self.t)) else np.nan * y[-1]
        return np.asarray(_REDUCE[self.kind](t, y), float)


def _over(t: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The integral by the trapezoidal rule, summed in order."""
    h = np.diff(t)
    parts = 0.5 * (y[1:] + y[:-1]) * (h if y.ndim == 1 else h[:, None])
    return np.cumsum(parts, axis=0)[-1] if len(parts) else 0.0 * y[0]


def _span(t: np.ndarray) -> float:
    return float(t[-1] - t[0]) or 1.0


_REDUCE: dict[str, Callable[[np.ndarray, np.ndarray], Any]] = {
    FINAL: lambda t, y: y[-1],
    INITIAL: lambda t, y: y[0],
    LARGEST: lambda t, y: y.max(axis=0),
    SMALLEST: lambda t, y: y.min(axis=0),
    PEAK: lambda t, y: (np.abs(y) if y.ndim == 1 else np.sqrt((y * y).sum(axis=1))).max(),
    RANGE: lambda t, y: y.max(axis=0) - y.min(axis=0),
    MEAN: lambda t, y: _over(t, y) / _span(t),
    RMS: lambda t, y: np.sqrt(_over(t, y * y) / _span(t)),
    INTEGRAL: _over,
}


def channel_components(sol: Solution, name: str) -> tuple[str, ...]:
    """The components of a vector channel."""
    return tuple(sol.channels[name.partition(" in ")[0]].components)


def columns_of(name: str, found: Any) -> Values:
    """The columns of what a function returns: a number, an array, or a dict of these."""
    if isinstance(found, Mapping):
        return {
            full: value
            for label, one in found.items()
            for full, value in columns_of(f"{name}.{label}", one).items()
        }
    try:
        value = np.asarray(found, float)
    except (TypeError, ValueError):
        raise ModelError(
            f"output {name!r} must return a number, an array or a dict of numbers, and returned "
            f"{short(found)}."
        ) from None
    return {name: value}


def outputs_of(given: Any) -> tuple[Output, ...]:
    """The outputs from a text, a list of texts, a dict by name, or a function."""
    if isinstance(given, str) or callable(given):
        given = [given]
    if isinstance(given, Mapping):
        named = [(name, one) for name, one in given.items()]
    elif isinstance(given, Sequence) or isinstance(given, (set, frozenset)):
        named = [
            (one if isinstance(one, str) else getattr(one, "__name__", f"output {k}"), one)
            for k, one in enumerate(given)
        ]
    else:
        raise ModelError(
            "outputs must be texts such as 'max A.angle', functions of the solution, or a dict of "
            f"these by name; got {short(given)}."
        )
    if not named:
        raise ModelError("a study needs at least one output, such as outputs=['final A.angle'].")
    found = tuple(_output(name, one) for name, one in named)
    names = [one.name for one in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ModelError(f"two outputs are called {twice!r}; give a dict with other names.")
    return found


def _output(name: Any, given: Any) -> Output:
    if not isinstance(name, str) or not name:
        raise ModelError(f"an output must have a name, got {short(name)}.")
    if callable(given):
        return Output(name, "function", function=given)
    if not isinstance(given, str) or not given.strip():
        raise ModelError(
            f"output {name!r} must be a text such as 'max A.angle' or a function of the solution, "
            f"got {short(given)}."
        )
    text = given.strip()
    head, _, rest = text.partition(" ")
    if head in (TIME, COUNT):
        of, _, event = rest.strip().partition(" ")
        if of != "of" or not event:
            raise ModelError(f"output {name!r}: write '{head} of EVENT', got {text!r}.")
        return Output(name, head, event.strip())
    if head in FORMS:
        if not rest.strip():
            raise ModelError(f"output {name!r}: {head!r} needs the name of a channel.")
        return Output(name, head, rest.strip())
    if (at := AT.fullmatch(text)) is not None:
        return Output(name, "at", at["channel"], _time(name, at["t"]))
    if " " in text and " in " not in text:
        raise no_such("form of output", head, FORMS, f" (output {name!r})")
    return Output(name, SERIES, text)


def _time(name: str, text: str) -> float:
    try:
        return float(text.removesuffix("s"))
    except ValueError:
        raise ModelError(f"output {name!r}: {text!r} is no time in seconds.") from None
