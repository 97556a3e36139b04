"""Joints of robot files with their friction, springs, stops, drives and couplings."""

from __future__ import annotations

from collections.abc import Callable

from ....elements.constraints.coupling import Coupling
from ....elements.constraints.driver import Driver
from ....elements.forces.bump_stop import BumpStop
from ....elements.forces.bushing import Bushing
from ....elements.forces.joint_friction import JointFriction
from ....elements.forces.torsion_spring import TorsionSpring
from ....elements.joints.contract import Joint
from ....elements.joints.fixed import Fixed
from ....elements.joints.free import Free
from ....elements.joints.planar import Planar
from ....elements.joints.revolute import Revolute
from ....elements.joints.screw import Screw
from ....elements.joints.spherical import Spherical
from ....elements.joints.translational import Translational
from ....elements.signals.input import Input
from ...body import Marker
from ...model import Model
from .robot import Actuator, RobotJoint

MAKE: dict[str, Callable[[RobotJoint], Joint]] = {
    "revolute": lambda j: Revolute(axis=j.axis),
    "continuous": lambda j: Revolute(axis=j.axis),
    "prismatic": lambda j: Translational(axis=j.axis),
    "planar": lambda j: Planar(axis=j.axis),
    "screw": lambda j: Screw(axis=j.axis, pitch=j.pitch),
    "ball": lambda j: Spherical(),
    "floating": lambda j: Free(),
    "weld": lambda j: Fixed(),
}
LABEL = {
    "revolute": "angle",
    "continuous": "angle",
    "prismatic": "displacement",
    "screw": "angle",
}
_STOP = 100.0  # stiffness of a stop: the largest effort of the drive at 1/100 rad or m


class Joints:
    """Adds joints and what acts on them to a model; `name` makes unique names."""

    def __init__(
        self,
        model: Model,
        name: Callable[[str], str],
        coordinates: dict[str, str],
        notes: list[str],
    ) -> None:
        self.model, self.name, self.coordinates, self.notes = model, name, coordinates, notes

    def connect(self, joint: RobotJoint, name: str, at: Marker, to: Marker) -> None:
        """Add the joint between two markers."""
        made = MAKE[joint.kind](joint)
        inertia = dict.fromkeys(made.speeds, joint.armature) if joint.armature > 0.0 else {}
        self.model.joint(name, made, at, to, start=joint.start, inertia=inertia)

    def rub(self, joint: RobotJoint, name: str, at: Marker, to: Marker) -> None:
        """Add its damping, dry friction and spring."""
        x, k, d = self.coordinates.get(joint.name), joint.stiffness, joint.damping
        if x is None:
            if joint.kind == "ball" and k > 0.0:  # a torque k phi against the rotation vector phi
                law = Bushing(stiffness=(0.0, 0.0, 0.0, k, k, k))
                self.model.force(self.name(f"{name} spring"), law, at, to)
            if joint.friction or d:
                self.notes.append(f"left out: friction and damping of joint {joint.name!r}")
            return
        if k > 0.0 or (d > 0.0 and not joint.friction > 0.0):
            damping = 0.0 if joint.friction > 0.0 else max(d, 0.0)
            spring = TorsionSpring(x, stiffness=k, damping=damping, angle=joint.rest)
            self.model.force(self.name(f"{name} {'spring' if k else 'damping'}"), spring)
        if joint.friction > 0.0:
            dry = JointFriction(x, coulomb=joint.friction, viscous=max(d, 0.0))
            self.model.force(self.name(f"{name} friction"), dry)

    def drive(self, name: str, drive: Actuator) -> None:
        """Add a drive whose input is a `kt.Input` with the name of the actuator."""
        b0, b1, b2 = drive.bias
        x = self.coordinates[drive.coordinate]
        if b1 > 0.0 or b2 > 0.0 or (b0 != 0.0 and b1 == 0.0):
            self.notes.append(f"left out: actuator {name!r}, whose bias grows with its coordinate")
            return
        law = TorsionSpring(
            x,
            stiffness=-b1,
            damping=-b2,
            angle=-b0 / b1 if b1 else 0.0,
            torque=Input(name, factor=drive.gain),
        )
        self.model.force(self.name(f"{name} drive"), law)

    def stop(self, joint: RobotJoint, name: str) -> None:
        """Add elastic stops at the ends of its range."""
        if joint.lower is None or joint.upper is None or joint.name not in self.coordinates:
            return
        if not joint.lower < joint.upper:
            self.notes.append(f"left out: joint {joint.name!r}: an empty range of motion")
            return
        x, k = self.coordinates[joint.name], _STOP * max(joint.effort, 1.0)
        for end, at in (("upper", joint.upper), ("lower", joint.lower)):
            law = BumpStop(x, at=at, stiffness=k, lower_end=end == "lower")
            self.model.force(self.name(f"{name} {end} stop"), law)

    def follow(self, joint: RobotJoint, name: str) -> None:
        """Couple it to the joint that it mimics."""
        if joint.mimic is None:
            return
        x, leader = self.coordinates[joint.name], self.coordinates.get(joint.mimic.joint)
        key = self.name(f"{name} mimic")
        if leader is None or leader == x:
            self.notes.append(
                f"held: joint {joint.name!r} follows {joint.mimic.joint!r}, which has no coordinate"
            )
            self.model.constraint(key, Driver(x, joint.mimic.offset))
            return
        law = Coupling(x, leader, ratio=joint.mimic.multiplier, offset=joint.mimic.offset)
        self.model.constraint(key, law)
