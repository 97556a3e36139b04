"""Shapes of joints: parts at their frames, named by each joint. Frame F is on the parent, M on the
child, the axis is z.

    piece(joint, stage) -> parts

`stage` has the motion, the model size and the height of the floor.
"""

from __future__ import annotations

import numpy as np

from ..description.body import Marker
from ..description.look import Box, Cylinder, Outline, Sphere
from ..description.model import JointSpec
from .colours import CHROME, DARK, STEEL
from .drawing_context import DrawingContext
from .labels import Solid


def pin(joint: JointSpec, stage: DrawingContext) -> list[Solid]:
    return [_pin(joint.F, stage, 2.5 * stage.r, 0.5 * stage.r)]


def hub(joint: JointSpec, stage: DrawingContext) -> list[Solid]:
    return [_pin(joint.F, stage, 1.35 * stage.r, stage.r, DARK)]


def rail(joint: JointSpec, stage: DrawingContext) -> list[Solid]:
    """A shaft as long as the travel; a rail on the ground stands on the floor."""
    return [_solid(_axle(joint, stage, 0.5 * stage.r), joint.F, stage, CHROME, 0.6)]


def wire(joint: JointSpec, stage: DrawingContext) -> list[Solid]:
    """The curve of the joint on the parent, as straight segments."""
    points = joint.F.X_Bm.p + joint.joint.drawn_curve() @ joint.F.X_Bm.R.T
    return [
        _solid(Cylinder(a, b, 0.35 * stage.r), joint.F, stage, CHROME, 0.6)
        for a, b in zip(points[:-1], points[1:])
    ]


def slider(joint: JointSpec, stage: DrawingContext) -> list[Solid]:
    return [_pin(joint.M, stage, 1.6 * stage.r, 0.95 * stage.r, DARK)]


def sleeve(joint: JointSpec, stage: DrawingContext) -> list[Solid]:
    return [_pin(joint.M, stage, 1.8 * stage.r, stage.r, DARK)]


def nut(joint: JointSpec, stage: DrawingContext) -> list[Solid]:
    return [_pin(joint.M, stage, 1.2 * stage.r, 1.15 * stage.r, DARK)]


def foot(joint: JointSpec, stage: DrawingContext) -> list[Solid]:
    return [_pin(joint.M, stage, 0.45 * stage.r, 1.3 * stage.r, DARK)]


def thread(joint: JointSpec, stage: DrawingContext) -> list[Solid]:
    """A shaft with a thread."""
    r = stage.r
    axle = _axle(joint, stage, 0.45 * r)
    shaft, a, b = _solid(axle, joint.F, stage, CHROME, 0.6), axle.a, axle.b
    count = min(40, max(2, round(float(np.linalg.norm(b - a)) / (0.7 * r))))
    u = (b - a) / count
    ridges = [
        Solid(Cylinder(a + (k + 0.3) * u, a + (k + 0.7) * u, 0.62 * r), shaft.on, CHROME, 0.7)
        for k in range(count)
    ]
    return [shaft, *ridges]


def ball(joint: JointSpec, stage: DrawingContext) -> list[Solid]:
    """A ball in its socket on the parent."""
    return [_solid(Sphere(1.15 * stage.r, joint.F.X_Bm.p), joint.F, stage, CHROME, 0.8)]


def bead(joint: JointSpec, stage: DrawingContext) -> list[Solid]:
    """A ball on the child, at its point."""
    return [_solid(Sphere(1.15 * stage.r, joint.M.X_Bm.p), joint.M, stage, DARK, 0.5)]


def cross(joint: JointSpec, stage: DrawingContext) -> list[Solid]:
    """One pin along x of F, one along y of M."""
    r, found = stage.r, []
    for marker, column in ((joint.F, 0), (joint.M, 1)):
        p, u = marker.X_Bm.p, marker.X_Bm.R[:, column]
        found.append(
            _solid(Cylinder(p - 2.1 * r * u, p + 2.1 * r * u, 0.55 * r), marker, stage, CHROME, 0.7)
        )
    return [*found, _solid(Sphere(0.95 * r, joint.F.X_Bm.p), joint.F, stage, DARK)]


def table(joint: JointSpec, stage: DrawingContext) -> list[Solid]:
    """A plate as wide as the travel."""
    r, F = stage.r, joint.F
    travel = stage.travel(joint)[:, :2]
    low, high = travel.min(axis=0) - 4.0 * r, travel.max(axis=0) + 4.0 * r
    middle = F.X_Bm.p + F.X_Bm.R @ (*(0.5 * (low + high)), -0.6 * r)
    return [_solid(Box((*(high - low), 0.3 * r), middle, F.X_Bm.R), F, stage, STEEL)]


def block(joint: JointSpec, stage: DrawingContext) -> list[Solid]:
    side = 1.7 * stage.r
    return [_solid(Box((side, side, side), joint.F.X_Bm.p, joint.F.X_Bm.R), joint.F, stage, DARK)]


PIECES = {
    piece.__name__: piece
    for piece in (
        pin,
        hub,
        rail,
        wire,
        slider,
        sleeve,
        thread,
        nut,
        ball,
        bead,
        cross,
        table,
        foot,
        block,
    )
}
RAILS = {"rail", "thread"}  # the ends of these stand on the floor without a post


def joint_look(joint: JointSpec, stage: DrawingContext) -> list[Solid]:
    """The parts that the joint names; none if it constrains nothing."""
    return [part for piece in joint.joint.look for part in PIECES[piece](joint, stage)]


def _pin(
    marker: Marker, stage: DrawingContext, half: float, radius: float, paint: str = CHROME
) -> Solid:
    """A cylinder about the axis of a marker."""
    p, u = marker.X_Bm.p, marker.X_Bm.R[:, 2]
    return _solid(
        Cylinder(p - half * u, p + half * u, radius, round=0.25 * radius),
        marker,
        stage,
        paint,
        0.7 if paint == CHROME else 0.25,
    )


def _axle(joint: JointSpec, stage: DrawingContext, radius: float) -> Cylinder:
    """A shaft along the axis of F, over the travel of M."""
    travel, p, u = stage.travel(joint)[:, 2], joint.F.X_Bm.p, joint.F.X_Bm.R[:, 2]
    low, high = travel.min() - 3.5 * stage.r, travel.max() + 3.5 * stage.r
    return Cylinder(p + low * u, p + high * u, radius)


def _solid(
    shape: Outline, marker: Marker, stage: DrawingContext, paint: str, gloss: float = 0.25
) -> Solid:
    return Solid(shape, stage.motion.frame(marker.body.name), paint, gloss)
