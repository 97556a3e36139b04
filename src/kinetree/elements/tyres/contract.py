"""Tire laws: forces and moments of a contact patch as functions of its slip.

Axes and signs of ISO 8855, at the point of contact: x forward along the wheel plane, y left, z
along the road's normal.

    kappa       (Omega R_e - V_x) / |V_x|              slip: positive drives, negative brakes
    slope       tan(alpha) = V_y / |V_x|               positive where the tire drifts to the left:
                the force is to the right
    camber      inclination about x: positive where the top leans to the right
    load        F_z > 0
    speed       V_x
    forwards    sign of V_x, smooth near rest           (elements/forces/tyre.py)
    rolls       sign of Omega R_e, smooth near rest

A law is a frozen class with `numbers()`, which lie in the pool, and a piece

    answer(n, load, kappa, slope, camber, speed, forwards, rolls) -> (F_x, F_y, M_x, M_y, M_z)

A tire has no front: rolling backwards is rolling forwards seen from behind. With the axes turned by
half a turn about z, which changes the signs of V_x, V_y, Omega and camber, the forces and M_x, M_y
change theirs, too, and M_z does not:

    kappa, slope, camber, forwards, rolls -> their negatives:     F_x, F_y, M_x, M_y -> their
                                                                  negatives,   M_z -> M_z

(but for offsets that a law was fitted with in one direction). So side slip alone has the pneumatic
trail behind the contact:
M_z = -trail F_y forwards.

SAE J670 has y to the right and z down: F_y, F_z, M_y, M_z and alpha change their signs, F_x, M_x,
kappa and the inclination do
not (`sae`). Energy: slip forces must dissipate, F_x kappa >= 0 and F_y slope <= 0
but for its offsets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...core.checks import together
from ...core.quantities import UserClass
from ...errors import ModelError, short

SAE = np.array([1.0, -1.0, -1.0, 1.0, -1.0, -1.0])  # F_x, F_y, F_z, M_x, M_y, M_z


@dataclass(frozen=True)
class TyreLaw(UserClass):
    """Base of the tire laws.

    Laws are `kt.tyres.Linear`, `kt.tyres.Fiala` and `kt.tyres.MagicFormula`.
    """

    kind: ClassVar[str]

    def mirrored(self) -> TyreLaw:
        """Return the law with left and right exchanged; by default it is symmetric."""
        return self

    def numbers(self) -> Sequence[float]:
        """Return its numbers in the order in which the kernel reads them."""
        raise NotImplementedError


def sae(wrench: ArrayLike) -> np.ndarray:
    """Convert a wrench from the axes of ISO 8855 to those of SAE J670, or back.

    Parameters
    ----------
    wrench : (..., 6) array_like
        F_x, F_y, F_z (N), M_x, M_y, M_z (N m).

    Returns
    -------
    ndarray
        The same wrench in the other axes, shape (..., 6).

    See Also
    --------
    kt.tyres.evaluate : Forces and moments of a law.

    Notes
    -----
    SAE J670 has y to the right and z down: F_y, F_z, M_y and M_z change their signs.

    Examples
    --------
    >>> import kinetree as kt
    >>> print(kt.tyres.sae((1.0, 2.0, 3.0, 4.0, 5.0, 6.0)))
    [ 1. -2. -3.  4. -5. -6.]
    """
    found = together("tyres.sae", wrench=wrench)[0]
    if found.shape[-1:] != (6,):
        raise ModelError(
            f"tyres.sae: wrench must be six numbers, or rows of them, got {short(wrench)}."
        )
    return found * SAE
