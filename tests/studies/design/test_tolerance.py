"""Tolerance analysis against the closed form of a slider-crank."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree as kt

ANGLE = 1.0  # of the crank


def slider_crank(crank: float = 0.1, rod: float = 0.3, offset: float = 0.02) -> kt.Model:
    m = kt.Model("slider-crank", gravity=(0, 0, 0))
    c = m.body("crank", kt.rod(1.0, crank, along="x"))
    r = m.body("rod", kt.rod(1.0, rod, along="x"), rotation=("z", -0.3))
    s = m.body("slider", kt.box(1.0, (0.05, 0.05, 0.05)), position=(0.35, offset, 0))
    m.joint("A", kt.Revolute("z"), m.ground, c.end("-"), start={"angle": ANGLE})
    m.joint("B", kt.Revolute("z"), c.end("+"), r.end("-"))
    m.joint("C", kt.Revolute("z"), r.end("+"), s)
    m.joint("D", kt.Translational("x"), m.ground.at(0, offset, 0), s)
    m.constraint("motor", kt.Driver("A.angle", ANGLE))
    return m


def place(crank, rod, offset):
    return crank * np.cos(ANGLE) + np.sqrt(rod**2 - (crank * np.sin(ANGLE) - offset) ** 2)


NOMINAL, WIDTH = np.array([0.1, 0.3, 0.02]), np.array([0.002, 0.001, 0.003])
GIVEN = {n: (p, t) for n, p, t in zip(("crank", "rod", "offset"), NOMINAL, WIDTH)}


@pytest.fixture(scope="module")
def analysis() -> kt.ToleranceAnalysis:
    return kt.tolerance_analysis(
        slider_crank,
        GIVEN,
        {"x": "final slider.position.x"},
        times=[0.0, 0.1],
        samples=800,
        sobol=64,
    )


def slopes() -> np.ndarray:
    h = 1e-6
    return np.array([
        (place(*(NOMINAL + h * e)) - place(*(NOMINAL - h * e))) / (2 * h) for e in np.eye(3)
    ])  # fmt: skip


def test_the_linear_worst_case_and_the_root_of_the_sum_of_squares_are_exact(analysis):
    one, S = analysis["x"], slopes()
    assert one.nominal == pytest.approx(place(*NOMINAL), abs=1e-12)
    np.testing.assert_allclose(one.changes, S * WIDTH, rtol=1e-7)
    assert one.worst == pytest.approx(np.sum(np.abs(S) * WIDTH), rel=1e-7)
    assert one.sigma == pytest.approx(np.sqrt(np.sum((S * WIDTH / 3.0) ** 2)), rel=1e-7)
    assert sum(one.shares.values()) == pytest.approx(1.0)


def test_the_corners_hold_the_true_extremes(analysis):
    signs = np.array(np.meshgrid(*[[-1, 1]] * 3)).reshape(3, -1).T
    values = np.array([place(*(NOMINAL + s * WIDTH)) for s in signs])
    expected = np.abs(values - place(*NOMINAL)).max()
    assert analysis["x"].farthest == pytest.approx(expected, rel=1e-9)


def test_monte_carlo_agrees_with_the_linear_deviation(analysis):
    one = analysis["x"]
    # the standard error of a deviation from 800 cases is 2.5 %; the output is nearly linear
    assert one.monte_carlo == pytest.approx(one.sigma, rel=0.1)
    assert analysis.failed == 0


def test_sobol_indices_are_the_linear_shares_of_a_nearly_linear_output(analysis):
    one = analysis["x"]
    shares = list(one.shares.values())
    np.testing.assert_allclose(one.total, shares, atol=0.15)  # 64 base cases
    assert np.argmax(one.total) == np.argmax(shares)


def test_the_result_prints_and_draws(analysis, tmp_path):
    assert "worst case" in str(analysis) and "Sobol" in str(analysis)
    assert list(analysis.to_pandas()["parameter"]) == ["crank", "rod", "offset"]
    analysis.plot(path=tmp_path / "tornado.png")
    assert (tmp_path / "tornado.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("tolerances", "options", "message"),
    [
        ({"crank": 0.1}, {}, "nominal value, tolerance"),
        ({"crank": (0.1, -0.1)}, {}, "must be positive"),
        ({}, {}, "at least one"),
        ({"crack": (0.1, 0.01)}, {}, "crack"),
        ({"crank": (0.1, 0.01)}, {"sobol": 100}, "power of two"),
        ({"crank": (9.0, 0.01)}, {}, "nominal model fails|can be simulated"),
    ],
)
def test_wrong_arguments_are_refused_with_a_sentence(tolerances, options, message):
    with pytest.raises((kt.KinetreeError, KeyError), match=message):
        kt.tolerance_analysis(
            slider_crank, tolerances, "final slider.position.x", times=[0.0, 0.1], **options
        )
