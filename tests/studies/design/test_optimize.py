"""Optimization against published linkages, closed forms, and known optima."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree as kt

from .linkages import four_bar, hoecken, hoecken_path, rotor

HALF_TURN = np.linspace(0.0, 1.0, 61)
NORTON = (
    0.0963  # percent: published link ratios 2.200 and 2.800 for half a turn [Norton2012, table 3-1]
)


def straightness(path: np.ndarray) -> float:
    """Deviation from a straight line along x over its length, in percent."""
    return 100.0 * np.ptp(path[:, 1]) / np.ptp(path[:, 0])


def test_the_straightest_hoecken_linkage_beats_the_published_one():
    theta = np.linspace(np.pi / 2, 3 * np.pi / 2, 2001)
    assert straightness(hoecken_path(2.2, 2.8, theta)) == pytest.approx(NORTON, abs=1e-4)
    found = kt.optimize(
        hoecken,
        {"ground": (2.0, 2.6), "coupler": (2.5, 3.2), "height": (-6.0, -3.0)},
        fit={"bar.P.position.y": 0.0},
        times=HALF_TURN,
        norm="largest",
        start={"height": -4.9},
    )
    p = found.parameters
    best = straightness(hoecken_path(p["ground"], p["coupler"], theta))
    assert best < straightness(hoecken_path(2.2, 2.8, theta))
    # the largest deviations of a minimax solution are equal, on both sides
    deviations = found.outputs["bar.P.position.y"]
    assert deviations.max() == pytest.approx(-deviations.min(), rel=1e-6)


def test_positions_of_a_driven_linkage_are_those_of_trigonometry():
    found = kt.optimize(
        hoecken,
        {"ground": (2.1, 2.3), "coupler": (2.7, 3.0)},
        minimize=lambda values: float(np.ptp(values["y"])),
        outputs={"y": "bar.P.position.y"},
        times=HALF_TURN,
        most=1,
    )
    p = found.parameters
    expected = hoecken_path(p["ground"], p["coupler"], np.pi / 2 + np.pi * HALF_TURN)[:, 1]
    np.testing.assert_allclose(found.outputs["y"], expected, atol=1e-12)


def test_searches_from_random_starts_find_the_linkage_that_drew_the_path():
    times = np.arange(8) / 8
    path = kt.kinematics(four_bar(), 1.0, output_interval=1 / 8)["coupler.P.position"][:8]
    found = kt.optimize(
        four_bar,
        {"crank": (0.2, 0.4), "coupler": (0.7, 1.2), "px": (0.3, 0.7), "py": (0.1, 0.6)},
        fit={"coupler.P.position.x": path[:, 0], "coupler.P.position.y": path[:, 1]},
        times=times,
        starts=6,
    )
    assert found.agreeing >= 4  # two thirds
    for name, true in {"crank": 0.3, "coupler": 0.9, "px": 0.5, "py": 0.35}.items():
        assert found.parameters[name] == pytest.approx(true, abs=1e-9)


def test_a_run_is_tuned_with_exact_derivatives():
    # the first zero of the angle without damping is at a quarter of the period
    found = kt.optimize(
        rotor,
        {"stiffness": (4.0, 16.0)},
        fit={"A.angle at 0.3": 0.0},
        until=0.3,
        fixed={"damping": 0.0},
        rtol=1e-9,
    )
    assert found.parameters["stiffness"] == pytest.approx(0.5 * (np.pi / 0.6) ** 2, rel=1e-7)


def test_a_limit_of_an_output_is_kept():
    # the largest stiffness whose peak speed 0.2 sqrt(k / J) is 0.7
    found = kt.optimize(
        rotor,
        {"stiffness": (4.0, 16.0)},
        maximize="final A.angle",
        limits={"min A.rate": (-0.7, None)},
        until=1.0,
        fixed={"damping": 0.0},
        start={"stiffness": 5.0},
        rtol=1e-9,
    )
    assert found.met
    assert found.outputs["min A.rate"] >= -0.7 * (1.0 + 2e-6)


@pytest.mark.parametrize(("method", "most"), [("global", 2), ("optuna", 40)])
def test_global_search_finds_the_better_of_two_minima(method, most):
    if method == "optuna":
        pytest.importorskip("optuna", reason="Optuna is not installed")
    # (k - 5)^2 (k - 14)^2 - 20 k has its lower minimum near 14
    found = kt.optimize(
        rotor,
        {"stiffness": (4.0, 16.0)},
        minimize=lambda v: float((v["k"] - 5) ** 2 * (v["k"] - 14) ** 2 - 20 * v["k"]),
        outputs={"k": lambda sol: sol.model.forces["spring"].spec.stiffness},
        until=0.01,
        method=method,
        most=most,
        start={"stiffness": 4.5},
    )
    assert found.parameters["stiffness"] == pytest.approx(14.12, abs=0.1)


def test_a_region_that_cannot_be_assembled_is_avoided():
    # the loop closes only where crank + ground < coupler + rocker, ...
    times = np.arange(8) / 8
    path = kt.kinematics(four_bar(), 1.0, output_interval=1 / 8)["coupler.P.position"][:8]
    found = kt.optimize(
        four_bar,
        {"crank": (0.1, 1.4), "rocker": (0.3, 1.4)},
        fit={"coupler.P.position.x": path[:, 0], "coupler.P.position.y": path[:, 1]},
        times=times,
        start={"crank": 0.2, "rocker": 0.8},
    )
    assert found.parameters["crank"] == pytest.approx(0.3, abs=1e-9)


def test_the_result_prints_draws_and_makes_the_model(tmp_path):
    found = kt.optimize(
        rotor, {"stiffness": (4.0, 16.0)}, fit={"A.angle at 0.3": 0.0}, until=0.3, starts=2
    )
    assert "RMS deviation" in str(found)
    assert found.model().forces["spring"].spec.stiffness == found.parameters["stiffness"]
    assert len(found.to_pandas()) == 2
    found.plot(path=tmp_path / "search.png")
    assert (tmp_path / "search.png").stat().st_size > 1000


def test_a_run_without_derivatives_is_tuned_with_differences():
    def struck(limit):
        m = kt.Model("struck", gravity=(0, 0, 0))
        rod = m.body("rod", kt.rod(1.0, 1.0))
        m.joint("A", kt.Revolute("y"), m.ground, rod.end("-"), speed={"angle": 2.0})
        m.force("stop", kt.JointStop("A.angle", maximum=limit, restitution=0.5))
        return m

    found = kt.optimize(struck, {"limit": (0.2, 0.6)}, fit={"final A.angle": 0.3}, until=0.5)
    # limit - e (2 t - limit) = 0.3 with e = 0.5, t = 0.5
    assert found.parameters["limit"] == pytest.approx((0.3 + 0.5) / 1.5, rel=1e-6)


WRONG = [
    ({"minimize": "final A.angle", "maximize": "final A.angle"}, "one of minimize"),
    ({}, "give minimize="),
    ({"minimize": "final A.angel"}, "A.angel"),
    ({"minimize": "A.angle"}, "many values"),
    ({"minimize": "final A.angle", "method": "newton"}, "no method named 'newton'"),
    ({"minimize": "final A.angle", "times": [0.0, 1.0]}, "give until="),
    ({"minimize": "final A.angle", "start": {"mass": 1.0}}, "no parameter named 'mass'"),
    ({"minimize": "final A.angle", "start": {"stiffness": 99.0}}, "outside its limits"),
    ({"fit": {"A.angle": [1.0, 2.0]}}, "shape"),
    ({"minimize": "final A.angle", "limits": {"max A.rate": 3.0}}, "must be \\(low, high\\)"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_wrong_arguments_are_refused_with_a_sentence(options, message):
    with pytest.raises((kt.KinetreeError, KeyError), match=message):
        kt.optimize(rotor, {"stiffness": (4.0, 16.0)}, **{"until": 0.1, **options})


def test_positions_alone_are_refused_where_drivers_leave_degrees_of_freedom():
    with pytest.raises(kt.ModelError, match="drivers move completely"):
        kt.optimize(rotor, {"stiffness": (4.0, 16.0)}, fit={"A.angle": 0.0}, times=[0.1, 0.2])
