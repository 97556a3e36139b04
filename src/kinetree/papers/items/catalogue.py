"""All figures, tables and drawings of the five papers, in the order of the papers."""

from __future__ import annotations

from ..item import Item
from . import five_dof, joint_tables, rssr, tracked_vehicle

PAPERS = {  # key of the references: authors and title in short
    "Lee1994": "Lee, Bae, Han, Seo, Kim: relative joint coordinates, cut joints and parameterization",
    "Yun2005": "Yun, Lee: finite rotations and energy-conserving time integration of flexible systems",
    "Kim1997": "Kim, Yoo: projection method with the pseudo-inverse for constrained systems",
    "Han1994": "Han, Park: stiff constrained systems and switching between PECE and BDF",
    "LeeJoo": "Lee, Joo: symbolic equations of a manipulator with flexible links in a closed loop"}

_MODULES = (joint_tables, tracked_vehicle, rssr, five_dof)
ITEMS: tuple[Item, ...] = tuple(item for module in _MODULES for item in module.ITEMS)


def items_of(system: str) -> tuple[Item, ...]:
    """The items that belong to an example of the catalogue of papers."""
    return tuple(item for item in ITEMS if item.system == system)
