"""Outputs from texts such as "max A.angle", as those of a study."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ...errors import ModelError, no_such, short
from .outputs import At, EventTime, Extreme, Final, Initial, Integral, Output, Series

FORMS: dict[str, Callable[[str], Output]] = {
    "final": lambda channel: Final(channel),
    "initial": lambda channel: Initial(channel),
    "max": lambda channel: Extreme(channel, 1),
    "min": lambda channel: Extreme(channel, -1),
    "mean": lambda channel: Integral(channel, "mean"),
    "rms": lambda channel: Integral(channel, "rms"),
    "integral": lambda channel: Integral(channel),
}
STEPWISE = {
    "count": "it changes in whole numbers",
    "peak": "it is the largest of two values with different derivatives; ask for max and min",
    "range": "ask for max and min, and subtract",
}
_AT = re.compile(r"(?P<channel>.+?)\s+at\s+(?P<t>[-+0-9.eE]+)(\s*s)?")
_EVENT = re.compile(r"time\s+of\s+(?P<event>.+?)(\s+#(?P<number>-?\d+))?")
_KNOWN = (
    "'final CHANNEL', 'initial CHANNEL', 'max CHANNEL', 'min CHANNEL', 'mean CHANNEL', 'rms "
    "CHANNEL', 'integral CHANNEL', 'CHANNEL at T', 'time of EVENT', 'time of EVENT #2', or "
    "'CHANNEL' for the whole time history"
)


def outputs_of(given: Any) -> tuple[tuple[str, Output], ...]:
    """Names and outputs, from a text, a list of texts, or a mapping of names to texts."""
    if isinstance(given, str):
        given = [given]
    if isinstance(given, Mapping):
        named = list(given.items())
    else:
        try:
            named = [(one, one) for one in given]
        except TypeError:
            named = [(given, given)]
    found = tuple((_name(name), output_of(text)) for name, text in named)
    if not found:
        raise ModelError(f"sensitivities: there are no outputs. Give texts: {_KNOWN}.")
    return found


def _name(name: Any) -> str:
    if not isinstance(name, str):
        raise ModelError(f"sensitivities: an output is a text, not {short(name)}: {_KNOWN}.")
    return name


def output_of(text: Any) -> Output:
    """One output from its text."""
    if callable(text):
        raise ModelError(
            "sensitivities: an output that is a function cannot be differentiated. Give a text, "
            f"and combine the derivatives: {_KNOWN}."
        )
    if not isinstance(text, str) or not text.strip():
        raise ModelError(f"sensitivities: an output is a text, not {short(text)}: {_KNOWN}.")
    text = text.strip()
    first, _, rest = text.partition(" ")
    if found := _EVENT.fullmatch(text):
        number = int(found["number"] or 1)
        return EventTime(found["event"], number - 1 if number > 0 else number)
    if first in FORMS and rest.strip():
        return FORMS[first](rest.strip())
    if first in STEPWISE and rest:
        raise ModelError(f"sensitivities: output {text!r} has no derivative: {STEPWISE[first]}.")
    if found := _AT.fullmatch(text):
        return At(found["channel"], _time(text, found["t"]))
    if " " in text and " in " not in text:
        raise no_such("form of output", first, [*FORMS, "time of"], f" (output {text!r})")
    return Series(text)


def _time(text: str, number: str) -> float:
    try:
        return float(number)
    except ValueError:
        raise ModelError(f"sensitivities: output {text!r}: {number!r} is no time in s.") from None
