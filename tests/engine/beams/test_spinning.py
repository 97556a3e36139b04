"""Vibrations of a spinning blade against published values and a polynomial Galerkin solution."""

import numpy as np
import pytest

import kinetree as kt

EI, MASS, LENGTH = 100.0, 1.0, 1.0


def blade(spin, elements=16):
    """A slender blade, clamped to a hub of no size that is driven about z."""
    m = kt.Model("blade", gravity=(0, 0, 0))
    hub = m.body("hub", kt.sphere(1.0, 0.01))
    section = kt.Section([1e8, 1e8, 1e8, 1e6, EI, EI], MASS, (2e-6, 1e-6, 1e-6))
    beam = m.beam("b", [(0, 0, 0), (LENGTH, 0, 0)], section, elements=elements)
    m.joint("axle", kt.Revolute(axis="z"), m.ground, hub)
    m.joint("root", kt.Fixed(), hub, beam.end("-"))
    m.constraint("drive", kt.Driver("axle.angle", kt.Ramp(slope=spin)))
    return m


def rotating_beam(spin, terms=9):
    """Flapping frequencies of  EI w'''' - (T w')' = m w^2 w,  T = m spin^2 (L^2 - x^2) / 2, by
    powers x^2, x^3, ...
    """
    from scipy.linalg import eigh

    x, weight = np.polynomial.legendre.leggauss(40)
    x, weight = 0.5 * LENGTH * (x + 1.0), 0.5 * LENGTH * weight
    k = np.arange(2, 2 + terms)[:, None]
    w, slope, bend = x**k, k * x ** (k - 1), k * (k - 1) * x ** (k - 2.0)
    pull = 0.5 * MASS * spin**2 * (LENGTH**2 - x**2)
    K = EI * (bend * weight) @ bend.T + (slope * weight * pull) @ slope.T
    return np.sqrt(eigh(K, MASS * (w * weight) @ w.T, eigvals_only=True))


@pytest.mark.parametrize("eta, published", [(2.0, (4.1373, 22.6149)), (12.0, (13.1702, 37.6031))])
def test_a_spinning_blade_flaps_and_lags_as_published(eta, published):
    """Wright, Smith, Thresher and Wang 1982, in units of sqrt(EI / m L^4).

    Squared frequencies in the plane are smaller by the square of the spin.
    """
    unit = np.sqrt(EI / (MASS * LENGTH**4))
    flap = rotating_beam(eta * unit)[:2] / unit
    # the reference itself, to the digits printed
    np.testing.assert_allclose(flap, published, rtol=2e-5)
    found = (
        2.0
        * np.pi
        * kt.vibrations(blade(eta * unit), spin=(0, 0, eta * unit), count=4).frequencies
        / unit
    )
    lag = np.sqrt(flap**2 - eta**2)
    # of order two in 1/16; shear takes 1e-6
    np.testing.assert_allclose(found, np.sort([*flap, *lag]), rtol=3e-3)


def test_without_spin_the_blade_vibrates_as_it_does_at_rest():
    model = blade(0.0, 6)
    spinning, resting = (
        kt.vibrations(model, spin=spin, count=4).frequencies for spin in ((0, 0, 0), None)
    )
    # rounding: stiffnesses in the ratio of 1e6
    np.testing.assert_allclose(spinning, resting, rtol=2e-5)
