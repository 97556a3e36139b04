"""Shared libraries from C source and object files: the C compiler of this computer, or zig."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from ...errors import KinetreeError
from ...kernel.runtime.targets import PLATFORMS, Target, this_platform


class LinkError(KinetreeError, RuntimeError):
    """No compiler was found, or it failed."""


def target_of(platform: str) -> Target:
    """The processors for which an export is compiled: those of this process, or the usual ones."""
    if platform == this_platform():
        from ...kernel.runtime.lookup import engine

        return engine().target
    return PLATFORMS[platform].targets[0]


def compilers(platform: str) -> list[list[str]]:
    """Commands of C compilers that can link for a platform, in the order in which they are tried."""
    zig = [sys.executable, "-m", "ziglang", "cc", "-target", PLATFORMS[platform].zig]
    by_zig = [zig] if find_spec("ziglang") is not None else []
    if platform != this_platform() or os.environ.get("KINETREE_LINKER") == "zig":
        return by_zig
    names = (os.environ.get("CC", "cc"), "gcc", "clang")
    return [[path] for path in dict.fromkeys(map(shutil.which, names)) if path] + by_zig


def shared_library(
    platform: str, source: str, objects: Mapping[str, bytes], exported: Sequence[str], name: str
) -> bytes:
    """Compile C source and link it with objects; only names that begin with those in `exported` can
    be called from outside.
    """
    commands, failed = compilers(platform), []
    if not commands:
        raise LinkError(
            f"no C compiler was found that can link for {platform}: install one (gcc, clang), or "
            "pip install ziglang."
        )
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "source.c").write_text(source, encoding="utf-8")
        for file, code in objects.items():
            (folder / file).write_bytes(code)
        (folder / "files").write_text("".join(f"{file}\n" for file in objects), encoding="utf-8")
        library = f"{name}.{PLATFORMS[platform].suffix}"
        for command in commands:
            options = _options(platform, folder, exported, library)
            done = subprocess.run(
                [*command, "-O2", "-std=c11", "-ffp-contract=off", "-shared", "-fvisibility=hidden"]
                + ["-o", library, "source.c", "@files", *options],
                cwd=folder,
                capture_output=True,
                text=True,
            )
            if done.returncode == 0:
                return (folder / library).read_bytes()
            failed.append(f"{' '.join(command[:3])}: {done.stderr.strip()[-800:]}")
    raise LinkError(f"the library for {platform} could not be linked: {'; '.join(failed)}")


def _options(platform: str, folder: Path, exported: Sequence[str], library: str) -> list[str]:
    """Options of the linker. On Linux, linking fails if a symbol is missing."""
    if platform.startswith("linux"):
        shown = " ".join(f"{name}*;" for name in exported)
        (folder / "exports").write_text(f"{{ global: {shown} local: *; }};\n", encoding="utf-8")
        return ["-fPIC", "-lm", "-Wl,--version-script=exports", "-Wl,-z,defs", "-s"]
    if platform.startswith("macos"):
        return ["-fPIC", f"-Wl,-install_name,@rpath/{library}"]
    return ["-s"]
