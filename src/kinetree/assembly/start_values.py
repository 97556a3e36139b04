"""Start values of a model: those that could not be satisfied, and models with other start values.

Joints, constraints and drivers are always satisfied. Start values (positions and rotations of
bodies, lines of beams, `start=`, `speed=`, velocities, `state={...}`, `targets=`) are satisfied
exactly where that is possible. Otherwise the nearest start is taken, and every value that differs
is reported.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from ..core.checks import mapping
from ..description.beam import Beam
from ..description.body import Body
from ..description.model import JointSpec, Model
from ..description.named import joint_and_label, rates, refuse_other
from ..elements.joints.contract import QUATERNION
from ..errors import ModelError, short
from ..kernel.frames import IDENTITY, Pose, number
from ..kernel.linalg import norm, product
from .measure import body_pose
from .system import System

_SAME = 1e-6  # rad, or relative to the model size: finer than any drawing
# relative to the model size: drawings of loops are rounded, and closing them moves bodies by that
_ROUNDED = 1e-3


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


def displaced_bodies(
    system: System, bar: float = _SAME
) -> tuple[dict[str, float], dict[str, float]]:
    """Distances (m) and angles (rad) of bodies from the poses given with them, where they exceed
    the bar.

    A coordinate given with a joint moves the bodies that the joint carries, so these are excluded.
    """
    apart: dict[str, float] = {}
    turned: dict[str, float] = {}
    identity = np.eye(3)
    for body, X_WB in _drawn_bodies(system):
        given = body.pose or IDENTITY
        shifts = X_WB.p - given.p
        if isinstance(body, Beam):
            points = np.array([X.p for X in body.nodes])
            shifts = shifts + product(points, X_WB.R.T) - product(points, given.R.T)
        far = float(np.linalg.norm(np.atleast_2d(shifts), axis=1).max())
        if (body.placed or isinstance(body, Beam)) and far > bar * system.length:
            apart[body.name] = far
        if not np.array_equal(given.R, identity) and (turn := _angle(given.R, X_WB.R)) > bar:
            turned[body.name] = turn
    return apart, turned


def closed_elsewhere(system: System) -> tuple[dict[str, float], dict[str, float]]:
    """Bodies that moved from their drawn poses as the loops were closed, by more than drawings are
    rounded.
    """
    if any(spec.start for spec in system.compiled.model.joints.values()):
        return {}, {}  # the drawing is then only the reference position
    return displaced_bodies(system, _ROUNDED)


def _drawn_bodies(system: System) -> Iterator[tuple[Body, Pose]]:
    """Bodies with a given pose, or drawn as beams, that no given coordinate moves, with X_WB."""
    compiled, links = system.compiled, system.tables.links
    started = {place.link for place in compiled.joints.values() if place.link and place.spec.start}
    for i, name in enumerate(compiled.bodies[1:], 1):
        body = compiled.model.bodies[name]
        if int(links[i]["parent"]) in started:
            started.add(i)  # parents come before their children
        if i not in started and (body.pose is not None or isinstance(body, Beam)):
            yield body, body_pose(system.work, i) @ compiled.X_BK[i].inverse


def _angle(R_WA: np.ndarray, R_WB: np.ndarray) -> float:
    """Angle between two rotations, accurate also where it is small."""
    return 2.0 * math.asin(min(1.0, norm(product(R_WA.T, R_WB) - np.eye(3)) / math.sqrt(8.0)))


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
