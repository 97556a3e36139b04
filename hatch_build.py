"""Builds the library of all kernels into the wheel, for this platform or the one that $KINETREE_PLATFORM names.

An editable install builds nothing: there kernels are compiled when they are first needed. More settings: KINETREE_LINKER=zig, for
files that old systems can load, KINETREE_PROCESSES.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class EngineHook(BuildHookInterface):
    """Compiles, links, and adds the files to the wheel."""

    def dependencies(self) -> list[str]:
        """Zig links where this machine has no C compiler, and for other platforms."""
        here = any(map(shutil.which, (os.environ.get("CC", "cc"), "gcc", "clang")))
        zig = (
            os.environ.get("KINETREE_LINKER") == "zig"
            or os.environ.get("KINETREE_PLATFORM")
            or not here
        )
        return ["ziglang"] if zig else []

    def initialize(self, version: str, build_data: dict) -> None:
        if version == "editable" or self.target_name != "wheel":
            return
        source, folder = (
            Path(self.root) / "src",
            Path(self.root) / "build" / "kernels",
        )  # kept: pip asks for the metadata first
        command, platform = (
            [sys.executable, "-m", "kinetree.apps.building", str(folder)],
            os.environ.get("KINETREE_PLATFORM"),
        )
        command += ["--platform", platform] if platform else []
        path = os.pathsep.join(filter(None, [str(source), os.environ.get("PYTHONPATH")]))
        subprocess.run(
            command, check=True, env={**os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1"}
        )
        if not (folder / "manifest.json").exists():  # a platform without a library
            return
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        for name in ("manifest.json", *manifest["targets"].values()):
            build_data["force_include"][str(folder / name)] = f"kinetree/kernel/built/{name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{(folder / 'tag').read_text(encoding='utf-8')}"
