"""Build of the library: all kernels, compiled by several processes and linked into one file per
target, and the manifest.

    python -m kinetree.apps.building FOLDER [--platform linux-x86_64] [--processes 2]
"""

from __future__ import annotations

import json
import os
import time
from hashlib import sha256
from pathlib import Path

from ...kernel.compiler.unit import Unit
from ...kernel.runtime.library import FORMAT, MANIFEST, PACKAGE, file_hash
from ...kernel.runtime.targets import PLATFORMS, this_platform
from ...release import VERSION
from .link import linked, linkers, wheel_tag
from .objects import BuildError, Said, jobs, objects

_MARKS = (
    b"@kernel",
    b"@internal_kernel",
    b"@inline",
    b"@elementary",
    b"switch(",
    b"loader(",
    b"by_address(",
    b"_caller(",
)
# modules that name the decorators, but have no kernels
_WITHOUT = ("apps/building/", "kernel/compiler/", "symbolic/", "kernel/usercode/")


def build(
    folder: Path, name: str | None = None, processes: int | None = None, say: Said = print
) -> list[str]:
    """Write all files of the library to a folder and return their names."""
    name = name or this_platform()
    if name is None:
        say(
            "no library is built for this platform: kernels will be compiled when they are first "
            "needed"
        )
        (folder / MANIFEST).unlink(missing_ok=True)
        return []
    if name not in PLATFORMS:
        raise BuildError(f"no kernels can be built for {name}; there are {', '.join(PLATFORMS)}.")
    about, began, ingredients = PLATFORMS[name], time.perf_counter(), _ingredients(name)
    if (there := _there(folder, ingredients)) is not None:
        return there
    folder.mkdir(parents=True, exist_ok=True)
    count = processes or int(os.environ.get("KINETREE_PROCESSES", 0)) or os.cpu_count() or 1
    say(
        f"compiling the kernels for {name} ({', '.join(t.name for t in about.targets)}) in {count} "
        "processes"
    )
    unit = _all_kernels(say)
    code = objects(jobs(unit, about), count, say)
    files = {
        target.name: linked(folder, name, target, code[target.cpu], say) for target in about.targets
    }
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "platform": name,
        "targets": files,
        "sources": source_hashes(),
        "files": {file: file_hash(folder / file) for file in files.values()},
        "kernels": kernels_of(unit),
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=0), encoding="utf-8")
    (folder / "tag").write_text(wheel_tag(name, files), encoding="utf-8")
    (folder / "ingredients").write_text(ingredients, encoding="utf-8")
    say(
        f"{len(unit.kernels)} kernels in {', '.join(files.values())}, "
        f"{time.perf_counter() - began:.0f} s"
    )
    return [MANIFEST, *files.values()]


def kernel_modules() -> list[str]:
    """Paths of the sources with kernels, which name one of the decorators."""
    paths = {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}
    return [
        name
        for name, path in paths.items()
        if not name.startswith(_WITHOUT) and any(mark in path.read_bytes() for mark in _MARKS)
    ]


def source_hashes() -> dict[str, str]:
    """Hashes of all sources in the folders with kernels, and of the compiler."""
    folders = {"kernel", *(name.partition("/")[0] for name in kernel_modules())}
    paths = sorted(path for folder in folders for path in (PACKAGE / folder).rglob("*.py"))
    return {path.relative_to(PACKAGE).as_posix(): file_hash(path) for path in paths}


def kernels_of(unit: Unit) -> dict[str, tuple[str, str, str]]:
    """By name: symbol, types of the arguments, type of the result."""
    return {
        c.function.name: (c.symbol, " ".join(a.code for a in c.args), c.result.code)
        for c in unit.kernels
    }


def _all_kernels(say: Said) -> Unit:
    # it imports the whole package, which the compiling processes do not need
    from .everything import everything, left_out

    unit = everything()
    if missing := left_out(unit):
        say(
            "  compiled on demand, since the types of their arguments are unknown: "
            f"{', '.join(missing)}"
        )
    return unit


def _ingredients(name: str) -> str:
    """Hash of everything that a library depends on: sources, compiler, LLVM, linkers."""
    from ...kernel.runtime.llvm import llvm_version

    hashes = [file_hash(path) for path in sorted(PACKAGE.rglob("*.py"))]
    # without the path of Python, which starts zig and is another one in every build
    by = [linker[1:] or linker for linker in linkers(name)]
    return sha256(repr((FORMAT, name, llvm_version(), by, hashes)).encode()).hexdigest()


def _there(folder: Path, ingredients: str) -> list[str] | None:
    """Files of a library that exists and has the same ingredients, or None: pip builds the metadata
    of a wheel first.
    """
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        same = (folder / "ingredients").read_text(encoding="utf-8") == ingredients
        files = [MANIFEST, *manifest["targets"].values()]
        return (
            files
            if same
            and all(
                file_hash(folder / file) == digest for file, digest in manifest["files"].items()
            )
            else None
        )
    except (OSError, ValueError, KeyError):
        return None
