"""One of several processes that compile the kernels: `python -m kinetree.building.objects FOLDER PLATFORM PART PARTS`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from ..kernel.compiler.unit import Unit
from ..kernel.machine import has_fma, object_code, target_machine
from .everything import everything, left_out
from .processor import FAMILY
from .targets import PLATFORMS


def compile_part(folder: Path, platform: str, part: int, parts: int) -> None:
    """Objects of every `parts`-th kernel, for all targets, and what the library holds."""
    unit = everything()
    if part == 0 and (missing := left_out(unit)):
        print(f"compiled on demand, since nothing says the types of their arguments: {', '.join(missing)}", flush=True)
    about = PLATFORMS[platform]
    mine = sorted(unit.kernels, key=lambda c: c.symbol)[part::parts]
    for target in about.targets:
        fused = has_fma(about.triple, target.cpu, "")
        text = unit.module(mine, fused)
        if part == 0 and about.triple.startswith("x86_64"):
            text += FAMILY
        code = object_code(text, target_machine(about.triple, target.cpu))
        (folder / f"part{part}-{target.name}.o").write_bytes(code)
    (folder / f"part{part}.json").write_text(json.dumps(kernels_of(unit)), encoding="utf-8")


def kernels_of(unit: Unit) -> dict[str, tuple[str, str, str]]:
    """Name: symbol, types of the arguments, type of the result."""
    return {c.function.name: (c.symbol, " ".join(a.code for a in c.args), c.result.code) for c in unit.kernels}


if __name__ == "__main__":
    compile_part(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
