"""Slider-crank in the x-z plane: a rigid crank that is driven, a flexible rod, a sliding block."""

from __future__ import annotations

from ..description.model import Model
from ..description.shapes import box, rod
from ..elements.constraints.driver import Driver
from ..elements.joints.revolute import Revolute
from ..elements.joints.spherical import Spherical
from ..elements.joints.translational import Translational
from ..elements.sections import Section
from ..elements.signals.ramp import Ramp

CRANK, ROD = 0.15, 0.3


def flexible_slider_crank(speed: float = 40.0, damping: float = 1e-4) -> Model:
    """The crank rotates at `speed` (rad/s) from the start, and the rod moves with it."""
    m = Model("flexible-slider-crank")
    crank = m.body("crank", rod(0.36, CRANK, along="x", axial=1e-4), position=(0.5 * CRANK, 0, 0))
    arm = m.beam(
        "rod",
        [(CRANK, 0, 0), (CRANK + ROD, 0, 0)],
        Section.circle(0.003, E=2e11, density=7870.0),
        elements=8,
        damping=damping,
    )
    block = m.body("block", box(0.0755, (0.02, 0.02, 0.02)), position=(CRANK + ROD, 0, 0))
    y = Revolute(axis="y")
    m.joint("A", y, m.ground, crank, at=(0, 0, 0))
    m.joint("B", y, crank, arm, at=(CRANK, 0, 0))
    m.joint("C", Spherical(), arm, block, at=(CRANK + ROD, 0, 0))
    m.joint("slide", Translational(axis="x"), m.ground, block, at=(CRANK + ROD, 0, 0))
    m.constraint("drive", Driver("A.angle", Ramp(slope=speed)))
    return m
