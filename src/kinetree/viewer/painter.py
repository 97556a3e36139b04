"""A scene at one of its frames as an image, rendered in NumPy: floor with a grid and shadows, lit
solids, silhouettes.

The light is that of the page: a sun, and an ambient light between earth and sky. Colors are linear
until they are shown.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ..description.look import Cylinder
from .camera import Camera
from .colours import CHROME, COUPLE, FORCE, rgb, strained
from .labels import Arrow, Scene, Span
from .raster import covered, rasterised
from .triangles import Surface, coil, smooth, surface, tube
from .views import arrow_lengths

PIECES = 3  # segments of a flexible part between two of its points
FINE = 2  # rendered pixels per pixel of the image, in each direction
TO_LIGHT = np.array([0.42, -0.55, 1.15]) / np.linalg.norm([0.42, -0.55, 1.15])
BACK, FLOOR, LINE = (
    np.array(c) for c in ((0.86, 0.885, 0.91), (0.83, 0.855, 0.88), (0.44, 0.49, 0.55))
)
SKY, EARTH = np.array([0.52, 0.56, 0.62]), np.array([0.26, 0.25, 0.24])


# screen bytes of linear colors
_BYTES = np.round(255.0 * np.linspace(0.0, 1.0, 4096) ** (1.0 / 2.2)).astype(np.uint8)


def shown(colour: np.ndarray) -> np.ndarray:
    """Screen bytes of linear colors."""
    return _BYTES[(np.clip(colour, 0.0, 1.0) * 4095.0).astype(np.uint16)]


class Painter:
    """Renders frames of one scene with one camera; everything that does not change between frames
    is computed once.
    """

    def __init__(
        self,
        scene: Scene,
        view: tuple[float, float],
        width: int,
        height: int,
        flat: bool = False,
        arrows: bool = False,
    ) -> None:
        self.scene, self.arrows = scene, arrows
        self.lens = self.first = Camera.fitted(scene.hull, *view, FINE * width, FINE * height, flat)
        self.middle = self.home = 0.5 * (
            scene.hull[:, :3].min(axis=0) + scene.hull[:, :3].max(axis=0)
        )
        self.radius = 0.5 * float(np.linalg.norm(np.ptp(scene.hull[:, :3], axis=0))) or scene.size
        self.solids = [(s.on, s.of, s.paint, surface(s.shape)) for s in scene.solids]
        self.floor = self._floor()

    def use_camera(self, other: Painter) -> None:
        """Use the camera and the floor of another painter."""
        self.lens, self.first = other.lens, other.first
        self.middle, self.home, self.radius = other.middle, other.home, other.radius
        self.floor = other.floor

    def drive_along(self, k: int) -> bool:
        """Move the camera and the floor along with a model that drives away, as on the page; return
        whether it does.
        """
        if self.scene.follow is None:
            return False
        way = self.scene.poses[self.scene.follow - 1][[0, k], :3]
        step = (way[1] - way[0]) * (1.0, 1.0, 0.0)
        self.lens = replace(self.first, target=self.first.target + step)
        self.middle = self.home + step
        self.floor = self._floor()
        return True

    def paint(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """The image (height, width, 3) in bytes at frame k, and the depth at every fine pixel."""
        machine = [*self._bodies(k), *self._bent(k), *self._skins(k), *self._stretched(k)]
        pieces = [*machine, *(self._pointing(k) if self.arrows else ())]
        fine = self.floor.copy()
        depth = np.full(fine.shape[:2], np.inf)
        if pieces:
            self._cast_shadow(fine, machine)
            depth = self._draw(fine, pieces)
        return shown(
            0.25 * (fine[::2, ::2] + fine[1::2, ::2] + fine[::2, 1::2] + fine[1::2, 1::2])
        ), depth

    # --- geometry

    def _bodies(self, k: int):
        for on, of, paint, piece in self.solids:
            yield of, paint, piece if on == 0 else piece.moved(*_pose(self.scene.poses[on - 1][k]))

    def _bent(self, k: int):
        """Beams and flexible links, each triangle in the color of its strain."""
        for strip in self.scene.strips:
            line, (width, height) = smooth(strip.points[k], PIECES), strip.sides
            across = None if strip.across is None else smooth(strip.across[k], PIECES)
            piece = tube(line, 0.5 * width, 12, height / width, across, capped=True)
            paint: str | np.ndarray = strip.paint
            if strip.strain is not None and self.scene.most_strain:
                # the caps too
                share = np.pad(smooth(strip.strain[k], PIECES) / self.scene.most_strain, 2, "edge")
                # in the order of the net
                paint = np.tile(
                    np.repeat(strained(0.5 * (share[1:] + share[:-1])), 12, axis=0), (2, 1)
                )
            yield strip.of, paint, piece

    def _skins(self, k: int):
        """Surfaces of flexible bodies, each triangle in the color of its corners' mean."""
        for skin in self.scene.skins:
            piece = skin.surface(k)
            paint: str | np.ndarray = skin.paint
            if skin.color and self.scene.most_value:
                share = skin.values(k)[skin.triangles].mean(axis=1) / self.scene.most_value
                paint = strained(share)
            pose = self.scene.poses[skin.on - 1]
            yield skin.of, paint, piece if not skin.on else piece.moved(*_pose(pose[k]))

    def _stretched(self, k: int):
        for span in self.scene.spans:
            a, b = self.scene.path(span.a)[k], self.scene.path(span.b)[k]
            for paint, piece in _spanned(span, a, b):
                yield span.of, paint, piece

    def _pointing(self, k: int):
        for n, arrow in enumerate(self.scene.arrows):
            at, paint = self.scene.path(arrow.at)[k], COUPLE if arrow.couple else FORCE
            for piece in _arrow(arrow, at, k, self.scene.size):
                yield len(self.scene.things) + n, paint, piece

    # --- rendering

    def _floor(self) -> np.ndarray:
        """Background, floor and grid, in linear colors; the floor fades into the background."""
        lens = replace(self.lens, width=self.lens.width // FINE, height=self.lens.height // FINE)
        self.fade = None
        if self.scene.floor is None or lens.axes[2][2] < 0.02:
            return np.broadcast_to(
                BACK.astype(np.float32), (self.lens.height, self.lens.width, 3)
            ).copy()
        x, y = lens.on_floor(self.scene.floor)
        far = np.nan_to_num(np.hypot(x - self.middle[0], y - self.middle[1]) / self.radius, nan=9.0)
        s = np.clip((far - 1.0) / 3.2, 0.0, 1.0)
        fade = (s * s * (3.0 - 2.0 * s))[..., None]
        pitch = _pitch(self.radius)
        net = np.maximum.reduce(
            [
                share * _lines(u / wide)
                for wide, share in ((pitch, 0.45), (5.0 * pitch, 1.0))
                for u in (x, y)
            ]
        )
        ground = FLOOR + 0.5 * net[..., None] * (LINE - FLOOR)
        self.fade = _fine(fade)
        return _fine(ground + fade * (BACK - ground))

    def _cast_shadow(self, fine: np.ndarray, pieces) -> None:
        """Project every triangle along the light onto the floor."""
        if self.fade is None or not pieces:
            return
        corners, triangles = _joined(
            [p.corners for _, _, p in pieces], [p.triangles for _, _, p in pieces]
        )
        above = np.maximum(corners[:, 2] - self.scene.floor, 0.0)
        fallen = corners - np.outer(above / TO_LIGHT[2], TO_LIGHT)
        dark = covered(self.lens.on_screen(fallen), triangles, self.lens.width, self.lens.height)
        fine[dark] *= 0.6 + 0.4 * self.fade[dark]

    def _draw(self, fine: np.ndarray, pieces) -> np.ndarray:
        lens = self.lens
        corners, triangles = _joined(
            [p.corners for _, _, p in pieces], [p.triangles for _, _, p in pieces]
        )
        normals = np.concatenate([p.normals for _, _, p in pieces])
        owner = np.repeat([of for of, _, _ in pieces], [len(p.triangles) for _, _, p in pieces])
        paints = np.concatenate([_paints(paint, len(p.triangles)) for _, paint, p in pieces])
        screen = lens.on_screen(corners)
        # arrows are in front of everything else
        screen[np.unique(triangles[owner >= len(self.scene.things)]), 2] -= 1e3 * self.lens.distance
        seen = rasterised(screen, triangles, lens.width, lens.height)
        n = np.einsum("nk,nki->ni", seen.weights, normals[triangles[seen.triangle]])
        at = np.einsum("nk,nki->ni", seen.weights, corners[triangles[seen.triangle]])
        flat = fine.reshape(-1, 3)
        flat[seen.pixel] = self._lit(
            paints[seen.triangle], n / np.linalg.norm(n, axis=1, keepdims=True), at
        )
        things = np.full(lens.width * lens.height, -1, np.int32)
        things[seen.pixel] = owner[seen.triangle]
        edge = _edges(things.reshape(lens.height, lens.width)).ravel()
        flat[edge] *= 0.3
        return seen.depth.reshape(lens.height, lens.width)

    def _lit(self, paint: np.ndarray, n: np.ndarray, at: np.ndarray) -> np.ndarray:
        lens = self.lens
        v = np.broadcast_to(lens.axes[2], at.shape) if lens.flat else lens.eye - at
        v = v / np.linalg.norm(v, axis=1, keepdims=True)
        h = v + TO_LIGHT
        h /= np.linalg.norm(h, axis=1, keepdims=True)
        sun = np.maximum(n @ TO_LIGHT, 0.0)[:, None]
        ambient = EARTH + (0.5 + 0.5 * n[:, 2:]) * (SKY - EARTH)
        gleam = 0.3 * sun * np.maximum(np.einsum("ni,ni->n", n, h), 0.0)[:, None] ** 48
        rim = 0.1 * SKY * (1.0 - np.maximum(np.einsum("ni,ni->n", n, v), 0.0))[:, None] ** 3
        return paint * (ambient + 1.05 * sun) + gleam + rim


def _paints(paint: str | np.ndarray, count: int) -> np.ndarray:
    """Linear colors of triangles, from one paint or one for each."""
    return (np.broadcast_to(rgb(paint), (count, 3)) if isinstance(paint, str) else paint) ** 2.2


def _pose(pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    w, x, y, z = pose[3:]
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return R, pose[:3]


def _spanned(span: Span, a: np.ndarray, b: np.ndarray) -> list[tuple[str, Surface]]:
    d = b - a
    length = float(np.linalg.norm(d))
    if length < 1e-9:
        return []
    if span.kind == "coil":
        return [(span.paint, tube(coil(a, b, span.radius), span.thin))]
    if span.kind == "bar":
        return [(span.paint, surface(Cylinder(a, b, span.radius)))]
    u = d / length
    return [
        (span.paint, surface(Cylinder(a, a + span.long * u, span.radius))),
        (
            span.paint,
            surface(
                Cylinder(a + 0.94 * span.long * u, a + 1.02 * span.long * u, 1.18 * span.radius)
            ),
        ),
        (CHROME, surface(Cylinder(b, b - span.rod * u, span.thin))),
    ]


def _arrow(arrow: Arrow, at: np.ndarray, k: int, size: float) -> list[Surface]:
    v = arrow_lengths(arrow, size)[k]
    r, length = 0.016 * size, float(np.linalg.norm(v))
    if length < 5.5 * r:
        return []
    u = v / length
    tip, neck = at + length * u, at + (length - 5.0 * r) * u
    return [surface(Cylinder(at, neck, r)), surface(Cylinder(neck, tip, 2.4 * r, top=0.0))]


def _joined(
    corners: list[np.ndarray], triangles: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    starts = np.cumsum([0, *(len(c) for c in corners[:-1])])
    return np.concatenate(corners), np.concatenate(
        [t + start for t, start in zip(triangles, starts)]
    )


def _edges(things: np.ndarray) -> np.ndarray:
    """Pixels of a thing next to those of another thing or of none."""
    edge = np.zeros(things.shape, bool)
    right, down = things[:, 1:] != things[:, :-1], things[1:] != things[:-1]
    edge[:, 1:] |= right
    edge[:, :-1] |= right
    edge[1:] |= down
    edge[:-1] |= down
    return edge & (things >= 0)


def _fine(image: np.ndarray) -> np.ndarray:
    return image.astype(np.float32).repeat(FINE, axis=0).repeat(FINE, axis=1)


def _lines(u: np.ndarray) -> np.ndarray:
    """Lines at integers, about one pixel wide, fading where they are dense."""
    wide = np.hypot(*np.gradient(u))
    off = np.abs(u - np.round(u)) / np.maximum(wide, 1e-9)
    return np.nan_to_num(np.clip(1.0 - off, 0.0, 1.0) * np.clip(1.0 - 2.5 * wide, 0.0, 1.0))


def _pitch(radius: float) -> float:
    """1, 2 or 5 times a power of ten."""
    ten = 10.0 ** math.floor(math.log10(radius / 6.0))
    k = radius / 6.0 / ten
    return ten * (1.0 if k < 1.5 else 2.0 if k < 3.5 else 5.0)
