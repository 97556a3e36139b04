"""Make a model of a robot: one body for all links that fixed joints connect, named after the first.

Links without mass that carry a moving joint keep a body of their own; assembly explains if such a
body can move without inertia.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ....elements.forces.point_force import PointForce
from ....errors import ModelError, counted
from ....kernel.frames import IDENTITY, Pose, matrix_quaternion
from ...body import Body, Marker
from ...look import Outline
from ...model import Model
from ...shapes import MassProperties, mass
from .joints import LABEL, Joints
from .receipt import Receipt
from .robot import Lump, Robot, RobotJoint
from .tree import as_tree, check_names, floating, joined


@dataclass(frozen=True)
class Wanted:
    """What the caller asks for."""

    base: str | None = None  # "floating", "fixed"; None: floating if the root link has mass
    stops: bool = False
    friction: bool = True
    strict: bool = False
    actuators: bool = False


def build(robot: Robot, file: str, wanted: Wanted) -> Model:
    """The model of a robot, with its receipt."""
    check_names(robot, file)
    return _Builder(robot if robot.ground else as_tree(robot, file), file, wanted).model


class _Builder:
    def __init__(self, robot: Robot, file: str, wanted: Wanted) -> None:
        self.file, self.wanted, self.robot = file, wanted, robot
        self.notes = list(robot.notes)
        self.model = Model(robot.name, gravity=robot.gravity)
        self._names: dict[str, str] = {}
        order = [*([robot.ground] if robot.ground else []), *robot.links]
        self.groups = joined(order, robot.joints)
        self.frames: dict[str, Marker] = {}
        self._bodies()
        self.coordinates = {
            joint.name: f"{self._joint_name(joint)}.{LABEL[joint.kind]}"
            for joint in robot.joints
            if joint.kind in LABEL
        }
        self._joints()
        self._finish()

    def _bodies(self) -> None:
        """Bodies of the links that fixed joints connect, and the frame of every link."""
        lumps: dict[str, Lump] = {}
        looks: dict[str, list[Outline]] = {}
        for link, (first, X) in self.groups.items():
            part = self.robot.links[link]
            lumps[first] = lumps.get(first, Lump()) + (part.lump or Lump()).seen_from(X)
            looks.setdefault(first, []).extend(picture(X) for picture in part.look)
        self.floating = self._floating(lumps)
        bodies: dict[str, Body] = {}
        for first, lump in lumps.items():
            if first == self.ground:
                bodies[first] = self.model.ground
                self.model.surroundings.extend(looks[first])
                continue
            bodies[first] = self.model.body(
                self._name(first), self._properties(lump, first), look=looks[first] or None
            )
        self.frames = {link: Marker(bodies[first], X) for link, (first, X) in self.groups.items()}

    def _floating(self, lumps: dict[str, Lump]) -> list[str]:
        """The links that float; finds also `ground`, the link that is the ground."""
        robot, wanted = self.robot, self.wanted.base
        self.ground = robot.ground
        free = floating(robot, self.groups)
        if robot.ground is None:
            root = free[0]
            floats = lumps[root].mass > 0.0 and root != "world"
            if wanted == "floating" or (wanted is None and floats):
                return free
            self.ground = root
        elif wanted == "fixed" and len(free) == 1:
            X = robot.poses.get(free[0], IDENTITY)
            base = RobotJoint(f"{free[0]} base", "weld", robot.ground, free[0], X)
            robot.joints.append(base)
        elif wanted is None:
            return free
        else:
            raise ModelError(
                f"{self.file}: base={wanted!r} is for files with one base; in this one "
                f"{counted(len(free), 'part')} would float. Omit base=."
            )
        return []

    def _properties(self, lump: Lump, link: str) -> MassProperties:
        """Mass properties; those that no body can have are used as they are, or refused."""
        try:
            return mass(lump.mass, lump.about_com, lump.com)
        except ModelError as error:
            reason = str(error).removeprefix("mass: ").rstrip(".")
            if self.wanted.strict:
                raise ModelError(f"{self.file}: link {link!r}: {reason}.") from None
            self.notes.append(f"used as given: link {link!r}: {reason}")
            return MassProperties(lump.mass, lump.about_com, lump.com)

    def _name(self, name: str) -> str:
        """Name in the model: without dots, unique."""
        if name not in self._names:
            wanted = name.strip().replace(".", "_")
            taken = {"ground", *self._names.values()}
            found, k = wanted, 2
            while found in taken:
                found, k = f"{wanted} {k}", k + 1
            if found != name:
                self.notes.append(f"renamed: {name!r} to {found!r}")
            self._names[name] = found
        return self._names[name]

    def _joint_name(self, joint: RobotJoint) -> str:
        """Name of a joint in the model; a body may have the same name in the file."""
        key = f"{joint.name} joint" if joint.name in self.robot.links else joint.name
        return self._name(key)

    def _joints(self) -> None:
        joints = Joints(self.model, self._name, self.coordinates, self.notes)
        moving = [j for j in self.robot.joints if j.kind != "fixed"]
        ends = [
            [
                Marker(self.frames[link].body, self.frames[link].X_Bm @ X)
                for link, X in ((j.parent, j.X_PF), (j.child, j.X_CM))
            ]
            for j in moving
        ]
        for joint, (at, to) in zip(moving, ends):
            try:
                joints.connect(joint, self._joint_name(joint), at, to)
            except ModelError as error:
                raise ModelError(f"{self.file}: {error}") from None
        for joint, (at, to) in zip(moving, ends):
            name = self._joint_name(joint)
            if self.wanted.friction:
                joints.rub(joint, name, at, to)
            if self.wanted.stops:
                joints.stop(joint, name)
            joints.follow(joint, name)
        if self.wanted.actuators:
            for name, drive in self.robot.actuators.items():
                joints.drive(name, drive)

    def _finish(self) -> None:
        """Connect what floats, add lifting forces, and write the receipt."""
        for link in self.floating:
            X = self.robot.poses.get(link)
            self.model.float(self.frames[link].body, start=None if X is None else start_at(X))
        for link, force in self.robot.lift.items():
            marker, lump = self.frames[link], self.robot.links[link].lump or Lump()
            at = Marker(marker.body, marker.X_Bm @ Pose(IDENTITY.R, lump.com))
            self.model.force(self._name(f"{link} lift"), PointForce(force), at)
        massless = sum(link.lump is None for link in self.robot.links.values())
        if massless:
            self.notes.append(f"without mass: {counted(massless, 'link')}")
        limits = {
            j.name: (j.lower, j.upper)
            for j in self.robot.joints
            if j.lower is not None and j.upper is not None
        }
        if limits and not self.wanted.stops:
            self.notes.append(
                f"left out: limits of {counted(len(limits), 'joint')}; stops=True adds elastic stops"
            )
        actuators = {
            name: replace(one, coordinate=self.coordinates[one.coordinate])
            for name, one in self.robot.actuators.items()
        }
        self.model.receipt = Receipt(
            self.file,
            self._base(),
            self.frames,
            self.coordinates,
            limits,
            tuple(self.notes),
            actuators,
        )

    def _base(self) -> str:
        """What floats, in words."""
        if self.robot.ground is None:
            root = next(iter(self.robot.links))
            return f"the base {root!r} " + ("floats" if self.floating else "is fixed to the ground")
        if not self.floating:
            return "everything is connected to the ground"
        names = ", ".join(map(repr, self.floating[:3])) + ", ..." * (len(self.floating) > 3)
        return f"{names} {'floats' if len(self.floating) == 1 else 'float'}"


def start_at(X: Pose) -> dict[str, Any]:
    """Initial coordinates of a free joint."""
    p = dict(zip("xyz", map(float, X.p)))
    return {**p, "quaternion": matrix_quaternion(X.R)}
