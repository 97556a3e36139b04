"""Data of a run, or of an assembled model, for the viewer: poses of the bodies at the frames of the
animation, and lines of the flexible parts.

Beams are lines through their nodes, flexible links follow their modes. Their color shows the strain
of the outer fiber: strain of the axis plus bending at the edge of the section,

    |e| + |k_y| h / 2 + |k_z| w / 2
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..assembly.build import build
from ..assembly.measure import body_pose
from ..assembly.prepare import prepare
from ..assembly.start import drawn_position
from ..description.beam import Beam, sides_of
from ..description.body import Marker
from ..description.generated import Bend
from ..description.model import Model
from ..elements.forces.beam import BeamForce
from ..engine.dynamics.kinematics import positions
from ..errors import AssemblyError, ModelError, ResultError, short
from ..kernel.frames import matrix_quaternion
from ..results.measured import quaternions
from .labels import Place, rotated

if TYPE_CHECKING:
    from ..results.beams import BeamMotion
    from ..results.solution import Solution


MOST_FRAMES = 600


@dataclass
class Motion:
    """Poses (nt, 7) by body; `first` is the number of its first frame in the scene."""

    model: Model
    t: np.ndarray
    poses: dict[str, np.ndarray]
    solution: Solution | None = None
    rows: np.ndarray | None = None  # samples of the solution that became frames
    first: int = 1
    closed: bool = True  # False if the model is as drawn, with open loops
    # beams and flexible links by name, in the world
    bends: dict[str, Bend] = field(default_factory=dict)

    @cached_property
    def _number(self) -> dict[str, int]:
        return {name: k for k, name in enumerate(self.poses)}

    @cached_property
    def numbered(self) -> list[np.ndarray]:
        """The poses in the order of the frames."""
        return list(self.poses.values())

    def frame(self, body: str) -> int:
        return 0 if body == "ground" else self.first + self._number[body]

    def place(self, marker: Marker) -> Place:
        return Place(self.frame(marker.body.name), marker.X_Bm.p)

    def path(self, marker: Marker) -> np.ndarray:
        """Position of a marker at every frame, (nt, 3)."""
        if marker.body.is_ground:
            return np.broadcast_to(marker.X_Bm.p, (len(self.t), 3))
        pose = self.poses[marker.body.name]
        return pose[:, :3] + rotated(pose[:, 3:], marker.X_Bm.p)

    def at(self, t: np.ndarray) -> Motion:
        """The motion at other times: linear between frames, constant beyond the ends."""

        def between(pose):
            values = np.column_stack([np.interp(t, self.t, column) for column in pose.T])
            values[:, 3:] /= np.linalg.norm(values[:, 3:], axis=1, keepdims=True)
            return values

        return Motion(
            self.model,
            t,
            {name: between(pose) for name, pose in self.poses.items()},
            self.solution,
            self.rows,
            bends={name: _bent_at(bend, self.t, t) for name, bend in self.bends.items()},
        )


def of_model(model: Model) -> Motion:
    """The assembled model; if it cannot be assembled, the model as drawn, so that the gap is
    visible.
    """
    try:
        assembly = prepare(model)
        compiled, q, closed = assembly.compiled, assembly.q, True
    except AssemblyError:
        compiled = build(model, "relative", "auto")
        q, closed = drawn_position(compiled, compiled.workspace(())), False
    work = compiled.workspace(())
    positions(compiled.tables, work, q)
    X_WB = {
        name: body_pose(work, i) @ compiled.X_BK[i].inverse
        for i, name in enumerate(compiled.bodies)
    }
    poses = {
        name: np.array([[*X_WB[name].p, *matrix_quaternion(X_WB[name].R)]]) for name in model.bodies
    }
    return Motion(model, np.zeros(1), poses, closed=closed, bends=_bends_of_model(model, poses))


def of_solution(sol: Solution, frames: int | None = None) -> Motion:
    """A run with at most `frames` of its samples, evenly distributed."""
    if not hasattr(sol, "record") or not len(sol.t):
        raise ResultError(f"there is no sample to draw in {sol!r}.")
    most = MOST_FRAMES if frames is None else frames
    if not isinstance(most, int) or most < 1:
        raise ModelError(f"frames must be a whole number of at least one, got {short(frames)}.")
    rows = np.unique(np.linspace(0, len(sol.t) - 1, min(most, len(sol.t))).round().astype(int))
    poses = _poses(sol.compiled, sol.record.at(rows))
    return Motion(sol.model, sol.t[rows], poses, sol, rows, bends=_bends_of_run(sol, rows, poses))


def _poses(compiled, record) -> dict[str, np.ndarray]:
    """Positions and quaternions, in the order of the model."""
    found, number = {}, {name: k for k, name in enumerate(compiled.bodies)}
    for name in compiled.model.bodies:
        k = number[name]
        q = quaternions(record.of("rotation", k).reshape(-1, 3, 3))
        found[name] = np.hstack([record.of("position", k), q])
    if not all(np.isfinite(pose).all() for pose in found.values()):
        raise ResultError(
            f"the poses of model {compiled.model.name!r} are not all finite, so they cannot be "
            "drawn."
        )
    return found


def _bends_of_run(
    sol: Solution, rows: np.ndarray, poses: Mapping[str, np.ndarray]
) -> dict[str, Bend]:
    """Lines of the flexible parts at the given samples."""
    found = {
        e.name: _beam(sol.beams[e.name], e.spec.sides, rows)
        for e in sol.model.forces.values()
        if isinstance(e.spec, BeamForce)
    }
    if sol.model.generated is not None:
        for name, bend in sol.model.generated.bends(sol).items():
            strain = None if bend.strain is None else bend.strain[rows]
            found[name] = _in_world(
                bend._replace(points=bend.points[rows], strain=strain), poses[name]
            )
    return found


def _bends_of_model(model: Model, poses: Mapping[str, np.ndarray]) -> dict[str, Bend]:
    """Lines of the undeformed flexible parts."""
    found = {} if model.generated is None else model.generated.bends(None)
    for name, body in model.bodies.items():
        if isinstance(body, Beam):
            across = np.array([[node.R[:, 1] for node in body.nodes]])
            found[name] = Bend(np.array([[node.p for node in body.nodes]]), sides_of(body), across)
    return {name: _in_world(bend, poses[name]) for name, bend in found.items()}


def _bent_at(bend: Bend, before: np.ndarray, t: np.ndarray) -> Bend:
    """Lines at other times: linear between samples, constant beyond the ends."""
    k = np.clip(np.searchsorted(before, t) - 1, 0, max(len(before) - 2, 0))
    after = np.minimum(k + 1, len(before) - 1)
    s = np.clip((t - before[k]) / np.maximum(before[after] - before[k], 1e-300), 0.0, 1.0)

    def between(values: np.ndarray | None) -> np.ndarray | None:
        if values is None:
            return None
        share = s.reshape(-1, *[1] * (values.ndim - 1))
        return (1.0 - share) * values[k] + share * values[after]

    points = between(bend.points)
    assert points is not None
    return Bend(points, bend.sides, between(bend.across), between(bend.strain))


def _beam(beam: BeamMotion, sides: tuple[float, float], rows: np.ndarray) -> Bend:
    width, height = sides
    bends = np.abs(beam.curvature[rows])
    strain = np.abs(beam.strain[rows, :, 0]) + 0.5 * (
        height * bends[..., 1] + width * bends[..., 2]
    )
    return Bend(beam.position[rows], sides, beam.rotation[rows][..., 1], _at_nodes(strain))


def _at_nodes(values: np.ndarray) -> np.ndarray:
    """Node values as the mean of both neighbors, extrapolated linearly at the ends and never
    negative.
    """
    inner = 0.5 * (values[:, 1:] + values[:, :-1])
    ends = values[:, :1], values[:, -1:]
    if values.shape[1] > 1:
        ends = 2.0 * ends[0] - inner[:, :1], 2.0 * ends[1] - inner[:, -1:]
    return np.maximum(np.hstack([ends[0], inner, ends[1]]), 0.0)


def _in_world(bend: Bend, pose: np.ndarray) -> Bend:
    """Transform from the axes of a body with this motion (nt, 7) to the world."""
    p, q = pose[:, None, :3], pose[:, None, 3:]
    across = None if bend.across is None else rotated(q, bend.across)
    return bend._replace(points=p + rotated(q, bend.points), across=across)
