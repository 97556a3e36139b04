"""Linear equations and modes compared with hand-written matrices and with independently solved
accelerations.
"""

import numpy as np
import pytest

import kinetree as kt
from kinetree.analysis.linear.independent_coordinates import IndependentCoordinates, differences
from kinetree.analysis.sampled import accelerations
from kinetree.models.catalogue import model_entry


def hanging(n: int) -> kt.Model:
    """n equal rods hanging in a line, hinged about y."""
    m = kt.Model("hanging chain")
    place = m.ground.at(0, 0, 0)
    for i in range(n):
        rod = m.body(f"rod{i}", kt.rod(0.5, 0.2, along="z"))
        m.joint(f"hinge{i}", kt.Revolute(axis="y"), place, rod.end("+"))
        place = rod.end("-")
    return m


def test_frequencies_of_a_long_hanging_chain():
    """Compared with hand-written M and K in the angles to the vertical: M_ij = m l^2 (n - max(i, j)
    - 1/2, 1/3 more if equal), K = m g l (n - i - 1/2).
    """
    n, mass, length, g = 60, 0.5, 0.2, 9.81
    behind = n - np.maximum.outer(np.arange(n), np.arange(n)) - 0.5
    M = mass * length**2 * (behind - np.eye(n) * (0.5 - 1.0 / 3.0))
    K = np.diag(mass * g * length * (n - np.arange(n) - 0.5))
    expected = np.sort(np.sqrt(np.linalg.eigvals(np.linalg.solve(M, K)).real)) / (2.0 * np.pi)
    found = kt.modes(hanging(n)).frequencies
    # errors: h^4 with h = 1e-3 rad, and rounding times the condition of M
    assert np.allclose(found, expected, rtol=1e-8)


@pytest.mark.parametrize("name", ["double-pendulum", "four-bar", "rssr", "andrews"])
def test_linear_equations_away_from_equilibrium_agree_with_differences_of_the_accelerations(name):
    """In motion, so that vdot, lam and velocity-dependent terms all count; each state is solved
    independently.
    """
    moving = kt.simulate(model_entry(name).build(), 0.01, rtol=1e-10).at(0.01)
    linear = kt.linearize(model_entry(name).build(), state=moving)
    here = linear.assembly
    chart = IndependentCoordinates.of(here)
    n, steps = chart.freedoms, np.full(2 * chart.freedoms, 1e-3)

    def pushed(s: np.ndarray) -> np.ndarray:
        q, x = chart.at(s[:n])
        v = chart.velocity(here.v[chart.index] + s[n:])
        return accelerations(chart.system, here.t, q, v, x)[0][chart.index]

    expected = differences(pushed, np.zeros(2 * n), steps)
    assert np.abs(expected).max() > 1.0
    # h^4 of both, some 1e-7
    assert np.allclose(linear.A[n:], expected, rtol=1e-5, atol=1e-6 * np.abs(expected).max())


def test_shares_of_the_kinetic_energy_are_those_of_the_mass_centers():
    """Two bobs on hinges, frames at the hinges: m1 (l1 a)^2 and m2 (l1 a + l2 (a + b))^2, plus
    rotary inertias.
    """
    (m1, l1, i1), (m2, l2, i2) = (2.0, 0.7, 0.01), (1.0, 0.4, 0.02)
    model = kt.Model("bobs")
    upper = model.body("upper", kt.mass(m1, (i1, i1, i1), (0, 0, -l1)))
    lower = model.body("lower", kt.mass(m2, (i2, i2, i2), (0, 0, -l2)))
    model.joint("A", kt.Revolute(axis="y"), model.ground.at(0, 0, 0), upper.at(0, 0, 0))
    model.joint("B", kt.Revolute(axis="y"), upper.at(0, 0, -l1), lower.at(0, 0, 0))
    for mode in kt.modes(model):
        a, b = mode.coordinates["A.angle"], mode.coordinates["B.angle"]
        first = m1 * abs(l1 * a) ** 2 + i1 * abs(a) ** 2
        second = m2 * abs(l1 * a + l2 * (a + b)) ** 2 + i2 * abs(a + b) ** 2
        assert mode.energies["upper"] == pytest.approx(first / (first + second), rel=1e-12)
