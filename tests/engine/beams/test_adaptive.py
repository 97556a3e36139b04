"""Structural integrators with controlled steps: accuracy by tolerance, with fewer steps."""

import math

import numpy as np
import pytest

import kinetree as kt

RULES = ["energy-conserving", "midpoint", "trapezoidal", "generalized-alpha"]


def hammered():
    """A soft pendulum with a heavy end that a hammer hits: fast vibrations fade to a slow swing."""
    m = kt.Model("hammered")
    arm = m.beam(
        "arm",
        [(0, 0, 0), (1, 0, 0)],
        kt.Section.circle(radius=0.01, E=5e9, density=2000.0),
        elements=4,
        damping=2e-3,
    )
    bob = m.body("bob", kt.sphere(mass=1.0, radius=0.05), position=(1, 0, 0))
    m.joint("pin", kt.Revolute(axis="y"), m.ground, arm.end("-"))
    m.joint("weld", kt.Fixed(), arm.end("+"), bob)
    knocks = kt.Table([0.0, 0.1, 0.101, 0.102, 2.0], [0.0, 0.0, 3000.0, 0.0, 0.0], smooth=False)
    m.force("hammer", kt.PointForce((0, 0, knocks)), arm.node(2))
    return m


def soft_pendulum():
    """A pendulum at rest that is pushed gently, so that it only swings and bends."""
    m = kt.Model("soft pendulum")
    arm = m.beam(
        "arm",
        [(0, 0, 0), (0, 0, -1)],
        kt.Section([1e4, 1e4, 1e4, 5.0, 5.0, 5.0], 0.5, (2e-2, 1e-2, 1e-2)),
        elements=4,
        damping=1e-3,
    )
    m.joint("pin", kt.Spherical(), m.ground, arm.end("-"))
    m.force(
        "push",
        kt.PointForce((0, kt.Sine(1.0, frequency=1.0), kt.Sine(2.0, frequency=2.0))),
        arm.end("+"),
    )
    return m


def tip(sol):
    return sol["arm.4.position"]


@pytest.mark.parametrize("rule", RULES)
def test_errors_fall_with_the_tolerance_to_the_power_of_two_thirds(rule):
    """The error of a step is of its third power, that of the motion of the second."""
    exact = tip(
        kt.simulate(soft_pendulum(), 0.4, integrator=rule, step=0.4 / 8000, output_interval=0.1)
    )
    loose, tight = (
        kt.simulate(soft_pendulum(), 0.4, integrator=rule, rtol=rtol, output_interval=0.1)
        for rtol in (1e-5, 1e-7)
    )
    errors = [np.abs(tip(sol) - exact).max() for sol in (loose, tight)]
    power = math.log(errors[0] / errors[1]) / math.log(100.0)
    assert 0.5 < power < 0.9  # steps end at samples and change by fifths
    assert (
        loose.steps.error.max() <= 1.0
        and loose.statistics["accepted"] < 0.4 * tight.statistics["accepted"]
    )


def test_a_run_with_a_fast_and_a_slow_phase_takes_fewer_steps_than_fixed_ones_of_the_same_error():
    exact = tip(kt.simulate(hammered(), 1.0, step=1.0 / 20000, output_interval=0.1))
    sol = kt.simulate(hammered(), 1.0, rtol=1e-5, output_interval=0.1)
    steps, error = sol.statistics["accepted"], np.abs(tip(sol) - exact).max()
    fixed = kt.simulate(hammered(), 1.0, step=1.0 / (3 * steps), output_interval=0.1)
    assert np.abs(tip(fixed) - exact).max() > error  # with three times as many
    assert sol.steps.h.max() > 20.0 * sol.steps.h.min()


def test_energy_and_momentum_are_exact_at_every_step_length():
    m = kt.Model("thrown", gravity=(0, 0, 0))
    arm = m.beam(
        "arm",
        [(0, 0, 0), (1, 0, 0)],
        kt.Section.circle(radius=0.01, E=2e9, density=2000.0),
        elements=4,
    )
    m.float(arm, speed={"wx": 3.0, "wy": 5.0, "wz": 20.0, "vx": 1.0})
    sol = kt.simulate(m, 0.5, rtol=1e-5, output_interval=0.05)
    assert len(np.unique(sol.steps.h.round(9))) > 5
    # what Newton leaves, over some hundred steps
    assert np.abs(sol.energy.total / sol.energy.total[0] - 1.0).max() < 1e-11
    for p in (sol.momentum.linear, sol.momentum.angular):
        np.testing.assert_allclose(p, p[:1].repeat(len(p), 0), atol=1e-11 * np.abs(p).max())


def irregular(parts, until):
    """A soft pendulum whose steps alternate between two lengths, by knots of a table that pushes
    with a constant force.
    """
    m = soft_pendulum()
    ends = np.cumsum([0.0, *([until / parts * 0.7, until / parts * 0.3] * parts)])
    ends[-1] = until
    m.force(
        "steady",
        kt.PointForce((0, 0, kt.Table(ends, np.ones(len(ends)), smooth=False))),
        m.bodies["arm"].node(4),
    )
    return m


@pytest.mark.parametrize(
    "rule, more", [("energy-conserving", {}), ("generalized-alpha", {"spectral_radius": 0.3})]
)
def test_alternating_steps_are_of_order_two(rule, more):
    """Accelerations of generalized alpha belong to a time after the step.

    The distance is a part of the length of the step, and must follow its changes.
    """
    until, ends = 0.2, []
    for parts in (400, 800, 6400):
        sol = kt.simulate(
            irregular(parts, until),
            until,
            integrator=rule,
            rtol=1.0,
            max_step=until / parts,
            output_interval=until,
            **more,
        )
        assert abs(sol.statistics["accepted"] - 2 * parts) < 0.1 * parts
        ends.append([sol[name][-1] for name in ("arm.2.velocity", "arm.4.velocity", "pin.force")])
    for coarse, fine, exact in zip(*ends):
        order = math.log2(np.abs(coarse - exact).max() / np.abs(fine - exact).max())
        assert 1.9 < order < 2.2  # the reference has a sixty-fourth of the error


def test_events_samples_and_drivers_work_with_controlled_steps():
    m = kt.Model("driven")
    arm = m.beam(
        "arm",
        [(0, 0, 0), (1, 0, 0)],
        kt.Section.circle(radius=0.01, E=2e9, density=2000.0),
        elements=4,
    )
    m.joint("pin", kt.Revolute(axis="y"), m.ground, arm.end("-"))
    m.constraint("drive", kt.Driver("pin.angle", kt.Sine(0.2, frequency=0.5)))
    low = kt.Event("arm.4.position.z", level=-0.1, direction=-1)
    sol = kt.simulate(m, 0.3, rtol=1e-6, output_interval=0.01, events=[low])
    assert sol.energy.imbalance < 1e-9
    np.testing.assert_allclose(sol["pin.angle"], 0.2 * np.sin(np.pi * sol.t), atol=1e-12)
    np.testing.assert_allclose(np.diff(sol.t), 0.01, atol=1e-12)
    fixed = kt.simulate(m, 0.3, step=1e-4, output_interval=0.01, events=[low])
    assert len(fixed.events[low.name].t) > 0
    np.testing.assert_allclose(sol.events[low.name].t, fixed.events[low.name].t, atol=1e-4)


@pytest.mark.parametrize(
    "options, words",
    [
        ({"rtol": 1e-5, "step": 0.01}, "step= and rtol= cannot be combined"),
        ({"max_step": 0.1}, "max_step= requires rtol="),
        ({"step": 0.01, "first_step": 0.1}, "step= and first_step= cannot be combined"),
    ],
)
def test_steps_are_fixed_or_controlled_not_both(options, words):
    with pytest.raises(kt.ModelError, match=words):
        kt.simulate(soft_pendulum(), 0.1, **options)


def thrown(push):
    """A soft beam that rotates by some radians in a step of 0.02 s."""
    m = kt.Model("thrown", gravity=(0, 0, 0))
    beam = m.beam(
        "b",
        [(0, 0, 0), (1, 0, 0)],
        kt.Section([1e3, 4e2, 4e2, 0.8, 1.0, 1.0], 1.0, (2e-3, 1e-3, 1e-3)),
        elements=6,
    )
    m.float(beam)
    shape = [
        kt.Table((0.0, 0.25, 0.5, 1.5), (0.0, push * f, 0.0, 0.0), smooth=False)
        for f in (2.0, 4.0, 6.0, 0.5, 1.0)
    ]
    m.force("push", kt.PointForce(tuple(shape[:3])), beam.end("+"))
    m.force("twist", kt.Torque((shape[3], shape[4], 0.0)), beam.end("+"))
    return m


def test_a_beam_that_rotates_too_far_in_a_fixed_step_runs_with_controlled_steps():
    with pytest.raises(
        kt.SimulationError,
        match=r"turns by \d+\.\d rad in a step\. Use rtol=1e-4, which chooses the steps",
    ):
        # so hard that no rounding saves it: the motion is wild
        kt.simulate(thrown(64.0), 20.0, step=0.02)
    sol = kt.simulate(thrown(4.0), 2.0, rtol=1e-3)
    assert sol.energy.imbalance < 1e-11
