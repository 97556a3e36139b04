"""The moving picture of the landing page: the excavator, as an animated WebP and as one still
picture for readers who prefer no motion.

cd docs && python -m workshop.landing FOLDER           the same without Sphinx
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from .fingerprint import fingerprint

MACHINE, UNTIL = "excavator", 1.0  # s, until the boom is up
SPEED, RATE = 0.4, 14.0  # of real time; pictures per second
SIZE, QUALITY = (4.6, 3.3), 55  # inches at 120 dots; of the WebP format, from 0 to 100
MOMENT = 0.55  # s, of the still picture


def write(folder: Path) -> None:
    """Write the moving and the still picture, unless they are up to date."""
    stamp, now = folder / "landing.stamp", fingerprint(__file__)
    if stamp.exists() and stamp.read_text() == now:
        return
    import kinetree as kt
    from kinetree.models.catalogue import model_entry

    folder.mkdir(parents=True, exist_ok=True)
    sol = kt.simulate(model_entry(MACHINE).build(), UNTIL, progress=False)
    _film(sol, folder / f"{MACHINE}.webp")
    _still(folder / f"{MACHINE}.webp", folder / f"{MACHINE}.png")
    stamp.write_text(now)


def _film(sol, path: Path) -> None:
    """Write the film, compressed more than `film` does by itself."""
    from PIL import Image, ImageSequence

    with tempfile.TemporaryDirectory() as folder:
        large = sol.film(Path(folder) / "large.webp", rate=RATE, speed=SPEED, size=SIZE)
        frames = [frame.convert("RGB") for frame in ImageSequence.Iterator(Image.open(large))]
    frames[0].save(
        path,
        save_all=True,
        append_images=frames[1:],
        duration=[round(1000.0 / RATE)] * (len(frames) - 1) + [900],  # rests at its end
        loop=0,
        quality=QUALITY,
        method=4,
    )


def _still(film: Path, path: Path) -> None:
    """Write one picture of a film."""
    from PIL import Image

    image = Image.open(film)
    image.seek(round(MOMENT / UNTIL * (image.n_frames - 1)))
    image.convert("RGB").quantize(96, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
