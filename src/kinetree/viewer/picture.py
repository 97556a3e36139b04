"""Pictures with matplotlib, without a browser: a model with names, and a run at one time."""

from __future__ import annotations

import os

import numpy as np

from ..core.figures import new as new_figure
from ..core.figures import save as save_figure
from ..description.model import Model
from ..errors import ModelError, no_such, short
from ..kernel.frames import number, numbers
from .colours import STRAIN
from .labels import Scene, Trace
from .motion import of_solution
from .painter import FINE, Painter
from .scene import scene_of, scene_of_model
from .views import VIEWS

DOTS = 120  # per inch, of the figure and of the file

# of a name, in pixels: height with its frame, width of a letter, width of the frame
ROW, LETTER, MARGIN = 20.0, 8.0, 8.0


def draw(
    model: Model,
    path: str | os.PathLike | None = None,
    *,
    view=None,
    names: bool = True,
    size: tuple[float, float] = (8.0, 5.5),
):
    """The assembled machine, with the names of its parts."""
    return _drawn(scene_of_model(model), 0, path, view, names, size, False)


def picture(
    sol,
    path: str | os.PathLike | None = None,
    t: float | None = None,
    *,
    view=None,
    traces=None,
    forces=(),
    names: bool = False,
    size: tuple[float, float] = (8.0, 5.5),
    color: str | None = "stress",
    scale: float = 1.0,
):
    """A run at time t (s; the sample nearest to it), by default at its end.

    view     "home", "front", "side", "top", or azimuth and elevation of the eye in rad
    traces   as for `animate`; `forces` are joints and elements whose arrows are drawn; `names`
             writes the names
    size     of the figure, in inches
    """
    motion = of_solution(sol)
    at = motion.t[-1] if t is None else number(t, "picture: t")
    if not motion.t[0] - 1e-9 <= at <= motion.t[-1] + 1e-9:
        raise ModelError(
            f"picture: t = {at:g} s is outside the run, {motion.t[0]:g} to {motion.t[-1]:g} s."
        )
    scene = scene_of([sol], channels=(), traces=traces, forces=forces, color=color, scale=scale)
    return _drawn(scene, int(np.abs(motion.t - at).argmin()), path, view, names, size, bool(forces))


def viewed(scene: Scene, view) -> tuple[tuple[float, float], bool]:
    """Azimuth and elevation, and whether the projection is parallel."""
    if view is None:
        return scene.view, False
    if isinstance(view, str):
        if view not in VIEWS:
            raise no_such("view", view, VIEWS)
        fixed = VIEWS[view]
        return (scene.view, False) if fixed is None else (fixed, True)
    azimuth, elevation = numbers(
        view, 2, f"view, if it is none of {', '.join(VIEWS)}, azimuth and elevation in rad,"
    ).tolist()
    return (azimuth, float(np.clip(elevation, -1.57, 1.57))), False


def _drawn(scene: Scene, k: int, path, view, names: bool, size, arrows: bool):
    width, height = pixels(size)
    angles, flat = viewed(scene, view)
    painter = Painter(scene, angles, width, height, flat, arrows)
    figure = new_figure(figsize=(width / DOTS, height / DOTS), dpi=DOTS)
    sheet = Sheet(figure, painter)
    sheet.show(k)
    if names:
        sheet.write_names(k)
    return save_figure(figure, path, DOTS)


def pixels(size) -> tuple[int, int]:
    """Even numbers of pixels, as video encoders require, of a size in inches."""
    sides = numbers(size, 2, "size (width and height in inches)")
    if not 0.5 <= min(sides) <= max(sides) <= 40.0:
        raise ModelError(f"size must be two lengths from 0.5 to 40 inches, got {short(size)}.")
    return 2 * round(0.5 * sides[0] * DOTS), 2 * round(0.5 * sides[1] * DOTS)


class Sheet:
    """The figure of one painter: the image, traces over it, title and time."""

    def __init__(self, figure, painter: Painter) -> None:
        self.figure, self.painter, self.scene = figure, painter, painter.scene
        self.axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        self.axes.set_axis_off()
        w, h = painter.lens.width / FINE, painter.lens.height / FINE
        self.axes.set_xlim(0.0, w)
        self.axes.set_ylim(h, 0.0)
        self.image = None
        self.paths = self._paths()
        self.tails = [trace.tail for trace in self.scene.traces]
        self.lines = [self._lines(trace) for trace in self.scene.traces]
        self.axes.text(
            0.02 * h,
            0.03 * h,
            self.scene.title,
            fontsize=12,
            fontweight="bold",
            color="#20262d",
            va="top",
        )
        self.clock = self.axes.text(
            w - 0.02 * h, 0.03 * h, "", fontsize=10, color="#20262d", ha="right", va="top"
        )
        if self.scene.most_strain:
            self._scale(w, h)

    def _scale(self, w: float, h: float) -> None:
        """Add the color scale of the strain."""
        from matplotlib.colors import LinearSegmentedColormap

        box = (w - 0.32 * h, w - 0.04 * h, 0.95 * h, 0.93 * h)
        colours = LinearSegmentedColormap.from_list("strain", STRAIN)
        self.axes.imshow(
            np.linspace(0.0, 1.0, 128)[None], extent=box, cmap=colours, aspect="auto", zorder=3
        )
        for x, text, side in (
            (box[0], "0", "left"),
            (box[1], f"{self.scene.most_strain:.2g}", "right"),
        ):
            self.axes.text(x, 0.96 * h, text, fontsize=8, color="#20262d", ha=side, va="top")
        self.axes.text(
            0.5 * (box[0] + box[1]),
            0.92 * h,
            "strain of the outer fibre",
            fontsize=8,
            color="#20262d",
            ha="center",
        )

    def _paths(self) -> list[np.ndarray]:
        """The traces on the screen."""
        return [
            self.painter.lens.on_screen(self.scene.path(trace.at)) for trace in self.scene.traces
        ]

    def _lines(self, trace: Trace):
        """The future part of a trace, faint, and its past."""
        (ahead,) = self.axes.plot([], [], color=trace.paint, linewidth=1.2, alpha=0.35)
        (past,) = self.axes.plot([], [], color=trace.paint, linewidth=2.0)
        return ahead, past

    def show(self, k: int) -> None:
        """Show frame k."""
        if self.painter.drive_along(k):
            self.paths = self._paths()
        image, depth = self.painter.paint(k)
        h, w = image.shape[:2]
        if self.image is None:
            self.image = self.axes.imshow(
                image, extent=(0, w, h, 0), interpolation="nearest", aspect="auto", zorder=0
            )
        else:
            self.image.set_data(image)
        for path, tail, (ahead, past) in zip(self.paths, self.tails, self.lines):
            seen = self._uncovered(path, depth)
            ahead.set_data(*seen[k : None if not tail else k].T)
            past.set_data(*seen[max(0, k - tail) if tail else 0 : k + 1].T)
        if len(self.scene.times) > 1:
            self.clock.set_text(f"{self.scene.times[k]:.3f} s")

    def _uncovered(self, path: np.ndarray, depth: np.ndarray) -> np.ndarray:
        """Pixels of a path; NaN where something is in front of it."""
        h, w = depth.shape
        x, y = (np.clip(path[:, i].astype(int), 0, most - 1) for i, most in ((0, w), (1, h)))
        near = depth[y, x]
        hidden = path[:, 2] > near + 0.01 * np.abs(near)
        return np.where(hidden[:, None], np.nan, path[:, :2] / FINE)

    def write_names(self, k: int) -> None:
        """Write each name next to its thing, shifted if it would overlap another name."""
        taken: list[tuple[float, float, int]] = []  # center of a name, and its number of letters
        for thing in self.scene.things:
            x, y = self.painter.lens.on_screen(self.scene.path(thing.at)[k])[:2] / FINE
            row, letters = y, len(thing.name)
            while any(
                abs(row - b) < ROW and abs(x - a) < 0.5 * LETTER * (letters + n) + MARGIN
                for a, b, n in taken
            ):
                row += ROW
            taken.append((x, row, letters))
            self.axes.annotate(
                _plain(thing.name),
                (x, y),
                (x, row),
                fontsize=8,
                ha="center",
                va="center",
                color="#20262d",
                bbox={"boxstyle": "round,pad=0.2", "fc": "#ffffffc0", "ec": "none"},
                arrowprops={"arrowstyle": "-", "lw": 0.6, "color": "#20262d"} if row != y else None,
            )


def _plain(text: str) -> str:
    """Text without mathematics between dollar signs."""
    return text.replace("$", r"\$")
