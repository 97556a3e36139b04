"""Corrections of an implicit step: a linear iteration has a known error after each of them."""

import numpy as np
import pytest

from kinetree.engine.integrators.memory import MEMORY
from kinetree.engine.integrators.methods.adams_formulas import WEIGHT
from kinetree.engine.integrators.methods.bdf_formulas import NEWTON, ROWS
from kinetree.engine.integrators.newton.iteration import ITERATIONS, SOLVED, iterate_corrections
from kinetree.engine.integrators.storage import empty_arrays
from kinetree.kernel.algebra.convergence import FORGET
from kinetree.kernel.decorators import inline, kernel, table
from kinetree.kernel.tables.status import Status


@inline
def shrink(tables, work, rhs, run, size, theta, m):
    """Correction m = 0, 1, ... of size theta^m size."""
    run.vectors[NEWTON, 0] = size * theta**m
    run.memory[0].evaluations += 1
    return 0


@kernel
def linear_iteration(run, size, theta):
    return iterate_corrections(0, 0, shrink, 0, run, size, theta, ITERATIONS, 0.0)


def iterate(size: float, theta: float, known_rate: float) -> tuple[bool, int, float]:
    """Whether the iteration converged, the number of corrections, and the rate that it stored."""
    vectors, memory = np.zeros((ROWS, 1)), table(MEMORY, 1)
    vectors[WEIGHT], memory["n"], memory["rate"] = 1.0, 1, known_rate
    run = empty_arrays()._replace(vectors=vectors, memory=memory)
    status, converged = linear_iteration(run, size, theta)
    assert status == Status.OK
    return bool(converged), int(memory["evaluations"][0]), float(memory["rate"][0])


def error_after(count: int, size: float, theta: float) -> float:
    """Sum of the corrections that are missing after `count` of them."""
    return size * theta**count / (1.0 - theta)


@pytest.mark.parametrize("theta", [0.001, 0.05, 0.3, 0.6])
@pytest.mark.parametrize("size", [0.01, 0.5, 3.0, 200.0])
def test_the_error_of_a_converged_iteration_is_a_small_part_of_the_tolerance(size, theta):
    converged, count, rate = iterate(size, theta, 1.0)
    if converged:
        assert count > 1  # the second correction is the first that shows a rate
        assert error_after(count, size, theta) <= SOLVED
        assert theta * (1.0 - 1e-12) <= rate < 1.0
    else:  # judged by a rate of at least FORGET
        assert error_after(ITERATIONS - 1, size, max(theta, FORGET)) > SOLVED


def test_one_correction_suffices_with_a_known_rate():
    assert iterate(0.1, 0.05, 0.05)[:2] == (True, 1)


def test_an_iteration_that_cannot_converge_is_given_up_after_two_corrections():
    assert iterate(200.0, 0.6, 1.0)[:2] == (False, 2)
    assert iterate(0.1, 0.95, 1.0)[:2] == (False, 2)
