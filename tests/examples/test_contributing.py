"""The joint of CONTRIBUTING.md works as printed: its blocks are added to a copy of the package."""

import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import kinetree as kt

from .test_extending import enter

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"```python\n# (.*?)\n(.*?)```", re.DOTALL)
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCKS = dict(BLOCK.findall(PAGE))
PACKAGE = Path(kt.__file__).parent
JOINTS = Path(inspect.getfile(kt.Universal)).parent  # the joint that the page copies


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Environment variables of a process that imports a copy of the package with the new joint."""
    folder = tmp_path_factory.mktemp("contributing")
    copy = folder / "kinetree"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    joints = copy / JOINTS.relative_to(PACKAGE)
    (joints / "pin_slot.py").write_text(BLOCKS["elements/joints/pin_slot.py"], encoding="utf-8")
    enter(joints / "catalogue.py", BLOCKS["elements/joints/catalogue.py"])
    api, module = copy / "api.py", ".".join((joints / "pin_slot").relative_to(copy).parts)
    text = api.read_text(encoding="utf-8")
    text = text.replace("\nfrom .", f"\nfrom .{module} import PinSlot\nfrom .", 1)
    text = text.replace('    "Planar",\n', '    "PinSlot",\n    "Planar",\n', 1)
    api.write_text(text, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": str(folder), "KINETREE_PLAIN": "1"}  # compiles nothing


def run(command, environment):
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return done.stdout


def test_the_joint_of_the_page_runs_as_printed(environment):
    run(["-c", BLOCKS["try it"]], environment)


def test_the_contract_tests_find_the_joint_of_the_page_and_pass(environment):
    tests = [str(ROOT / "tests" / "contracts" / "test_joints.py"), "-k", "pin-slot"]
    report = run(["-m", "pytest", "-n", "0", "-p", "no:cacheprovider", *tests], environment)
    assert int(re.search(r"(\d+) passed", report)[1]) >= 30


def test_the_joint_of_the_page_is_public_as_every_joint_must_be(environment):
    tests = str(ROOT / "tests" / "hygiene" / "test_exports.py")
    chosen = ["-k", "class_of_a_catalogue or sorted"]
    run(["-m", "pytest", "-n", "0", "-p", "no:cacheprovider", tests, *chosen], environment)


def test_commands_of_the_page_name_tests_that_exist():
    named = set(re.findall(r"\btests/[\w/.]*\w", PAGE))
    assert named and [name for name in sorted(named) if not (ROOT / name).exists()] == []
