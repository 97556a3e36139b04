"""Initial joint coordinates as the user gives them: by label, checked against the joint's own
labels and by the joint itself.
"""

from __future__ import annotations

from ..elements.joints.contract import QUATERNION, Joint
from ..errors import ModelError, no_such, short
from ..kernel.frames import number, numbers


def check_start(
    what: str, joint: Joint, start: dict, speed: dict
) -> tuple[dict[str, float], dict[str, float]]:
    """Validated copies; "quaternion" is spread over its four labels."""
    for given, kind in ((start, "start"), (speed, "speed")):
        if not isinstance(given, dict):
            raise ModelError(
                f"{what}: {kind} must be a dict like {{'angle': 0.3}}, got {short(given)}."
            )
    if not start and not speed:
        return {}, {}
    start, speed = dict(start), dict(speed)
    if "quaternion" in start and joint.plain() < joint.nv:
        q = numbers(start.pop("quaternion"), 4, f"{what}: quaternion")
        start.update(zip(QUATERNION, map(float, q)))
    for given, labels, kind in (
        (start, joint.labels, "coordinate"),
        (speed, joint.speeds, "speed"),
    ):
        for label, value in given.items():
            if label not in labels:
                raise no_such(kind, label, labels, f" at {what} ({joint.kind})")
            given[label] = number(value, f"{what}: {label}")
    joint.check_start(start, what)
    return start, speed
