"""What libraries are built for: processors, and platforms with the names that LLVM, zig and wheels have for them."""

from __future__ import annotations

import platform
import sys
from typing import NamedTuple


class Target(NamedTuple):
    """A processor of a platform."""

    name: str  # of the file
    cpu: str  # for LLVM


class Platform(NamedTuple):
    """An operating system on a kind of machine."""

    triple: str  # for LLVM
    zig: str  # for zig
    suffix: str
    tag: str  # of wheels that zig linked
    machines: tuple[str, ...]  # as Python's `platform` calls them
    targets: tuple[Target, ...]


_X86 = (Target("x86-64-v3", "x86-64-v3"), Target("x86-64", "x86-64"))
_AMD64 = ("x86_64", "amd64")
PLATFORMS = {
    "linux-x86_64": Platform("x86_64-unknown-linux-gnu", "x86_64-linux-gnu.2.28", "so", "manylinux_2_28_x86_64", _AMD64, _X86),
    "linux-aarch64": Platform("aarch64-unknown-linux-gnu", "aarch64-linux-gnu.2.28", "so", "manylinux_2_28_aarch64",
                              ("aarch64", "arm64"), (Target("aarch64", "generic"),)),
    "windows-x86_64": Platform("x86_64-pc-windows-gnu", "x86_64-windows-gnu", "dll", "win_amd64", _AMD64, _X86),
    "macos-arm64": Platform("arm64-apple-macosx11.0.0", "aarch64-macos", "dylib", "macosx_11_0_arm64", ("arm64", "aarch64"),
                            (Target("arm64", "apple-m1"),)),
    "macos-x86_64": Platform("x86_64-apple-macosx11.0.0", "x86_64-macos", "dylib", "macosx_11_0_x86_64", _AMD64, _X86),
}


def this_platform() -> str | None:
    """The name of the platform that Python runs on, or None if it is not in the list."""
    system = {"linux": "linux", "win32": "windows", "darwin": "macos"}.get(sys.platform)
    machine = platform.machine().lower()
    return next((name for name, p in PLATFORMS.items() if name.startswith(f"{system}-") and machine in p.machines), None)
