"""The calibration of the switching method: costs add up, and the threshold is the best one."""

import numpy as np
import pytest

import kinetree as kt
from kinetree.analysis.calibrate import Calibration
from kinetree.errors import ModelError
from kinetree.models.four_bar import four_bar
from kinetree.models.quarter_car import quarter_car


def test_the_threshold_is_the_one_that_makes_the_run_cheapest():
    edges, stiffness = np.arange(5.0), np.array([10.0, 100.0, 1000.0, 10000.0])
    found = Calibration(
        "m",
        edges,
        stiffness,
        np.array([1.0, 1.0, 5.0, 9.0]),
        np.array([3.0, 2.0, 2.0, 2.0]),
        1000.0,
    )
    assert found.total(1000.0) == 6.0
    assert min(map(found.total, (0.0, 10.0, 100.0, 1000.0, 10000.0, np.inf))) == 6.0
    assert "threshold=1e+03" in str(found)


def test_a_stiffening_car_is_cheaper_with_bdf_from_some_l_on():
    found = kt.calibrate(quarter_car(), 2.5, intervals=25)
    # the paper finds 1500 for its program; the crossing is earlier here
    assert 1.01 * found.stiffness.min() < found.threshold < 1500.0
    assert found.total(found.threshold) < min(found.adams.sum(), found.bdf.sum())
    assert found.total(found.threshold) == min(map(found.total, (*found.stiffness, np.inf)))


def test_costs_are_counted_so_that_the_result_is_reproducible():
    """All evaluations of both runs are counted, and the second result is equal to the first bit by
    bit.
    """
    first, second = (kt.calibrate(quarter_car(), 1.0, intervals=10) for _ in range(2))
    assert first.threshold == second.threshold
    assert (
        first.adams.tolist() == second.adams.tolist() and first.bdf.tolist() == second.bdf.tolist()
    )
    adams = kt.simulate(
        quarter_car(), 1.0, rtol=1e-6, integrator="switching", threshold=1e30, calibrate=False
    )
    bdf = kt.simulate(quarter_car(), 1.0, rtol=1e-6, integrator="bdf")
    assert first.adams.sum() == adams.steps.evaluations.sum()
    # with factorizations, n / 15 each
    assert bdf.steps.evaluations.sum() < first.bdf.sum() < 1.5 * bdf.steps.evaluations.sum()


def test_a_linkage_that_is_not_stiff_stays_with_adams(tmp_path):
    found = kt.calibrate(four_bar(), 1.0, intervals=10)
    assert found.stiffness.max() < 30.0
    assert np.isinf(found.threshold)
    found.plot(tmp_path / "costs.png")
    assert (tmp_path / "costs.png").stat().st_size > 10_000


@pytest.mark.parametrize("intervals", [0, 1, 2.5, True])
def test_the_number_of_intervals_is_checked(intervals):
    with pytest.raises(ModelError, match="intervals"):
        kt.calibrate(four_bar(), 1.0, intervals=intervals)
