"""Crank mechanism in the x-y plane: a rigid crank that is driven, a connecting rod of finite
elements, a piston.

The rod is of steel, 150 mm between its pins along z. It was drawn in a CAD program, meshed with
quadratic tetrahedra and reduced to 15 coordinates; `examples/` has the script. Stresses and shapes for
pictures are rounded to three digits.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from ..description.model import Model
from ..description.reduced.reduced_part import ReducedPart
from ..description.reduced.storage import read
from ..description.shapes import cylinder
from ..description.shapes import rod as bar
from ..elements.constraints.driver import Driver
from ..elements.joints.cylindrical import Cylindrical
from ..elements.joints.revolute import Revolute
from ..elements.joints.translational import Translational
from ..elements.signals.ramp import Ramp

CRANK, ROD = 0.04, 0.15
FILE = Path(str(files("kinetree.models"))) / "parts" / "connecting_rod.h5"


@cache
def rod_part() -> ReducedPart:
    """The connecting rod, with the markers "big" and "small"."""
    return read(FILE)


def flexible_crank(speed: float = 314.15926535897933) -> Model:
    """The crank rotates at `speed` (rad/s) from the start, at its outer dead center."""
    m = Model("flexible-crank")
    crank = m.body("crank", bar(0.8, CRANK, along="x"), position=(0.5 * CRANK, 0, 0))
    rod = m.flexible("rod", FILE, position=(CRANK, 0, 0))
    piston = m.body(
        "piston", cylinder(0.4, 0.03, 0.04, along="x"), position=(CRANK + ROD + 0.015, 0, 0)
    )
    m.joint("A", Revolute(axis="z"), m.ground, crank.end("-"))
    m.joint("B", Revolute(axis="z"), crank.end("+"), rod.at("big"))
    m.joint("C", Cylindrical(axis="z"), rod.at("small"), piston.at(-0.015, 0, 0))
    m.joint("slide", Translational(axis="x"), m.ground.at(CRANK + ROD, 0, 0), piston)
    m.constraint("drive", Driver("A.angle", Ramp(slope=speed)))
    return m
