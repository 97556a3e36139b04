"""Build the library: all kernels compiled by several processes, linked into one file per target, and the manifest.

    python -m kinetree.building FOLDER [--platform linux-x86_64] [--processes 2]
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from ..kernel.library import FORMAT, MANIFEST, source_hashes
from .targets import PLATFORMS, Platform, Target, this_platform

Said = Callable[[str], None]


class BuildError(RuntimeError):
    """The library could not be built."""


def build(folder: Path, name: str | None = None, processes: int | None = None, say: Said = print) -> list[str]:
    """All files of the library into a folder; returns their names."""
    name = name or this_platform()
    if name not in PLATFORMS:
        raise BuildError(f"no kernels can be built for {name or 'this platform'}; there are {', '.join(PLATFORMS)}.")
    about, began, sources = PLATFORMS[name], time.perf_counter(), source_hashes()
    if (there := _there(folder, name, sources)) is not None:
        return there
    folder.mkdir(parents=True, exist_ok=True)
    count = processes or os.cpu_count() or 1
    say(f"compiling the kernels for {name} ({', '.join(t.name for t in about.targets)}) in {count} processes")
    _compile(folder, name, count)
    files = {target.name: _linked(folder, name, about, target, count, say) for target in about.targets}
    kernels = json.loads((folder / "part0.json").read_text(encoding="utf-8"))
    manifest = {"format": FORMAT, "platform": name, "machines": about.machines, "targets": files, "sources": sources,
                "kernels": kernels}
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=0), encoding="utf-8")
    for left in (*folder.glob("part*.o"), *folder.glob("part*.json")):
        left.unlink()
    (folder / "tag").write_text(_tag(name, about, files), encoding="utf-8")
    say(f"{len(kernels)} kernels in {', '.join(files.values())}, {time.perf_counter() - began:.0f} s")
    return [MANIFEST, *files.values()]


def _there(folder: Path, name: str, sources: dict[str, str]) -> list[str] | None:
    """The files of a library that was built of the same sources."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        same = (manifest["format"], manifest["platform"], manifest["sources"]) == (FORMAT, name, sources)
        files = [MANIFEST, *manifest["targets"].values()]
        return files if same and all((folder / file).exists() for file in files) else None
    except (OSError, ValueError, KeyError):
        return None


def _compile(folder: Path, name: str, count: int) -> None:
    """Each process compiles its share of the kernels for all targets."""
    command = [sys.executable, "-m", "kinetree.building.objects", str(folder), name]
    running = [subprocess.Popen([*command, str(k), str(count)]) for k in range(count)]
    if any([process.wait() for process in running]):
        raise BuildError("the kernels could not be compiled; what is wrong with them stands above.")


def _linked(folder: Path, name: str, about: Platform, target: Target, count: int, say: Said) -> str:
    """The objects of a target as one file: linked by the compiler of this machine, else by zig, else as an object."""
    objects = [str(folder / f"part{k}-{target.name}.o") for k in range(count)]
    library = folder / f"{target.name}.{about.suffix}"
    for linker in linkers(name, about):
        command = [*linker, "-shared", "-o", str(library), *objects, *_complete(name)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 0:
            return library.name
        say(f"{' '.join(linker[:4])} could not link: {done.stderr.strip()[-500:]}")
    if count > 1:
        raise BuildError("nobody could link the kernels: install a C compiler, or pip install ziglang.")
    shutil.copy(objects[0], folder / f"{target.name}.o")
    return f"{target.name}.o"


def linkers(name: str, about: Platform) -> list[list[str]]:
    """Commands that may link, in the order in which they are tried: the compiler of this machine, then zig.

    Zig links for other platforms, and files that old systems can load: with KINETREE_LINKER=zig it is the only one.
    """
    zig = [[sys.executable, "-m", "ziglang", "cc", "-target", about.zig]] if find_spec("ziglang") is not None else []
    if name != this_platform() or os.environ.get("KINETREE_LINKER") == "zig":
        return zig
    return [[path] for path in map(shutil.which, (os.environ.get("CC", "cc"), "gcc", "clang")) if path] + zig


def _tag(name: str, about: Platform, files: dict[str, str]) -> str:
    """Of the wheel: what zig has linked runs on older systems, too."""
    linked = all(not file.endswith(".o") for file in files.values())
    if linked and "ziglang" in linkers(name, about)[0]:
        return about.tag
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def _complete(name: str) -> list[str]:
    """Linking fails if a symbol is in no library: kernels need the C library for memset alone, and no mathematics of it."""
    return ["-Wl,-z,defs"] if name.startswith("linux") else []
