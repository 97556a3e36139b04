"""Write the tree of a model as URDF.

The frame of a link is that of the joint that carries it, with the axis z of the joint. A rotation
R = R_z(y) R_y(p) R_x(r) is written by the angles

    y = atan2(R_10, R_00),    R' = R_z(-y) R,    p = atan2(-R'_20, R'_00),    r = atan2(-R'_12, R'_11)

With p = 90 degrees, y is rounding divided by rounding; r then follows from the y that is written,
so that their sum, which alone matters there, is right.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import cast
from xml.etree import ElementTree

import numpy as np

from ....core.atomic_write import write
from ....core.checks import is_number
from ....core.display import Printable
from ....elements.constraints.coupling import Coupling
from ....elements.forces.joint_friction import JointFriction
from ....elements.forces.joint_stop import JointStop
from ....elements.forces.torsion_spring import TorsionSpring
from ....errors import ModelError, counted
from ....kernel.frames import Pose, axis_frame
from ....kernel.linalg import norm, product
from ...element import JointSpec
from ...look import Box, Cylinder, Outline, Sphere
from ...lowering.links import joint_ends
from ...lowering.trees import tree_of
from ...model import Model
from .robot import Lump
from .xml import Xml

KINDS = {
    "revolute": "continuous",
    "translational": "prismatic",
    "fixed": "fixed",
    "free": "floating",
    "planar": "planar",
}
_SLENDER = 0.02  # radius of a rod that has none, over its length
_FAR = 1e9  # a limit that is none


@dataclass(frozen=True, repr=False)
class WrittenUrdf(Printable):
    """What `Model.to_urdf` wrote.

    Attributes
    ----------
    path : Path
        The file.
    notes : tuple of str
        What the model has but the file has not.

    Examples
    --------
    >>> from kinetree.models.pendulum import pendulum
    >>> written = pendulum().to_urdf("written.urdf")
    >>> written.notes
    ()
    """

    path: Path
    notes: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([f"written: {self.path}", *(f"  {note}" for note in self.notes)])


def write_urdf(model: Model, path: Path, overwrite: bool) -> WrittenUrdf:
    """Write a model to a file, complete or not at all."""
    writer = _Writer(model)
    root = writer.robot()
    ElementTree.indent(root)
    write(path, ElementTree.tostring(root, encoding="unicode") + "\n", overwrite)
    return WrittenUrdf(path, tuple(writer.notes))


class _Writer:
    def __init__(self, model: Model) -> None:
        self.model, self.tree, self.notes = model, tree_of(model), list[str]()
        self.what = f"model {model.name!r}: to_urdf"
        if self.tree.cuts:
            names = ", ".join(repr(edge.name) for edge in self.tree.cuts)
            raise ModelError(
                f"{self.what}: URDF describes trees, and this model has closed loops (cut at "
                f"{names}). Remove these joints from a copy, and close the loops in the program "
                "that reads the file."
            )
        if model.generated is not None:
            raise ModelError(f"{self.what}: the model has generated equations, not bodies alone.")
        self.frames = {"ground": Pose(np.eye(3), np.zeros(3))}
        self.joints: dict[str, Xml] = {}  # by the name in the model

    def robot(self) -> Xml:
        root = ElementTree.Element("robot", {"name": self.model.name})
        base = self._base()
        if base is None:
            ElementTree.SubElement(root, "link", {"name": "world"})
        for branch in self.tree.branches:
            spec = self.model.joints[branch.joint.name]
            inner, outer = joint_ends(spec, branch.reversed)
            self.frames[branch.body] = outer
            self._link(root, branch.body, outer)
            if branch.body == base:
                continue
            if spec.joint.kind not in KINDS:
                raise ModelError(
                    f"{self.what}: URDF has no {spec.joint.kind} joint, which {spec.name!r} is. "
                    f"Its joints are {', '.join(KINDS)}."
                )
            ends = spec.F.body.name, spec.M.body.name
            parent = ends[1] if branch.reversed else ends[0]
            X_PF = self.frames[parent].inverse @ inner
            self.joints[spec.name] = self._joint(root, spec, parent, branch.body, X_PF)
            if spec.inertia:
                self.notes.append(f"left out: inertia of the coordinates of joint {spec.name!r}")
        self._constraints()
        self._forces()
        return root

    def _base(self) -> str | None:
        """The body that is the root: the only one on the ground, if it floats."""
        first = [b for b in self.tree.branches if b.parent_number == 0]
        free = len(first) == 1 and self.model.joints[first[0].joint.name].joint.kind == "free"
        return first[0].body if free else None

    def _link(self, root: Xml, body: str, outer: Pose) -> None:
        link = ElementTree.SubElement(root, "link", {"name": body})
        given = self.model.bodies[body].properties
        lump = Lump.of(given.mass, np.asarray(given.com, float), np.asarray(given.inertia, float))
        back = outer.inverse
        if given.mass or np.any(given.inertia):
            own = lump.seen_from(back)
            inertial = ElementTree.SubElement(link, "inertial")
            ElementTree.SubElement(inertial, "origin", {"xyz": _text(own.com)})
            ElementTree.SubElement(inertial, "mass", {"value": _text([own.mass])})
            J = own.about_com
            entries = {
                f"i{'xyz'[a]}{'xyz'[b]}": _text([J[a, b]]) for a in range(3) for b in range(a, 3)
            }
            ElementTree.SubElement(inertial, "inertia", entries)
        left = 0
        for look in self._looks(body):
            left += not _visual(link, look, back)
        if left:
            self.notes.append(f"not drawn: {counted(left, 'shape')} of body {body!r}")

    def _looks(self, body: str) -> Iterable[Outline]:
        own = self.model.bodies[body]
        outline = own.properties.outline
        return own.look or ([outline] if outline is not None else [])

    def _joint(self, root: Xml, spec: JointSpec, parent: str, child: str, X_PF: Pose) -> Xml:
        name = "world" if parent == "ground" else parent
        e = ElementTree.SubElement(
            root, "joint", {"name": spec.name, "type": KINDS[spec.joint.kind]}
        )
        ElementTree.SubElement(e, "parent", {"link": name})
        ElementTree.SubElement(e, "child", {"link": child})
        ElementTree.SubElement(
            e, "origin", {"xyz": _text(X_PF.p), "rpy": _text(roll_pitch_yaw(X_PF.R))}
        )
        if spec.joint.kind in ("revolute", "translational", "planar"):
            ElementTree.SubElement(e, "axis", {"xyz": "0 0 1"})
        if spec.joint.kind == "translational":
            _limit(e, -_FAR, _FAR)
        return e

    def _constraints(self) -> None:
        for name, element in self.model.constraints.items():
            law = element.spec
            pair = _pair(law) if isinstance(law, Coupling) else None
            first = law.first or "" if isinstance(law, Coupling) else ""
            e = self.joints.get(first.rpartition(".")[0])
            if pair is None or e is None:
                raise ModelError(
                    f"{self.what}: URDF has no counterpart of constraint {name!r}, a "
                    f"{type(law).__name__}. Remove it from a copy of the model."
                )
            ElementTree.SubElement(e, "mimic", pair)

    def _forces(self) -> None:
        for name, element in self.model.forces.items():
            law, left = element.spec, True
            joint = getattr(law, "coordinate", "").rpartition(".")[0]
            e = self.joints.get(joint)
            if e is not None and isinstance(law, JointStop):
                left = law.minimum is None or law.maximum is None
                if law.minimum is not None and law.maximum is not None:
                    if e.get("type") == "continuous":
                        e.set("type", "revolute")
                    for old in e.findall("limit"):
                        e.remove(old)
                    _limit(e, law.minimum, law.maximum)
            elif e is not None and isinstance(law, JointFriction):
                values = {"damping": law.viscous, "friction": law.coulomb}
                left = not _dynamics(e, values)
            elif e is not None and isinstance(law, TorsionSpring) and is_number(law.damping):
                d = cast(float, law.damping)
                alone = law == TorsionSpring(law.coordinate, damping=d)
                left = not (alone and _dynamics(e, {"damping": d}))
            if left:
                self.notes.append(f"left out: force {name!r}, a {type(law).__name__}")
        if self.model.controllers:
            self.notes.append(f"left out: {counted(len(self.model.controllers), 'controller')}")


def _pair(law: Coupling) -> dict[str, str] | None:
    """The joint that another one follows, if it follows a single one."""
    if law.second is None or law.ratio is None or law.offset is None:
        return None
    leader, ratio, offset = law.second.rpartition(".")[0], law.ratio, law.offset
    return {"joint": leader, "multiplier": _text([ratio]), "offset": _text([offset])}


def _dynamics(e: Xml, values: dict[str, float]) -> bool:
    """Write damping and friction of a joint, unless it has some already."""
    if e.find("dynamics") is not None:
        return False
    ElementTree.SubElement(e, "dynamics", {key: _text([v]) for key, v in values.items()})
    return True


def _limit(e: Xml, lower: float, upper: float) -> None:
    values = {"lower": lower, "upper": upper, "effort": _FAR, "velocity": _FAR}
    ElementTree.SubElement(e, "limit", {key: _text([v]) for key, v in values.items()})


def _visual(link: Xml, look: Outline, back: Pose) -> bool:
    """Write a box, cylinder or ball; other shapes are not written."""
    if isinstance(look, Box):
        R = np.eye(3) if look.rotation is None else np.asarray(look.rotation, float)
        own, shape = Pose(R, np.asarray(look.at, float)), ("box", {"size": _text(look.sides)})
    elif isinstance(look, Sphere):
        own = Pose(np.eye(3), np.asarray(look.at, float))
        shape = "sphere", {"radius": _text([look.radius])}
    elif isinstance(look, Cylinder):
        a, b = np.asarray(look.a, float), np.asarray(look.b, float)
        own = Pose(axis_frame(b - a, "cylinder"), 0.5 * (a + b))
        radius = look.radius if look.radius is not None else _SLENDER * norm(b - a)
        size = {"radius": _text([radius]), "length": _text([norm(b - a)])}
        shape = "cylinder", size
    else:
        return False
    placed, e = back @ own, ElementTree.SubElement(link, "visual")
    pose = {"xyz": _text(placed.p), "rpy": _text(roll_pitch_yaw(placed.R))}
    ElementTree.SubElement(e, "origin", pose)
    ElementTree.SubElement(ElementTree.SubElement(e, "geometry"), *shape)
    return True


def roll_pitch_yaw(R: np.ndarray) -> tuple[float, float, float]:
    """The angles of a rotation, accurate at all pitches."""
    y = math.atan2(R[1, 0], R[0, 0])
    c, s = math.cos(y), math.sin(y)
    turned = product(np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]), R)
    p = math.atan2(-turned[2, 0], turned[0, 0])
    return math.atan2(-turned[1, 2], turned[1, 1]), p, y


def _text(values: Iterable[float]) -> str:
    """Numbers that are read back exactly."""
    return " ".join(repr(float(v) + 0.0) for v in values)
