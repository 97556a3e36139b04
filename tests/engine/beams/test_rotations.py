"""Identities of finite rotations [Yun2005, eqs. (3)-(13)], in Python and in kernels."""

import numpy as np
import pytest

from kinetree.engine.beams import rotations as rot
from kinetree.errors import ModelError
from kinetree.kernel.algebra.rodrigues import (
    half,
    half_rate,
    rotation_vector,
    turned,
    unturn,
    unturn_matrix,
)
from kinetree.kernel.decorators import kernel

RNG = np.random.default_rng(3)
VECTORS = [*RNG.normal(size=(5, 3)), 1e-9 * RNG.normal(size=3), 20.0 * RNG.normal(size=3)]
ROUNDING = 1e-13  # of numbers up to about a thousand


@pytest.mark.parametrize("p", VECTORS)
def test_two_half_rotations_are_the_rotation(p):
    R, G = rot.turn(p), rot.half_turn(p)
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=ROUNDING)
    np.testing.assert_allclose(G @ G, R, atol=ROUNDING)
    np.testing.assert_allclose(R @ p, p, atol=ROUNDING * np.linalg.norm(p))
    angle = 2.0 * np.arctan(0.5 * np.linalg.norm(p))
    assert np.trace(R) == pytest.approx(1.0 + 2.0 * np.cos(angle), abs=ROUNDING)


@pytest.mark.parametrize("r", VECTORS)
def test_the_average_frame_gives_the_exact_difference(r):
    R_i = rot.turn(RNG.normal(size=3))
    R_f, R_m = rot.turn(r) @ R_i, rot.half_turn(r) @ R_i
    R_a, G = 0.5 * (R_i + R_f), rot.half_turn(r)
    S = 0.5 * (G + G.T)
    np.testing.assert_allclose(R_f - R_i, rot.skew(r) @ R_a, atol=ROUNDING * (1.0 + r @ r))  # (8)
    np.testing.assert_allclose(R_a, S @ R_m, atol=ROUNDING)
    np.testing.assert_allclose(rot.skew(r) @ S, G - G.T, atol=ROUNDING * (1.0 + r @ r))  # (6)
    # (7)
    np.testing.assert_allclose(
        (np.eye(3) - 0.5 * rot.skew(r)) @ G @ S, np.eye(3), atol=ROUNDING * (1.0 + r @ r)
    )
    H = rot.turn_rate(r)
    np.testing.assert_allclose(H @ G.T, H.T @ G, atol=ROUNDING)  # why (12) and (31) agree


@pytest.mark.parametrize("p", VECTORS[:6])
def test_the_rate_matrix_is_the_derivative_of_the_rotation(p):
    pdot, e = RNG.normal(size=3), 1e-6
    Rdot = (rot.turn(p + e * pdot) - rot.turn(p - e * pdot)) / (2.0 * e)
    spin = Rdot @ rot.turn(p).T
    # e^2 and rounding / e
    np.testing.assert_allclose(
        [spin[2, 1], spin[0, 2], spin[1, 0]], rot.turn_rate(p) @ pdot, atol=1e-9
    )
    np.testing.assert_allclose(rot.turn_rate(p) @ rot.turn_rate_inverse(p), np.eye(3), atol=1e-12)
    assert np.linalg.det(rot.turn_rate(p)) == pytest.approx((1.0 + 0.25 * p @ p) ** -2, rel=1e-12)


def test_vectors_matrices_and_quaternions_convert_into_each_other():
    p, b = VECTORS[0], VECTORS[1]
    np.testing.assert_allclose(
        rot.turn(rot.compose(p, b)), rot.turn(p) @ rot.turn(b), atol=ROUNDING
    )
    np.testing.assert_allclose(rot.rodrigues(rot.turn(p)), p, atol=1e-12)
    np.testing.assert_allclose(rot.from_quaternion(rot.quaternion(p)), p, atol=1e-12)
    assert np.linalg.norm(rot.quaternion(p)) == pytest.approx(1.0, abs=1e-15)


def test_a_rotation_by_pi_has_no_rodrigues_vector():
    with pytest.raises(ModelError, match="rotation by pi"):
        rot.rodrigues(np.diag([1.0, -1.0, -1.0]))


@kernel
def pieces(p, t, out):
    v = (p[0], p[1], p[2])
    rows = (turned(v), turned(half(v)), unturn_matrix(v), half_rate(v))
    for k in range(4):
        for j in range(9):
            out[k, j] = rows[k][j]
    a, b = unturn(v, (t[0], t[1], t[2])), rotation_vector(v)
    for j in range(3):
        out[4, j], out[4, 3 + j] = a[j], b[j]


@pytest.mark.parametrize("p", VECTORS[:6])
def test_the_kernels_implement_these_formulas(p):
    out, t = np.zeros((5, 9)), RNG.normal(size=3)
    pieces(np.array(p), t, out)
    np.testing.assert_allclose(out[0].reshape(3, 3), rot.turn(p), atol=ROUNDING)
    np.testing.assert_allclose(out[1].reshape(3, 3), rot.half_turn(p), atol=ROUNDING)
    np.testing.assert_allclose(out[2].reshape(3, 3), rot.turn_rate_inverse(p), atol=ROUNDING)
    np.testing.assert_allclose(out[4, :3], rot.turn_rate_inverse(p) @ t, atol=1e-12)
    angle = 2.0 * np.arctan(0.5 * np.linalg.norm(p))
    assert np.linalg.norm(out[4, 3:6]) == pytest.approx(angle, rel=1e-12)
    e = 1e-6  # the middle frame follows the end: by differences
    turned_on = [rot.half_turn(p + s * e * rot.turn_rate_inverse(p) @ t) for s in (1, -1)]
    spin = (turned_on[0] - turned_on[1]) / (2.0 * e) @ rot.half_turn(p).T
    np.testing.assert_allclose(
        0.5 * out[3].reshape(3, 3) @ t, [spin[2, 1], spin[0, 2], spin[1, 0]], atol=1e-8
    )
