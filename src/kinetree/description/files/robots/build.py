"""Make a model of a robot: one body for all links that fixed joints connect, named after the first.

Links without mass that carry a moving joint keep a body of their own; assembly explains if such a
body can move without inertia.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass

from ....elements.constraints.coupling import Coupling
from ....elements.constraints.driver import Driver
from ....elements.forces.bump_stop import BumpStop
from ....elements.forces.joint_friction import JointFriction
from ....elements.forces.torsion_spring import TorsionSpring
from ....elements.joints.free import Free
from ....elements.joints.planar import Planar
from ....elements.joints.revolute import Revolute
from ....elements.joints.translational import Translational
from ....errors import ModelError, counted
from ....kernel.frames import IDENTITY, Pose
from ...body import Body, Marker
from ...look import Outline
from ...model import Model
from ...shapes import MassProperties, mass
from .receipt import Receipt
from .robot import Lump, Robot, RobotJoint

_AXIAL = {
    "revolute": Revolute,
    "continuous": Revolute,
    "prismatic": Translational,
    "planar": Planar,
}
_LABEL = {"revolute": "angle", "continuous": "angle", "prismatic": "displacement"}
_STOP = 100.0  # stiffness of a stop: the largest effort of the drive at 1/100 rad or m


@dataclass(frozen=True)
class Wanted:
    """What the caller asks for."""

    base: str | None = None  # "floating", "fixed"; None: floating if the root link has mass
    stops: bool = False
    friction: bool = True
    strict: bool = False


def build(robot: Robot, file: str, wanted: Wanted) -> Model:
    """The model of a robot, with its receipt."""
    return _Builder(robot, file, wanted).model


class _Builder:
    def __init__(self, robot: Robot, file: str, wanted: Wanted) -> None:
        self.file, self.wanted, self.robot = file, wanted, robot
        self.notes = list(robot.notes)
        self.model = Model(robot.name)
        self._names: dict[str, str] = {}
        order = self._breadth_first()
        root = order[0][1]
        self.frames: dict[str, Marker] = {}
        self._bodies(root, order)
        self.coordinates = {
            joint.name: f"{self._joint_name(joint)}.{_LABEL[joint.kind]}"
            for joint, _ in order[1:]
            if joint is not None and joint.kind in _LABEL
        }
        for joint, _ in order[1:]:
            if joint is not None and joint.kind != "fixed":
                self._connect(joint)
        self._finish(root)

    def _breadth_first(self) -> list[tuple[RobotJoint | None, str]]:
        """Links from the root outwards, each with the joint that carries it."""
        robot, carried = self.robot, Counter(j.child for j in self.robot.joints)
        for j in robot.joints:
            for link in (j.parent, j.child):
                if link not in robot.links:
                    raise ModelError(
                        f"{self.file}: joint {j.name!r} names the link {link!r}, which the file does "
                        "not define."
                    )
        twice = [link for link, n in carried.items() if n > 1]
        if twice:
            raise ModelError(
                f"{self.file}: link {twice[0]!r} is the child of {carried[twice[0]]} joints. This "
                "format describes trees; close the loop with Model.joint after loading."
            )
        roots = [link for link in robot.links if link not in carried]
        if len(roots) != 1:
            names = ", ".join(map(repr, roots[:4])) or "none"
            raise ModelError(
                f"{self.file}: a robot has one root link that no joint carries; found {names}."
            )
        children: dict[str, list[RobotJoint]] = {}
        for j in robot.joints:
            children.setdefault(j.parent, []).append(j)
        found: list[tuple[RobotJoint | None, str]] = [(None, roots[0])]
        queue = deque(roots)
        while queue:
            for j in children.get(queue.popleft(), ()):
                found.append((j, j.child))
                queue.append(j.child)
        if len(found) < len(robot.links):
            lost = sorted(set(robot.links) - {link for _, link in found})[0]
            raise ModelError(
                f"{self.file}: link {lost!r} is in a loop that the root does not reach."
            )
        return found

    def _bodies(self, root: str, order: list[tuple[RobotJoint | None, str]]) -> None:
        """Bodies of the links that fixed joints connect, and the frame of every link."""
        where: dict[str, tuple[str, Pose]] = {}  # first link of the body, pose in it
        for joint, link in order:
            if joint is not None and joint.kind == "fixed":
                first, X = where[joint.parent]
                where[link] = first, X @ joint.X_PF
            else:
                where[link] = link, IDENTITY
        lumps: dict[str, Lump] = {}
        looks: dict[str, list[Outline]] = {}
        for link, (first, X) in where.items():
            part = self.robot.links[link]
            lumps[first] = lumps.get(first, Lump()) + (part.lump or Lump()).seen_from(X)
            looks.setdefault(first, []).extend(picture(X) for picture in part.look)
        self.floating = self._floats(root, lumps[root])
        bodies: dict[str, Body] = {}
        for first, lump in lumps.items():
            if first == root and not self.floating:
                bodies[first] = self.model.ground
                self.model.surroundings.extend(looks[first])
                continue
            bodies[first] = self.model.body(
                self._name(first), self._properties(lump, first), look=looks[first] or None
            )
        self.frames = {link: Marker(bodies[first], X) for link, (first, X) in where.items()}

    def _floats(self, root: str, lump: Lump) -> bool:
        if self.wanted.base is not None:
            return self.wanted.base == "floating"
        return lump.mass > 0.0 and root != "world"

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

    def _connect(self, joint: RobotJoint) -> None:
        parent, child = self.frames[joint.parent], self.frames[joint.child]
        at = Marker(parent.body, parent.X_Bm @ joint.X_PF)
        name = self._joint_name(joint)
        if joint.kind == "floating":
            self.model.joint(name, Free(), at, child)
            return
        try:
            self.model.joint(name, _AXIAL[joint.kind](axis=joint.axis), at, child)
        except ModelError as error:
            raise ModelError(f"{self.file}: {error}") from None
        if joint.kind != "planar":
            self._rubbing(joint, name)
            self._stopping(joint, name)
            self._following(joint, name)

    def _rubbing(self, joint: RobotJoint, name: str) -> None:
        x = self.coordinates[joint.name]
        if not self.wanted.friction or not (joint.damping > 0.0 or joint.friction > 0.0):
            return
        if joint.friction > 0.0:
            law = JointFriction(x, coulomb=joint.friction, viscous=max(joint.damping, 0.0))
            self.model.force(self._name(f"{name} friction"), law)
        else:
            self.model.force(self._name(f"{name} damping"), TorsionSpring(x, damping=joint.damping))

    def _stopping(self, joint: RobotJoint, name: str) -> None:
        if not self.wanted.stops or joint.lower is None or joint.upper is None:
            return
        if not joint.lower < joint.upper:
            self.notes.append(f"left out: joint {joint.name!r}: an empty range of motion")
            return
        x, k = self.coordinates[joint.name], _STOP * max(joint.effort, 1.0)
        for end, at in (("upper", joint.upper), ("lower", joint.lower)):
            law = BumpStop(x, at=at, stiffness=k, lower_end=end == "lower")
            self.model.force(self._name(f"{name} {end} stop"), law)

    def _following(self, joint: RobotJoint, name: str) -> None:
        if joint.mimic is None:
            return
        x, leader = self.coordinates[joint.name], self.coordinates.get(joint.mimic.joint)
        key = self._name(f"{name} mimic")
        if leader is None or leader == x:
            self.notes.append(
                f"held: joint {joint.name!r} follows {joint.mimic.joint!r}, which has no coordinate"
            )
            self.model.constraint(key, Driver(x, joint.mimic.offset))
            return
        law = Coupling(x, leader, ratio=joint.mimic.multiplier, offset=joint.mimic.offset)
        self.model.constraint(key, law)

    def _finish(self, root: str) -> None:
        """Connect the base, and write the receipt."""
        if self.floating:
            self.model.float(self.frames[root].body)
        links = self.robot.links.values()
        massless = sum(link.lump is None for link in links)
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
        how = "floats" if self.floating else "is fixed to the ground"
        self.model.receipt = Receipt(
            self.file,
            f"the base {root!r} {how}",
            self.frames,
            self.coordinates,
            limits,
            tuple(self.notes),
        )
