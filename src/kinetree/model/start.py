"""Initial joint coordinates as the user gives them: by label, checked against the joint's own labels."""

from __future__ import annotations

import math

from ..errors import ModelError, no_such
from ..frames import number, numbers
from ..joints.contract import Joint

_QUATERNION = ("qw", "qx", "qy", "qz")


def check_start(what: str, joint: Joint, start: dict, speed: dict) -> tuple[dict[str, float], dict[str, float]]:
    """Validated copies; "quaternion" is spread over its four labels."""
    for given, kind in ((start, "start"), (speed, "speed")):
        if not isinstance(given, dict):
            raise ModelError(f"{what}: {kind} must be a dict like {{'angle': 0.3}}, got {given!r}.")
    start, speed = dict(start), dict(speed)
    if "quaternion" in start and "qw" in joint.labels:
        q = numbers(start.pop("quaternion"), 4, f"{what}: quaternion")
        start.update(zip(_QUATERNION, map(float, q)))
    for given, labels, kind in ((start, joint.labels, "coordinate"), (speed, joint.speeds, "speed")):
        for label, value in given.items():
            if label not in labels:
                raise no_such(kind, label, labels, f" at {what} ({joint.kind})")
            given[label] = number(value, f"{what}: {label}")
    _check_quaternion(what, start)
    return start, speed


def _check_quaternion(what: str, start: dict) -> None:
    """The four parts of a quaternion go together."""
    q = [start.get(label, 0.0) for label in _QUATERNION]
    if any(label in start for label in _QUATERNION) and abs(math.hypot(*q) - 1.0) > 1e-6:
        raise ModelError(f"{what}: quaternion {tuple(q)} does not have unit length.")
