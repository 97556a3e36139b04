"""The library that is built with the package: one file of machine code per target, and a manifest that says what it holds.

    built/manifest.json     version, hash of each source with kernels, and of each kernel its symbol and its signature
    built/x86-64-v3.so      (.dll, .dylib; .o where nobody could link it: llvmlite loads it then)
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import warnings
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from .compiler.values import KernelError
from .language import Function
from .types import Signature, Type, result_of

PACKAGE = Path(__file__).resolve().parent.parent
FOLDER, MANIFEST = Path(__file__).resolve().parent / "built", "manifest.json"
FORMAT = 1  # of the manifest
BASELINE, FEATURES = "x86-64", "kt.family"  # what all x86-64 processors run, and a function in it that tells what more they can


class LibraryError(ImportError):
    """The library that was built with the package cannot be used."""


def source_hashes() -> dict[str, str]:
    """Of every source that may have kernels, by its path in the package."""
    return {path.relative_to(PACKAGE).as_posix(): sha256(path.read_bytes()).hexdigest()[:16] for path in _sources()}


def _sources() -> list[Path]:
    """All files that name one of the decorators; what is not compiled does not."""
    marks = (b"@kernel", b"@stage", b"@inline", b"@piece", b"@elementary", b"@asked", b"switch(", b"loader(", b"by_address(",
             b"_caller(")
    return sorted(path for path in PACKAGE.rglob("*.py") if any(mark in path.read_bytes() for mark in marks))


def built_library(folder: Path = FOLDER) -> Library | None:
    """The library of this installation; None where there is none (editable installs), and where sources were edited."""
    if os.environ.get("KINETREE_LIBRARY") == "0" or not (folder / MANIFEST).exists():
        return None
    manifest = read_manifest(folder)
    edited = [path for path, digest in manifest["sources"].items() if _hash(PACKAGE / path) != digest]
    if edited:
        more = f" and {len(edited) - 1} more" if len(edited) > 1 else ""
        warnings.warn(f"sources of Kinetree were edited after it was built ({edited[0]}{more}): kernels are compiled when they "
                      "are needed. An editable install (pip install -e .) is made for that.", RuntimeWarning, stacklevel=2)
        return None
    return Library(folder, manifest)


def read_manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if manifest["format"] != FORMAT:
            raise LibraryError(f"{folder / MANIFEST} is that of another version of Kinetree: install Kinetree again, "
                               "pip install --force-reinstall kinetree.")
        return manifest
    except (OSError, ValueError, KeyError, TypeError) as reason:
        raise LibraryError(f"{folder / MANIFEST} is damaged ({reason}): install Kinetree again, "
                           "pip install --force-reinstall kinetree.") from None


def _hash(path: Path) -> str:
    try:
        return sha256(path.read_bytes()).hexdigest()[:16]
    except OSError:
        return ""


class Library:
    """Kernels by their names; what is not among them, because it was generated, is compiled on demand and linked with them."""

    def __init__(self, folder: Path, manifest: dict[str, Any]) -> None:
        self._kernels: dict[str, list[str]] = manifest["kernels"]
        self.path = _chosen(folder, manifest)
        self._symbols = _loaded(self.path)

    @cached_property
    def on_demand(self):
        """Compiles what the library does not have."""
        try:
            from .on_demand import OnDemand
        except ImportError as reason:
            raise LibraryError(f"generated code needs llvmlite to be compiled ({reason}): pip install llvmlite.") from None
        return OnDemand(self.path, {symbol for symbol, _, _ in self._kernels.values()})

    def find(self, function: Function, args: tuple[Type, ...]) -> tuple[int, Signature]:
        if function.several or function.name not in self._kernels:
            return self.on_demand.find(function, args)
        symbol, given, result = self._kernels[function.name]
        if given != " ".join(kind.code for kind in args):
            told = ", ".join(map(str, args))
            raise KernelError(f"the kernel {function.name} has another signature, and cannot be called with ({told})")
        return self._symbols(symbol), Signature(result_of(result), args)


def _loaded(path: Path):
    """A function that finds the address of a symbol."""
    try:
        if path.suffix == ".o":
            from .machine import loaded_object

            return loaded_object(path.read_bytes())
        library = ctypes.CDLL(str(path))
        return lambda symbol: ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value
    except OSError as reason:
        raise LibraryError(f"the kernels in {path} cannot be loaded ({reason}): install Kinetree again, "
                           "pip install --force-reinstall kinetree, or compile on demand with KINETREE_LIBRARY=0.") from None


def _chosen(folder: Path, manifest: dict[str, Any]) -> Path:
    """The best of the targets that this processor runs, or the one that $KINETREE_TARGET names."""
    files = {name: folder / file for name, file in manifest["targets"].items()}
    asked = os.environ.get("KINETREE_TARGET")
    if asked and asked not in files:
        raise LibraryError(f"KINETREE_TARGET={asked}: this installation has kernels for {', '.join(files)}.")
    machine = platform.machine().lower()
    if not asked and machine not in manifest["machines"]:
        raise LibraryError(f"this installation has kernels for {', '.join(manifest['machines'])}, not for {machine}: build it "
                           "here, pip install --force-reinstall --no-binary kinetree kinetree.")
    if asked:
        return files[asked]
    if BASELINE not in files:
        return next(iter(files.values()))
    symbols = _loaded(files[BASELINE])  # which keeps the code alive
    family = ctypes.CFUNCTYPE(ctypes.c_int64)(symbols(FEATURES))()
    better = f"{BASELINE}-v{family}"
    return files.get(better, files[BASELINE])
