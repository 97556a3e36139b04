"""Views: the default view of a model, whether the camera follows it, and the points that every view
must contain.
"""

from __future__ import annotations

import math

import numpy as np

from .bodies import reach
from .labels import Arrow, Scene, rotated
from .motion import Motion

VIEWS = {
    "home": None,
    "front": (-math.pi / 2, 0.0),
    "side": (0.0, 0.0),
    "top": (-math.pi / 2, math.pi / 2 - 1e-4),
}
ASIDE, ABOVE = math.radians(33.0), math.radians(22.0)
LONGEST = 0.8  # model sizes: largest length of an arrow
FAR = 2.2  # model sizes: a model that travels this far drives away
MOST_SAMPLES = 20000  # solids times frames at which the extent is measured


def default_view(motion: Motion) -> tuple[float, float]:
    """Azimuth and elevation: nearly along the hinges of a planar model, otherwise from the front
    right above.
    """
    turns = [j for j in motion.model.joints.values() if "pin" in j.joint.look]
    axes = np.array([_axis(motion, j) for j in turns]).reshape(-1, 3)
    if not len(axes) or np.abs(axes @ axes[0]).min() < 0.95:
        return -0.9, ABOVE + 0.04
    if abs(axes[0, 2]) > 0.9:
        return (-0.9, ABOVE) if len(axes) < 3 else (-math.pi / 2 + 0.35, math.radians(52.0))
    azimuth = math.atan2(axes[0, 1], axes[0, 0])
    front = min(
        (azimuth, azimuth + math.pi),
        key=lambda a: abs(math.remainder(a + math.pi / 2 - 1e-3, math.tau)),
    )
    return math.remainder(front + ASIDE, math.tau), ABOVE


def _axis(motion: Motion, joint) -> np.ndarray:
    """The axis of a hinge in the world, at the start."""
    z = joint.F.X_Bm.R[:, 2]
    return z if joint.F.body.is_ground else rotated(motion.poses[joint.F.body.name][0, 3:], z)


def must_follow(motion: Motion, size: float) -> int | None:
    """Frame of the first body if everything travels far and horizontally, otherwise None."""
    if not motion.poses or len(motion.t) < 2 or _pivots(motion.model):
        return None
    travels = [np.linalg.norm(pose[-1, :2] - pose[0, :2]) for pose in motion.poses.values()]
    return motion.first if min(travels) > FAR * size else None


def _pivots(model) -> bool:
    """Whether a joint holds the model on the ground, because it has no translation."""
    return any(
        joint.F.body.is_ground and "m" not in joint.joint.units for joint in model.joints.values()
    )


def hull(scene: Scene) -> np.ndarray:
    """The farthest points with their radii in many directions over the run, and their projections
    on the floor.
    """
    most = (
        1
        if scene.follow
        else min(max(20, MOST_SAMPLES // max(1, len(scene.solids))), len(scene.times))
    )
    rows = np.unique(np.linspace(0, len(scene.times) - 1, most).astype(int))
    # the road is not part of the view of a model that drives away
    solids = [s for s in scene.solids if s.on or not scene.follow]
    spheres = [_moved(scene, solid.on, reach(solid.shape), rows) for solid in solids]
    for span in scene.spans:
        spheres += [
            _moved(scene, place.on, np.array([[*place.p, span.radius]]), rows)
            for place in (span.a, span.b)
        ]
    for strip in scene.strips:
        points = strip.points[rows].reshape(-1, 3)
        spheres.append(np.column_stack([points, np.full(len(points), 0.5 * max(strip.sides))]))
    for skin in scene.skins:
        corners = np.array([skin.nodes.min(axis=0), skin.nodes.max(axis=0)])
        box = np.array([[corners[i >> j & 1][j] for j in range(3)] for i in range(8)])
        spheres.append(_moved(scene, skin.on, np.column_stack([box, np.zeros(8)]), rows))
    for arrow in scene.arrows if scene.arrows_shown else ():
        tips = scene.path(arrow.at)[rows] + arrow_lengths(arrow, scene.size)[rows]
        spheres.append(np.column_stack([tips, np.zeros(len(rows))]))
    if not spheres:
        return np.array([[0.0, 0.0, 0.0, 1.0]])
    found = np.concatenate(spheres)
    far = found[:, :3] @ _directions().T + found[:, 3:]
    return found[np.unique(far.argmax(axis=0))]


def arrow_lengths(arrow: Arrow, size: float) -> np.ndarray:
    """An arrow at every frame in meters, (nt, 3); none is longer than LONGEST."""
    v = arrow.scale * np.nan_to_num(arrow.values)
    return v * np.minimum(
        1.0, LONGEST * size / np.maximum(np.linalg.norm(v, axis=1, keepdims=True), 1e-300)
    )


def _moved(scene: Scene, on: int, spheres: np.ndarray, rows: np.ndarray) -> np.ndarray:
    if on == 0:
        return spheres
    pose = scene.poses[on - 1][rows]
    points = pose[:, None, :3] + rotated(pose[:, None, 3:], spheres[None, :, :3])
    radii = np.broadcast_to(spheres[None, :, 3:], (*points.shape[:2], 1))
    return np.concatenate([points, radii], axis=2).reshape(-1, 4)


def _directions(count: int = 96) -> np.ndarray:
    """Directions distributed evenly over the sphere: the golden spiral."""
    k = np.arange(count) + 0.5
    z, turn = 1.0 - 2.0 * k / count, math.pi * (1.0 + math.sqrt(5.0)) * k
    across = np.sqrt(1.0 - z * z)
    return np.column_stack([across * np.cos(turn), across * np.sin(turn), z])
