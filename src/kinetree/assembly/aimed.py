"""A machine told where to be: joints that start at coordinates and with speeds the user names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..checks import mapping
from ..errors import ModelError, no_such, short
from ..frames import number
from ..model.model import JointSpec, Model
from .build import build
from .prepare import prepare


def own_lengths(model: Model, topology: str) -> dict[str, float] | None:
    """Lengths left open belong to the machine as the model starts it, wherever it is to be brought."""
    return prepare(model, "relative", topology).compiled.found if build(model, "relative", topology).open else None


def aimed(model: Model, targets: Mapping[str, float], what: str) -> Model:
    """The model with other starts and speeds of its joints."""
    if not isinstance(model, Model):
        raise ModelError(f"{what}: give a kt.Model, got {short(model)}.")
    joints = dict(model.joints)
    for name, value in mapping(targets, f"{what}: coordinates", "{'A.angle': 0.3}").items():
        joint, label = _parted(name, joints)
        if joint not in joints:
            raise no_such("joint", joint or name, joints, f" in model {model.name!r} (target {name!r})")
        joints[joint] = _with(joints[joint], label, number(value, f"{what}: target {name!r}"))
    return model.variant(joints=joints)


def _parted(name: str, joints: Mapping[str, JointSpec]) -> tuple[str, str]:
    """Joint and label, "rate" included: joints may have points in their names."""
    known = [joint for joint in joints if name.startswith(f"{joint}.")]
    joint = max(known, key=len) if known else name.rpartition(".")[0]
    return joint, name[len(joint) + 1:]


def _with(spec: JointSpec, label: str, value: float) -> JointSpec:
    """A joint that starts at a coordinate ("angle"), or with a speed ("angle.rate", "rate", "wx")."""
    joint = spec.joint
    if label in joint.labels:
        return replace(spec, start={**spec.start, label: value})
    speeds = {f"{speed}.rate" if joint.labels == joint.speeds else speed: speed for speed in joint.speeds}
    if len(joint.speeds) == 1:
        speeds["rate"] = joint.speeds[0]
    if label not in speeds:
        raise no_such("coordinate", label, [*joint.labels, *speeds], f" at joint {spec.name!r} ({joint.kind})")
    return replace(spec, speed={**spec.speed, speeds[label]: value})
