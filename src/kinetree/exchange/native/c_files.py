"""Writes the files of a C library."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ...core.atomic_write import failing
from ..image.image import Image
from .archive import archive
from .link import target_of
from .objects import objects_of
from .source import header_of, source_of, text_of


def write_c(image: Image, folder: Path, name: str, platforms: Sequence[str]) -> Path:
    """Write the C library of an image."""
    with failing(folder):
        _write(image, folder, name, platforms)
    return folder


def _write(image: Image, folder: Path, name: str, platforms: Sequence[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for platform in platforms:
        objects = objects_of(image, platform, target_of(platform), name)
        place = folder / "lib" / platform
        place.mkdir(parents=True, exist_ok=True)
        code = archive(objects.files, objects.symbols, platform.startswith("macos"))
        (place / f"lib{name}_kernels.a").write_bytes(code)
    texts = {
        f"{name}.h": header_of(image, name),
        f"{name}.c": source_of(image, name),
        "example.c": _filled(image, name, "example.c"),
        "CMakeLists.txt": _filled(image, name, "CMakeLists.txt"),
    }
    for file, text in texts.items():
        (folder / file).write_text(text, encoding="utf-8")


def _filled(image: Image, name: str, file: str) -> str:
    t0, until = image.header["t0"], image.header["until"]
    given = {
        "NAME": re.sub(r"[^\w .,+-]", " ", image.name),
        "P": name,
        "T0": f"{t0:.17g}",
        "UNTIL": f"{until - t0:g}",
        "STEP": f"{(until - t0) / 100:.17g}",
    }
    return re.sub(r"@([A-Z0-9]+)@", lambda m: given[m[1]], text_of(file))
