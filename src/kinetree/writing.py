"""Writing a file so that under its name there is always a whole one: beside it first, then moved into its place.

A file that is there already is kept, unless the caller says that it may go. A link is never followed to what it points at:
it is a file that is there, and where it may go, the link is replaced. Devices and pipes are written to as they are.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path

from .errors import ResultError


def write(path: str | os.PathLike, content: str | bytes, overwrite: bool = False,
          same: Callable[[bytes], bool] | None = None) -> None:
    """Write the whole content or nothing.

    overwrite   whether a file of this name may be replaced
    same        whether what is there, given as bytes, is the same result written before; by default equal bytes are
    """
    path = Path(path)
    data = content.encode() if isinstance(content, str) else content
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_bytes(data)  # a device or a pipe
            return
        if not overwrite:
            _refuse(path, same or data.__eq__)
        _replace(path, data)
    except OSError as error:
        hint = " Does its folder exist?" if isinstance(error, FileNotFoundError) else ""
        raise ResultError(f"cannot write {os.fspath(path)!r}: {error.strerror or error}.{hint}") from error


def is_there(path: Path) -> bool:
    """A file, or a link to anything or nothing."""
    return os.path.lexists(path)


def _refuse(path: Path, same: Callable[[bytes], bool]) -> None:
    if is_there(path) and (path.is_symlink() or not path.is_file() or not same(path.read_bytes())):
        what = "a link" if path.is_symlink() else "a folder" if path.is_dir() else "another result"
        raise ResultError(f"cannot write {os.fspath(path)!r}: {what} of that name is there. Choose another name, or say "
                          "overwrite=True (--force at the command line) to replace it.")


def _replace(path: Path, data: bytes) -> None:
    if path.is_dir() and not path.is_symlink():
        raise ResultError(f"cannot write {os.fspath(path)!r}: it is a folder.")
    beside = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        with open(beside, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
