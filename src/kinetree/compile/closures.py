"""Cut joints and constraints become rows of g: each joint says its cut, each constraint writes itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import ModelError
from ..joints.contract import Advance, InPlane, Perpendicular, Point
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
        for row in spec.joint.cut:
            _cut_row(to, place, row)
        rows = tuple(range(first, len(to.row_owner)))
        if len(rows) != edge.equations:
            raise ModelError(f"joint {edge.name!r}: a {spec.joint.kind} joint leaves {edge.freedoms} freedoms, so it needs "
                             f"{edge.equations} equations when it is cut, but its class has {len(rows)}.")
        to.places[edge.name] = JointPlace(spec, place.i, place.j, place.X_iF, place.X_jM, rows=rows, turns=place.turns)


def _cut_row(to: Lowering, place: JointPlace, row) -> None:
    F, M, name = place.X_iF, place.X_jM, place.spec.name
    if isinstance(row, Advance):
        slide = to.frame_sensor(place, "travel", "slide_z")
        to.relation(name, slide, 0.0, to.sensor(f"{name}.angle"), -place.spec.joint.pitch_per_radian)
        return
    kind = {Point: "point", Perpendicular: "perpendicular", InPlane: "in-plane"}[type(row)]
    p = to.primitive(kind, name, 3 if kind == "point" else 1, is_length=kind != "perpendicular")
    p["i"], p["j"], p["p_i"], p["p_j"] = place.i, place.j, F.p, M.p
    if kind != "point":
        p["a_i"] = F.R[:, row.of_F]
    if kind == "perpendicular":
        p["a_j"] = M.R[:, row.of_M]


def lower_constraints(to: Lowering) -> None:
    for element in to.model.constraints.values():
        before = len(to.row_owner)
        try:
            element.spec.lower(to, element.name, element.markers)
        except ModelError as error:
            raise type(error)(f"constraint {element.name!r}: {error}") from None
        if len(to.row_owner) == before:
            raise ModelError(f"constraint {element.name!r}: a {element.spec.kind} gave no equation; its `lower` must add one "
                             "with to.primitive(...) or to.relation(...).")
