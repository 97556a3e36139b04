"""How things look, by their class: append only. A new joint, force or constraint adds a function and one line here."""

from __future__ import annotations

from collections.abc import Callable

from ..constraints.distance import Distance
from ..forces.bushing import Bushing
from ..forces.hydraulic_cylinder import HydraulicCylinder
from ..forces.spring_damper import SpringDamper
from ..joints.cylindrical import Cylindrical
from ..joints.fixed import Fixed
from ..joints.free import Free
from ..joints.planar import Planar
from ..joints.revolute import Revolute
from ..joints.screw import Screw
from ..joints.spherical import Spherical
from ..joints.translational import Translational
from ..joints.universal import Universal
from . import element_looks, joint_looks

LOOKS: tuple[tuple[type, Callable], ...] = (
    (Revolute, joint_looks.revolute),
    (Translational, joint_looks.translational),
    (Cylindrical, joint_looks.cylindrical),
    (Universal, joint_looks.universal),
    (Spherical, joint_looks.spherical),
    (Planar, joint_looks.planar),
    (Screw, joint_looks.screw),
    (Free, joint_looks.nothing),
    (Fixed, joint_looks.fixed),
    (SpringDamper, element_looks.spring),
    (HydraulicCylinder, element_looks.telescope),
    (Bushing, element_looks.bushing),
    (Distance, element_looks.rod),
)
_BY_CLASS = dict(LOOKS)


def look_of(spec: object) -> Callable | None:
    """The look of the nearest class that has one."""
    return next((_BY_CLASS[kind] for kind in type(spec).__mro__ if kind in _BY_CLASS), None)
