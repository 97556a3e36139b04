"""The operator form of [Yun2005]: 4-vectors with D = diag(1, R), eqs. (4)-(12), and the work
identities (24)-(35).

The extra first components carry no work; (27) as printed lacks a factor 1/2 and a transpose.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kinetree.engine.beams.rotations import half_turn, skew, turn, turn_rate

SEEDS = range(6)
ROUNDING = 1e-11  # of products of a dozen matrices with entries up to some tens


def D(M: np.ndarray) -> np.ndarray:
    """The augmented operator diag(1, M) of eq. (4)."""
    out = np.eye(4)
    out[1:, 1:] = M
    return out


def tilde(p: np.ndarray) -> np.ndarray:
    """r~ of a 4-vector: diag(0, p~)."""
    out = np.zeros((4, 4))
    out[1:, 1:] = skew(p)
    return out


class Step:
    """Random frames at the two ends of a step, and in its middle."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.rng, self.r = rng, rng.normal(size=3)
        self.R0, self.R_i = turn(rng.normal(size=3)), turn(rng.normal(size=3))
        self.R_m = half_turn(self.r) @ self.R_i
        self.R_f = turn(self.r) @ self.R_i
        self.R_a = 0.5 * (self.R_f + self.R_i)
        self.G = half_turn(self.r)

    def vectors(self, count: int) -> np.ndarray:
        return self.rng.normal(size=(count, 3))


@pytest.fixture(params=SEEDS)
def step(request) -> Step:
    return Step(request.param)


def test_eqs_4_to_7_of_the_augmented_operators(step):
    D_R, D_G, r_ = D(turn(step.r)), D(step.G), tilde(step.r)
    r_q = np.array([1.0 / (1.0 + 0.25 * step.r @ step.r), *step.r])
    S = 0.5 * (D_G + D_G.T)
    assert_allclose(D_G @ D_G.T, np.eye(4), atol=ROUNDING)  # (5)
    assert_allclose(D_R @ r_q, r_q, atol=ROUNDING)
    assert_allclose(D_G @ D_G, D_R, atol=ROUNDING)
    assert_allclose(r_ @ S, D_G - D_G.T, atol=ROUNDING)  # (6)
    assert_allclose(S @ r_, D_G - D_G.T, atol=ROUNDING)
    assert_allclose((np.eye(4) - 0.5 * r_) @ D_G @ S, np.eye(4), atol=ROUNDING)  # (7), (32)
    assert_allclose((np.eye(4) + 0.5 * r_) @ D_G.T @ S, np.eye(4), atol=ROUNDING)
    # without the transpose it is none
    assert np.abs((np.eye(4) + 0.5 * r_) @ D_G @ S - np.eye(4)).max() > 0.01


def test_eqs_8_to_12_of_the_two_time_levels(step):
    D_0, D_i, D_m, D_f, D_G = map(D, (step.R0, step.R_i, step.R_m, step.R_f, step.G))
    in_body = D_0.T @ D_m.T @ D_G @ D_m @ D_0
    assert_allclose(D_m @ D_i.T, D_G, atol=ROUNDING)  # (8)
    assert_allclose(D_f @ D_m.T, D_G, atol=ROUNDING)
    assert_allclose(D_f @ D_i.T, D(turn(step.r)), atol=ROUNDING)
    assert_allclose(D_0.T @ D_i.T @ D_m @ D_0, in_body, atol=ROUNDING)
    assert_allclose(D_0.T @ D_m.T @ D_f @ D_0, in_body, atol=ROUNDING)  # (9)
    D_a = 0.5 * (D_f + D_i)
    assert_allclose(D_a, 0.5 * (D_G + D_G.T) @ D_m, atol=ROUNDING)  # (10), (11)
    H = turn_rate(step.r)
    # (12) against (31)
    assert_allclose(H @ step.G.T @ step.R_m, H.T @ step.G @ step.R_m, atol=ROUNDING)


def inertial_work(s: Step, a, ends, h: float) -> float:
    """(26): displacement a and rotation r over the step times the inertia forces of (25)."""
    p_i, p_f, l_i, l_f = ends  # linear and angular momenta in the body, at both ends
    force = (s.R_f @ s.R0 @ p_f - s.R_i @ s.R0 @ p_i) / h
    moment = (s.R_f @ s.R0 @ l_f - s.R_i @ s.R0 @ l_i) / h + np.cross(
        a / h, s.R_a @ s.R0 @ (p_f + p_i) / 2
    )
    return float(a @ force + s.r @ moment)


def test_the_work_of_inertia_is_that_of_eqs_28_and_29(step):
    h, (a, *ends) = 0.37, step.vectors(5)
    p_i, p_f, l_i, l_f = ends
    v_m, w_m = (step.R_a @ step.R0).T @ a / h, (step.R_m @ step.R0).T @ step.r / h  # (28)
    assert inertial_work(step, a, ends, h) == pytest.approx(
        v_m @ (p_f - p_i) + w_m @ (l_f - l_i), abs=ROUNDING
    )


def test_eq_27_needs_the_half_and_the_transpose_that_are_not_printed(step):
    h, (a, *ends) = 0.37, step.vectors(5)
    p_i, p_f, l_i, l_f = ends
    frame = step.R_m @ step.R0
    r_, G = skew(frame.T @ step.r), frame.T @ step.G @ frame
    S = 0.5 * (G + G.T)
    turning = step.r @ frame @ (G @ l_f - G.T @ l_i) / h
    right = a @ frame @ ((G - 0.5 * r_ @ S) @ p_f - (G.T + 0.5 * r_ @ S) @ p_i) / h + turning
    printed = a @ frame @ ((G - r_ @ S) @ p_f - (G + r_ @ S) @ p_i) / h + turning
    work = inertial_work(step, a, ends, h)
    assert work == pytest.approx(right, abs=ROUNDING)
    assert abs(work - printed) > 0.01


def test_the_work_of_strain_is_that_of_eqs_30_to_35(step):
    """Forces f and moments m in the body times the changes of strain and curvature."""
    u0, u_i, u_f, r_s, f, m = step.vectors(6)  # derivatives along the beam
    E_i, E_f = u0 + u_i, u0 + u_f
    H = turn_rate(step.r)
    R_b = H @ step.G.T @ step.R_m
    work = (
        (u_f - u_i) @ step.R_a @ step.R0 @ f
        + r_s @ R_b @ step.R0 @ m
        - step.r @ np.cross((E_i + E_f) / 2, step.R_a @ step.R0 @ f)
    )
    strain = step.R0.T @ (step.R_f.T @ E_f - step.R_i.T @ E_i)
    curvature = step.R0.T @ step.R_f.T @ H @ r_s
    assert work == pytest.approx(f @ strain + m @ curvature, abs=ROUNDING)


def test_the_curvature_of_a_step_is_the_derivative_of_its_rotation_along_the_beam(step):
    """kappa~ = R' R^T at both ends, by differences along the beam."""
    slope, r_s, e = *step.vectors(2), 1e-6

    def kappa(frame) -> np.ndarray:
        spin = (frame(e) - frame(-e)) / (2.0 * e) @ frame(0.0).T
        return np.array([spin[2, 1], spin[0, 2], spin[1, 0]])

    begin = lambda s: turn(slope * s) @ step.R_i  # noqa: E731
    change = step.R_f.T @ kappa(lambda s: turn(step.r + r_s * s) @ begin(s)) - step.R_i.T @ kappa(
        begin
    )
    # central difference, e = 1e-6
    assert_allclose(change, step.R_f.T @ turn_rate(step.r) @ r_s, atol=1e-8)


def test_nonzero_first_components_add_spurious_work(step):
    """A 4-vector of the rotation has r_0 = cos^2(phi / 2); with momenta (1, l) it would do work."""
    l_i, l_f = step.vectors(2)
    r_q = np.array([1.0 / (1.0 + 0.25 * step.r @ step.r), *step.r])
    change = D(step.R_f) @ np.array([2.0, *l_f]) - D(step.R_i) @ np.array([1.0, *l_i])
    true = step.r @ (step.R_f @ l_f - step.R_i @ l_i)
    assert r_q @ change - true == pytest.approx(r_q[0], abs=ROUNDING)
