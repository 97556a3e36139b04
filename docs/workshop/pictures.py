"""The pictures of tutorial, tasks and recipes are made by the code on its pages:  cd docs && python -m
workshop.pictures [PAGE ...]
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from .run import DOCS, run_page

SHOWN = re.compile(r"!\[[^\]]*\]\(([^)\s]*images/(?:tutorial|recipes|tasks)/[^)\s]+\.png)\)")


def shown_pictures(page: Path) -> list[Path]:
    """Pictures on a page that its own code makes, in a file of the same name."""
    return [
        (page.parent / place).resolve() for place in SHOWN.findall(page.read_text(encoding="utf-8"))
    ]


def difference(made: Path, kept: Path) -> float:
    """Mean difference of two pictures from 0 to 1, seen from afar: labels and edges blur."""
    import numpy as np
    from PIL import Image

    one, other = (
        np.asarray(Image.open(p).convert("L").resize((64, 64)), float) / 255.0 for p in (made, kept)
    )
    return float(np.abs(one - other).mean())


def make(page: Path) -> list[Path]:
    """Run a page and keep its pictures, in 64 colors."""
    from PIL import Image

    kept, here = shown_pictures(page), Path.cwd()
    folder = Path(tempfile.mkdtemp())
    try:
        os.chdir(folder)
        run_page(page)
        for picture in kept:
            picture.parent.mkdir(parents=True, exist_ok=True)
            Image.open(folder / picture.name).convert("RGB").quantize(
                64, dither=Image.Dither.NONE
            ).save(picture, optimize=True)
    finally:
        os.chdir(here)
        shutil.rmtree(folder)
    return kept


def main() -> None:
    named = [Path(name).resolve() for name in sys.argv[1:]]
    for page in named or sorted(DOCS.rglob("*.md")):
        for picture in make(page) if shown_pictures(page) else ():
            print(f"{picture.relative_to(DOCS)}  {picture.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
