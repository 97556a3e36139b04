"""Units of length, time and mass over twelve decades and more, and a comparison of one machine
described in each of them.

The units are even powers of two, so that nothing rounds differently, square roots neither: what
differs beyond that would be a length, a time or a mass taken without its unit.
"""

from typing import NamedTuple

import numpy as np
from numpy.testing import assert_allclose


class Units(NamedTuple):
    """So many of the other units make one meter, one second, one kilogram."""

    L: float
    T: float
    M: float

    @property
    def g(self):
        return 9.81 * self.L / self.T**2

    @property
    def F(self):
        return self.M * self.L / self.T**2

    @property
    def stress(self):
        return self.M / self.L / self.T**2


SI = Units(1.0, 1.0, 1.0)
OTHERS = {
    "micrometers, picoseconds": Units(2.0**-20, 2.0**-40, 2.0**-60),
    "megameters, years": Units(2.0**20, 2.0**24, 2.0**60),
    "micrometers, years, kilotons": Units(2.0**-20, 2.0**24, 2.0**20),
    "megameters, picoseconds, milligrams": Units(2.0**20, 2.0**-40, 2.0**-20),
}


def assert_same_in_all_units(answer, accuracy: float) -> None:
    """`answer(units)` returns numbers without units; they agree to that part of the largest of
    them.
    """
    reference = np.array(answer(SI))
    for units, other in OTHERS.items():
        assert_allclose(
            np.array(answer(other)),
            reference,
            rtol=0.0,
            atol=accuracy * np.abs(reference).max(),
            err_msg=units,
        )
