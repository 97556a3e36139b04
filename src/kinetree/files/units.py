"""Numbers with units: `10 mm`, `40 km/h`, `30 deg`, `20 N/mm`, `1500 rpm`, in SI units and radians.

Units are products and quotients of names that pint knows; pint is loaded when the first one occurs.
"""

from __future__ import annotations

import math
import re
from functools import cache

from ..errors import ModelError, short

_NUMBER, _NAME = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", r"[A-Za-zµμ°%Ω_]+(?:\^-?[0-9]|[0-9])?"
_QUANTITY = re.compile(rf"\s*({_NUMBER})\s*([A-Za-zµμ°%Ω].{{0,60}}?)\s*")
_UNIT = re.compile(rf"{_NAME}(?:\s*[*/]\s*{_NAME}|\s+{_NAME})*")
_POWER = re.compile(r"([*/]?)\s*([A-Za-zµμ°%Ω_]+)\^?(-?[0-9])?")
_PLAIN = re.compile(rf"\s*{_NUMBER}\s*")
_SIGNS = str.maketrans({"·": "*", "²": "^2", "³": "^3", "×": "*"})


def looks_like_quantity(text: str) -> bool:
    """Whether a text begins like a number with a unit."""
    return _QUANTITY.fullmatch(text) is not None and _PLAIN.fullmatch(text) is None


def quantity(text: str) -> float:
    """The number in SI units, or a ModelError that says what is wrong."""
    match = _QUANTITY.fullmatch(text)
    if _PLAIN.fullmatch(text):
        raise ModelError(f"must be a number, got the text {short(text)}; leave out the quotes, or add a unit")
    if match is None:
        raise ModelError(f"{short(text)} is not a number with a unit, such as '10 mm', '40 km/h' or '30 deg'")
    value = float(match[1]) * _factor(match[2])
    if not math.isfinite(value):
        raise ModelError(f"{short(text)} is too large")
    return value


@cache
def _factor(text: str) -> float:
    """What a unit is in SI units and radians: powers of names between `*`, `/` and spaces."""
    unit, factor = text.translate(_SIGNS).replace("**", "^"), 1.0
    if _UNIT.fullmatch(unit) is None:
        raise ModelError(f"the unit {short(text)} cannot be read; write it like 'N/mm', 'kg m^2' or 'km/h'")
    for sign, name, power in _POWER.findall(unit):
        factor *= _known(name, text) ** (int(power or 1) * (-1 if sign == "/" else 1))
    return factor


@cache
def _known(name: str, unit: str) -> float:
    import pint

    try:
        found = _registry().Quantity(1.0, name).to_base_units()
    except (pint.errors.PintError, AttributeError, TypeError, ValueError, AssertionError):
        raise ModelError(f"the unit {short(name)} in {short(unit)} is not known; write it like 'N/mm', 'kg m^2', 'deg' or "
                         "'km/h'") from None
    if name in ("degC", "degF", "celsius", "fahrenheit"):
        raise ModelError(f"the unit {short(name)} has a zero of its own; nothing in a machine is measured in it")
    return float(found.magnitude)


@cache
def _registry():
    import pint

    return pint.UnitRegistry(autoconvert_offset_to_baseunit=True)
