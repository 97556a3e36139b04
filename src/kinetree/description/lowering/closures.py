"""Cut joints and constraints become rows of g: each joint says its cut, each constraint writes
itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import ModelError, counted
from .compiled import JointPlace

if TYPE_CHECKING:
    from .lower import Lowering


def lower_cuts(to: Lowering) -> None:
    for edge in to.tree.cuts:
        spec = to.model.joints[edge.name]
        place = to.places[edge.name] = to.place(spec)
        for label, sensor in zip(spec.joint.labels, spec.joint.sensors):
            to.frame_sensor(place, label, sensor)
        first = len(to.row_owner)
        for equations in spec.joint.cut:
            equations.lower(to, place)
        rows = tuple(range(first, len(to.row_owner)))
        if len(rows) != edge.equations:
            raise ModelError(
                f"joint {edge.name!r}: a {spec.joint.kind} joint has "
                f"{counted(edge.dofs, 'degree', 'degrees')} of freedom, so it needs "
                f"{counted(edge.equations, 'equation')} when it is cut, but its class has "
                f"{len(rows)}."
            )
        to.places[edge.name] = JointPlace(
            spec, place.i, place.j, place.X_iF, place.X_jM, rows=rows, turns=place.turns
        )


def lower_constraints(to: Lowering) -> None:
    for element in to.model.constraints.values():
        before = len(to.row_owner)
        try:
            element.spec.lower(to, element.name, element.markers)
        except ModelError as error:
            raise type(error)(f"constraint {element.name!r}: {error}") from None
        if len(to.row_owner) == before:
            raise ModelError(
                f"constraint {element.name!r}: a {element.spec.kind} gave no equation; its `lower` "
                "must add one "
                "with to.primitive(...) or to.relation(...)."
            )
