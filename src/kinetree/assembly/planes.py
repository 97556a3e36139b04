"""Bodies that joints keep in a plane, found for runs in Cartesian coordinates.

A body is kept in a plane if joints lead from it to the ground that all leave the normal n of the
plane where it is:

    turns about n            revolute, planar joints with the axis n
    slides normal to n       translational, planar joints
    nothing                  fixed joints

Then its motion out of the plane is zero whatever forces act on it, whatever other joints it has,
and however its mass is distributed: only reactions depend on those.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..description.lowering.compiled import CompiledModel, JointPlace
from ..description.lowering.links import BodyPlane
from ..elements.joints.catalogue import JOINTS
from ..elements.joints.catalogue import KIND as JOINT_KIND
from ..elements.joints.contract import Joint, Z
from ..kernel.frames import Pose, axis_frame
from ..kernel.linalg import norm, product

PARALLEL = 1e-12  # sine of an angle between axes that is rounding
MOST = 8  # planes that are looked for
_SLIDES = {"slide_x": 0, "slide_y": 1, "slide_z": 2}


def planes_of(compiled: CompiledModel, poses: dict[str, Pose]) -> dict[str, BodyPlane]:
    """The plane of each body that joints keep in one, at these poses in the world."""
    guides = [
        _Guide(place, poses[compiled.bodies[place.i]].R @ place.X_iF.R)
        for place in compiled.joints.values()
        if _is_guide(place.spec.joint)
    ]
    found: dict[str, BodyPlane] = {}
    for n in _normals(guides):
        for i in _reached(guides, n, len(compiled.bodies)):
            name = compiled.bodies[i]
            found.setdefault(name, _plane(n, poses[name]))
    return found


def _is_guide(joint: Joint) -> bool:
    """Whether the joint only turns about the z axis of its frame F and slides along axes of F."""
    if joint.inner:
        return False
    own = type(joint)
    straight = own.offset is Joint.offset and joint.advance == 0.0
    known = all(gauge == "turn_z" or gauge in _SLIDES for gauge in own.coordinates.values())
    return straight and known and not own.ball and not JOINTS[JOINT_KIND[own.kind]].varying


class _Guide:
    """A joint with its two bodies, its axis of rotation and its directions of sliding."""

    def __init__(self, place: JointPlace, R_WF: np.ndarray) -> None:
        gauges = place.spec.joint.coordinates.values()
        self.ends = place.i, place.j
        self.turns = [R_WF[:, Z] for gauge in gauges if gauge == "turn_z"]
        self.slides = [R_WF[:, _SLIDES[gauge]] for gauge in gauges if gauge in _SLIDES]

    def keeps(self, n: np.ndarray) -> bool:
        """Whether the joint leaves bodies in a plane with this normal."""
        return all(norm(np.cross(axis, n)) < PARALLEL for axis in self.turns) and all(
            abs(product(axis, n)) < PARALLEL for axis in self.slides
        )


def _normals(guides: Iterable[_Guide]) -> list[np.ndarray]:
    """The different axes of rotation, those of most joints first."""
    axes = np.array([axis for guide in guides for axis in guide.turns]).reshape(-1, 3)
    largest = np.take_along_axis(axes, np.abs(axes).argmax(1)[:, None], 1)
    _, first, counts = np.unique(
        np.round(axes * np.sign(largest), 9) + 0.0, axis=0, return_index=True, return_counts=True
    )
    order = np.lexsort((first, -counts))[:MOST]
    return [_exact(axes[first[k]] * np.sign(largest[first[k]])) for k in order]


def _exact(n: np.ndarray) -> np.ndarray:
    """The axis, without rounding errors if it is one of the world."""
    unit = np.eye(3)[int(np.abs(n).argmax())]
    return unit if norm(n - unit) < PARALLEL else n / norm(n)


def _reached(guides: Iterable[_Guide], n: np.ndarray, bodies: int) -> list[int]:
    """Bodies that joints which keep the plane connect to the ground."""
    near: list[list[int]] = [[] for _ in range(bodies)]
    for guide in guides:
        if guide.keeps(n):
            i, j = guide.ends
            near[i].append(j)
            near[j].append(i)
    seen, todo = {0}, [0]
    while todo:
        new = [j for j in near[todo.pop()] if j not in seen]
        seen.update(new)
        todo += new
    return sorted(seen - {0})


def _plane(n: np.ndarray, pose: Pose) -> BodyPlane:
    """Frames of a body, with its angle zero at the given pose."""
    R_WF = axis_frame(n, "plane")
    return BodyPlane(Pose(R_WF, product(n, pose.p) * n), Pose(product(pose.R.T, R_WF), np.zeros(3)))
