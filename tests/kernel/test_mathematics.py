"""Elementary functions of Python code: those of kernels, of single numbers and of arrays."""

import numpy as np
import pytest

from kinetree.engine.integrators.nodes import POINTS
from kinetree.kernel import mathematics
from support.ulps import OF_ONE, arguments, too_far

ARRAYS = {"sin": mathematics.sines, "cos": mathematics.cosines, "exp": mathematics.exponentials}


@pytest.mark.parametrize("name", [name for name in mathematics.__all__ if name in OF_ONE])
def test_functions_of_python_are_as_accurate_as_those_of_kernels(name):
    x = arguments(name, np.random.default_rng(9), 60)
    assert not too_far(name, mathematics.each(getattr(mathematics, name), x), x)


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_of_any_shape_are_taken_element_by_element(name):
    x = np.random.default_rng(1).uniform(-3.0, 3.0, (4, 6))
    for part in (x, x[:, ::2], x[0], x[1, 1], np.zeros((0, 3))):
        found = ARRAYS[name](part)
        expected = np.array(
            [getattr(mathematics, name)(v) for v in np.ravel(part).tolist()]
        ).reshape(np.shape(part))
        assert found.shape == expected.shape and np.abs(found - expected).max(
            initial=0.0
        ) <= np.spacing(np.exp(3.0))


def test_angles_of_points_in_arrays_are_those_of_single_points():
    y, x = np.random.default_rng(2).uniform(-3.0, 3.0, (2, 5, 4))
    expected = [mathematics.atan2(b, a) for b, a in zip(y.ravel().tolist(), x.ravel().tolist())]
    np.testing.assert_allclose(
        mathematics.angles(y, x).ravel(), expected, rtol=3e-16
    )  # one unit in the last place: FMA or not


def test_nodes_of_a_step_are_those_of_chebyshev():
    """x = (1 - cos(a)) / 2 gives x (1 - x) = sin(a)^2 / 4."""
    angles = np.pi * np.arange(9) / 8
    np.testing.assert_allclose(POINTS * (1.0 - POINTS), 0.25 * np.sin(angles) ** 2, atol=1e-16)
