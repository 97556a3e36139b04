"""Whatever is written, the compiler gives text that LLVM accepts, or refuses it with a file, a line
and a sentence.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kinetree.kernel.decorators import JIT

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")
TESTS = Path(__file__).resolve().parent.parent
COUNT = int(os.environ.get("KINETREE_MUTATIONS", "200"))  # 2000 take half a minute


def test_changed_kernels_are_compiled_or_refused():
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")]),
    }
    done = subprocess.run(
        [sys.executable, str(TESTS / "kernel" / "mutated_kernels.py"), str(COUNT), "1"],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert set(found) == {"compiled", "refused"}, next(
        text for text in found if text not in ("compiled", "refused")
    )
    assert found["compiled"] > 0.1 * COUNT and found["refused"] > 0.3 * COUNT
