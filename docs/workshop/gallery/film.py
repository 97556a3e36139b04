"""Moving pictures of runs, small enough for a page with all of them."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

WIDTH, HEIGHT = 320, 220  # pixels
FRAMES = 24
SHORTEST, LONGEST = 60, 150  # ms that a frame is shown
MOMENT = 0.4  # of the run, shown by the still picture
LARGEST = 100_000  # bytes
QUALITIES = (75, 60, 45, 30)


def film(sol, path: Path) -> None:
    """Write a run as a moving picture `path`.webp and a still one `path`.png."""
    from PIL import Image

    from kinetree.viewer.painter import Painter
    from kinetree.viewer.scene import scene_of

    scene = scene_of([sol], channels=(), traces=(), forces=())
    painter = Painter(scene, scene.view, WIDTH, HEIGHT)
    pictures = []
    for k in np.linspace(0, len(scene.times) - 1, FRAMES).round().astype(int):
        painter.drive_along(k)
        pictures.append(Image.fromarray(painter.paint(k)[0]))
    span = 1000.0 * (scene.times[-1] - scene.times[0]) / FRAMES
    path.with_suffix(".webp").write_bytes(_moving(pictures, int(np.clip(span, SHORTEST, LONGEST))))
    still(pictures[round(MOMENT * (FRAMES - 1))], path)


def still(picture, path: Path) -> None:
    """Write a picture in few colors."""
    from PIL import Image

    picture.quantize(96, dither=Image.Dither.NONE).save(path.with_suffix(".png"), optimize=True)


def _moving(pictures: list, duration: int) -> bytes:
    """The pictures as an animated WebP, in the best quality that is small enough."""
    for quality in QUALITIES:
        data = io.BytesIO()
        pictures[0].save(
            data,
            format="webp",
            save_all=True,
            append_images=pictures[1:],
            duration=duration,
            loop=0,
            quality=quality,
            method=3,
        )
        if data.tell() <= LARGEST:
            break
    return data.getvalue()
