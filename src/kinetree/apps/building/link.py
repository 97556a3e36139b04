"""The objects of a target in one file: linked by the C compiler, or by zig, or as an archive."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from ...kernel.runtime.object_files import SUFFIX, write_objects
from ...kernel.runtime.targets import PLATFORMS, Target, this_platform
from .objects import Said


def linked(folder: Path, name: str, target: Target, objects: Mapping[str, bytes], say: Said) -> str:
    """Link the objects of a target, write the file and return its name."""
    library = folder / f"{target.name}.{PLATFORMS[name].suffix}"
    with tempfile.TemporaryDirectory() as place:
        files = Path(place) / "files"  # hundreds of names are too long for a command
        for k, code in enumerate(objects.values()):
            (Path(place) / f"{k}.o").write_bytes(code)
        files.write_text(
            "".join(f'"{(Path(place) / f"{k}.o").as_posix()}"\n' for k in range(len(objects))),
            encoding="utf-8",
        )
        for linker in linkers(name):
            command = [
                *linker,
                "-shared",
                "-o",
                str(library),
                f"@{files}",
                *_more(name, library.name),
            ]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode == 0:
                return library.name
            say(f"  {' '.join(linker[:4])} could not link: {done.stderr.strip()[-500:]}")
    write_objects(folder / f"{target.name}{SUFFIX}", objects)
    say(
        "  no linker (a C compiler, or pip install ziglang): llvmlite will load "
        f"{target.name}{SUFFIX}"
    )
    return f"{target.name}{SUFFIX}"


def linkers(name: str) -> list[list[str]]:
    """Linker commands in the order in which they are tried: the C compiler, then zig.

    Zig links for other platforms and for older systems: with KINETREE_LINKER=zig it is the only one.
    """
    zig = (
        [[sys.executable, "-m", "ziglang", "cc", "-target", PLATFORMS[name].zig]]
        if find_spec("ziglang") is not None
        else []
    )
    if name != this_platform() or os.environ.get("KINETREE_LINKER") == "zig":
        return zig
    return [
        [path] for path in map(shutil.which, (os.environ.get("CC", "cc"), "gcc", "clang")) if path
    ] + zig


def wheel_tag(name: str, files: Mapping[str, str]) -> str:
    """Platform tag of the wheel; files linked by zig run on older systems, too."""
    by_zig = "ziglang" in (linkers(name) or [[]])[0] and not any(
        file.endswith(SUFFIX) for file in files.values()
    )
    if by_zig or name != this_platform():
        return PLATFORMS[name].tag
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def _more(name: str, file: str) -> list[str]:
    """Further options of the linker.

    On Linux, linking fails if a symbol is missing: kernels need `memset` of the C library, and none
    of its elementary functions. On macOS, the file must not contain a path of the building machine.
    """
    if name.startswith("linux"):
        return ["-Wl,-z,defs"]
    return [f"-Wl,-install_name,@rpath/{file}"] if name.startswith("macos") else []
