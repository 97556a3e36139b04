"""Read SDF, the description of Gazebo: links and joints as a graph, which may have closed loops.

Every pose is relative to a frame: a link, a joint, a <frame> or the model. All are resolved to poses
X_MA in the frame M of the model; then

    X_PF = X_MP^-1 X_MJ,   X_CM = X_MC^-1 X_MJ          J: frame of the joint
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from ....errors import ModelError
from ....kernel.frames import IDENTITY, Pose, euler_matrix, quaternion_matrix
from ....kernel.linalg import product
from .pictures import Pictures
from .robot import Lump, Mimic, Robot, RobotJoint, RobotLink
from .xml import Xml, by_name, parse, vector

GROUND = "world"
KINDS = {
    "fixed": ("fixed",),
    "revolute": ("revolute",),
    "continuous": ("continuous",),
    "prismatic": ("prismatic",),
    "ball": ("ball",),
    "screw": ("screw",),
    "universal": ("revolute", "revolute"),
    "revolute2": ("revolute", "revolute"),
}
_ENDLESS = 1e15  # limits of SDF files beyond this mean none
_READ = {"link", "joint", "frame", "pose", "allow_auto_disable", "enable_wind"}


def read_sdf(path: Path, folders: Sequence[Path] = (), meshes: bool = True) -> Robot:
    """The robot of an SDF file with one model."""
    file = os.fspath(path)
    root = parse(path, "sdf")
    model, gravity = _the_model(root, file)
    robot = Robot(model.get("name") or path.stem, {}, [], gravity=gravity, ground=GROUND)
    frames = Frames(model, file, _version(root))
    pictures = Pictures(model, [path.resolve().parent, *folders], meshes)
    robot.links[GROUND] = RobotLink(GROUND, None)
    for name, e in frames.links.items():
        what = f"{file}: link {name!r}"
        look = pictures.of(_as_urdf(e, what), what)
        robot.links[name] = RobotLink(name, _lump(e, what), look)
        robot.poses[name] = frames.of(GROUND).inverse @ frames.of(name)
    for name, e in frames.joints.items():
        _joint(name, e, frames, robot)
    if not frames.links:
        raise ModelError(f"{file}: the model {robot.name!r} has no links.")
    count = Counter(e.tag for e in model if e.tag not in _READ)
    robot.notes += [*pictures.notes(), *(f"left out: {n} <{tag}>" for tag, n in count.items())]
    return robot


def _version(root: Xml) -> tuple[int, ...]:
    words = (root.get("version") or "1.6").split(".")
    return tuple(int(word) if word.isdigit() else 0 for word in words)


def _the_model(root: Xml, file: str) -> tuple[Xml, tuple[float, float, float]]:
    """The one model of a file, and the gravity of its world."""
    world = root.find("world")
    place = root if world is None else world
    models = place.findall("model")
    if len(models) != 1:
        names = ", ".join(repr(e.get("name")) for e in models[:4]) or "none"
        raise ModelError(f"{file}: expected one model, found {names}. Give each its own file.")
    (model,) = models
    nested = [tag for tag in ("include", "model") if model.find(tag) is not None]
    nested += ["include"] if place.find("include") is not None else []
    if nested:
        raise ModelError(
            f"{file}: <{nested[0]}> inside a model or world is not read. Write the file with all "
            "its parts first: gz sdf --print FILE."
        )
    if (model.findtext("static") or "").strip() in ("true", "1"):
        raise ModelError(f"{file}: the model {model.get('name')!r} is static; nothing moves.")
    given = None if world is None else world.findtext("gravity")
    x, y, z = vector(given, 3, f"{file}: gravity") if given else (0.0, 0.0, -9.81)
    return model, (x, y, z)


class Frames:
    """Links, joints and frames of a model, and their poses in the frame of the model."""

    def __init__(self, model: Xml, file: str, version: tuple[int, ...]) -> None:
        self.file, self.version = file, version
        self.links = by_name(model.findall("link"), f"{file}: link")
        self.joints = by_name(model.findall("joint"), f"{file}: joint")
        self.others = by_name(model.findall("frame"), f"{file}: frame")
        self._all = {**self.links, **self.others, **self.joints}
        self._known: dict[str, Pose] = {"__model__": IDENTITY, "": IDENTITY}
        self._known[GROUND] = _pose(model, f"{file}: model")[0].inverse
        self._open: list[str] = []

    def of(self, name: str) -> Pose:
        """Pose of a named frame in the frame of the model."""
        if name in self._known:
            return self._known[name]
        if name not in self._all:
            raise ModelError(f"{self.file}: there is no link, joint or frame named {name!r}.")
        if name in self._open:
            raise ModelError(f"{self.file}: the pose of {name!r} is relative to itself.")
        self._open.append(name)
        own, relative = _pose(self._all[name], f"{self.file}: {name!r}")
        if name in self.joints and not relative:
            relative = self.child(name)
        if name in self.others and not relative:
            relative = self.others[name].get("attached_to") or ""
        self._known[name] = self.of(relative) @ own
        self._open.pop()
        return self._known[name]

    def child(self, joint: str) -> str:
        return self.end(joint, "child")

    def end(self, joint: str, side: str) -> str:
        """Name of the parent or child of a joint."""
        name = (self.joints[joint].findtext(side) or "").strip()
        if not name:
            raise ModelError(f"{self.file}: joint {joint!r} has no {side}.")
        return name

    def link(self, name: str) -> str:
        """The link to which a frame is attached."""
        for _ in range(len(self._all) + 1):
            if name in self.links or name == GROUND:
                return name
            if name in self.joints:
                name = self.child(name)
            elif name in self.others:
                name = self.others[name].get("attached_to") or next(iter(self.links))
            else:
                break
        raise ModelError(f"{self.file}: there is no link named {name!r}.")


def _pose(e: Xml | None, what: str) -> tuple[Pose, str]:
    """The <pose> of an element, and the frame it is relative to."""
    found = e.find("pose") if e is not None else None
    if found is None or not (found.text or "").strip():
        return IDENTITY, (found.get("relative_to") or "") if found is not None else ""
    text = found.text or ""
    relative = found.get("relative_to") or found.get("frame") or ""
    if found.get("rotation_format") == "quat_xyzw":
        x, y, z, qx, qy, qz, qw = vector(text, 7, f"{what}: pose")
        return Pose(quaternion_matrix([qw, qx, qy, qz]), np.array([x, y, z])), relative
    numbers = vector(text, 6, f"{what}: pose")
    turned = np.radians(numbers[3:]) if found.get("degrees") == "true" else np.array(numbers[3:])
    return Pose(euler_matrix("xyz", turned, what), np.array(numbers[:3])), relative


def _number(e: Xml | None, path: str, default: float, what: str) -> float:
    """The number of a nested element."""
    text = e.findtext(path) if e is not None else None
    return default if text is None else vector(text, 1, f"{what}: {path}")[0]


def _lump(link: Xml, what: str) -> Lump:
    """Mass and inertia; SDF gives 1 kg and 1 kg m^2 to links that have none."""
    e = link.find("inertial")
    mass = _number(e, "mass", 1.0, what)
    if mass < 0.0:
        raise ModelError(f"{what}: mass must not be negative, got {mass:g} kg.")
    i = e.find("inertia") if e is not None else None
    xx, yy, zz = (_number(i, f"i{k}", 1.0, what) for k in ("xx", "yy", "zz"))
    xy, xz, yz = (_number(i, f"i{k}", 0.0, what) for k in ("xy", "xz", "yz"))
    I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return Lump.of(mass, np.zeros(3), I).seen_from(_pose(e, f"{what}: inertial")[0])


def _joint(name: str, e: Xml, frames: Frames, robot: Robot) -> None:
    """Add a joint; one with two axes as two, with a link without mass between them."""
    what, kind = f"{frames.file}: joint {name!r}", e.get("type") or ""
    if kind not in KINDS:
        if kind != "gearbox":
            raise ModelError(f"{what}: type {kind!r} is not one of {', '.join(KINDS)}.")
        robot.notes.append(f"left out: joint {name!r} of type gearbox; add a kt.Coupling")
        return
    parent, child = frames.end(name, "parent"), frames.end(name, "child")
    X_MJ = frames.of(name)
    parent, child = frames.link(parent), frames.link(child)
    X_PF, X_CM = frames.of(parent).inverse @ X_MJ, frames.of(child).inverse @ X_MJ
    parts = KINDS[kind]
    for k, part in enumerate(parts):
        tag, last = ("axis", "axis2")[k], k == len(parts) - 1
        joint = RobotJoint(f"{name} 2" if k else name, part, parent, child, X_PF, X_CM=X_CM)
        if not last:
            joint.child, joint.X_CM = f"{name} cross", IDENTITY
            robot.links[joint.child] = RobotLink(joint.child, None)
            parent, X_PF = joint.child, IDENTITY
        if part not in ("fixed", "ball"):
            _axis(e, tag, joint, frames, X_MJ, what)
        if part == "screw":
            pitch = "screw_thread_pitch" if e.find("screw_thread_pitch") is not None else ""
            joint.pitch = _number(e, pitch or "thread_pitch", 1.0, what)
        robot.joints.append(joint)


def _axis(e: Xml, tag: str, joint: RobotJoint, frames: Frames, X_MJ: Pose, what: str) -> None:
    """Axis, limits, dynamics and mimicry of one coordinate."""
    found = e.find(tag)
    xyz = found.find("xyz") if found is not None else None
    axis = np.array(vector((xyz.text if xyz is not None else "") or "0 0 1", 3, f"{what}: axis"))
    within = (xyz.get("expressed_in") or "") if xyz is not None else ""
    flag = (found.findtext("use_parent_model_frame") or "") if found is not None else ""
    if within:
        axis = product(X_MJ.R.T, product(frames.of(within).R, axis))
    elif flag.strip() in ("true", "1") or frames.version < (1, 5):
        axis = product(X_MJ.R.T, axis)
    x, y, z = map(float, axis)
    joint.axis = (x, y, z)
    lower = _number(found, "limit/lower", -_ENDLESS, what)
    upper = _number(found, "limit/upper", _ENDLESS, what)
    if abs(lower) < _ENDLESS and abs(upper) < _ENDLESS:
        joint.lower, joint.upper = lower, upper
    joint.effort = max(_number(found, "limit/effort", 0.0, what), 0.0)
    joint.damping = _number(found, "dynamics/damping", 0.0, what)
    joint.friction = _number(found, "dynamics/friction", 0.0, what)
    joint.stiffness = _number(found, "dynamics/spring_stiffness", 0.0, what)
    joint.rest = _number(found, "dynamics/spring_reference", 0.0, what)
    mimic = found.find("mimic") if found is not None else None
    if mimic is not None:
        ratio = _number(mimic, "multiplier", 1.0, what)
        offset = _number(mimic, "offset", 0.0, what) - ratio * _number(
            mimic, "reference", 0.0, what
        )
        joint.mimic = Mimic(mimic.get("joint") or "", ratio, offset)


def _as_urdf(link: Xml, what: str) -> Xml:
    """The pictures of a link in the form of URDF."""
    out = ElementTree.Element("link")
    for e in link.findall("visual"):
        visual = ElementTree.SubElement(out, "visual")
        pose = e.find("pose")
        if pose is not None and len((pose.text or "").split()) == 6:
            words = (pose.text or "").split()
            origin = {"xyz": " ".join(words[:3]), "rpy": " ".join(words[3:])}
            ElementTree.SubElement(visual, "origin", origin)
        shape = next(iter(e.find("geometry") or ()), None)
        if shape is not None:
            values = {p.tag: (p.text or "").strip() for p in shape}
            values["filename"] = values.pop("uri", "")
            geometry = ElementTree.SubElement(visual, "geometry")
            ElementTree.SubElement(geometry, shape.tag, values)
        color = e.findtext("material/diffuse")
        if color:
            material = ElementTree.SubElement(visual, "material")
            ElementTree.SubElement(material, "color", {"rgba": color.strip()})
    return out
