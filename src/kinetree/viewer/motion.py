"""Data of a run, or of an assembled model, for the viewer: poses of the bodies at the frames of the
animation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..assembly.build import build
from ..assembly.measure import body_pose
from ..assembly.prepare import prepare
from ..assembly.start import drawn_position
from ..description.body import Marker
from ..description.generated import Bend
from ..description.model import Model
from ..engine.dynamics.kinematics import positions
from ..errors import AssemblyError, ModelError, ResultError, short
from ..kernel.frames import matrix_quaternion
from ..results.measured import quaternions
from .bends import bends_of_model, bends_of_run, bent_at
from .labels import Place, rotated

if TYPE_CHECKING:
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
            bends={name: bent_at(bend, self.t, t) for name, bend in self.bends.items()},
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
    return Motion(model, np.zeros(1), poses, closed=closed, bends=bends_of_model(model, poses))


def of_solution(sol: Solution, frames: int | None = None) -> Motion:
    """A run with at most `frames` of its samples, evenly distributed."""
    if not hasattr(sol, "record") or not len(sol.t):
        raise ResultError(f"there is no sample to draw in {sol!r}.")
    most = MOST_FRAMES if frames is None else frames
    if not isinstance(most, int) or most < 1:
        raise ModelError(f"frames must be a whole number of at least one, got {short(frames)}.")
    rows = np.unique(np.linspace(0, len(sol.t) - 1, min(most, len(sol.t))).round().astype(int))
    poses = _poses(sol.compiled, sol.record.at(rows))
    return Motion(sol.model, sol.t[rows], poses, sol, rows, bends=bends_of_run(sol, rows, poses))


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
