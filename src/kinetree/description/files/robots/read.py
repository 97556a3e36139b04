"""The readers of robot files by the ending of the file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .robot import Robot


def read(path: Path, folders: Sequence[Path], meshes: bool) -> Robot:
    """The robot of a file; meshes of `package://` are also searched in the folders."""
    ending = path.suffix.lower()
    if ending == ".urdf":
        from .urdf import read_urdf

        return read_urdf(path, folders, meshes)
    if ending == ".sdf":
        from .sdf import read_sdf

        return read_sdf(path, folders, meshes)
    from .mjcf import read_mjcf

    return read_mjcf(path, meshes)
