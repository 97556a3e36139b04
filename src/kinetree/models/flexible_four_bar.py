"""Four-bar in the x-z plane with a rigid crank, a soft coupler and an elastic rocker, with joints
that make no equation redundant.
"""

from __future__ import annotations

import numpy as np

from ..description.model import Model
from ..description.shapes import mass
from ..elements.joints.revolute import Revolute
from ..elements.joints.spherical import Spherical
from ..elements.sections import Section
from ..kernel.linalg import norm

SIDE, DENSITY = 0.05, 2710.0
A, B, C, D = (0.0, 0.0, 0.0), (2.0, 0.0, 1.0), (3.5, 0.0, 1.0), (2.5, 0.0, 0.0)


def flexible_four_bar(
    coupler_modulus: float = 2.1e8, rocker_modulus: float = 2.1e11, damping: float = 0.0
) -> Model:
    """The linkage falls under its weight; the coupler, a thousand times softer than steel, bends
    visibly.
    """
    m = Model("flexible-four-bar")
    b, a = np.array(B), np.array(A)
    length, t = norm(b - a), (b - a) / norm(b - a)
    weight = DENSITY * SIDE**2 * length
    across = weight * (length**2 + SIDE**2) / 12.0
    J = across * (np.eye(3) - np.outer(t, t)) + weight * SIDE**2 / 6.0 * np.outer(t, t)
    crank = m.body("crank", mass(weight, J), position=tuple(0.5 * (a + b)))
    coupler = m.beam("coupler", [B, C], _square(coupler_modulus), elements=8, damping=damping)
    rocker = m.beam("rocker", [D, C], _square(rocker_modulus), elements=4, damping=damping)
    y = Revolute(axis="y")
    m.joint("A", y, m.ground, crank, at=A)
    m.joint("B", y, crank, coupler, at=B)
    m.joint("C", Spherical(), coupler, rocker, at=C)
    m.joint("D", y, m.ground, rocker, at=D)
    return m


def _square(modulus: float) -> Section:
    return Section.rectangle(SIDE, SIDE, E=modulus, density=DENSITY)
