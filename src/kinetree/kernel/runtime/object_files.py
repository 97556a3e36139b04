"""Object files: the cache of those compiled on demand, and archives of those that were not linked.

The cache is a folder that only the user can write. The hash of the LLVM text is the name of a file,
so after an edit only texts that changed are compiled. A file starts with the hash of its content: a
damaged one is compiled again. An archive replaces the shared library if no linker was found;
llvmlite loads it.
"""

from __future__ import annotations

import os
import stat
import tempfile
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

_SUM = sha256().digest_size
_DAYS, _MANY = 30.0, 5000  # above this number, objects not used for so many days are deleted


def load_object(key: str) -> bytes | None:
    """The object of this key from the cache, or None if it is missing or damaged."""
    folder = own_folder()
    if folder is None:
        return None
    path = folder / f"{key}.o"
    try:
        with path.open("rb") as file:
            if not _writable_by_us_alone(os.fstat(file.fileno())):
                return None
            data = file.read()
        os.utime(path)
    except OSError:
        return None
    return data[_SUM:] if sha256(data[_SUM:]).digest() == data[:_SUM] else None


def store_object(key: str, code: bytes) -> None:
    """Store an object in the cache; a full disk is not an error."""
    folder = own_folder()
    if folder is None:
        _warn()
        return
    with suppress(OSError), tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
        file.write(sha256(code).digest() + code)
        file.close()
        os.replace(file.name, folder / f"{key}.o")


@cache
def _warn() -> None:
    tried = " or ".join(str(base / "objects") for base in _bases()) or "a home folder"
    warnings.warn(
        f"compiled kernels cannot be kept, since you alone must be able to write {tried}: every "
        "process compiles them again. Set KINETREE_CACHE to a folder of yours.",
        RuntimeWarning,
        stacklevel=2,
    )


@cache
def own_folder() -> Path | None:
    """$KINETREE_CACHE, or the user's cache folder; None if others can write there or the user
    cannot.
    """
    for base in _bases():
        folder = base / "objects"
        if _ours_alone(folder):
            _forget(folder)
            return folder
    return None


def _bases() -> Iterator[Path]:
    if os.environ.get("KINETREE_CACHE"):
        yield Path(os.environ["KINETREE_CACHE"])
    with suppress(RuntimeError):  # no home
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kinetree"


def _ours_alone(folder: Path) -> bool:
    """Whether a folder belongs to the user, and nobody else can write there."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not hasattr(os, "getuid"):
            return os.access(folder, os.W_OK)
        about = folder.lstat()
        if about.st_uid == os.getuid() and stat.S_ISDIR(about.st_mode) and about.st_mode & 0o022:
            folder.chmod(0o700)
            about = folder.lstat()
        return (
            stat.S_ISDIR(about.st_mode)
            and _writable_by_us_alone(about)
            and os.access(folder, os.W_OK)
        )
    except OSError:
        return False


def _writable_by_us_alone(about: os.stat_result) -> bool:
    return not hasattr(os, "getuid") or (about.st_uid == os.getuid() and not about.st_mode & 0o022)


def _forget(folder: Path) -> None:
    """Delete objects that have not been used for long."""
    with suppress(OSError):
        files = list(folder.iterdir())
        if len(files) > _MANY:
            old = time.time() - 86400.0 * _DAYS
            for file in files:
                if file.stat().st_mtime < old:
                    file.unlink()


SUFFIX = ".objects"  # of an archive


def unlinked(path: Path) -> bool:
    """Whether a file is an archive of objects."""
    return path.suffix == SUFFIX


def write_objects(path: Path, objects: Mapping[str, bytes]) -> None:
    """Write an archive of objects."""
    with ZipFile(path, "w") as archive:
        for name, code in objects.items():
            archive.writestr(name, code)


def read_objects(path: Path) -> list[bytes]:
    """The objects in an archive."""
    with ZipFile(path) as archive:
        return [archive.read(name) for name in archive.namelist()]
