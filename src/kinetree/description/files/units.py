"""Numbers with units in SI units and radians: `10 mm`, `40 km/h`, `30 deg`, `20 N/mm`, `5 Nm/rad`.

    unit      =  factors, separated by ` `, `*`, `-`, `.` or `/`     N s/m, N*s/m, N-m, kg/m^3, 1/min
    factor    =  a name of unit_list.py with a power                 mm^2, mm2, s^-1, s-1, m**2, m²
              |  units in parentheses                                N/(m s)

After a `/` a product needs parentheses, because `N/m s` is ambiguous (ISO 80000-1, 7.2.3).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache

from ...errors import ModelError, short
from .dimensions import BASE, NONE, QUANTITIES, Dimension, Measured
from .unit_list import AMBIGUOUS, INERTIAS, TEMPERATURES, WEIGHTS, Unit, nearest, together, units

_NUMBER = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
_QUANTITY = re.compile(
    rf"\s*({_NUMBER})\s*((?:(?<=\s)1\s*/\s*[(]?)?(?:[^\W\d_]|[°%]).{{0,60}}?)\s*"
)
_PLAIN = re.compile(rf"\s*{_NUMBER}\s*")
_SIGNS = {
    "·": "*",
    "⋅": "*",
    "×": "*",
    "∙": "*",
    "²": "^2",
    "³": "^3",
    "⁴": "^4",
    "⁻¹": "^-1",
    "**": "^",
    "µ": "u",
    "μ": "u",
    "°": "deg",
    "Ω": "ohm",
    "\N{OHM SIGN}": "ohm",
}
_TOKEN = re.compile(
    r"\s*(?:(?P<name>%|[^\W\d_][^\W\d]*)(?:\^?(?P<power>-?[1-9])(?!\d))?|(?P<sign>[*./()]|-(?=\s*[^\W\d_])))"
)
_LIKE = "write it like 'N/mm', 'kg m^2', 'deg' or 'km/h'"


def looks_like_quantity(text: str) -> bool:
    """Whether a text begins like a number with a unit."""
    return _QUANTITY.fullmatch(text) is not None and _PLAIN.fullmatch(text) is None


def quantity(text: str, expected: tuple[str, ...] = ()) -> float:
    """The number in SI units; raise a ModelError if it has none of the `expected` units."""
    return float(measured(text, expected))


def measured(text: str, expected: tuple[str, ...] = ()) -> Measured:
    """The number in SI units with its dimension."""
    match = _QUANTITY.fullmatch(text)
    if _PLAIN.fullmatch(text):
        raise ModelError(
            f"must be a number, got the text {short(text)}; leave out the quotes, or add a unit"
        )
    if match is None:
        raise ModelError(
            f"{short(text)} is not a number with a unit, such as '10 mm', '40 km/h' or '30 deg'"
        )
    unit = unit_of(match[2])
    value = float(match[1]) * unit.factor
    if expected and not fits(unit.dimension, expected):
        raise ModelError(
            f"{short(text)} is measured in {match[2]}, where {expected_words(expected)} is expected"
        )
    if not math.isfinite(value):
        raise ModelError(f"{short(text)} is too large")
    return Measured(value, unit.dimension, text.strip())


def fits(found: Dimension, expected: tuple[str, ...]) -> bool:
    """Whether a dimension is that of one of the units."""
    return any(found.fits(dimension(unit)) for unit in expected)


def expected_words(expected: tuple[str, ...]) -> str:
    """Units as text: `a length (m) or an angle (rad)`."""
    return " or ".join(
        f"{QUANTITIES[unit]} ({unit})" if unit in QUANTITIES else f"something in {unit}"
        for unit in expected
    )


def in_words(found: Dimension) -> str:
    """A dimension as text: `a torque (N m)`, or powers of base units."""
    likely = (
        [found] if found.angle is not None else [found._replace(angle=0), found._replace(angle=1)]
    )
    for one in likely:
        for unit, words in QUANTITIES.items():
            if dimension(unit) == one:
                return f"{words} ({unit})" if unit != "%" else words
    powers = zip((*BASE, "rad"), (*found.powers, found.angle))
    return f"something in {' '.join(f'{name}^{power}' if power != 1 else name for name, power in powers if power)}"


def dimension(text: str) -> Dimension:
    """The dimension of a unit."""
    return unit_of(text).dimension


@cache
def unit_of(text: str) -> Unit:
    """A unit composed of names of the list: its value in SI units and radians, and its dimension."""
    plain = text
    for sign, meant in _SIGNS.items():
        plain = plain.replace(sign, meant)
    return _Reader(re.sub(r"^1\s*/", "/", plain.strip()), text).unit()


class _Reader:
    """Reads one unit from left to right."""

    def __init__(self, plain: str, text: str) -> None:
        self.text, self.tokens, self.at = text, list(_tokens(plain, text)), 0

    def unit(self) -> Unit:
        found = self._product(inner=False)
        if self.at != len(self.tokens):
            raise self._unreadable()
        return found

    def _product(self, inner: bool) -> Unit:
        """Read factors up to the end, or to the closing parenthesis."""
        factor, dimension_, over, first = 1.0, NONE, False, True
        while self.at < len(self.tokens) and self.tokens[self.at][0] != ")":
            sign = self.tokens[self.at][0] if self.tokens[self.at][1] is None else ""
            if sign and sign in "*./-":
                self.at += 1
                if first and (sign != "/" or inner):
                    raise self._unreadable()
            if over and sign != "/":
                raise ModelError(
                    f"the unit {short(self.text)} can be read in two ways: put what stands behind "
                    "the / in "
                    "parentheses, as in 'N/(m s)', or in front of it, as in 'N s/m'"
                )
            over = over or sign == "/"
            one = self._factor()
            power = -1 if sign == "/" else 1
            factor, dimension_, first = (
                factor * one.factor**power,
                dimension_.times(one.dimension, power),
                False,
            )
        if first:
            raise self._unreadable()
        return Unit(factor, dimension_)

    def _factor(self) -> Unit:
        if self.at == len(self.tokens):
            raise self._unreadable()
        name, power = self.tokens[self.at]
        self.at += 1
        if name == "(" and power is None:
            found = self._product(inner=True)
            if self.at == len(self.tokens):
                raise self._unreadable()
            self.at += 1
            return found
        if power is None:
            raise self._unreadable()
        return self._named(name, power)

    def _named(self, name: str, power: int) -> Unit:
        parts = together().get(name) or (INERTIAS.get(name) if power == 2 else None) or (name,)
        factor, found = 1.0, NONE
        for k, part in enumerate(parts):
            unit, own = (
                self._known(part),
                power if k == len(parts) - 1 else (1 if power > 0 else -1),
            )
            factor, found = factor * unit.factor**own, found.times(unit.dimension, own)
        return Unit(factor, found)

    def _known(self, name: str) -> Unit:
        what = f"the unit {short(name)}" + ("" if name == self.text else f" in {short(self.text)}")
        if name in TEMPERATURES:
            raise ModelError(f"{what} is one of temperature; nothing in a model is measured in it")
        if name in AMBIGUOUS:
            raise ModelError(f"{what} is read in more than one way; write {AMBIGUOUS[name]}")
        if name in WEIGHTS and (len(self.tokens) > 1 or self.tokens[0][1] != 1):
            raise ModelError(f"{what} may be a mass or a force; write {WEIGHTS[name]}")
        if name not in units():
            raise ModelError(
                f"{what} is not known. Did you mean {nearest(name)}? `kinetree list units` has all "
                "units"
            )
        return units()[name]

    def _unreadable(self) -> ModelError:
        return ModelError(f"the unit {short(self.text)} cannot be read; {_LIKE}")


def _tokens(plain: str, text: str) -> Iterator[tuple[str, int | None]]:
    """Names with their powers, and operators with None."""
    at = 0
    while at < len(plain):
        match = _TOKEN.match(plain, at)
        if match is None:
            raise ModelError(f"the unit {short(text)} cannot be read; {_LIKE}")
        at = match.end()
        yield (
            (match["name"], int(match["power"] or 1))
            if match["name"]
            else (match["sign"].strip(), None)
        )
