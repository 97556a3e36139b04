"""Dimensions of numbers in files: powers of meter, kilogram, second, radian and ampere, and numbers
with a dimension.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

QUANTITIES = {
    "m": "a length",
    "m^2": "an area",
    "m^3": "a volume",
    "m^4": "a second moment of area",
    "rad": "an angle",
    "s": "a time",
    "kg": "a mass",
    "kg m^2": "an inertia",
    "kg m": "an inertia per length",
    "kg/m": "a mass per length",
    "kg/m^3": "a density",
    "N": "a force",
    "N m": "a torque",
    "N/m": "a stiffness",
    "N m/rad": "a torsional stiffness",
    "N s/m": "a damping",
    "N m s/rad": "a torsional damping",
    "Pa": "a pressure",
    "m/s": "a velocity",
    "rad/s": "an angular velocity",
    "m/s^2": "an acceleration",
    "Hz": "a frequency",
    "m^3/s": "a flow",
    "N m^2": "a bending stiffness",
    "N/rad": "a force per angle",
    "1/m": "waves per length",
    "%": "a number without a unit",
}
BASE = ("m", "kg", "s", "A")
_POWERS = {  # of m, kg, s, A; and of rad
    "m": (1, 0, 0, 0),
    "kg": (0, 1, 0, 0),
    "s": (0, 0, 1, 0),
    "A": (0, 0, 0, 1),
    "rad": (0, 0, 0, 0),
    "%": (0, 0, 0, 0),
    "Hz": (0, 0, -1, 0),
    "N": (1, 1, -2, 0),
    "Pa": (-1, 1, -2, 0),
    "W": (2, 1, -3, 0),
    "V": (2, 1, -3, -1),
    "ohm": (2, 1, -3, -2),
    "H": (2, 1, -2, -2),
    "N m": (2, 1, -2, 0),
    "m^2": (2, 0, 0, 0),
    "m^3": (3, 0, 0, 0),
    "m/s": (1, 0, -1, 0),
    "m/s^2": (1, 0, -2, 0),
    "m^3/s": (3, 0, -1, 0),
    "rad/s": (0, 0, -1, 0),
}
_RATE = (0, 0, -1, 0)


class Dimension(NamedTuple):
    """Powers of (m, kg, s, A) and of the radian; the latter is None where angles are not tracked,
    as in a quotient of lengths.
    """

    powers: tuple[Fraction | int, ...]
    angle: Fraction | int | None = 0

    def times(self, other: Dimension, power: int = 1) -> Dimension:
        """Dimension of a product of units."""
        return Dimension(
            tuple(a + power * b for a, b in zip(self.powers, other.powers)),
            (self.angle or 0) + power * (other.angle or 0),
        )

    def fits(self, wanted: Dimension) -> bool:
        """Whether a value of this dimension may be used for another one. Angles may be missing, but
        not added; a rate of angles needs radians (1/s is not rad/s), unless angles are not
        tracked.
        """
        if self.powers != wanted.powers:
            return False
        return (
            self.angle is None
            or self.angle == wanted.angle
            or (self.angle == 0 and self.powers != _RATE)
        )


NONE = Dimension((0, 0, 0, 0))


def dimension_of(name: str) -> Dimension:
    """The dimension of a name in the list of units."""
    return Dimension(_POWERS[name], int(name.startswith("rad")))


class Measured(float):
    """A number in SI units with its dimension and its original text."""

    __slots__ = ("dimension", "text")
    dimension: Dimension
    text: str

    def __new__(cls, value: float, dimension: Dimension, text: str = "") -> Measured:
        made = super().__new__(cls, value)
        made.dimension, made.text = dimension, text
        return made
