"""Where compiled kernels are kept between processes: a folder of our own, one generation per state of the sources.

The generation is a hash of all sources that kernels are made of, the flags and the versions; Numba looks only at the file of
the function itself, and at where it lies. So a second environment, or a copy of the package elsewhere, compiles nothing.
What lies in the folder carries a checksum: a file that was damaged is built anew, with a word about it.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numba
import numpy as np
from llvmlite import binding

from .private import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, NullCache, _CacheLocator

PACKAGE = Path(__file__).resolve().parent.parent
WITHOUT_KERNELS = ("analysis", "assembly", "cli", "compile", "events", "model", "models", "papers", "results", "symbolic",
                   "topology", "usercode", "viewer")
_KEPT_GENERATIONS = 4
_SUM = hashlib.sha256().digest_size


def kernel_sources() -> list[Path]:
    """Every file of every room but those that have no kernels, so that a new room counts without being named."""
    return sorted(path for room in PACKAGE.iterdir() if room.is_dir() and room.name not in WITHOUT_KERNELS
                  for path in room.rglob("*.py"))


def source_hash() -> str:
    """Hash of every kernel source and of whatever else decides what the compiled code is: versions, flags, the processor."""
    processor = f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"
    about = (numba.__version__, np.__version__, sys.version_info[:2], numba.config.BOUNDSCHECK, processor)
    digest = hashlib.sha256(repr(about).encode())
    for path in kernel_sources():
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Folder of the compiled kernels: $KINETREE_CACHE, else the user's cache folder, else a temporary one.

    Kernels found in a folder that cannot be written are copied to the one that can.
    """
    generation, found = source_hash(), None
    for base in _bases():
        folder = base / generation
        fresh = not folder.exists()
        if _writable(folder):
            if fresh:
                _forget_old_generations(base, folder)
                if found is not None:
                    shutil.copytree(found, folder, dirs_exist_ok=True)
            return folder
        found = found or (folder if folder.is_dir() else None)
    raise OSError(f"no writable folder for compiled kernels; set KINETREE_CACHE (tried {', '.join(map(str, _bases()))})")


def _bases() -> Iterator[Path]:
    """Where the folder may be, the best first."""
    if os.environ.get("KINETREE_CACHE"):
        yield Path(os.environ["KINETREE_CACHE"])
    yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kinetree"
    yield Path(tempfile.gettempdir()) / f"kinetree-{os.getuid() if hasattr(os, 'getuid') else 0}"


def _writable(folder: Path) -> bool:
    """Can files be written there, by us alone?"""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        tempfile.TemporaryFile(dir=folder).close()
        return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()
    except OSError:
        return False


def _forget_old_generations(base: Path, keep: Path) -> None:
    """Compiled code of sources that no longer exist is of no use; the last few are kept for switching branches."""
    old = sorted((p for p in base.iterdir() if p.is_dir() and p != keep), key=lambda p: p.stat().st_mtime)
    for folder in old[: max(0, len(old) - _KEPT_GENERATIONS)]:
        shutil.rmtree(folder, ignore_errors=True)


class _File(IndexDataCacheFile):
    """Machine code behind its checksum.

    Files are named after what they hold, not counted: two processes that compile at once never write one for the other's.
    """

    def save(self, key, data) -> None:
        name = f"{self._index_name.removesuffix('.nbi')}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.nbc"
        self._save_data(name, data)
        self._save_index(self._load_index() | {key: name})

    def _save_data(self, name, data) -> None:
        data = self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            file.write(hashlib.sha256(data).digest() + data)

    def _load_data(self, name):
        data = Path(self._data_path(name)).read_bytes()
        if hashlib.sha256(data[_SUM:]).digest() != data[:_SUM]:
            raise ValueError("checksum")
        return pickle.loads(data[_SUM:])


class _Place(_CacheLocator):
    """Where the files of a kernel lie: in its room, wherever the package is installed."""

    folder: Path

    def __init__(self, function: Callable) -> None:
        self._room, self._line = function.__module__.rpartition(".")[0], function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return str(self.folder / self._room)

    def get_source_stamp(self) -> str:
        return self.folder.name

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, function, file):
        return cls(function)


def _places(folder: Path) -> type[CompileResultCacheImpl]:
    place = type("_Place", (_Place,), {"folder": folder})
    return type("_Store", (CompileResultCacheImpl,), {"_locator_classes": [place]})


class KernelCache(FunctionCache):
    """The cache of one kernel; what cannot be read is forgotten and what cannot be written is left."""

    def __init__(self, function: Callable, folder: Path) -> None:
        self._impl_class = _places(folder)
        super().__init__(function)
        self._cache_file: IndexDataCacheFile = _File(self._cache_path, self._impl.filename_base, folder.name)

    def load_overload(self, sig, target_context):
        try:  # not as Numba does it: to load code, none of the functions it knows is needed, which would cost half a second
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)
        except Exception:
            _notice(f"compiled kernels in {self._cache_path} are damaged and are built anew (about a minute).")
            self.save(self._cache_file.flush)
            return None

    def save_overload(self, sig, data) -> None:
        self.save(lambda: super(KernelCache, self).save_overload(sig, data))

    def save(self, write: Callable) -> None:
        try:
            write()
        except OSError as reason:
            _notice(f"compiled kernels cannot be kept in {self._cache_path} ({reason.strerror}); "
                    "the next process compiles them again.")


_said: set[str] = set()


def _notice(text: str) -> None:
    """Once per process and kind."""
    kind = text.partition(" in ")[0]
    if kind not in _said:
        _said.add(kind)
        print(f"Kinetree: {text}", file=sys.stderr, flush=True)


def cache_of(function: Callable, folder: Path) -> KernelCache | NullCache:
    """The cache of a kernel in the folder; none at all rather than one that Numba would put somewhere else."""
    cache = KernelCache(function, folder)
    try:
        cache._impl.locator.ensure_cache_path()
    except OSError:  # no place that can be written
        return NullCache()
    return cache
