"""A part of the suite in plain Python: with KINETREE_PLAIN=1 every kernel is the function written
in the file.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kinetree.kernel.decorators import JIT

TESTS = Path(__file__).resolve().parent.parent
PARTS = (  # quick ones of every layer: primitives, elements, assembly, analyses, user code, runs
    "contracts/test_joints.py",
    "contracts/test_signals.py",
    "contracts/test_forces.py",
    "assembly/test_given_velocities.py",
    "errors/test_weightless.py",
    "results/test_provenance.py",
    "engine/kkt/test_fronts.py::test_positions_are_projected_by_the_least_change_with_and_without_fronts",
    "symbolic/test_runs.py::test_modes_with_and_without_a_moving_tip_are_coupled_in_the_factors_too",
    "analysis/test_linearize.py::test_an_idle_spin_shows_as_a_zero_eigenvalue",
    "analysis/test_equilibrium.py::test_an_idle_spin_is_neutral",
    "analysis/test_equilibrium.py::test_unstable_and_neutral_directions_are_named",
    "elements/hydraulics/test_cylinder.py::test_a_load_on_shut_cylinders_meets_the_spring_of_the_oil",
    "results/test_channels.py::test_the_pull_in_a_rod_that_is_let_out_is_the_weight_on_it",
)


@pytest.mark.skipif(not JIT, reason="the suite itself runs without the compiler")
def test_a_part_of_the_suite_passes_without_the_compiler():
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        *(str(TESTS / part) for part in PARTS),
    ]
    done = subprocess.run(
        command,
        cwd=TESTS.parent,
        env={**os.environ, "KINETREE_PLAIN": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
