"""Transfer between Adams and BDF: the differences are those of the motion."""

import numpy as np
from numpy.testing import assert_allclose

from kinetree.engine.integrators.memory import MEMORY, YDOT, Y
from kinetree.engine.integrators.methods import adams_formulas, bdf_formulas
from kinetree.engine.integrators.methods.bdf_formulas import D
from kinetree.engine.integrators.methods.switching_transfer import to_adams, to_bdf
from kinetree.kernel.decorators import kernel, table

K, H = 5, 0.01
BACK = -H * np.arange(K + 1)


def differences(values: np.ndarray) -> list[np.ndarray]:
    """Backward differences of order 0, 1, ... at the first of the values, newest first."""
    found = [values[0]]
    while len(values) > 1:
        values = values[:-1] - values[1:]
        found.append(values[0])
    return found


def motion(t):
    """A polynomial of degree five and its rate, so that the differences of order five are exact."""
    y = np.polynomial.Polynomial([1.0, -2.0, 30.0, 400.0, -5e3, 6e4])
    return np.stack([y(t), 2.0 * y(t)], axis=-1), np.stack(
        [y.deriv()(t), 2.0 * y.deriv()(t)], axis=-1
    )


def memory_with(**values):
    memory = table(MEMORY, 1)
    for name, value in values.items():
        memory[name] = value
    return memory


@kernel
def transfer_to_adams(memory, c, vectors):
    to_adams(memory[0], c, vectors)


@kernel
def transfer_to_bdf(memory, c, vectors):
    to_bdf(memory[0], c, vectors)


def rows():
    return np.zeros((bdf_formulas.ROWS + 4, 2)), bdf_formulas.coefficients(K)


def test_bdf_transfers_the_differences_of_the_slope():
    (y, f), (vectors, c) = motion(BACK), rows()
    vectors[Y], vectors[YDOT], vectors[D : D + K + 1] = y[0], f[0], differences(y)
    memory = memory_with(spacing=H, order=K, L=1.0)
    transfer_to_adams(memory, c, vectors)
    for m, expected in enumerate(differences(f)[:K]):
        # rounding of f, about 50
        assert_allclose(vectors[adams_formulas.PHI + 1 + m], expected, rtol=1e-9, atol=1e-9)
    assert (memory["order_used"][0], memory["h"][0]) == (K, H)


def test_adams_transfers_the_differences_of_the_state():
    (y, f), (vectors, c) = motion(BACK), rows()
    vectors[Y], vectors[YDOT] = y[0], f[0]
    for m, difference in enumerate(differences(f)):
        vectors[adams_formulas.PHI + 1 + m] = difference
    c[adams_formulas.PSI, 1 : K + 1] = H * np.arange(1, K + 1)
    memory = memory_with(h_used=H, order_used=K, jacobian_age=1)
    transfer_to_bdf(memory, c, vectors)
    assert memory["order"][0] == K
    # rounding of y, about 2
    assert_allclose(vectors[D : D + K + 1], differences(y), rtol=1e-9, atol=1e-13)
