"""What the user said of the start and could not have: coordinates, speeds and places that other parts contradict."""

from __future__ import annotations

import numpy as np

from ..joints.contract import QUATERNION
from ..model.model import Model
from .measure import body_pose
from .system import System

_SAME = 1e-6  # rad, or sizes of the machine: nobody draws finer


def not_met(model: Model, coordinates: dict[str, float]) -> dict[str, tuple[float, float]]:
    """Starts that could not be kept: (given, assembled)."""
    found: dict[str, tuple[float, float]] = {}
    for joint in model.joints.values():
        now = {label: coordinates[f"{joint.name}.{label}"] for label in joint.start}
        sign = -1.0 if sum(joint.start[k] * now[k] for k in QUATERNION if k in now) < 0.0 else 1.0  # the same turn
        for label, value in joint.start.items():
            value = sign * value if label in QUATERNION else value
            if abs(now[label] - value) > _SAME:
                found[f"{joint.name}.{label}"] = value, now[label]
    return found


def misplaced(system: System) -> dict[str, float]:
    """Bodies that their joint holds elsewhere than where the model puts them, and how far (m), as drawn.

    A coordinate given with the joint is meant to move the body; without one, the pose given with the body is.
    """
    compiled, found = system.compiled, {}
    started = {compiled.bodies[place.link] for place in compiled.joints.values() if place.link and place.spec.start}
    for i, name in enumerate(compiled.bodies[1:], 1):
        body = compiled.model.bodies[name]
        if body.pose is not None and body.placed and name not in started:
            pose = body_pose(system.work, i) @ compiled.X_BK[i].inverse
            distance = float(np.linalg.norm(pose.p - body.pose.p))
            if distance > _SAME * system.length:
                found[name] = distance
    return found
