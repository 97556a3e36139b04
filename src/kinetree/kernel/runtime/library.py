"""The library that is built with the package: one file of machine code per target, and a manifest.

    built/manifest.json     versions, hashes of the sources and of the files, symbol and signature
                            of each kernel
    built/x86-64-v3.so      (.dll, .dylib; .objects if no linker was found, loaded by llvmlite)

The hash of every file is checked before it is loaded: loading a truncated file would end the
process.
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import sys
import warnings
from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...release import VERSION
from ..compiler.values import KernelError
from ..language import Function
from ..types import Signature, Type, type_from_code
from .object_files import unlinked
from .targets import BASELINE, PLATFORMS, LibraryError, Target, requested_target, this_platform

PACKAGE = Path(__file__).resolve().parents[2]
FOLDER, MANIFEST = Path(__file__).resolve().parents[1] / "built", "manifest.json"
FORMAT = 2  # version of the format of the manifest
FEATURES = "kt.family"  # a function in the library for any x86-64: the level of this processor
AGAIN = "install Kinetree again, pip install --force-reinstall kinetree"
HERE = "build it here, pip install --force-reinstall --no-binary kinetree kinetree"
ON_DEMAND = "or compile the kernels when they are needed, with KINETREE_LIBRARY=0"


def built_library(folder: Path = FOLDER) -> Library | None:
    """The library of this installation; None in editable installs and if sources were edited."""
    if os.environ.get("KINETREE_LIBRARY") == "0" or not (folder / MANIFEST).exists():
        return None
    manifest = read_manifest(folder)
    edited = [
        path for path, digest in manifest["sources"].items() if file_hash(PACKAGE / path) != digest
    ]
    if edited:
        more = f" and {len(edited) - 1} more" if len(edited) > 1 else ""
        warnings.warn(
            f"sources of Kinetree were edited after it was built ({edited[0]}{more}): kernels are "
            "compiled when they are needed. An editable install (pip install -e .) is made for that.",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
    return Library(folder, manifest)


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a library; raises LibraryError unless version and platform are those of this
    process.
    """
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        about = manifest["format"], manifest["version"]
    except (OSError, ValueError, KeyError, TypeError) as reason:
        raise LibraryError(f"{path} is damaged ({reason}): {AGAIN}, {ON_DEMAND}.") from None
    if about != (FORMAT, VERSION):
        raise LibraryError(
            f"the kernels in {folder} were built for version {about[1]} of Kinetree, and this is "
            f"{VERSION}: {AGAIN}, {ON_DEMAND}."
        )
    if manifest["platform"] != this_platform():
        raise LibraryError(
            f"this installation has kernels for {manifest['platform']}, not for {sys.platform} on "
            f"{platform.machine().lower()}: {HERE}, {ON_DEMAND}."
        )
    return manifest


def file_hash(path: Path) -> str:
    """First 16 digits of the SHA-256 of a file; an empty string if it cannot be read."""
    try:
        return sha256(path.read_bytes()).hexdigest()[:16]
    except OSError:
        return ""


class Library:
    """Kernels by name. Generated kernels, which are not among them, are compiled on demand and linked
    with them.
    """

    def __init__(self, folder: Path, manifest: dict[str, Any]) -> None:
        self._folder, self._manifest = folder, manifest
        self._kernels: dict[str, list[str]] = manifest["kernels"]
        self.target = self._best()
        self._path = self._checked(self.target)
        self._address = self._loaded()

    def find(self, function: Function, args: tuple[Type, ...]) -> tuple[int, Signature]:
        if function.named_by_content or function.name not in self._kernels:
            return self.on_demand.find(function, args)
        symbol, given, result = self._kernels[function.name]
        if given != " ".join(kind.code for kind in args):
            types = ", ".join(map(str, args))
            raise KernelError(
                f"the kernel {function.name} has another signature, and cannot be called with "
                f"({types})"
            )
        return self._address(symbol), Signature(type_from_code(result), args)

    @cached_property
    def on_demand(self):
        """Compiler of kernels that the library lacks, for the same processors."""
        try:
            from .on_demand import OnDemand
        except ImportError as reason:
            raise LibraryError(
                f"generated code needs llvmlite to be compiled, which cannot be loaded ({reason}): "
                "pip install llvmlite."
            ) from None
        return OnDemand(
            self.target, self._path, {symbol for symbol, _, _ in self._kernels.values()}
        )

    def _best(self) -> Target:
        """The best target for this processor, or the one that $KINETREE_TARGET names."""
        files = self._manifest["targets"]
        there = tuple(
            target
            for target in PLATFORMS[self._manifest["platform"]].targets
            if target.name in files
        )
        requested = requested_target(there)
        if requested or len(there) == 1 or BASELINE not in there:
            return requested or there[0]
        path = self._checked(BASELINE)
        if unlinked(path):
            from .llvm import host

            return host()
        family = ctypes.CFUNCTYPE(ctypes.c_int64)(_symbols(path)(FEATURES))()
        return next(
            (target for target in there if target.name == f"{BASELINE.name}-v{family}"), BASELINE
        )

    def _checked(self, target: Target) -> Path:
        """Path of the file of a target, whose hash must match."""
        file = self._manifest["targets"][target.name]
        path = self._folder / file
        if file_hash(path) != self._manifest["files"].get(file):
            what = "is damaged" if path.exists() else "is missing"
            raise LibraryError(f"{path}, which has the kernels, {what}: {AGAIN}, {ON_DEMAND}.")
        return path

    def _loaded(self) -> Callable[[str], int]:
        return self.on_demand.address if unlinked(self._path) else _symbols(self._path)


def _symbols(path: Path) -> Callable[[str], int]:
    """Function that returns the address of a symbol."""
    try:
        library = ctypes.CDLL(str(path))
    except OSError as reason:
        raise LibraryError(
            f"the kernels in {path} cannot be loaded ({reason}): {HERE}, {ON_DEMAND}."
        ) from None
    return lambda symbol: ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value or 0
