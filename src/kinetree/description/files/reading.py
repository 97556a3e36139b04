"""Conversion of single values of a file; each function returns the value or raises a ModelError
with the expected kind.
"""

from __future__ import annotations

import math
import re
from typing import Any

from ...errors import ModelError, short
from .dimensions import Measured
from .units import expected_words, fits, in_words, quantity

_FUNCTION = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")
AXES = ("x", "y", "z", "-x", "-y", "-z")


class FunctionName(str):
    """A function name `module:function`."""


def a_number(value: Any, units: tuple[str, ...] = ()) -> float:
    """A number; text with a unit must have the dimension of one of the units, if any are given."""
    if isinstance(value, str):
        return quantity(value, units)
    if isinstance(value, Measured) and units and not fits(value.dimension, units):
        raise ModelError(
            f"{value.text} is {in_words(value.dimension)}, where {expected_words(units)} is "
            "expected"
        )
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ModelError(
            f"must be a number, or text with a unit such as '10 mm', got {short(value)}"
        )
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ModelError(f"must be a finite number, got {short(value, 60)}")
    return number


def a_whole(value: Any) -> int:
    whole = (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and abs(value) < 2**63
        and value == int(value)
    )
    if not whole or (isinstance(value, Measured) and not fits(value.dimension, ("%",))):
        raise ModelError(f"must be a whole number, got {short(value)}")
    return int(value)


def a_text(value: Any) -> str:
    if isinstance(value, str) and value:
        return value
    hint = "; put it into quotes" if isinstance(value, (int, float, bool)) else ""
    raise ModelError(f"must be a name, got {short(value)}{hint}")


def yes_or_no(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ModelError(f"must be true or false, got {short(value)}")
    return value


def an_axis(value: Any) -> str:
    if not isinstance(value, str) or value not in AXES:
        raise ModelError(f"must be one of {', '.join(AXES)}, or three numbers, got {short(value)}")
    return value


def a_function(value: Any) -> FunctionName:
    if not isinstance(value, str) or not _FUNCTION.fullmatch(value):
        raise ModelError(f"must name a Python function as module:function, got {short(value)}")
    return FunctionName(value)


def is_function(value: str) -> bool:
    return _FUNCTION.fullmatch(value) is not None


def nested_numbers(value: Any, units: tuple[str, ...] = (), levels: int = 2) -> list:
    """A list of numbers, or of rows of numbers."""
    if not isinstance(value, list) or levels == 0:
        raise ModelError(f"must be a list of numbers, or rows of numbers, got {short(value)}")
    rows = [
        nested_numbers(row, units, levels - 1) if isinstance(row, list) else a_number(row, units)
        for row in value
    ]
    if len({len(row) if isinstance(row, list) else -1 for row in rows}) > 1:
        raise ModelError(f"must have rows that are equally long, got {short(value)}")
    return rows


def a_rotation(value: Any) -> Any:
    """A matrix, a quaternion, or [sequence, angles]."""
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str):
        angles = value[1] if isinstance(value[1], list) else [value[1]]
        return value[0], [a_number(angle, ("rad",)) for angle in angles]
    return nested_numbers(value, ("%",))


def a_start(value: Any, units: dict[str, str]) -> dict[str, Any] | None:
    """Initial coordinates or speeds by label, in their units; a quaternion is a list."""
    if value is None:
        return None
    if not isinstance(value, dict):
        raise ModelError(
            f"must be numbers by label, such as {{{next(iter(units), 'angle')}: 0.1}}, got "
            f"{short(value)}"
        )
    found = {}
    for label, one in value.items():
        unit = units.get(label, "1")
        try:
            found[label] = (
                nested_numbers(one)
                if isinstance(one, list)
                else a_number(one, () if unit == "1" else (unit,))
            )
        except ModelError as error:
            raise ModelError(f"{label}: {error}") from None
    return found
