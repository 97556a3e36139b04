"""Read URDF, the robot description of ROS: links with mass, a tree of joints, pictures.

The frame of a joint is given in the frame of its parent link, and is that of its child link at
zero. Angles of frames are roll, pitch and yaw about fixed axes: R = R_z(y) R_y(p) R_x(r).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from ....errors import ModelError
from .pictures import Pictures
from .robot import Lump, Mimic, Robot, RobotJoint, RobotLink
from .xml import Xml, by_name, parse, pose_of, value, vector

KINDS = ("fixed", "revolute", "continuous", "prismatic", "floating", "planar")


def read_urdf(path: Path, folders: Sequence[Path] = (), meshes: bool = True) -> Robot:
    """The robot of a URDF file; meshes are also searched in the folders."""
    name = os.fspath(path)
    root = parse(path, "robot")
    robot = Robot(root.get("name") or path.stem, {}, [])
    pictures = Pictures(root, [path.resolve().parent, *folders], meshes)
    links = by_name(root.findall("link"), f"{name}: link")
    if not links:
        raise ModelError(f"{name}: the robot has no links.")
    for link, e in links.items():
        look = pictures.of(e, f"{name}: link {link!r}")
        robot.links[link] = RobotLink(link, _lump(e, f"{name}: link {link!r}"), look)
    joints = by_name(root.findall("joint"), f"{name}: joint")
    robot.joints = [_joint(key, e, f"{name}: joint {key!r}") for key, e in joints.items()]
    robot.notes += [*pictures.notes(), *_left_out(root, joints.values())]
    return robot


def _lump(link: Xml, what: str) -> Lump | None:
    e = link.find("inertial")
    if e is None:
        return None
    m = value(e.find("mass"), "value", 0.0, f"{what}: mass")
    if m < 0.0:
        raise ModelError(f"{what}: mass must not be negative, got {m:g} kg.")
    i = e.find("inertia")
    xx, xy, xz, yy, yz, zz = (
        value(i, f"i{k}", 0.0, f"{what}: inertia") for k in ("xx", "xy", "xz", "yy", "yz", "zz")
    )
    I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return Lump.of(m, np.zeros(3), I).seen_from(pose_of(e, f"{what}: inertial"))


def _joint(name: str, e: Xml, what: str) -> RobotJoint:
    kind = e.get("type") or ""
    if kind not in KINDS:
        raise ModelError(f"{what}: type {kind!r} is not one of {', '.join(KINDS)}.")
    parent, child = (_end(e, side, what) for side in ("parent", "child"))
    axis, limit, dynamics = (e.find(tag) for tag in ("axis", "limit", "dynamics"))
    x, y, z = vector((axis.get("xyz") if axis is not None else None) or "1 0 0", 3, f"{what}: axis")
    ranged = limit is not None and kind in ("revolute", "prismatic")
    return RobotJoint(
        name,
        kind,
        parent,
        child,
        pose_of(e, what),
        (x, y, z),
        value(limit, "lower", 0.0, what) if ranged else None,
        value(limit, "upper", 0.0, what) if ranged else None,
        value(limit, "effort", 0.0, what),
        value(dynamics, "damping", 0.0, what),
        value(dynamics, "friction", 0.0, what),
        _mimic(e.find("mimic"), what),
    )


def _end(e: Xml, side: str, what: str) -> str:
    """Link of the <parent> or <child> of a joint."""
    found = e.find(side)
    link = found.get("link") if found is not None else None
    if not link:
        raise ModelError(f"{what} has no {side} link.")
    return link


def _mimic(e: Xml | None, what: str) -> Mimic | None:
    if e is None:
        return None
    joint = e.get("joint")
    if not joint:
        raise ModelError(f"{what}: <mimic> names no joint.")
    factor, offset = (
        value(e, *one, f"{what}: mimic") for one in (("multiplier", 1.0), ("offset", 0.0))
    )
    return Mimic(joint, factor, offset)


def _left_out(root: Xml, joints: Iterable[Xml]) -> list[str]:
    """Notes on elements that have no counterpart in the model."""
    known = {"link", "joint", "material"}
    count = Counter(e.tag for e in root if isinstance(e.tag, str) and e.tag not in known)
    count += Counter(
        e.tag for j in joints for e in j if e.tag in ("safety_controller", "calibration")
    )
    notes = [f"left out: {n} <{tag}>" for tag, n in sorted(count.items())]
    limits = [j.find("limit") for j in joints]
    if any(e is not None and (e.get("velocity") or e.get("effort")) for e in limits):
        notes.append("left out: limits of velocity and effort")
    return notes
