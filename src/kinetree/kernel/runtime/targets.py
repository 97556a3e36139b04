"""Targets of the compiler: families of processors, and platforms with their names in LLVM, zig and
wheels.

Machine code is compiled for a family of processors, never for one processor: all processors of a
family compute the same bits.
"""

from __future__ import annotations

import os
import platform
import sys
from typing import NamedTuple

from ...errors import KinetreeError


class LibraryError(KinetreeError, ImportError):
    """The machine code of the kernels cannot be loaded or compiled."""


class Target(NamedTuple):
    """A family of processors."""

    name: str  # of the file
    cpu: str  # for LLVM
    fused: bool  # whether the processor rounds a*b + c once


class Platform(NamedTuple):
    """An operating system on a kind of machine."""

    triple: str  # for LLVM
    zig: str  # for zig
    suffix: str
    tag: str  # of wheels that zig linked
    machines: tuple[str, ...]  # as Python's `platform` calls them
    targets: tuple[Target, ...]  # the best one first


V3, BASELINE = Target("x86-64-v3", "x86-64-v3", True), Target("x86-64", "x86-64", False)
_X86, _AMD64 = (V3, BASELINE), ("x86_64", "amd64")
PLATFORMS = {
    "linux-x86_64": Platform(
        "x86_64-unknown-linux-gnu",
        "x86_64-linux-gnu.2.28",
        "so",
        "manylinux_2_28_x86_64",
        _AMD64,
        _X86,
    ),
    "linux-aarch64": Platform(
        "aarch64-unknown-linux-gnu",
        "aarch64-linux-gnu.2.28",
        "so",
        "manylinux_2_28_aarch64",
        ("aarch64", "arm64"),
        (Target("aarch64", "generic", True),),
    ),
    "windows-x86_64": Platform(
        "x86_64-pc-windows-gnu", "x86_64-windows-gnu", "dll", "win_amd64", _AMD64, _X86
    ),
    "macos-arm64": Platform(
        "arm64-apple-macosx11.0.0",
        "aarch64-macos.11.0",
        "dylib",
        "macosx_11_0_arm64",
        ("arm64", "aarch64"),
        (Target("arm64", "apple-m1", True),),
    ),
    "macos-x86_64": Platform(
        "x86_64-apple-macosx11.0.0",
        "x86_64-macos.11.0",
        "dylib",
        "macosx_11_0_x86_64",
        _AMD64,
        _X86,
    ),
}


def this_platform() -> str | None:
    """Name of the platform that Python runs on, or None if it is not in the list."""
    system = {"linux": "linux", "win32": "windows", "darwin": "macos"}.get(sys.platform)
    machine = platform.machine().lower()
    return next(
        (
            name
            for name, p in PLATFORMS.items()
            if name.startswith(f"{system}-") and machine in p.machines
        ),
        None,
    )


def requested_target(there: tuple[Target, ...]) -> Target | None:
    """The target that $KINETREE_TARGET names, if it is set."""
    requested = os.environ.get("KINETREE_TARGET")
    if not requested:
        return None
    found = next((target for target in there if target.name == requested), None)
    if found is None:
        names = ", ".join(target.name for target in there)
        raise LibraryError(
            f"KINETREE_TARGET={requested}: there are kernels for {names or 'this processor alone'}. "
            "Set one of these, or unset it."
        )
    return found
