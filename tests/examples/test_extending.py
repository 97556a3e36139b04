"""The page docs/extending.md is run as it stands: its files and entries are added to a copy of the
package.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import kinetree

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"```python\n# (.*?)\n(.*?)```", re.DOTALL)


def enter(catalogue: Path, module: str, entry: str) -> None:
    """Import the module and append the entry to the first tuple of the catalogue."""
    text = catalogue.read_text().replace(
        "from . import ", f"from . import {module}\nfrom . import ", 1
    )
    end = text.index("\n)\n", text.index(" = (\n"))
    catalogue.write_text(f"{text[:end]}\n{entry.rstrip()}{text[end:]}")


def test_the_example_of_the_extending_page_works_as_written(tmp_path):
    blocks = dict(BLOCK.findall((ROOT / "docs" / "extending.md").read_text()))
    package = tmp_path / "kinetree"
    shutil.copytree(
        Path(kinetree.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__")
    )
    for module in ("forces/repulsion.py", "integrators/ralston.py"):
        (package / module).write_text(blocks[module])
    enter(
        package / "elements/forces/catalogue.py",
        "repulsion",
        blocks["elements/forces/catalogue.py"],
    )
    enter(
        package / "engine/integrators/catalogue.py",
        "ralston",
        blocks["engine/integrators/catalogue.py"],
    )
    (tmp_path / "try_it.py").write_text(blocks["try it"])
    environment = {
        **os.environ,
        "PYTHONPATH": str(tmp_path),
        "KINETREE_CACHE": str(tmp_path / "cache"),
    }
    run = subprocess.run(
        [sys.executable, tmp_path / "try_it.py"],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
