"""Cut joints and constraints become rows of g."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..constraints.catalogue import DISTANCE, IN_PLANE, PERPENDICULAR, POINT, RELATION
from ..constraints.coupling import Coupling
from ..constraints.distance import Distance
from ..constraints.driver import Driver
from ..errors import ModelError
from ..joints import sensors as sense
from ..joints.contract import Advance, InPlane, Perpendicular, Point
from .compiled import JointPlace
from .tables import PRIMITIVE

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
        to.places[edge.name] = JointPlace(spec, place.i, place.j, place.X_iF, place.X_jM,
                                            rows=tuple(range(first, len(to.row_owner))), turns=place.turns)


def _cut_row(to: Lowering, place: JointPlace, row) -> None:
    F, M = place.X_iF, place.X_jM
    if isinstance(row, Advance):
        name, pitch = place.spec.name, place.spec.joint.pitch_per_radian
        slide = to.frame_sensor(place, "travel", "slide_z")
        _relation(to, name, slide, 1.0, to.sensor(f"{name}.angle"), -pitch, 0.0)
        return
    kind = {Point: POINT, Perpendicular: PERPENDICULAR, InPlane: IN_PLANE}[type(row)]
    p = _primitive(to, kind, place.spec.name, 3 if kind == POINT else 1, 0.0 if kind == PERPENDICULAR else 1.0)
    p["i"], p["j"], p["p_i"], p["p_j"] = place.i, place.j, F.p, M.p
    if kind != POINT:
        p["a_i"] = F.R[:, row.of_F]
    if kind == PERPENDICULAR:
        p["a_j"] = M.R[:, row.of_M]


def _primitive(to: Lowering, kind: int, owner: str, rows: int, is_length: float) -> np.void:
    p = np.zeros(1, PRIMITIVE)[0]
    p["kind"], p["ig"], p["ng"] = kind, len(to.row_owner), rows
    to.rows["primitives"].append(p)
    to.row_owner += [owner] * rows
    p["owner"] = to.row_owner.index(owner)
    to.row_scale += [is_length] * rows
    return p


def _relation(to: Lowering, owner: str, sensor1: int, ratio1: float, sensor2: int, ratio2: float, signal) -> np.void:
    length = float(to.rows["sensors"][sensor1]["kind"] in (sense.SLIDE_X, sense.SLIDE_Y, sense.SLIDE_Z))
    p = _primitive(to, RELATION, owner, 1, length)
    p["sensor1"], p["ratio1"], p["sensor2"], p["ratio2"] = sensor1, ratio1, sensor2, ratio2
    p["signal"] = to.signal(signal, "motion")
    return p


def lower_constraints(to: Lowering) -> None:
    for element in to.model.constraints.values():
        try:
            _constraint(to, element)
        except ModelError as error:
            raise type(error)(f"constraint {element.name!r}: {error}") from None


def _constraint(to: Lowering, element) -> None:
    spec, name = element.spec, element.name
    if isinstance(spec, Distance):
        _distance(to, element)
    elif isinstance(spec, Driver):
        _relation(to, name, to.sensor(spec.coordinate), 1.0, 0, 0.0, spec.motion)
    elif isinstance(spec, Coupling):
        p = _relation(to, name, to.sensor(spec.first), 1.0, to.sensor(spec.second), -spec.ratio, 0.0)
        p["offset"] = spec.offset or 0.0
        if spec.offset is None:
            to.pending.append(("offset", len(to.rows["primitives"]) - 1))


def _distance(to: Lowering, element) -> None:
    p = _primitive(to, DISTANCE, element.name, 1, 1.0)
    A, B = element.markers
    p["i"], p["j"] = to.index[A.body.name], to.index[B.body.name]
    p["p_i"], p["p_j"] = to.in_kernel(A).p, to.in_kernel(B).p
    length = element.spec.length
    p["signal"] = to.signal(1.0 if length is None else length, "length")
    p["length"] = length if isinstance(length, (int, float)) else 1.0
    if not isinstance(length, (int, float)):  # the scale L comes from the initial position, and l too if not given
        to.pending.append(("length" if length is None else "scale", len(to.rows["primitives"]) - 1))
