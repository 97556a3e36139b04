"""Dimensions in expressions: the dimension of a result from those of its operands.

    Dimension   known, from parameters with units
    PLAIN       a number in the expression, or a value of sin, exp and the like: a factor in
                products; in sums it takes the unit of the other operand, as numbers without a
                unit do everywhere in a file
    None        unknown: a parameter without a unit, and every product with one

Angles are not tracked through products: r * angle is a length, v / r an angular velocity.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...errors import ModelError
from .dimensions import NONE, Dimension
from .units import dimension, fits, in_words

PLAIN = "plain"
Kind = Dimension | str | None
SAME = ("min", "max", "hypot", "abs", "floor", "ceil")  # of parts with one dimension, and with that
TURNS = ("sin", "cos", "tan")
INVERSE = ("asin", "acos", "atan", "atan2")
NUMBERS = ("exp", "log", "log10")


def of_product(a: Kind, b: Kind, power: int = 1) -> Kind:
    """Dimension of a * b, or of a / b with power -1."""
    if a is None or b is None:
        return None
    if isinstance(a, Dimension) and isinstance(b, Dimension):
        return a.times(b, power)._replace(angle=None)
    if isinstance(a, Dimension) or isinstance(b, Dimension):
        return _scaled(a) if isinstance(a, Dimension) else _scaled(NONE.times(b, power))  # type: ignore[arg-type]
    return PLAIN


def _scaled(a: Dimension) -> Kind:
    """Dimension of a value times a plain number: 2 pi f may be an angular velocity, 2 x / y
    anything.
    """
    if not any(a.powers) and not a.angle:
        return PLAIN
    return a if a.angle else a._replace(angle=None)


def of_sum(parts: Sequence[Kind], what: str) -> Kind:
    """Dimension of sums, differences, comparisons, min and max, whose terms must agree."""
    known = [part for part in parts if isinstance(part, Dimension)]
    for one in known[1:]:
        if one.powers != known[0].powers:
            raise ModelError(f"{what} {in_words(known[0])} and {in_words(one)} does not make sense")
    if not known:
        return None if None in parts else PLAIN
    return known[0] if all(one == known[0] for one in known) else known[0]._replace(angle=None)


def of_power(base: Kind, exponent: Kind, value: float) -> Kind:
    """Dimension of base ** exponent."""
    _without_unit(exponent, "an exponent")
    if not isinstance(base, Dimension):
        return base
    times = Fraction(value).limit_denominator(12)
    return Dimension(tuple(times * power for power in base.powers), None)


def of_function(name: str, parts: Sequence[Kind]) -> Kind:
    """Dimension of a function value."""
    if name in SAME:
        return of_sum(parts, f"{name} of")
    if name == "sqrt":
        return of_power(parts[0], PLAIN, 0.5) if parts else PLAIN
    if name in TURNS:
        return _of_angle(parts, name)
    if name in INVERSE:
        if name == "atan2":
            of_sum(parts, "atan2 of")
        else:
            _all_without_unit(parts, name)
        return dimension("rad")
    if name == "degrees":
        return _of_angle(parts, name)
    _all_without_unit(parts, name)
    return dimension("rad") if name == "radians" else PLAIN


def _of_angle(parts: Sequence[Kind], name: str) -> Kind:
    for part in parts:
        if isinstance(part, Dimension) and not fits(part, ("rad",)):
            raise ModelError(f"{name} takes an angle, got {in_words(part)}")
    return PLAIN


def _all_without_unit(parts: Sequence[Kind], name: str) -> None:
    for part in parts:
        hint = "; angles with a unit are in radians already" if name == "radians" else ""
        _without_unit(part, name, hint)


def _without_unit(part: Kind, what: str, hint: str = "") -> None:
    if isinstance(part, Dimension) and not part.fits(NONE):
        raise ModelError(f"{what} takes a number without a unit, got {in_words(part)}{hint}")
