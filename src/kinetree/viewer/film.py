"""A run as a film without a browser: GIF and WebP by Pillow, MP4 by ffmpeg if it is installed."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..core.atomic_write import write
from ..core.checks import a_path
from ..errors import ModelError, ResultError
from ..kernel.frames import number
from .labels import Scene
from .painter import Painter
from .picture import DOTS, Sheet, pixels, viewed
from .scene import scene_of

MOST_PICTURES = 400
ENDINGS = (".gif", ".webp", ".mp4")


def film(
    sol,
    path: str | os.PathLike,
    *,
    rate: float = 20.0,
    speed: float = 1.0,
    view=None,
    traces=None,
    forces=(),
    size: tuple[float, float] = (5.2, 3.6),
    color: str | None = "stress",
    scale: float = 1.0,
) -> Path:
    """Write the run as a film with `rate` pictures a second, `speed` times as fast as in reality;
    return the path.
    """
    target = a_path(path, "film: path")
    if target.suffix.lower() not in ENDINGS:
        raise ModelError(f"film: the name {target.name!r} must end in {', '.join(ENDINGS)}.")
    rate = number(rate, "film: rate", positive=True)
    speed = number(speed, "film: speed", positive=True)
    scene = scene_of([sol], channels=(), traces=traces, forces=forces, color=color, scale=scale)
    rows = _rows(scene, rate, speed)
    width, height = pixels(size)
    angles, flat = viewed(scene, view)
    pictures = _pictures(Painter(scene, angles, width, height, flat, bool(forces)), rows)
    try:
        (_encode if target.suffix.lower() == ".mp4" else _collect)(target, pictures, rate)
    except OSError as reason:
        raise ResultError(
            f"cannot write the film {os.fspath(path)!r}: {reason.strerror or reason}."
        ) from None
    return target


def _rows(scene: Scene, rate: float, speed: float) -> np.ndarray:
    """The samples nearest to the times of the pictures."""
    span = float(scene.times[-1] - scene.times[0])
    count = max(2, round(span * rate / speed) + 1)
    if count > MOST_PICTURES:
        raise ModelError(
            f"film: {span:g} s at {rate:g} pictures a second are {count} pictures, more than "
            f"{MOST_PICTURES}; give a smaller rate, or speed={span * rate / MOST_PICTURES:.2g} or "
            "more."
        )
    times = np.linspace(scene.times[0], scene.times[-1], count)
    return np.abs(scene.times[None] - times[:, None]).argmin(axis=1)


def _pictures(painter: Painter, rows: np.ndarray) -> Iterator[np.ndarray]:
    """Iterate over the pictures, (height, width, 3) bytes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    lens = painter.lens
    figure = Figure(figsize=(lens.width / 2 / DOTS, lens.height / 2 / DOTS), dpi=DOTS)
    canvas, sheet = FigureCanvasAgg(figure), Sheet(figure, painter)
    for k in rows:
        sheet.show(int(k))
        canvas.draw()
        yield np.asarray(canvas.buffer_rgba())[..., :3].copy()


def _collect(target: Path, pictures: Iterator[np.ndarray], rate: float) -> None:
    from PIL import Image

    images = [Image.fromarray(picture) for picture in pictures]
    if target.suffix.lower() == ".gif":
        # one palette for all pictures, so that colors do not flicker
        palette = images[len(images) // 2].quantize(255, dither=Image.Dither.NONE)
        images = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    data = io.BytesIO()
    images[0].save(
        data,
        format=target.suffix[1:],
        save_all=True,
        append_images=images[1:],
        duration=round(1000.0 / rate),
        loop=0,
    )
    write(target, data.getvalue(), overwrite=True)


def _encode(target: Path, pictures: Iterator[np.ndarray], rate: float) -> None:
    first = next(pictures)
    command = [
        _encoder(),
        "-y",
        "-loglevel",
        "error",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgb24",
        "-s",
        f"{first.shape[1]}x{first.shape[0]}",
        "-r",
        f"{rate:g}",
        "-i",
        "-",
        "-an",
        "-pix_fmt",
        "yuv420p",
        str(target),
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        for picture in (first, *pictures):
            if process.stdin is not None:
                process.stdin.write(picture.tobytes())
        message = process.communicate()[1]
    if process.returncode:
        raise ResultError(
            f"ffmpeg could not write {target.name!r}: {message.decode(errors='replace').strip()}"
        )


def _encoder() -> str:
    """Path of the installed ffmpeg, or of that of the package imageio-ffmpeg."""
    if found := shutil.which("ffmpeg"):
        return found
    try:
        from imageio_ffmpeg import get_ffmpeg_exe
    except ImportError:
        raise ResultError(
            "an MP4 film needs ffmpeg: install it, or  pip install imageio-ffmpeg; a GIF needs "
            "nothing."
        ) from None
    return get_ffmpeg_exe()
