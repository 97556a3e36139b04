"""Flexible parts as lines in the world: beams by their nodes, flexible links by their modes.

Their color shows the strain of the outer fiber: strain of the axis plus bending at the edge of the
section,  |e| + |k_y| h / 2 + |k_z| w / 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..description.beam import Beam, sides_of
from ..description.generated import Bend
from ..description.model import Model
from ..elements.forces.beam import BeamForce
from .labels import rotated

if TYPE_CHECKING:
    from ..results.beams import BeamMotion
    from ..results.solution import Solution


def bends_of_run(
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


def bends_of_model(model: Model, poses: Mapping[str, np.ndarray]) -> dict[str, Bend]:
    """Lines of the undeformed flexible parts."""
    found = {} if model.generated is None else model.generated.bends(None)
    for name, body in model.bodies.items():
        if isinstance(body, Beam):
            across = np.array([[node.R[:, 1] for node in body.nodes]])
            found[name] = Bend(np.array([[node.p for node in body.nodes]]), sides_of(body), across)
    return {name: _in_world(bend, poses[name]) for name, bend in found.items()}


def bent_at(bend: Bend, before: np.ndarray, t: np.ndarray) -> Bend:
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
