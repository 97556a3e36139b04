"""The model of an arm: a tree of bodies and joints on which force elements act and from which
channels are read.

Every link is a body with its axes at the joint: x along the link, y normal to the plane, z up. A
mode whose tip moves is a body that slides along z of the link (or rotates, if the slope rotates the
next link), so that a load at the tip of the link is exactly at the position that the position
vectors give; a mode whose tip is at rest is a slide beside the link. These bodies have no inertia
of their own: the equations are generated.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any, ClassVar

import numpy as np

from ..description import look
from ..description.arm import FIXED, REVOLUTE, SLENDER, Arm, Link
from ..description.body import Body, Marker
from ..description.model import Model
from ..description.shapes import MassProperties, mass
from ..elements.joints.fixed import Fixed
from ..elements.joints.point_on_line import PointOnLine
from ..elements.joints.revolute import Revolute
from ..elements.joints.translational import Translational
from ..kernel.frames import Pose, rotation_matrix
from ..kernel.linalg import product
from ..kernel.mathematics import cos, sin
from .equations import Machine
from .frames import bend_name, joint_name


class _Slide(Translational):
    """A mode as a translational joint that is not drawn."""

    look: ClassVar[Any] = ()


class _Bend(Revolute):
    """A mode as a revolute joint that is not drawn."""

    look: ClassVar[Any] = ()


class CarrierBuilder:
    """Builds the model link by link."""

    def __init__(self, arm: Arm) -> None:
        self.arm, self.model = arm, Model(arm.name, gravity=(0.0, 0.0, -arm.gravity))
        self.base: dict[Link, Body] = {}
        self.tip: dict[Link, Body] = {}
        self.owners: dict[str, str] = {}
        for link in arm.links:
            self._link(link)
        for closure in arm.closures:
            ends = (
                self.marker(closure.first, closure.p_first),
                self.marker(closure.second, closure.p_second),
            )
            self.model.joint(closure.name, PointOnLine(axis="y"), *ends)
            self.model.cut(closure.name)

    def marker(self, link: Link | None, at: tuple[float, float]) -> Marker:
        """A marker at a point of a link, deflected if it is a tip, or on the ground."""
        if link is None:
            return Marker(self.model.ground, self.arm.X_WA @ _along(*at))
        if link in self.tip and link.is_tip(at):
            return self.tip[link].at(0.0, 0.0, 0.0)
        return self.on(link, _along(*at))

    def on(self, link: Link, X_Lm: Pose) -> Marker:
        """A marker on the body of a link; the body need not have the axes of the link."""
        return Marker(self.base[link], link.X_LB.inverse @ X_Lm)

    def _link(self, link: Link) -> None:
        m, held = self.model, self.marker(link.on, link.at)
        points = (
            {}
            if link.flexible and self._moves(link)
            else {"tip": tuple((link.X_LB.inverse @ _along(link.length)).p)}
        )
        self.base[link] = m.body(
            link.name, _properties(link), points=points, look=link.look or self._look(link)
        )
        # as at coordinate zero
        turned = self.on(link, Pose(rotation_matrix(("y", link.angle), link.name), np.zeros(3)))
        if link.kind == FIXED:
            m.joint(link.joint, Fixed(), held, turned)
        else:
            label, joint = _joint(link)
            m.joint(
                link.joint,
                joint,
                held,
                turned,
                start={label: link.start},
                speed={label: link.speed} if link.speed else {},
            )
            self.owners[joint_name(link)] = link.joint
        self._modes(link)

    def _look(self, link: Link) -> list[look.Outline]:
        """Shapes of a link: a tube along it, and arms to its other attachments; for a flexible
        link, the hub at its joint.
        """
        places = [
            *(() if link.flexible else ((link.length, 0.0),)),
            *(other.at for other in self.arm.links if other.on is link),
        ]
        for closure in self.arm.closures:
            places += [
                at
                for one, at in (
                    (closure.first, closure.p_first),
                    (closure.second, closure.p_second),
                )
                if one is link
            ]
        radius = SLENDER * max(one.length for one in self.arm.links)
        ends = [
            at
            for at in dict.fromkeys(places)
            if np.hypot(*at) > 2.0 * radius and not (link.flexible and link.is_tip(at))
        ]
        origin, back = link.X_LB.inverse.p, link.X_LB.inverse
        hub = [look.Sphere(1.2 * radius, origin)] if link.flexible else []
        return hub + [look.Cylinder(origin, (back @ _along(*at)).p, radius) for at in ends]

    @staticmethod
    def _moves(link: Link) -> bool:
        return any(link.integrals.tip != 0.0)

    def _modes(self, link: Link) -> None:
        """Bodies of the modes: a chain of slides to the tip, or slides beside the link."""
        held = {
            moves: self.on(link, _along(link.length if moves else 0.5 * link.length))
            for moves in (True, False)
        }
        moving = [k for k in range(len(link.modes)) if link.integrals.tip[k]]
        for k in range(len(link.modes)):
            moves = k in moving
            last = moves and k == moving[-1]
            name = f"{link.name}_mode{k + 1}"
            body = self.model.body(
                f"{link.name}_tip" if last else f"{name}_slide", mass(0.0), look=look.Sphere(1e-3)
            )
            if link.slope:
                back = -1.0 / float(link.integrals.slope[k])
                pivot = Marker(held[moves].body, held[moves].X_Bm @ _along(back))
                self.model.joint(
                    name, _Bend(axis="-y"), pivot, body.at(back, 0.0, 0.0), start={"angle": 0.0}
                )
            else:
                self.model.joint(
                    name, _Slide(axis="z"), held[moves], body, start={"displacement": 0.0}
                )
            held[moves] = body.at(0.0, 0.0, 0.0)
            self.owners[bend_name(link, k + 1)] = name
            if last:
                self.tip[link] = body


def _joint(link: Link) -> tuple[str, Revolute | Translational]:
    """The joint of a link and the label of its coordinate."""
    if link.kind == REVOLUTE:
        return "angle", Revolute(axis="-y" if link.sense > 0 else "y")  # -y rotates x toward z
    return "displacement", Translational(axis=(cos(link.along), 0.0, sin(link.along)))


def _along(x: float, z: float = 0.0) -> Pose:
    return Pose(np.eye(3), np.array([x, 0.0, z]))


def _properties(link: Link) -> MassProperties:
    """Mass of the link and of its payloads, as one rigid body, in the axes of the body."""
    masses = np.array([link.mass, *(lump.mass for lump in link.lumps)])
    places = np.array([link.com, *((lump.at, 0.0) for lump in link.lumps)])
    own = np.array([link.inertia, *(lump.inertia for lump in link.lumps)])
    total = masses.sum()
    if not total:
        return mass(0.0)
    centre = product(masses, places) / total
    inertia = own.sum() + product(masses, ((places - centre) ** 2).sum(axis=1))
    turned = link.X_LB.inverse
    moments = product(turned.R, np.diag([0.5 * inertia, inertia, 0.5 * inertia]), turned.R.T)
    return mass(total, moments, (turned @ _along(*centre)).p)


def carrier_model(arm: Arm) -> Model:
    """The model of an arm, with generated equations."""
    built = CarrierBuilder(deepcopy(arm))  # later additions to the arm do not change this model
    built.model.generated = Machine(built.arm, built.owners)
    return built.model
