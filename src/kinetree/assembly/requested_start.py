"""A machine told where to be: joints that start at coordinates and with speeds the user names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..core.checks import mapping
from ..description.model import JointSpec, Model
from ..description.named import joint_and_label, rates, refuse_other
from ..errors import ModelError, short
from ..kernel.frames import number
from .build import build
from .prepare import prepare


def own_lengths(model: Model, topology: str) -> dict[str, float] | None:
    """Lengths left open belong to the machine as the model starts it, wherever it is to be brought."""
    return (
        prepare(model, "relative", topology).compiled.found
        if build(model, "relative", topology).open
        else None
    )


def aimed(model: Model, targets: Mapping[str, float], what: str) -> Model:
    """The model with other starts and speeds of its joints."""
    if not isinstance(model, Model):
        raise ModelError(f"{what}: give a kt.Model, got {short(model)}.")
    joints = dict(model.joints)
    for name, value in mapping(targets, f"{what}: coordinates", "{'A.angle': 0.3}").items():
        spec, label = joint_and_label(joints, name, model.name, "target")
        joints[spec.name] = _with(spec, label, number(value, f"{what}: target {name!r}"))
    return model.variant(joints=joints)


def _with(spec: JointSpec, label: str, value: float) -> JointSpec:
    """A joint that starts at a coordinate ("angle"), or with a speed ("angle.rate", "rate", "wx")."""
    joint = spec.joint
    if label in joint.labels:
        return replace(spec, start={**spec.start, label: value})
    speeds = rates(joint)
    refuse_other(spec, label, [*joint.labels, *speeds])
    return replace(spec, speed={**spec.speed, speeds[label]: value})
