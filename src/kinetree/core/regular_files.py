"""Read files of others only if they are regular files of limited size: no pipes, devices or endless
files, also behind links.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from ..errors import ModelError, ResultError, short
from .checks import a_path


def existing(value: object, what: str) -> Path:
    """The path of a file that is there."""
    path = a_path(value, what)
    try:
        found = path.is_file()
    except OSError:  # a name that is too long for the system
        found = False
    if not found:
        raise ResultError(f"cannot read {short(os.fspath(path))}: there is no such file.")
    return path


def read_regular(path: str | os.PathLike[str], most: int, what: str) -> bytes:
    """The content of a regular file with at most so many bytes; errors begin with `what`: `mesh
    'arm.stl'`.

    The file is opened first, without waiting for the other end of a pipe, and its kind is checked
    then.
    """
    try:
        opened = os.open(
            path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        )
    except (OSError, ValueError) as reason:
        raise ModelError(
            f"{what} cannot be read: {getattr(reason, 'strerror', None) or reason}."
        ) from None
    try:
        return _content(opened, most, what)
    except OSError as reason:
        raise ModelError(f"{what} cannot be read: {reason.strerror or reason}.") from None
    finally:
        os.close(opened)


def _content(opened: int, most: int, what: str) -> bytes:
    status = os.fstat(opened)
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "a pipe, a device or a socket"
        raise ModelError(f"{what} cannot be read: it is {kind}, not a regular file.")
    parts, left = list[bytes](), most + 1
    while left > 0 and (part := os.read(opened, min(left, 1 << 20))):
        parts.append(part)
        left -= len(part)
    if left <= 0:
        raise ModelError(
            f"{what} has {max(status.st_size, most + 1)} bytes; it may have at most {most}."
        )
    return b"".join(parts)


def size_of(path: str | os.PathLike[str]) -> int:
    """Size of a file in bytes, 0 if it cannot be determined."""
    try:
        return Path(path).stat().st_size
    except (OSError, ValueError):
        return 0
