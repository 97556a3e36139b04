"""The page docs/extending.md is run as it stands: its files and entries are added to a copy of the
package.

A block of code begins with the path of a file. A file that the package does not have is new; to a
catalogue the block adds entries, to api.py imports and names.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import kinetree

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"```python\n# (.*?)\n(.*?)```", re.DOTALL)
BLOCKS = BLOCK.findall((ROOT / "docs" / "extending.md").read_text())


def enter(catalogue: Path, block: str) -> None:
    """Append an entry to the first tuple of a catalogue and import its module."""
    module = re.search(r"\b(\w+)\.[A-Z]", block)[1]
    folder = catalogue.parent / "methods"  # of integrators, where there is one
    home = f".{folder.name}" if (folder / f"{module}.py").exists() else "."
    text = catalogue.read_text()
    first = text.index("\nfrom .contract import ") + 1
    text = f"{text[:first]}from {home} import {module}\n{text[first:]}"
    end = text.index("\n)\n", text.index(" = (\n"))
    catalogue.write_text(f"{text[:end]}\n{block.rstrip()}{text[end:]}")


def publish(api: Path, block: str) -> None:
    """Add imports, and names to __all__."""
    lines = block.splitlines(keepends=True)
    imports = "".join(line for line in lines if line.startswith("from "))
    names = "".join(line for line in lines if line.lstrip().startswith('"'))
    before, after = api.read_text().split("__all__ = [\n")
    api.write_text(f"{before}{imports}\n__all__ = [\n{names}{after}")


@pytest.fixture(scope="module")
def extended(tmp_path_factory) -> Path:
    """A folder with the package and what the page adds to it."""
    folder = tmp_path_factory.mktemp("extended")
    package = folder / "kinetree"
    shutil.copytree(
        Path(kinetree.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__")
    )
    for name, block in BLOCKS:
        path = package / name
        if path.name == "catalogue.py":
            enter(path, block)
        elif path.name == "api.py":
            publish(path, block)
        elif path.suffix == ".py":
            assert not path.exists() and path.parent.is_dir(), name
            path.write_text(block)
        else:
            (folder / f"{name.replace(' ', '_')}.py").write_text(block)
    return folder


def run(folder: Path, *command) -> subprocess.CompletedProcess:
    paths = os.pathsep.join([str(folder), str(ROOT / "tests")])
    cache = str(folder / "cache")
    environment = {**os.environ, "PYTHONPATH": paths, "KINETREE_CACHE": cache}
    return subprocess.run(
        [sys.executable, *command], env=environment, cwd=folder, capture_output=True, text=True
    )


@pytest.mark.parametrize("name", [name for name, _ in BLOCKS if name.startswith("try")])
def test_the_examples_of_the_page_work_as_written(extended, name):
    found = run(extended, f"{name.replace(' ', '_')}.py")
    assert found.returncode == 0, found.stderr


def test_the_contract_tests_take_up_the_joint_of_the_page(extended):
    """Nothing but the catalogue tells them of it."""
    tests = str(ROOT / "tests" / "contracts" / "test_joints.py")
    options = ("-q", "-n", "0", "-p", "no:cacheprovider", "-k", "rolling-line")
    found = run(extended, "-m", "pytest", tests, *options)
    assert found.returncode == 0, found.stdout
    assert re.search(r"^\.{20}", found.stdout, re.MULTILINE), found.stdout
