"""Identification against closed forms and the statistics of repeated noise."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree as kt

from .linkages import rotor, rotor_angle

T = np.linspace(0.05, 2.0, 40)
BOX = {"stiffness": (4.0, 16.0), "damping": (0.01, 0.5)}


def data(seed: int, sigma: float = 0.005) -> dict[str, np.ndarray]:
    noise = np.random.default_rng(seed).normal(size=len(T))
    return {"t": T, "A.angle": rotor_angle(T) + sigma * noise}


def test_parameters_without_noise_are_found_exactly():
    found = kt.identify(rotor, data(0, 0.0), BOX, rtol=1e-10)
    assert found.parameters["stiffness"] == pytest.approx(8.0, rel=1e-7)
    assert found.parameters["damping"] == pytest.approx(0.1, rel=1e-6)


def test_standard_errors_are_those_of_linear_least_squares_at_the_optimum():
    found = kt.identify(rotor, data(1), BOX, rtol=1e-10)
    p = found.parameters
    columns = []
    for name in BOX:  # derivatives of the closed form
        h = 1e-6 * p[name]
        up, down = ({**p, name: p[name] + s * h} for s in (1, -1))
        columns.append((rotor_angle(T, **up) - rotor_angle(T, **down)) / (2 * h))
    J = np.column_stack(columns)
    r = data(1)["A.angle"] - rotor_angle(T, **p)
    covariance = r @ r / (len(T) - 2) * np.linalg.inv(J.T @ J)
    errors = np.array(list(found.errors.values()))
    np.testing.assert_allclose(errors, np.sqrt(np.diag(covariance)), rtol=1e-5)
    expected = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    assert found.correlation[0, 1] == pytest.approx(expected, abs=1e-5)


def test_the_deviations_of_repeated_fits_agree_with_the_standard_errors():
    scores = []
    for seed in range(12):
        found = kt.identify(rotor, data(seed), BOX, rtol=1e-8)
        scores.append((found.parameters["stiffness"] - 8.0) / found.errors["stiffness"])
    # chi-square with 12 degrees of freedom: outside 2.2 .. 30 in one of 1000 cases at either end
    assert 2.2 < np.sum(np.square(scores)) < 33.0


def test_parameters_that_the_data_cannot_tell_apart_are_reported():
    found = kt.identify(
        rotor, data(2), {"stiffness": (4.0, 16.0), "inertia": (0.3, 0.8)}, fixed={"damping": 0.0}
    )
    assert np.isinf(found.errors["stiffness"]) and np.isinf(found.errors["inertia"])
    (combination,) = found.undetermined
    assert combination["stiffness"] == pytest.approx(combination["inertia"], abs=1e-3)
    assert "cannot tell apart" in str(found)


def test_two_channels_with_known_noise_are_weighted_by_it():
    t, angle = T, rotor_angle(T)
    rate = np.gradient(rotor_angle(np.linspace(0, 2, 4001)), 0.0005)[
        (T / 0.0005).round().astype(int)
    ]
    wrong = {"t": t, "A.angle": angle, "A.rate": rate + 0.3}  # an offset the model cannot follow
    trusted = kt.identify(rotor, wrong, BOX, noise={"A.angle": 1e-4, "A.rate": 10.0})
    assert trusted.parameters["stiffness"] == pytest.approx(8.0, rel=1e-3)


def test_the_result_prints_draws_and_makes_the_model(tmp_path):
    found = kt.identify(rotor, data(3), BOX)
    assert "stiffness = " in str(found) and "+-" in str(found)
    assert found.model().forces["spring"].spec.stiffness == found.parameters["stiffness"]
    np.testing.assert_allclose(
        found.residuals["A.angle"], found.measured["A.angle"] - found.computed["A.angle"]
    )
    found.plot(path=tmp_path / "fit.png")
    assert (tmp_path / "fit.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: {"A.angle": d["A.angle"]}, "column 't'"),
        (lambda d: {"t": d["t"]}, "no channel"),
        (lambda d: {**d, "A.angle": d["A.angle"][:-1]}, "39 values for 40 times"),
        (lambda d: {**d, "A.angle": np.full(40, np.nan)}, "nan at t = 0.05 s"),
        (lambda d: {**d, "t": d["t"][::-1]}, "increasing"),
        (lambda d: {**d, "B.angle": d["A.angle"]}, "B.angle"),
        (lambda d: {"t": d["t"][:2], "A.angle": d["A.angle"][:2]}, "cannot determine"),
    ],
)
def test_a_wrong_measurement_is_refused_with_a_sentence(change, message):
    with pytest.raises((kt.KinetreeError, KeyError), match=message):
        kt.identify(rotor, change(data(0)), BOX)
