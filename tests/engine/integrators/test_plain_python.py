"""The time loop and the methods as plain Python, without the compiler."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from numpy.testing import assert_allclose

from kinetree.engine.integrators.integrate import integrate
from support.methods import PLAIN

from .problems import ORBIT_START, orbit


def ends():
    """Final state, a sample and the costs of a short run with every method."""
    answer = {}
    for entry in PLAIN:
        how = {"rtol": 1e-6} if entry.adaptive else {"step": 0.03}
        result = integrate(orbit, ORBIT_START, 2.0, method=entry.name, samples=[1.234], **how)
        answer[entry.name] = [*result.y, *result.samples_y[0], result.evaluations, result.accepted]
    return answer


IMPLICIT = ("bdf", "switching")


@pytest.fixture(scope="module")
def without_compiler():
    root = Path(__file__).parents[__name__.count(".")]
    program = f"import json; from {__name__} import ends; print(json.dumps(ends()))"
    paths = os.pathsep.join(filter(None, [str(root), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "KINETREE_PLAIN": "1", "PYTHONPATH": paths}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", [entry.name for entry in PLAIN])
def test_plain_python_gives_the_compiled_result(name, without_compiler):
    # powers may round differently; difference quotients magnify that
    rtol = 1e-9 if name in IMPLICIT else 1e-11
    assert_allclose(without_compiler[name], ends()[name], rtol=rtol)
