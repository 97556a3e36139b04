"""The script that runs the suite on several kinds of machines finds out which tests fail, and says
so by its exit code.
"""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "personas.py"
TESTS = """
import os

def test_of_the_target():
    assert os.environ["KINETREE_TARGET"] == "x86-64"
"""


@pytest.mark.parametrize(
    "personas, passing",
    [
        (("x86-64, as it is", "x86-64, BLAS Zen"), 2),
        (("x86-64, as it is", "x86-64-v3, as it is"), 1),
    ],
)
def test_a_persona_that_fails_is_listed_and_fails_the_script(tmp_path, personas, passing):
    (tmp_path / "test_one.py").write_text(TESTS)
    only = [part for name in personas for part in ("--only", name)]
    command = [sys.executable, SCRIPT, *only, "-n", "0", str(tmp_path / "test_one.py")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == (0 if passing == 2 else 1), done.stderr
    assert (
        done.stdout.count("passed  ") == passing and f"{passing} of 2 personas pass" in done.stdout
    )
    assert ("test_of_the_target" in done.stdout) == (passing < 2)
