"""How long a developer waits: CPU seconds of a four-bar run in an editable install after an edit of
its sources.

    python benchmarks/edit_loop.py [--json]

Works on a copy of the sources in a temporary folder, with compiled kernels kept in another. Each
edit comes on top of those before it, and each run is a process of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from common import arguments, show

SOURCES = Path(__file__).resolve().parent.parent / "src" / "kinetree"
EDITS = {  # what is edited: file, text, and what stands in its place
    "a comment": (
        "kernel/algebra/vec3.py",
        "\n@inline\ndef cross(",
        "\n# of no consequence\n@inline\ndef cross(",
    ),
    "one step kernel": (
        "engine/integrators/methods/adams.py",
        "    while not too_small(",
        "    failures = 0\n    while not too_small(",
    ),
    "vec3.cross": (
        "kernel/algebra/vec3.py",
        "return a[1] * b[2] - a[2] * b[1],",
        "return a[1] * b[2] - b[1] * a[2],",
    ),
}
RUN = """
import json, time
import kinetree as kt
from kinetree.kernel.runtime.lookup import engine
from kinetree.models.catalogue import model_entry

model = model_entry("four-bar").build()
loaded = time.process_time()
kt.simulate(model, 1.0, progress=False)
print(json.dumps([time.process_time(), time.process_time() - loaded, engine().source.compilations]))
"""


def edit(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / "kinetree" / file
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise SystemExit(f"{file} does not have {old!r} once: this script must follow it.")
    path.write_text(text.replace(old, new), encoding="utf-8")


def run(folder: Path, name: str) -> dict:
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder),
        "KINETREE_CACHE": str(folder / "cache"),
        "KINETREE_LIBRARY": "0",
    }
    done = subprocess.run(
        [sys.executable, "-c", RUN], env=environment, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    whole, simulated, compiled = json.loads(done.stdout)
    return {
        "after": name,
        "process": round(whole, 2),
        "simulate": round(simulated, 2),
        "kernels compiled": compiled,
    }


def main() -> None:
    asked = arguments(__doc__.splitlines()[0])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        shutil.copytree(
            SOURCES, folder / "kinetree", ignore=shutil.ignore_patterns("__pycache__", "built")
        )
        rows = [run(folder, "the installation"), run(folder, "nothing")]
        for name, (file, old, new) in EDITS.items():
            edit(folder, file, old, new)
            rows.append(run(folder, name))
    show(
        rows,
        asked.json,
        "CPU seconds of the process and of simulate (1 s of a four-bar), each the first run after "
        "an edit.",
    )


if __name__ == "__main__":
    main()
