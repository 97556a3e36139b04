"""What the user said of the start and could not have: coordinates, speeds and places that other
parts contradict.

One rule: joints, constraints and drivers always hold. What is said of the start (positions and
rotations of bodies, lines of
beams, `start=`, `speed=`, velocities, `state={...}`, `targets=`) is met exactly where all of it can
be; where not, the nearest
start is taken and every value that differs is listed here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..description.beam import Beam
from ..description.body import Body
from ..description.model import Model
from ..elements.joints.contract import QUATERNION
from ..kernel.frames import IDENTITY, Pose
from ..kernel.linalg import norm, product
from .measure import body_pose
from .system import System

_SAME = 1e-6  # rad, or sizes of the machine: nobody draws finer
# sizes of the machine: drawings of loops are rounded, and closing them moves bodies by that much
_ROUNDED = 1e-3


def not_met(
    model: Model, coordinates: dict[str, float], length: float
) -> dict[str, tuple[float, float]]:
    """Starts that could not be kept: (given, assembled)."""
    found: dict[str, tuple[float, float]] = {}
    for joint in model.joints.values():
        now = {label: coordinates[f"{joint.name}.{label}"] for label in joint.start}
        sign = (
            -1.0 if sum(joint.start[k] * now[k] for k in QUATERNION if k in now) < 0.0 else 1.0
        )  # the same turn
        units = dict(zip(joint.joint.speeds, joint.joint.units))
        for label, value in joint.start.items():
            value = sign * value if label in QUATERNION else value
            if abs(now[label] - value) > _SAME * (length if units.get(label) == "m" else 1.0):
                found[f"{joint.name}.{label}"] = value, now[label]
    return found


def misplaced(system: System, bar: float = _SAME) -> tuple[dict[str, float], dict[str, float]]:
    """Bodies that are elsewhere than where the model puts them: how far (m), and turned by how much
    (rad), at this position.

    A coordinate given with a joint is meant to move what the joint carries; without one, the pose
    given with a body holds.
    """
    apart, turned = {}, {}
    for body, X_WB in _as_said(system):
        said = body.pose or IDENTITY
        points = np.array([X.p for X in body.nodes]) if isinstance(body, Beam) else np.zeros((1, 3))
        far = float(
            np.linalg.norm(
                X_WB.p + product(points, X_WB.R.T) - said.p - product(points, said.R.T), axis=1
            ).max()
        )
        if (body.placed or isinstance(body, Beam)) and far > bar * system.length:
            apart[body.name] = far
        if (turn := _angle(product(said.R.T, X_WB.R))) > bar and not np.array_equal(
            said.R, np.eye(3)
        ):
            turned[body.name] = turn
    return apart, turned


def closed_elsewhere(system: System) -> tuple[dict[str, float], dict[str, float]]:
    """Bodies that closing the loops moved away from where they are drawn, by more than drawings are
    rounded.
    """
    if any(spec.start for spec in system.compiled.model.joints.values()):
        return {}, {}  # the drawing is then the reference position, which the starts leave
    return misplaced(system, _ROUNDED)


def _as_said(system: System) -> Iterator[tuple[Body, Pose]]:
    """Bodies with a pose of their own, or drawn as beams, that no start moves; and their pose X_WB."""
    compiled, links = system.compiled, system.tables.links
    started = {place.link for place in compiled.joints.values() if place.link and place.spec.start}
    for i, name in enumerate(compiled.bodies[1:], 1):
        body = compiled.model.bodies[name]
        if int(links[i]["parent"]) in started:
            started.add(i)  # bodies are numbered outwards
        if i not in started and (body.pose is not None or isinstance(body, Beam)):
            yield body, body_pose(system.work, i) @ compiled.X_BK[i].inverse


def _angle(R: np.ndarray) -> float:
    """Angle of a rotation, also where it is small."""
    return 2.0 * math.asin(min(1.0, norm(R - np.eye(3)) / math.sqrt(8.0)))
