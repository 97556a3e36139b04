"""Start values of a model: those that could not be satisfied, and models with other start values.

Joints, constraints and drivers are always satisfied. Start values (positions and rotations of
bodies, lines of beams, `start=`, `speed=`, velocities, `state={...}`, `targets=`) are satisfied
exactly where that is possible. Otherwise the nearest start is taken, and every value that differs
is reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..core.checks import mapping
from ..description.model import JointSpec, Model
from ..description.named import joint_and_label, rates, refuse_other
from ..elements.joints.contract import QUATERNION
from ..errors import ModelError, short
from ..kernel.frames import number

_SAME = 1e-6  # rad, or relative to the model size: finer than any drawing


def unmet_start_values(
    model: Model, coordinates: dict[str, float], length: float
) -> dict[str, tuple[float, float]]:
    """Coordinates given with joints that could not be kept: (given, assembled)."""
    found: dict[str, tuple[float, float]] = {}
    for joint in model.joints.values():
        now = {label: coordinates[f"{joint.name}.{label}"] for label in joint.start}
        # q and -q are the same rotation
        opposite = sum(joint.start[k] * now[k] for k in QUATERNION if k in now) < 0.0
        sign = -1.0 if opposite else 1.0
        units = dict(zip(joint.joint.speeds, joint.joint.units))
        for label, value in joint.start.items():
            value = sign * value if label in QUATERNION else value
            if abs(now[label] - value) > _SAME * (length if units.get(label) == "m" else 1.0):
                found[f"{joint.name}.{label}"] = value, now[label]
    return found


def with_start_values(model: Model, targets: Mapping[str, float], what: str) -> Model:
    """The model with other start coordinates and speeds of its joints."""
    if not isinstance(model, Model):
        raise ModelError(f"{what}: give a kt.Model, got {short(model)}.")
    joints = dict(model.joints)
    for name, value in mapping(targets, f"{what}: coordinates", "{'A.angle': 0.3}").items():
        spec, label = joint_and_label(joints, name, model.name, "target")
        joints[spec.name] = _with_value(spec, label, number(value, f"{what}: target {name!r}"))
    return model.variant(joints=joints)


def _with_value(spec: JointSpec, label: str, value: float) -> JointSpec:
    """The joint with another start coordinate ("angle") or speed ("angle.rate", "rate", "wx")."""
    joint = spec.joint
    if label in joint.labels:
        return replace(spec, start={**spec.start, label: value})
    speeds = rates(joint)
    refuse_other(spec, label, [*joint.labels, *speeds])
    return replace(spec, speed={**spec.speed, speeds[label]: value})
