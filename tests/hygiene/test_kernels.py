"""Kernels allocate nothing when compiled, and do the same as plain Python."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import kinetree as kt
from kinetree.formulations import augmented
from kinetree.models.four_bar import four_bar
from kinetree.models.rssr import rssr
from kinetree.num.jit import JIT

PLAIN = """
import json
import kinetree as kt
from kinetree.models.four_bar import four_bar
sol = kt.simulate(four_bar(), until=0.02, integrator="rk4", step=0.005)
print(json.dumps({"y": sol.y[-1].tolist(), "vdot": sol.vdot[-1].tolist()}))
"""


@pytest.mark.skipif(not JIT, reason="plain Python allocates all the time")
@pytest.mark.parametrize("build, coordinates", [(rssr, "relative"), (four_bar, "relative"), (rssr, "cartesian")])
def test_the_augmented_equations_allocate_nothing(build, coordinates):
    from numba.core.runtime import _nrt_python, rtsys

    _nrt_python.memsys_enable_stats()
    assembly = kt.assemble(build(), coordinates=coordinates)
    tables, work = assembly.compiled.tables, assembly.compiled.workspace()
    y, ydot = assembly.y.copy(), np.zeros_like(assembly.y)
    augmented.settle(tables, work, 0.0, y)
    augmented.rhs(tables, work, 0.0, y, ydot)
    before = rtsys.get_allocation_stats().alloc
    for _ in range(10):
        augmented.rhs(tables, work, 0.0, y, ydot)
        augmented.settle(tables, work, 0.0, y)
    assert rtsys.get_allocation_stats().alloc == before


def test_plain_python_and_compiled_kernels_give_the_same_motion():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run([sys.executable, "-c", PLAIN], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    plain = json.loads(run.stdout)
    sol = kt.simulate(four_bar(), until=0.02, integrator="rk4", step=0.005)
    np.testing.assert_allclose(sol.y[-1], plain["y"], rtol=1e-12, atol=1e-13)  # compiled products and sums may fuse
    np.testing.assert_allclose(sol.vdot[-1], plain["vdot"], rtol=1e-10, atol=1e-11)
