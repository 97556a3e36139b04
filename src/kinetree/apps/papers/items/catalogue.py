"""All figures, tables and drawings of the five papers, in the order of the papers."""

from __future__ import annotations

from ..item import Item
from . import (
    euler,
    excavator,
    five_dof,
    flexible_joint,
    joint_tables,
    lane_change,
    quarter_car,
    ralf,
    rssr,
    springs,
    tracked_vehicle,
)

PAPERS = {  # key of the references: authors and title in short
    "Lee1994": "Lee, Bae, Han, Seo, Kim: relative joint coordinates, cut joints and "
    "parameterization",
    "Yun2005": "Yun, Lee: finite rotations and energy-conserving time integration of flexible "
    "systems",
    "Kim1997": "Kim, Yoo: projection method with the pseudo-inverse for constrained systems",
    "Han1994": "Han, Park: stiff constrained systems and switching between PECE and BDF",
    "LeeJoo": "Lee, Joo: symbolic equations of a manipulator with flexible links in a closed loop",
}

ITEMS: tuple[Item, ...] = (
    *joint_tables.ITEMS,
    *tracked_vehicle.ITEMS,
    *rssr.ITEMS,
    *five_dof.ITEMS,
    *flexible_joint.DRAWING,
    *springs.ITEMS,
    *flexible_joint.ITEMS,
    *lane_change.ITEMS,
    *euler.ITEMS,
    *excavator.ITEMS,
    *quarter_car.ITEMS,
    *ralf.ITEMS,
)


def items_of(system: str) -> tuple[Item, ...]:
    """Return the items that belong to an example."""
    return tuple(item for item in ITEMS if item.system == system)
