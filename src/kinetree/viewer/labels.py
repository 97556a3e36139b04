"""Parts of a scene. They refer to each other by index, never by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..description.look import Outline

if TYPE_CHECKING:
    from .skins import Skin


class Place(NamedTuple):
    """A point that moves with a frame; frame 0 is the ground."""

    on: int
    p: np.ndarray


class Label(NamedTuple):
    """A named thing: its name is shown under the pointer, and as a label at `at`."""

    name: str
    note: str
    at: Place


class Solid(NamedTuple):
    """An outline that moves with the frame `on` and belongs to the thing `of`."""

    shape: Outline
    on: int
    paint: str  # "#rrggbb"
    gloss: float = 0.25
    of: int = 0


class Span(NamedTuple):
    """A part between two moving points: a "coil", a "telescope" (barrel at a, rod at b) or a
    "bar".
    """

    kind: str
    a: Place
    b: Place
    paint: str
    radius: float
    thin: float = 0.0  # radius of the rod of a telescope, or of the wire of a coil
    # length of the barrel of a telescope, or of a coil where it is drawn to scale
    long: float = 0.0
    rod: float = 0.0  # length of the rod of a telescope
    of: int = 0


class Strip(NamedTuple):
    """A flexible part: a tube along points (nt, n, 3) of the world, colored by `strain` (nt, n) if
    that is known.
    """

    points: np.ndarray
    sides: tuple[float, float]
    # (nt, n, 3): the direction of the first side; None for round sections
    across: np.ndarray | None
    strain: np.ndarray | None
    paint: str
    of: int = 0


class Arrow(NamedTuple):
    """A vector (nt, 3) in world axes at a point; `scale` converts it to a length, `couple` draws it
    with two heads.
    """

    name: str
    unit: str
    at: Place
    values: np.ndarray
    scale: float
    couple: bool = False


class Trace(NamedTuple):
    """The path of a point: all of it, or a tail of some frames if the whole path would be
    confusing.
    """

    name: str
    at: Place
    paint: str
    tail: int = 0


class Curve(NamedTuple):
    """A channel over time, (nt,); those of further runs are dashed."""

    name: str
    unit: str
    values: np.ndarray
    shown: bool
    run: int = 0


@dataclass
class Scene:
    """A model at one time or over a run; poses are (nt, 7), position and quaternion (w, x, y, z),
    for every frame except the ground.
    """

    title: str
    times: np.ndarray
    size: float  # model size: a typical length
    poses: list[np.ndarray]
    floor: float | None = None  # height of the floor
    view: tuple[float, float] = (-0.9, 0.42)  # azimuth and elevation of the camera, rad
    follow: int | None = None  # the frame that the camera follows
    things: list[Label] = field(default_factory=list)
    solids: list[Solid] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    strips: list[Strip] = field(default_factory=list)
    skins: list[Skin] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    arrows_shown: bool = False
    traces: list[Trace] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)
    ghosts: list[int] = field(default_factory=list)  # first thing of each further run
    # points and radii that a view must contain
    hull: np.ndarray = field(default_factory=lambda: np.zeros((0, 4)))

    @property
    def most_strain(self) -> float:
        """The largest strain of all flexible parts, which is the end of the color scale; 0 if
        nothing is colored.
        """
        return max(
            (float(strip.strain.max()) for strip in self.strips if strip.strain is not None),
            default=0.0,
        )

    @cached_property
    def most_value(self) -> float:
        """The largest value that the color of a surface shows, at the end of its scale."""
        return max(
            (
                float(skin.values(k).max(initial=0.0))
                for skin in self.skins
                if skin.color
                for k in range(len(skin.amplitudes))
            ),
            default=0.0,
        )

    def path(self, place: Place) -> np.ndarray:
        """Position of a point at every frame, (nt, 3)."""
        if place.on == 0:
            return np.broadcast_to(place.p, (len(self.times), 3))
        pose = self.poses[place.on - 1]
        return pose[:, :3] + rotated(pose[:, 3:], place.p)


def rotated(q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """p rotated by unit quaternions (w, x, y, z):  p + 2 w u x p + 2 u x (u x p)."""
    w, u = q[..., :1], q[..., 1:]
    across = cross(u, p)
    return p + 2.0 * (w * across + cross(u, across))


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The vector product along the last axis; several times faster than the general one of
    NumPy.
    """
    (ax, ay, az), (bx, by, bz) = (np.moveaxis(v, -1, 0) if v.ndim > 1 else v for v in (a, b))
    return np.stack(
        np.broadcast_arrays(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx), axis=-1
    )
