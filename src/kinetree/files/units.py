"""Numbers with units: `10 mm`, `40 km/h`, `30 deg`, `20 N/mm`, `1500 rpm`, in SI units and radians.

Units are products and quotients of names that pint knows; pint is loaded when the first one occurs.
"""

from __future__ import annotations

import math
import re
from functools import cache

from ..errors import ModelError, short

_NUMBER, _NAME = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", r"[A-Za-zµμ°%Ω_]+(?:\^-?[0-9]|[0-9])?"
_QUANTITY = re.compile(rf"\s*({_NUMBER})\s*((?:(?<=\s)1/)?[A-Za-zµμ°%Ω].{{0,60}}?)\s*")
_UNIT = re.compile(rf"{_NAME}(?:\s*[*/]\s*{_NAME}|\s+{_NAME})*")
_POWER = re.compile(r"([*/]?)\s*([A-Za-zµμ°%Ω_]+)\^?(-?[0-9])?")
_PLAIN = re.compile(rf"\s*{_NUMBER}\s*")
_SIGNS = str.maketrans({"·": "*", "²": "^2", "³": "^3", "×": "*"})


_ANGLE = "radian"
QUANTITIES = {
    "m": "a length", "m^2": "an area", "m^3": "a volume", "m^4": "a second moment of area", "rad": "an angle", "s": "a time",
    "kg": "a mass", "kg m^2": "an inertia", "kg m": "an inertia per length", "kg/m": "a mass per length", "kg/m^3": "a density",
    "N": "a force", "N m": "a torque", "N/m": "a stiffness", "N m/rad": "a torsional stiffness", "N s/m": "a damping",
    "N m s/rad": "a torsional damping", "Pa": "a pressure", "m/s": "a velocity", "rad/s": "an angular velocity",
    "m/s^2": "an acceleration", "Hz": "a frequency", "m^3/s": "a flow", "N m^2": "a bending stiffness",
    "N/rad": "a force per angle", "1/m": "waves per length", "%": "a number without a unit"}


def looks_like_quantity(text: str) -> bool:
    """Whether a text begins like a number with a unit."""
    return _QUANTITY.fullmatch(text) is not None and _PLAIN.fullmatch(text) is None


def quantity(text: str, units: tuple[str, ...] = ()) -> float:
    """The number in SI units, or a ModelError that says what is wrong; `units` are examples of what it may be measured in."""
    match = _QUANTITY.fullmatch(text)
    if _PLAIN.fullmatch(text):
        raise ModelError(f"must be a number, got the text {short(text)}; leave out the quotes, or add a unit")
    if match is None:
        raise ModelError(f"{short(text)} is not a number with a unit, such as '10 mm', '40 km/h' or '30 deg'")
    value = float(match[1]) * _factor(match[2])
    if units and not any(_fits(match[2], unit) for unit in units):
        raise ModelError(f"{short(text)} is measured in {match[2]}, where {_expected(units)} is expected")
    if not math.isfinite(value):
        raise ModelError(f"{short(text)} is too large")
    return value


@cache
def _powers(text: str) -> tuple[tuple[str, int], ...]:
    """Names in a unit with their powers: between `*`, `/` and spaces."""
    unit = text.translate(_SIGNS).replace("**", "^").removeprefix("1/")
    if _UNIT.fullmatch(unit) is None:
        raise ModelError(f"the unit {short(text)} cannot be read; write it like 'N/mm', 'kg m^2' or 'km/h'")
    over = -1 if text.startswith("1/") else 1
    return tuple((name, over * int(power or 1) * (-1 if sign == "/" else 1)) for sign, name, power in _POWER.findall(unit))


@cache
def _factor(text: str) -> float:
    """What a unit is in SI units and radians."""
    factor = 1.0
    for name, power in _powers(text):
        factor *= _known(name, text)[0] ** power
    return factor


@cache
def dimension(text: str) -> dict[str, float]:
    """Powers of the base units in a unit: N is kilogram, metre and second^-2, rpm radian and second^-1."""
    found: dict[str, float] = {}
    for name, power in _powers(text):
        for base, own in _known(name, text)[1].items():
            found[base] = found.get(base, 0) + power * own
    return {base: power for base, power in found.items() if power}


def _fits(text: str, unit: str) -> bool:
    """Whether a unit measures what another one does; angles may be left out of it, but not be brought in.

    Turns per second, though, are not radians per second: a rate of angles needs one.
    """
    found, wanted = dict(dimension(text)), dict(dimension(unit))
    angle, allowed = found.pop(_ANGLE, 0), wanted.pop(_ANGLE, 0)
    return found == wanted and (angle == allowed or (angle == 0 and wanted != {"second": -1}))


def _expected(units: tuple[str, ...]) -> str:
    """In words: `a length, like 'm'`."""
    said = [f"{QUANTITIES[unit]} ({unit})" if unit in QUANTITIES else f"something in {unit}" for unit in units]
    return " or ".join(said)


@cache
def _known(name: str, unit: str) -> tuple[float, dict[str, float]]:
    import pint

    try:
        found = _registry().Quantity(1.0, name).to_base_units()
    except (pint.errors.PintError, AttributeError, TypeError, ValueError, AssertionError):
        raise ModelError(f"the unit {short(name)} in {short(unit)} is not known; write it like 'N/mm', 'kg m^2', 'deg' or "
                         "'km/h'") from None
    if name in ("degC", "degF", "celsius", "fahrenheit"):
        raise ModelError(f"the unit {short(name)} has a zero of its own; nothing in a machine is measured in it")
    return float(found.magnitude), dict(found.unit_items())


@cache
def _registry():
    import pint

    return pint.UnitRegistry(autoconvert_offset_to_baseunit=True)
