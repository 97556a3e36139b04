"""Deformed surfaces of flexible bodies, colored by von Mises stress or by displacement.

The scene holds shapes and stresses of the modes and the amplitudes at the frames, so that its size
is that of the mesh and not that of the mesh times the frames.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..description.flexible_body import FlexibleBody
from ..errors import ModelError, no_such
from ..kernel.frames import number
from ..results.flexible import FlexibleMotion
from ..results.stress import von_mises
from .motion import Motion
from .triangles import Surface

COLORS = {"stress": "von Mises stress (MPa)", "displacement": "displacement (mm)"}
_UNITS = {"stress": 1e6, "displacement": 1e-3}


class Skin(NamedTuple):
    """The surface of a flexible body in a frame: a node is X + scale (shapes eta + e + X F), with the
    amplitudes eta of n modes, a travel e and a matrix F, which has the second order.
    """

    on: int
    nodes: np.ndarray  # (N, 3)
    triangles: np.ndarray  # (T, 3)
    shapes: np.ndarray  # (N, 3, n)
    stress: np.ndarray  # (N, 6, n); empty if it is not colored by stress
    amplitudes: np.ndarray  # (nt, n + 12), with those of second order
    q: np.ndarray  # (nt, n), of which the stresses are
    color: str | None  # a key of COLORS
    scale: float
    paint: str
    of: int

    def displacement(self, k: int) -> np.ndarray:
        """Displacements of the nodes at frame k, (N, 3)."""
        eta, n = self.amplitudes[k], self.shapes.shape[2]
        return self.shapes @ eta[:n] + eta[n : n + 3] + self.nodes @ eta[n + 3 :].reshape(3, 3)

    def values(self, k: int) -> np.ndarray:
        """What its color shows at frame k, (N,), in the unit of its title."""
        if self.color == "stress":
            found = von_mises(self.stress @ self.q[k])
        else:
            found = np.linalg.norm(self.displacement(k), axis=1)
        return found / _UNITS[self.color or "displacement"]

    def surface(self, k: int) -> Surface:
        """The surface at frame k, in its frame."""
        corners = self.nodes + self.scale * self.displacement(k)
        a, b, c = (corners[self.triangles[:, i]] for i in range(3))
        normals, across = np.zeros_like(corners), np.cross(b - a, c - a)
        for i in range(3):
            np.add.at(normals, self.triangles[:, i], across)
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
        return Surface(corners, normals, self.triangles)


def checked_color(color: object) -> str | None:
    """The color of surfaces, or None for the color of the body."""
    if color is not None and (not isinstance(color, str) or color not in COLORS):
        raise no_such("color", color, COLORS, " of flexible bodies")
    return color


def skins_of(
    motion: Motion, color: str | None, scale: float, of: dict[str, int], paint
) -> list[Skin]:
    """The surfaces of a run, or of a model that is not simulated."""
    scale = number(scale, "scale of displacements", at_least_zero=True)
    if motion.solution is None:
        return [
            _still(motion, body, paint(k), of.get(name, 0))
            for k, (name, body) in enumerate(motion.model.bodies.items())
            if isinstance(body, FlexibleBody) and len(body.part.triangles)
        ]
    found = []
    for k, (name, moving) in enumerate(motion.solution.flexible.items()):
        if len(moving.part.triangles):
            found.append(_moving(motion, moving, color, scale, paint(k), of.get(name, 0)))
    return found


def _still(motion: Motion, body: FlexibleBody, paint: str, of: int) -> Skin:
    part = body.part
    nothing = np.zeros((1, part.n + 12))
    return Skin(
        motion.frame(body.name), part.nodes, part.triangles, part.shapes, part.stress[:0], nothing,
        nothing[:, : part.n], None, 1.0, paint, of,
    )  # fmt: skip


def _moving(
    motion: Motion, moving: FlexibleMotion, color: str | None, scale: float, paint: str, of: int
) -> Skin:
    part = moving.part
    if color == "stress" and not len(part.stress):
        color = "displacement"
    if motion.rows is None:
        raise ModelError("there is no sample to draw.")
    return Skin(
        motion.frame(f"{moving.name}.modes"), part.nodes, part.triangles, part.shapes,
        part.stress if color == "stress" else part.stress[:0], moving.amplitudes(motion.rows),
        moving.q[motion.rows], color, scale, paint, of,
    )  # fmt: skip
