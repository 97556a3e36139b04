"""The plane of a planar mechanism described in space, and its bodies and joints in that plane.

The axes A of the plane have z up, opposite to the component of gravity in the plane, and y normal
to it. A body beside the plane is shifted into it, which changes neither its motion nor its
equations.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..assembly.measure import body_pose
from ..assembly.result import Assembly
from ..description.body import Marker
from ..description.element import JointSpec
from ..description.lowering.trees import graph_of
from ..description.model import Model
from ..description.topology.graph import Graph, check_connected
from ..description.topology.spanning import choose
from ..elements.joints.fixed import Fixed
from ..elements.joints.point_on_line import PointOnLine
from ..elements.joints.revolute import Revolute
from ..elements.joints.spherical import Spherical
from ..elements.joints.translational import Translational
from ..engine.dynamics.kinematics import positions
from ..errors import ModelError, TopologyError
from ..kernel.frames import IDENTITY, Pose
from ..kernel.linalg import norm, product
from ..kernel.mathematics import atan2, cos, sin

_FLAT = (
    # sine of an angle below which axes are parallel, and relative distance below which points
    # coincide
    1e-9
)
TREE, PINS = (Revolute, Translational, Fixed), (Revolute, Spherical, PointOnLine)


class Plane:
    """An assembled mechanism in its plane."""

    def __init__(self, found: Assembly) -> None:
        self.model, compiled = found.compiled.model, found.compiled
        work = compiled.workspace(())
        positions(compiled.tables, work, found.q)
        self.X_WB = {
            name: body_pose(work, i) @ compiled.X_BK[i].inverse
            for i, name in enumerate(compiled.bodies)
        }
        self.X_WB["ground"] = IDENTITY
        self.X_WA = Pose(_axes(self._normal(), np.asarray(self.model.gravity, float)), np.zeros(3))
        for spec in self.model.joints.values():
            self._check(spec)

    def pose(self, marker: Marker) -> Pose:
        """X_Am of a marker."""
        return self.X_WA.inverse @ self.X_WB[marker.body.name] @ marker.X_Bm

    def flat(self, p_W) -> np.ndarray:
        """(x, z) of a point of the world."""
        return product(self.X_WA.R.T, np.asarray(p_W, float))[[0, 2]]

    def axis(self, spec: JointSpec) -> np.ndarray:
        """The axis of a joint, in A."""
        return self.pose(spec.F).R[:, 2]

    def _normal(self) -> np.ndarray:
        """Common axis of all hinges; for translational joints alone, the normal of their axes."""
        axes = {
            kind: [
                product(self.X_WB[s.F.body.name].R, s.F.X_Bm.R[:, 2])
                for s in self.model.joints.values()
                if isinstance(s.joint, kind)
            ]
            for kind in (Revolute, Translational)
        }
        if axes[Revolute]:
            return axes[Revolute][0]
        for a in axes[Translational]:
            for b in (*axes[Translational], np.eye(3)[1], np.eye(3)[2]):
                across = np.cross(a, b)
                if norm(across) > 0.1:
                    return across / norm(across)
        return np.eye(3)[1]

    def _check(self, spec: JointSpec) -> None:
        across = float(norm(np.cross(self.axis(spec), np.eye(3)[1])))
        if isinstance(spec.joint, (Revolute, PointOnLine)) and across > _FLAT:
            raise ModelError(
                f"joint {spec.name!r}: its axis is not parallel to that of the others; an arm "
                "moves in one plane. kt.derive(model) without `flexible` derives rigid bodies in "
                "space."
            )
        if isinstance(spec.joint, Translational) and across < 1.0 - _FLAT:
            raise ModelError(f"joint {spec.name!r}: it slides out of the plane of the mechanism.")


def _axes(normal: np.ndarray, gravity: np.ndarray) -> np.ndarray:
    """R_WA; if the plane is x-z of the world, the axes of the world."""
    y = normal * (1.0 if normal[np.abs(normal).argmax()] > 0.0 else -1.0)
    down = gravity - y * product(y, gravity)
    if norm(down) > _FLAT * max(1.0, norm(gravity)):
        z = -down / norm(down)
        return np.column_stack([np.cross(y, z), y, z])
    x = np.eye(3)[0] if abs(y[0]) < 0.9 else np.eye(3)[1]
    x = (x - y * product(y, x)) / norm(x - y * (product(y, x)))
    return np.column_stack([x, y, np.cross(x, y)])


def direction(way: np.ndarray) -> float:
    """The angle of a direction (x, z), from x toward z."""
    return atan2(way[1], way[0])


def turned(phi: float) -> np.ndarray:
    """Axes at an angle, from x toward z."""
    c, s = cos(phi), sin(phi)
    return np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])


def snapped(place: np.ndarray, length: float) -> tuple[float, float]:
    """A point in the axes of a link; exactly on its axis, at its joint or at its tip if it is
    within rounding.
    """
    x, z = (float(c) for c in place)
    small = _FLAT * max(1.0, length)
    return (length if abs(x - length) < small else 0.0 if abs(x) < small else x), 0.0 if abs(
        z
    ) < small else z


def planar_tree(model: Model) -> Model:
    """The model with its loops cut at pins, so that translational and fixed joints stay in the
    tree.
    """
    for spec in model.joints.values():
        if not isinstance(spec.joint, (*TREE, *PINS)):
            raise ModelError(
                f"joint {spec.name!r}: a {spec.joint.kind} joint cannot be part of an arm. Links "
                "rotate (kt.Revolute), slide (kt.Translational) or are fixed (kt.Fixed); "
                "kt.Spherical and kt.PointOnLine can be pins that close a loop."
            )
    graph = graph_of(model)
    check_connected(graph)
    kept = {name for name, s in model.joints.items() if isinstance(s.joint, (Translational, Fixed))}
    cut = {name for name, s in model.joints.items() if not isinstance(s.joint, TREE)}
    edges = tuple(
        replace(e, forced_tree=e.name in kept, forced_cut=e.forced_cut or e.name in cut)
        for e in graph.edges
    )
    twin = model.variant()
    try:
        twin.cuts = [e.name for e in choose(Graph(graph.bodies, edges)).cuts]
    except TopologyError:
        raise ModelError(
            f"model {model.name!r} is not an arm: every link must be connected to the ground by "
            "hinges (kt.Revolute), slides (kt.Translational) and kt.Fixed alone; other joints, "
            "and those of model.cut, close loops."
        ) from None
    return twin
