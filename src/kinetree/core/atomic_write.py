"""Atomic writing of files: a file is written in the same folder and then moved to its name, which
therefore always refers to a complete file.

An existing file is not replaced unless the caller allows it. A link is never followed: it is
treated as an existing file, and replaced if that is allowed. Devices and pipes are written to
directly.

Until it is moved, the new file has no name if the system supports that (O_TMPFILE of Linux), so
that a killed process leaves nothing behind. Otherwise its name is `.<name>.<random>.part`, and it
is locked while it is written; partial files without a lock are removed when the same name is
written again.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from ..errors import ResultError
from .checks import a_path, flag

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_NO_NAMELESS = (
    errno.EOPNOTSUPP,
    errno.EISDIR,
    errno.ENOENT,
    errno.EINVAL,
    errno.ENOSYS,
)  # of a system without O_TMPFILE


def write(
    path: str | os.PathLike[str],
    content: str | bytes,
    overwrite: bool = False,
    same: Callable[[bytes], bool] | None = None,
) -> None:
    """Write the whole content or nothing.

    overwrite   whether a file of this name may be replaced
    same        function that returns whether the existing bytes are the same result; by default
                they must be equal
    """
    path = a_path(path, "the name of the file")
    try:
        data = content.encode() if isinstance(content, str) else content
    except UnicodeEncodeError as error:
        raise ResultError(
            f"cannot write {os.fspath(path)!r}: {error.object[error.start]!r} in it is no "
            "character."
        ) from None
    with failing(path):
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_bytes(data)  # a device or a pipe
            return
        if not flag(overwrite, "overwrite"):
            _refuse(path, same or data.__eq__)
        with replacing(path) as file:
            file.write(data)


@contextmanager
def failing(path: Path) -> Iterator[None]:
    """Raise errors of the operating system as a ResultError that names the path."""
    try:
        yield
    except OSError as error:
        hint = " Does its folder exist?" if isinstance(error, FileNotFoundError) else ""
        raise ResultError(
            f"cannot write {os.fspath(path)!r}: {error.strerror or error}.{hint}"
        ) from error


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file that replaces `path` at the end; after an error nothing of it remains."""
    if path.is_dir() and not path.is_symlink():
        raise ResultError(f"cannot write {os.fspath(path)!r}: it is a folder.")
    _sweep(path)
    beside = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        with _nameless(path.parent) or _locked(beside) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if not os.path.lexists(beside):
                _give_name(file, beside)
            os.replace(beside, path)
    finally:
        with suppress(OSError):
            beside.unlink()


def _nameless(folder: Path) -> IO[bytes] | None:
    """A file without a name, if the system supports it."""
    flag = getattr(os, "O_TMPFILE", 0)
    if not flag or not os.path.isdir("/proc/self/fd"):
        return None
    try:
        return os.fdopen(os.open(folder, flag | os.O_RDWR | os.O_CLOEXEC, 0o666), "w+b")
    except OSError as error:
        if error.errno in _NO_NAMELESS:
            return None
        raise


def _give_name(file: IO[bytes], beside: Path) -> None:
    """Give a file without a name a name, or copy it if the system refuses that."""
    try:
        number = file.fileno()
        os.link(
            f"/proc/self/fd/{number}", beside, src_dir_fd=number
        )  # with a folder given, the link in /proc is followed
    except OSError:
        file.seek(0)
        with _locked(beside) as named:
            shutil.copyfileobj(file, named)
            named.flush()
            os.fsync(named.fileno())


def _locked(beside: Path) -> IO[bytes]:
    file = open(beside, "x+b")
    if fcntl is not None:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return file


def _sweep(path: Path) -> None:
    """Remove partial files of this name whose writers have ended."""
    if fcntl is None:
        return
    start = f".{path.name[:100]}."
    with suppress(OSError):
        for name in os.listdir(path.parent):
            if (
                name.startswith(start)
                and name.endswith(".part")
                and len(name) == len(start) + len("01234567.part")
            ):
                with suppress(OSError), open(path.with_name(name), "rb") as file:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    os.unlink(path.with_name(name))


def is_there(path: Path) -> bool:
    """Whether there is a file or a link, even a broken one."""
    return os.path.lexists(path)


def _refuse(path: Path, same: Callable[[bytes], bool]) -> None:
    if is_there(path) and (path.is_symlink() or not path.is_file() or not same(path.read_bytes())):
        what = "a link" if path.is_symlink() else "a folder" if path.is_dir() else "another result"
        raise ResultError(
            f"cannot write {os.fspath(path)!r}: {what} of that name is there. Choose another name, "
            "or say "
            "overwrite=True (--force at the command line) to replace it."
        )
