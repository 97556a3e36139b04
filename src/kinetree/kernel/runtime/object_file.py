"""A library that nothing could link: its objects in one archive, which llvmlite loads."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

SUFFIX = ".objects"


def unlinked(path: Path) -> bool:
    return path.suffix == SUFFIX


def write_objects(path: Path, objects: Mapping[str, bytes]) -> None:
    with ZipFile(path, "w") as archive:
        for name, code in objects.items():
            archive.writestr(name, code)


def read_objects(path: Path) -> list[bytes]:
    with ZipFile(path) as archive:
        return [archive.read(name) for name in archive.namelist()]
