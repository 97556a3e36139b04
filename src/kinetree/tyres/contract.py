"""Tyre laws: what a contact patch answers to its slip.

Axes and signs of ISO 8855, at the point of contact: x forward along the wheel plane, y left, z
along the road's normal.

    kappa       (Omega R_e - V_x) / |V_x|              slip: positive drives, negative brakes
    slope       tan(alpha) = V_y / |V_x|               positive where the tyre drifts to the left:
                the force is to the right
    camber      inclination about x: positive where the top leans to the right
    load        F_z > 0
    speed       V_x
    forwards    sign of V_x, smooth near rest           (forces/tyre.py)
    rolls       sign of Omega R_e, smooth near rest

A law is a frozen class with `numbers()`, which lie in the pool, and a piece

    answer(n, load, kappa, slope, camber, speed, forwards, rolls) -> (F_x, F_y, M_x, M_y, M_z)

A tyre has no front: rolling backwards is rolling forwards seen from behind. With the axes turned by
half a turn about z, which changes the signs of V_x, V_y, Omega and camber, the forces and M_x, M_y
change theirs, too, and M_z does not:

    kappa, slope, camber, forwards, rolls -> their negatives:     F_x, F_y, M_x, M_y -> their
                                                                  negatives,   M_z -> M_z

(but for offsets that a law was fitted with in one direction). So side slip alone has the pneumatic
trail behind the contact:
M_z = -trail F_y forwards.

SAE J670 has y to the right and z down: F_y, F_z, M_y, M_z and alpha change their signs, F_x, M_x,
kappa and the inclination do
not (`sae`). Energy: what a law answers to slip must not drive it, F_x kappa >= 0 and F_y slope <= 0
but for its offsets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..annotations import UserClass
from ..checks import together
from ..errors import ModelError, short

SAE = np.array([1.0, -1.0, -1.0, 1.0, -1.0, -1.0])  # F_x, F_y, F_z, M_x, M_y, M_z


@dataclass(frozen=True)
class TyreLaw(UserClass):
    """Base of the tyre laws."""

    kind: ClassVar[str]

    def mirrored(self) -> TyreLaw:
        """With left and right exchanged; by default the law is the same to both sides."""
        return self

    def numbers(self) -> Sequence[float]:
        """In the order that the kernel reads them."""
        raise NotImplementedError


def sae(wrench) -> np.ndarray:
    """(F_x, F_y, F_z, M_x, M_y, M_z) in axes of SAE J670 from those of ISO 8855, and back."""
    found = together("tyres.sae", wrench=wrench)[0]
    if found.shape[-1:] != (6,):
        raise ModelError(
            f"tyres.sae: wrench must be six numbers, or rows of them, got {short(wrench)}."
        )
    return found * SAE
