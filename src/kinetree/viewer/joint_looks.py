"""How joints look: glyphs at their frames. Frame F is on the parent, M on the child, the axis is z of F.

    look(joint, stage) -> parts        `stage` knows the motion, the size of the machine and where the floor is
"""

from __future__ import annotations

import numpy as np

from ..model.body import Marker
from ..model.look import Box, Cylinder, Outline, Sphere
from ..model.model import JointSpec
from .colours import CHROME, DARK, STEEL
from .parts import Solid
from .stage import Stage


def revolute(joint: JointSpec, stage: Stage) -> list[Solid]:
    """A pin through a hub."""
    r = stage.r
    return [_pin(joint.F, stage, 2.5 * r, 0.5 * r), _pin(joint.F, stage, 1.35 * r, r, DARK)]


def cylindrical(joint: JointSpec, stage: Stage) -> list[Solid]:
    """A shaft as long as the travel, and a sleeve on it."""
    r = stage.r
    return [_shaft(joint, stage, 0.5 * r), _pin(joint.M, stage, 1.8 * r, r, DARK)]


def screw(joint: JointSpec, stage: Stage) -> list[Solid]:
    """A shaft with ridges, and a nut."""
    r = stage.r
    axle = _axle(joint, stage, 0.45 * r)
    shaft, a, b = _solid(axle, joint.F, stage, CHROME, 0.6), axle.a, axle.b
    count = min(40, max(2, round(float(np.linalg.norm(b - a)) / (0.7 * r))))
    u = (b - a) / count
    ridges = [Solid(Cylinder(a + (k + 0.3) * u, a + (k + 0.7) * u, 0.62 * r), shaft.on, CHROME, 0.7) for k in range(count)]
    return [shaft, *ridges, _pin(joint.M, stage, 1.2 * r, 1.15 * r, DARK)]


def translational(joint: JointSpec, stage: Stage) -> list[Solid]:
    """A rail as long as the travel, and a sleeve on it; a rail on the ground stands on the floor."""
    r = stage.r
    return [_shaft(joint, stage, 0.5 * r), _pin(joint.M, stage, 1.6 * r, 0.95 * r, DARK)]


def spherical(joint: JointSpec, stage: Stage) -> list[Solid]:
    """A ball in a collar."""
    return [_solid(Sphere(1.15 * stage.r, joint.F.X_Bm.p), joint.F, stage, CHROME, 0.8)]


def universal(joint: JointSpec, stage: Stage) -> list[Solid]:
    """A cross: one pin along x of F, one along y of M."""
    r, found = stage.r, []
    for marker, column in ((joint.F, 0), (joint.M, 1)):
        p, u = marker.X_Bm.p, marker.X_Bm.R[:, column]
        found.append(_solid(Cylinder(p - 2.1 * r * u, p + 2.1 * r * u, 0.55 * r), marker, stage, CHROME, 0.7))
    return [*found, _solid(Sphere(0.95 * r, joint.F.X_Bm.p), joint.F, stage, DARK)]


def planar(joint: JointSpec, stage: Stage) -> list[Solid]:
    """A table as wide as the travel, and a foot on it."""
    r, F, M = stage.r, joint.F, joint.M
    travel = stage.travel(joint)[:, :2]
    low, high = travel.min(axis=0) - 4.0 * r, travel.max(axis=0) + 4.0 * r
    middle = F.X_Bm.p + F.X_Bm.R @ (*(0.5 * (low + high)), -0.6 * r)
    table = Box((*(high - low), 0.3 * r), middle, F.X_Bm.R)
    return [_solid(table, F, stage, STEEL), _pin(M, stage, 0.45 * r, 1.3 * r, DARK)]


def fixed(joint: JointSpec, stage: Stage) -> list[Solid]:
    """A small block."""
    side = 1.7 * stage.r
    return [_solid(Box((side, side, side), joint.F.X_Bm.p, joint.F.X_Bm.R), joint.F, stage, DARK)]


def nothing(joint: JointSpec, stage: Stage) -> list[Solid]:
    """A free body is held by nothing."""
    return []


def _pin(marker: Marker, stage: Stage, half: float, radius: float, paint: str = CHROME) -> Solid:
    """A cylinder about the axis of a marker."""
    p, u = marker.X_Bm.p, marker.X_Bm.R[:, 2]
    return _solid(Cylinder(p - half * u, p + half * u, radius, round=0.25 * radius), marker, stage, paint,
                  0.7 if paint == CHROME else 0.25)


def _shaft(joint: JointSpec, stage: Stage, radius: float) -> Solid:
    return _solid(_axle(joint, stage, radius), joint.F, stage, CHROME, 0.6)


def _axle(joint: JointSpec, stage: Stage, radius: float) -> Cylinder:
    """Along the axis of F, over the travel of M."""
    travel, p, u = stage.travel(joint)[:, 2], joint.F.X_Bm.p, joint.F.X_Bm.R[:, 2]
    low, high = travel.min() - 3.5 * stage.r, travel.max() + 3.5 * stage.r
    return Cylinder(p + low * u, p + high * u, radius)


def _solid(shape: Outline, marker: Marker, stage: Stage, paint: str, gloss: float = 0.25) -> Solid:
    return Solid(shape, stage.motion.frame(marker.body.name), paint, gloss)
