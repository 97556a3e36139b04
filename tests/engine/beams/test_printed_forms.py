"""The forms that [Yun2005] prints, as options of the structural integrators: the beam of eq. (25)
with `history` and `convected`, the springs of eqs. (39) and (40) with `printed`.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt
from kinetree.apps.papers.beam import (
    AS_PRINTED,
    ELEMENTS,
    H,
    carried_by_hand,
    carried_run,
    free_beam,
)
from kinetree.apps.papers.references import springs as by_hand
from kinetree.apps.papers.springs import flexible_joint, oscillator


def angular_change(sol):
    L = sol.momentum.angular
    return np.abs(L - L[0]).max() / np.abs(L[0]).max()


def test_the_printed_beam_moves_as_the_same_equations_in_numpy():
    sol = carried_run(30, **AS_PRINTED)
    ours = np.stack([sol[f"b.{k}.position"] for k in range(ELEMENTS + 1)], axis=1)
    assert np.ptp(ours, axis=0).max() > 1.0
    assert_allclose(ours, carried_by_hand(30)[0], atol=1e-12)  # m, the rounding of 30 steps


@pytest.mark.parametrize("options", [{"history": True}, AS_PRINTED])
def test_carried_strains_balance_the_energy_but_leave_the_shape(options):
    """Work of the beam and kinetic energy balance to rounding; the energy of the shape does not."""
    sol = carried_run(100, **options)
    assert sol.energy.imbalance < 1e-12
    assert sol.energy.drift > 1e-3
    assert carried_run(100).energy.drift < 1e-12


def test_the_gap_between_carried_and_true_strain_shrinks_with_more_elements():
    gaps = [carried_run(100, n, history=True).energy.drift for n in (3, 6)]
    assert gaps[1] < 0.5 * gaps[0]


def test_convected_velocities_conserve_energy_and_linear_but_not_angular_momentum():
    sol, inertial = carried_run(30, convected=True), carried_run(30)
    assert sol.energy.drift < 1e-12 and inertial.energy.drift < 1e-12
    assert np.ptp(sol.momentum.linear, axis=0).max() < 1e-12
    assert angular_change(sol) > 1e-4 and angular_change(inertial) < 1e-12


def test_convected_rigid_bodies_conserve_energy():
    """A body that tumbles on a spring; no beam is needed."""
    m = kt.Model("tumbling", gravity=(0, 0, 0))
    body = m.body("body", kt.box(2.0, (0.1, 0.2, 0.4)))
    m.float(body, speed={"wx": 4.0, "wy": 1.0, "wz": 2.0, "vy": 1.0})
    m.force("spring", kt.SpringDamper(stiffness=50.0, length=0.1), m.ground, body.at(0.1, 0, 0.2))
    for options in ({}, {"convected": True}):
        sol = kt.simulate(m, 4.0, integrator="energy-conserving", step=0.02, **options)
        assert sol.energy.drift < 1e-11


def test_a_break_does_not_end_the_history():
    """At a break the integrator starts anew, and the beam has not moved."""
    cut, whole = carried_run(30, breakpoints=[10 * H], **AS_PRINTED), carried_run(30, **AS_PRINTED)
    assert_allclose(cut["b.3.position"], whole["b.3.position"], atol=1e-12)


@pytest.mark.parametrize("k", [1.0, 1000.0])
def test_eqs_39_are_the_midpoint_rule_with_half_of_the_torsion_spring(k):
    """Axial motion by (37a); the relative rotation as with half the stiffness, for a small start."""
    small, h, steps = 1e-4, 0.1 if k == 1.0 else 0.01, 30
    sol = kt.simulate(
        flexible_joint(k, 5.0 * k, turn=small),
        steps * h,
        integrator="energy-conserving",
        step=h,
        output_interval=h,
        printed=True,
    )
    axial = by_hand.history("midpoint", k, 4, 1.0, h, steps, mass=2.0 / 3.0)[:, 0]
    assert_allclose(sol["joint.displacement"], axial, atol=1e-10)
    reduced = 1e-3 * 20e-3 / 21e-3
    half, full = (
        by_hand.history("midpoint", s * 5.0 * k, 2, small, h, steps, mass=reduced)[:, 0]
        for s in (0.5, 1.0)
    )
    assert_allclose(sol["joint.angle"], half, atol=1e-5 * small)  # rotations add as angles
    assert np.abs(sol["joint.angle"] - full).max() > 0.1 * small


def test_eqs_40_are_the_midpoint_rule():
    runs = [
        kt.simulate(flexible_joint(1.0, 5.0), 6.0, integrator=rule, step=0.1, **more)
        for rule, more in (
            ("trapezoidal", {"printed": True}),
            ("midpoint", {}),
            ("trapezoidal", {}),
        )
    ]
    assert (runs[0].y == runs[1].y).all()
    assert np.abs(runs[0].y - runs[2].y).max() > 1e-3


def test_eqs_39_do_not_conserve_energy():
    sol = kt.simulate(
        oscillator(1.0, 4, 1.0),
        12 * 1.875,
        integrator="energy-conserving",
        step=1.875,
        printed=True,
    )
    assert sol.energy.total.max() > 10.0 * sol.energy.total[0]


def pushed(m=None):
    m = m or kt.Model("pushed", gravity=(0, 0, 0))
    body = m.body("body", kt.sphere(1.0, 0.1))
    m.float(body, speed={"vx": 1.0})
    m.force("push", kt.PointForce((1.0, 0.0, 0.0)), body)
    return m


@pytest.mark.parametrize(
    "model, options, words",
    [
        (pushed, {"history": True}, "history: model 'pushed' has no beam"),
        (pushed, {"printed": True}, "printed: model 'pushed' has no spring"),
        (free_beam, {"printed": True}, r"eqs. \(39\) and \(40\) .* model 'free beam' has beams"),
        (free_beam, {"history": True, "planar": True}, "history: .* in space only"),
        (free_beam, {"convected": True, "planar": True}, "convected: .* in space only"),
        (free_beam, {"integrator": "midpoint", "history": True}, "'midpoint' has no option"),
        (pushed, {"integrator": "adams", "convected": True}, "'adams' has no option 'convected'"),
        (
            pushed,
            {"integrator": "trapezoidal", "convected": True},
            "Integrators with 'convected': energy-conserving",
        ),
    ],
)
def test_a_printed_form_that_does_not_apply_is_refused(model, options, words):
    step = {} if options.get("integrator") == "adams" else {"step": 0.01}
    with pytest.raises(kt.ModelError, match=words):
        kt.simulate(model(), 0.1, **{"integrator": "energy-conserving"} | step | options)
