"""BDF and switching with mechanisms: formulations, coordinates, loops, drivers, redundant rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from kinetree.assembly.prepare import prepare
from kinetree.engine.formulations.catalogue import FORMULATIONS
from kinetree.engine.integrators.integrate import integrate
from kinetree.errors import ResultError
from kinetree.models.double_pendulum import double_pendulum
from kinetree.models.flyball_governor import flyball_governor
from kinetree.models.four_bar import four_bar
from kinetree.models.quarter_car import quarter_car
from kinetree.options import Choice, values
from kinetree.simulation.run import Options, chosen_formulation, configured

EXACT = [f.name for f in FORMULATIONS if f.exact and f.loops]


def damped_four_bar() -> kt.Model:
    """The falling linkage with a damper of 2000 N m s/rad in its crank: creeping, stiff, closed."""
    model = four_bar()
    joint = next(iter(model.joints))
    model.force("brake", kt.TorsionSpring(f"{joint}.angle", stiffness=0.0, damping=2000.0))
    return model


@pytest.fixture(scope="module")
def reference():
    return kt.simulate(damped_four_bar(), 0.5, rtol=1e-10, output_interval=0.05)


@pytest.mark.parametrize("integrator", ["bdf", "switching"])
@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
@pytest.mark.parametrize("formulation", EXACT)
def test_a_stiff_loop_moves_alike_in_every_formulation(
    formulation, coordinates, integrator, reference
):
    sol = kt.simulate(
        damped_four_bar(),
        0.5,
        coordinates=coordinates,
        formulation=formulation,
        integrator=integrator,
        rtol=1e-7,
        output_interval=0.05,
    )
    for name in reference.model.bodies:
        # 100 tolerances of a metre
        assert_allclose(sol[f"{name}.position"], reference[f"{name}.position"], atol=1e-5)
    assert sol.constraint_error.max() < 1e-10
    assert sol.statistics["accepted"] < 300  # L is above 1e4: an explicit method needs thousands


def test_adams_needs_many_times_the_steps(reference):
    quick = kt.simulate(damped_four_bar(), 0.5, integrator="bdf", rtol=1e-10, output_interval=0.05)
    assert reference.statistics["evaluations"] > 5 * quick.statistics["evaluations"]


def test_the_governor_holds_its_symmetry_and_momentum_with_bdf():
    sol = kt.simulate(flyball_governor(), 2.0, integrator="bdf", rtol=1e-8, output_interval=0.1)
    assert_allclose(sol["right hinge.angle"], sol["left hinge.angle"], atol=1e-9)
    # 100 tolerances
    assert_allclose(sol["momentum.angular.z"], sol["momentum.angular.z"][0], rtol=1e-6)


def test_the_log_has_method_stiffness_and_changes():
    sol = kt.simulate(quarter_car(), 2.5, integrator="switching", calibrate=False, rtol=1e-7)
    (change,) = sol.switches
    assert (change.before, change.after) == ("adams", "bdf")
    assert 1500.0 <= change.stiffness < 1600.0
    assert set(sol.steps.method) == {"adams", "bdf"}
    assert (sol.steps.threshold == 1500.0).all()
    assert sol["step.stiffness"].shape == sol.steps.t.shape
    assert sol.steps.cost(np.array([0.0, 1.0, 2.5])).sum() == sol.statistics["evaluations"]
    assert "adams to bdf at t = 1.7" in str(sol)


def test_the_stiffness_of_a_model_at_rest_is_estimated_at_the_start():
    """All of y and f are zero there: the difference quotients need increments of their own."""
    sol = kt.simulate(quarter_car(), 0.1, integrator="switching", rtol=1e-6)
    assert sol.steps.stiffness[0] == pytest.approx(74.0, rel=0.02)


def test_the_picture_of_the_stiffness_is_for_switching_runs_only(tmp_path):
    sol = kt.simulate(quarter_car(), 0.2, integrator="switching")
    sol.plot_stiffness(tmp_path / "l.png")
    assert (tmp_path / "l.png").stat().st_size > 10_000
    with pytest.raises(ResultError, match="switching"):
        kt.simulate(quarter_car(), 0.2).plot_stiffness()


def test_a_run_limited_by_stiffness_suggests_another_integrator():
    assert "switching" in str(kt.simulate(quarter_car(), 2.5, rtol=1e-7))
    for sol in (
        kt.simulate(quarter_car(damper=1000.0), 2.5, rtol=1e-7),
        kt.simulate(four_bar(), 3.0, rtol=1e-10),
    ):
        assert "looks stiff" not in str(sol)


def test_a_new_partition_does_not_cost_the_order():
    """Independent coordinates change as the rods swing round; the past covers all coordinates."""
    assembly = prepare(double_pendulum(), "cartesian")
    method = chosen_formulation("partitioning", assembly)
    work = assembly.compiled.workspace()
    options = Options(5.0, chosen=values({}, Choice("formulation", method, FORMULATIONS)))
    result = integrate(
        method.rhs,
        assembly.y,
        5.0,
        project=method.project,
        tables=configured(assembly, method, options).compiled.tables,
        work=work,
        method="bdf",
        rtol=1e-6,
    )
    assert result.done and work.report["partitions"][0] >= 2
    started = np.flatnonzero(result.log["order"] >= 3)[0]
    assert result.log["order"][started:].min() >= 3


def test_the_highest_order_of_bdf_can_be_limited():
    sol = kt.simulate(quarter_car(), 1.0, integrator="bdf", order=2)
    assert sol.steps.order.max() == 2
