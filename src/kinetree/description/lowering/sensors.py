"""Sensors: joint coordinates that something reads, from q in the tree, from frames at a cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...elements.joints.sensors import KINDS as SENSOR_KIND
from ...elements.joints.sensors import TREE
from ...kernel.frames import Pose
from ...kernel.tables.records import SENSOR
from ..model import Model
from ..named import joint_and_label, refuse_other
from .compiled import JointPlace


class Measuring:
    """The part of the lowering that registers sensors, each once."""

    model: Model
    places: dict[str, JointPlace]
    sensor_of: dict[str, int]
    rows: dict[str, list[np.void]]
    links: np.ndarray
    nx: int
    pool: Callable[[Sequence[float] | np.ndarray], int]

    def sensor(self, name: str) -> int:
        """Index of the sensor of a joint coordinate like "A.angle"."""
        if name not in self.sensor_of:
            spec, label = joint_and_label(self.model.joints, name, self.model.name, "coordinate")
            refuse_other(spec, label, spec.joint.scalars)
            self._new_sensor(self.places[spec.name], name, label)
        return self.sensor_of[name]

    def _new_sensor(self, place: JointPlace, name: str, label: str) -> None:
        labels = place.spec.joint.labels
        if place.direct is None:
            self.frame_sensor(place, label, place.spec.joint.sensors[labels.index(label)])
            return
        row = np.zeros(1, SENSOR)[0]
        at = place.direct[labels.index(label)]
        row["kind"], row["iq"], row["iv"] = (
            TREE,
            self.links[place.link]["iq"] + at,
            self.links[place.link]["iv"] + at,
        )
        self._keep_sensor(name, row)

    def frame_sensor(self, place: JointPlace, label: str, kind: str) -> int:
        row = _between(SENSOR_KIND[kind], place.i, place.X_iF, place.j, place.X_jM)
        if not kind.startswith("slide"):
            row["ix"] = place.turns[label] = self.nx
            self.nx += 1
        if kind == "along":
            row["first"] = self.pool(place.spec.joint.parameters)
        return self._keep_sensor(f"{place.spec.name}.{label}", row)

    def slide_between(self, name: str, kind: int, i: int, X_iF: Pose, j: int, X_jM: Pose) -> int:
        """The place of a frame M on body j, along an axis of a frame F on body i."""
        return self._keep_sensor(name, _between(kind, i, X_iF, j, X_jM))

    def _keep_sensor(self, name: str, row: np.void) -> int:
        self.sensor_of[name] = len(self.rows["sensors"])
        self.rows["sensors"].append(row)
        return self.sensor_of[name]


def _between(kind: int, i: int, X_iF: Pose, j: int, X_jM: Pose) -> np.void:
    row = np.zeros(1, SENSOR)[0]
    row["kind"], row["i"], row["j"] = kind, i, j
    row["R_iF"], row["p_iF"] = X_iF.R.ravel(), X_iF.p
    row["R_jM"], row["p_jM"] = X_jM.R.ravel(), X_jM.p
    return row
