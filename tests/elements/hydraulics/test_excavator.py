"""The excavator on three cylinders: at rest with shut valves, stiff from 0.45 s on when they open,
as published.
"""

import numpy as np
import pytest

import kinetree as kt
from kinetree.models.excavator import BORE_AND_ROD, STROKE, C, D, excavator

CYLINDERS = ("boom", "arm", "bucket")


@pytest.fixture(scope="module")
def sol():
    return kt.simulate(excavator(), until=1.0, output_interval=0.01)


def areas(name: str) -> tuple[float, float]:
    bore, rod = BORE_AND_ROD[name]
    return np.pi / 4 * bore**2, np.pi / 4 * (bore**2 - rod**2)


def test_it_has_three_freedoms_and_no_redundant_equation():
    assembly = kt.assemble(excavator())
    assert assembly.mobility == 3 and assembly.redundant == ()


def test_it_hangs_still_while_the_valves_are_shut():
    rest = kt.simulate(excavator(opened=0.0), until=1.0)
    assert np.abs(rest["bucket.tip.position"] - rest["bucket.tip.position"][0]).max() < 1e-8
    for name in CYLINDERS:
        P = rest[f"{name} cylinder.pressure1"]
        assert np.ptp(P) < 1e-5 * P[0]  # 1e-10 m on a column of oil is 1 Pa


def test_the_boom_cylinder_carries_the_moment_of_all_weights_about_the_boom_pivot(sol):
    """F r = sum m g x about B, from the drawing alone; r is the distance of the line C-D from B."""
    parts = {
        "boom": (1.025, 0.384),
        "arm": (0.225, 0.227),
        "bucket": (0.289, 0.166),
        "rocker": (0.0, 0.0),
        "link": (0.0, 0.0),
    }
    moment = 0.0
    for name, (x, z) in parts.items():
        pose = sol[f"{name}.position"][0]
        w, _, y, _ = sol[f"{name}.quaternion"][0]
        turn = 2.0 * np.arctan2(y, w)  # about +y: x' = x cos + z sin
        moment += (
            sol.model.bodies[name].properties.mass
            * 9.81
            * (pose[0] + x * np.cos(turn) + z * np.sin(turn))
        )
    line = np.subtract(D, C)  # the boom starts level
    lever = abs(C[0] * line[1] - C[1] * line[0]) / np.hypot(*line)
    assert sol["boom cylinder.force"][0] == pytest.approx(moment / lever, rel=1e-9)


def test_the_largest_eigenvalue_passes_1500_when_the_paper_says(sol):
    """[Han1994, Fig. 3]: about 0.45 s."""
    m = sol.model
    L = {t: kt.modes(m, (sol, t)).spectral_radius for t in (0.05, 0.2, 0.3, 0.4, 0.5, 0.7)}
    assert L[0.4] < 1500.0 < L[0.5]
    assert L[0.05] < L[0.2] < L[0.3] < L[0.4] < L[0.5] < L[0.7]


def test_the_eigenvalue_is_that_of_the_most_open_chamber(sol):
    """L = K a s'(dp) B / V of the boom's rod side, emptying over the widest edge; coupling adds
    some percent.
    """
    t = 0.5
    at = sol.at(t)
    a, P, X = (at[f"boom cylinder.{k}"][0] for k in ("opening4", "pressure2", "extension"))
    d, K = P - 1e5, 0.62 * np.sqrt(2.0 / 860.0)
    slope = (d * d + 1e10) ** -0.25 - 0.5 * d * d * (d * d + 1e10) ** -1.25
    B = 1.0 / (1.0 / 1.4e9 + 10.0 / (P - 1e4) ** 2)
    expected = K * a * slope * B / (2e-4 + areas("boom")[1] * (STROKE - X))
    assert kt.modes(sol.model, (sol, t)).spectral_radius == pytest.approx(expected, rel=0.1)


def test_cylinders_stay_within_their_stroke_and_pressures_between_tank_and_supply(sol):
    for name in CYLINDERS:
        X = sol[f"{name} cylinder.extension"]
        assert 0.02 < X.min() and X.max() < STROKE - 0.02
        assert np.ptp(X) > 0.05  # and they do move
        for k in (1, 2):
            P = sol[f"{name} cylinder.pressure{k}"]
            assert 1e5 < P.min() and P.max() < 2e7


def test_relative_and_cartesian_coordinates_agree(sol):
    other = kt.simulate(sol.model, until=1.0, output_interval=0.01, coordinates="cartesian")
    np.testing.assert_allclose(
        other["bucket.tip.position"], sol["bucket.tip.position"], atol=1e-6
    )  # rtol 1e-8, 1800 steps
    for name in CYLINDERS:
        np.testing.assert_allclose(
            other[f"{name} cylinder.pressure1"], sol[f"{name} cylinder.pressure1"], rtol=1e-5
        )
