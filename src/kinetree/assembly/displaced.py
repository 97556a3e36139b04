"""Bodies that do not start where they are drawn, and the joint or constraint that moved each of them.

The markers of a joint define where its child is. They override the position and the rotation that
were given with the child. A joint placed by a global point (`at=`) keeps the drawing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..description.beam import Beam
from ..description.body import Body
from ..description.topology.loops import loops
from ..kernel.frames import IDENTITY, Pose
from ..kernel.linalg import norm, product
from .measure import body_pose
from .system import System

_SAME = 1e-6  # rad, or relative to the model size: finer than any drawing
# relative to the model size: drawings of loops are rounded, and closing them moves bodies by that
_ROUNDED = 1e-3


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


def overriding_joints(system: System, displaced: set[str]) -> dict[str, str]:
    """The joint that moved each displaced body before any loop is closed, by the name of the body.

    A body that has its drawn pose relative to its parent was carried along: the joint is then that
    of the parent.
    """
    compiled, found = system.compiled, dict[str, str]()
    joint_of = {place.link: name for name, place in compiled.joints.items() if place.link}
    now = {body.name: X_WB for body, X_WB in _drawn_bodies(system)}
    for i, name in enumerate(compiled.bodies[1:], 1):
        if name not in displaced or i not in joint_of:
            continue
        parent = compiled.bodies[int(system.tables.links[i]["parent"])]
        carried = parent in found and _same_pose(
            now[parent].inverse @ now[name],
            _given(system, parent).inverse @ _given(system, name),
            system.length,
        )
        found[name] = found[parent] if carried else joint_of[i]
    return found


def closing_joints(
    system: System, values: np.ndarray, displaced: set[str], overriding: set[str]
) -> dict[str, str]:
    """The joint or constraint that moved each displaced body as the loops were closed.

    It is the one with the largest residual as drawn (`values`) in a loop of the body, or a joint of
    this loop that had overridden the drawing before.
    """
    gaps: dict[str, float] = {}
    for owner, value in zip(system.compiled.row_owner, np.abs(values)):
        gaps[owner] = max(gaps.get(owner, 0.0), float(value))
    widest = sorted((name for name in gaps if gaps[name] > 0.0), key=lambda name: -gaps[name])
    around = {loop.cut.name: loop for loop in loops(system.compiled.tree)}
    found: dict[str, str] = {}
    for body in displaced if widest else ():
        name = next((n for n in widest if n in around and body in around[n].bodies), widest[0])
        joints = [edge.name for edge in around[name].joints] if name in around else []
        found[body] = next((joint for joint in joints if joint in overriding), name)
    return found


def _given(system: System, name: str) -> Pose:
    return system.compiled.model.bodies[name].pose or IDENTITY


def _same_pose(one: Pose, other: Pose, length: float) -> bool:
    shift = float(np.linalg.norm(one.p - other.p))
    return shift <= _SAME * length and _angle(one.R, other.R) <= _SAME
