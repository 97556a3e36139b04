"""Builds the library of all kernels into the wheel, for this platform or the one that $KINETREE_PLATFORM names.

An editable install builds nothing: there kernels are compiled when they are first needed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class EngineHook(BuildHookInterface):
    """Compiles, links, and tells the wheel what it has become."""

    def dependencies(self) -> list[str]:
        """Zig links where this machine has no compiler of C."""
        here = any(map(shutil.which, (os.environ.get("CC", "cc"), "gcc", "clang")))
        return [] if here and os.environ.get("KINETREE_LINKER") != "zig" else ["ziglang"]

    def initialize(self, version: str, build_data: dict) -> None:
        if version == "editable" or self.target_name != "wheel":
            return
        source, folder = Path(self.root) / "src", Path(self.root) / "build" / "kernels"  # kept: pip asks for the metadata first
        command = [sys.executable, "-m", "kinetree.building", str(folder), *filter(None, [os.environ.get("KINETREE_PLATFORM")])]
        path = os.pathsep.join(filter(None, [str(source), os.environ.get("PYTHONPATH")]))
        subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": path})
        for file in folder.iterdir():
            if file.name != "tag":
                build_data["force_include"][str(file)] = f"kinetree/kernel/built/{file.name}"
        tag = (folder / "tag").read_text(encoding="utf-8")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag}"
