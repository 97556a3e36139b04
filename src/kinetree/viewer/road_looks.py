"""Roads as surfaces, along the paths of the wheels, with their obstacles."""

from __future__ import annotations

import numpy as np

from ..description.look import Mesh
from ..elements.forces.tyre import Tyre
from ..elements.forces.wheel import Wheel
from ..elements.roads.road import Road
from .colours import LINE, ROAD
from .labels import Solid
from .motion import Motion

AHEAD, BESIDE = 3.0, 1.2  # m, beyond the wheels
COARSE, FINE = 300, 60  # lines across the road, and over each obstacle
INSET, WIDE = 0.15, 0.12  # m: distance of the side lines from the edge, and their width
# m: road above the ground, lines above the road, floor below, so that surfaces do not flicker
ABOVE = 0.004
LINE_ABOVE = 0.012
UNDER = 0.02
_EDGE = 1e-6


def road_looks(motion: Motion) -> list[Solid]:
    """Each road once, with a line along either side."""
    found: dict[Road, list[np.ndarray]] = {}
    for element in motion.model.forces.values():
        if isinstance(element.spec, Wheel | Tyre):
            found.setdefault(element.spec.road, []).append(motion.path(element.markers[0]))
    return [part for road, paths in found.items() for part in _road(road, np.concatenate(paths))]


def road_floor(motion: Motion, looks: list[Solid]) -> float | None:
    """Height of the floor if there are roads: that of flat ones, otherwise just below the drawn
    ones; None without roads.
    """
    if looks:
        return (
            min(
                float(solid.shape.corners[:, 2].min())
                for solid in looks
                if isinstance(solid.shape, Mesh)
            )
            - UNDER
        )
    roads = [e.spec.road for e in motion.model.forces.values() if isinstance(e.spec, Wheel | Tyre)]
    return float(roads[0].height(0.0)) if roads else None


def _road(road: Road, path: np.ndarray) -> list[Solid]:
    flat = not (road.spans(0.3) or road.grade or road.bank)
    ends, (low, high) = _range(path[:, 0], AHEAD), _range(path[:, 1], BESIDE)
    x = np.array(ends) if flat else _along(road, *ends)
    lines = [
        _surface(road, x, np.array(sides), LINE_ABOVE)
        for sides in ((low + INSET, low + INSET + WIDE), (high - INSET - WIDE, high - INSET))
    ]
    return [
        Solid(_surface(road, x, _across(road, low, high), ABOVE), 0, ROAD, 0.05),
        *(Solid(line, 0, LINE, 0.05) for line in lines),
    ]


def _surface(road: Road, x: np.ndarray, y: np.ndarray, above: float) -> Mesh:
    X, Y = np.meshgrid(x, y, indexing="ij")
    corners = np.stack([X, Y, road.surface(X, Y) + above], axis=-1).reshape(-1, 3)
    k = np.arange(len(x) * len(y)).reshape(len(x), len(y))
    a, b, c, d = (part.ravel() for part in (k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:]))
    return Mesh(corners, np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])]))


def _range(values: np.ndarray, more: float) -> tuple[float, float]:
    return float(values.min()) - more, float(values.max()) + more


def _along(road: Road, low: float, high: float) -> np.ndarray:
    """Positions of the lines across the road, denser over obstacles."""
    lines = [np.linspace(low, high, COARSE)]
    for one in road.obstacles:
        at, half, _, rim, *_ = one.row
        reach = half + rim
        lines.append(at + reach * np.sin(np.linspace(-0.5 * np.pi, 0.5 * np.pi, FINE)))
        lines.append(np.array([at - reach - _EDGE, at + reach + _EDGE]))
    x = np.unique(np.concatenate(lines))
    return x[(x >= low) & (x <= high)]


def _across(road: Road, low: float, high: float) -> np.ndarray:
    """Positions of the lines along the road: at its sides, between different tracks, and at the
    ends of obstacles.
    """
    edges = [low, high, *((-_EDGE, _EDGE) if road.right is not None else ())]
    for one in road.obstacles:
        edges += [e + s for e in one.row[4:6] if np.isfinite(e) for s in (-_EDGE, _EDGE)]
    y = np.unique(edges)
    return y[(y >= low) & (y <= high)]
