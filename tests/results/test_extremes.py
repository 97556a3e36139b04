"""Extremes over the steps: peaks that lie between the samples, against closed forms."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt

from .machines import four_bar

W, A = 200.0, 0.01  # rad/s, m


def oscillator() -> kt.Model:
    """x'' = -W^2 x from x = A / sqrt(2) with the speed A W / sqrt(2):  x = A sin(W t + pi / 4)."""
    m = kt.Model("oscillator", gravity=(0, 0, 0))
    mass = m.body("mass", kt.mass(2.0))
    m.joint(
        "rail",
        kt.Translational(axis="x"),
        m.ground,
        mass,
        start={"displacement": A * np.sqrt(0.5)},
        speed={"displacement": A * W * np.sqrt(0.5)},
    )
    m.force("spring", kt.TorsionSpring("rail.displacement", stiffness=2.0 * W * W))
    return m


@pytest.fixture(scope="module")
def sol():
    """A sample every five periods: all have the same phase."""
    return kt.simulate(oscillator(), 100.0 * np.pi / W, output_interval=10.0 * np.pi / W, rtol=1e-9)


@pytest.mark.parametrize(
    "name, size",
    [
        ("rail.displacement", A),
        ("mass.velocity.x", A * W),
        ("rail.acceleration", A * W * W),
        ("spring.force", 2.0 * A * W * W),
    ],
)
def test_a_sine_with_few_samples_has_its_amplitude(name, size, sol):
    if name not in sol:
        name = "spring.torque"
    high, low = sol.max(name), sol.min(name)
    assert np.abs(sol[name]).max() < 0.75 * size  # the samples miss it
    assert_allclose(
        [high.value, low.value], [size, -size], rtol=1e-5
    )  # 1e-9 per step, over some thousand steps
    assert (high.over, low.over) == ("steps", "steps")
    values = (
        sol.dense.at([high.t, low.t])[name] if 0.0 < min(high.t, low.t) and high.t < low.t else None
    )
    assert values is None or np.allclose(values, [high.value, low.value], rtol=1e-9)


def test_vectors_have_the_extremes_of_their_magnitude(sol):
    assert_allclose(sol.max("mass.velocity").value, A * W, rtol=1e-5)
    assert sol.min("mass.velocity").value < 1e-3 * A * W
    with pytest.raises(kt.ModelError, match="no magnitude; name one of its components: w, x, y, z"):
        sol.max("mass.quaternion")
    with pytest.raises(kt.ModelError, match="no channel named"):
        sol.max("mass.velocty")


def test_extremes_of_steps_are_those_of_their_log(sol):
    assert sol.max("step.size").value == sol.steps.h.max()


def test_reactions_of_a_loop_have_the_peaks_of_a_run_with_many_samples():
    few, many = (
        kt.simulate(four_bar(), 2.0, output_interval=interval, rtol=1e-9)
        for interval in (0.5, 1e-4)
    )
    for name in ("A.force", "C.force.x", "rocker.acceleration", "A.angle", "energy.kinetic"):
        values = many[name] if many[name].ndim == 1 else np.linalg.norm(many[name], axis=1)
        scale = np.abs(values).max()
        assert_allclose(few.max(name).value, values.max(), rtol=0, atol=1e-5 * scale, err_msg=name)
        assert_allclose(few.min(name).value, values.min(), rtol=0, atol=1e-5 * scale, err_msg=name)


def test_events_are_repeated_with_the_run():
    m = kt.Model("ball")
    ball = m.body("ball", kt.sphere(1.0, 0.1), position=(0, 0, 1))
    m.joint("rail", kt.Translational(axis="z"), m.ground, ball, at=(0, 0, 1))
    floor = kt.Event(
        "ball.position.z",
        0.1,
        direction=-1,
        then=lambda t, s: {"ball.velocity.z": -0.8 * s["ball.velocity.z"]},
    )
    sol = kt.simulate(m, 1.5, output_interval=0.25, events=[floor])
    assert_allclose(sol.min("ball.position.z").value, 0.1, atol=1e-6)
    assert_allclose(
        sol.min("ball.velocity.z").value, -np.sqrt(2.0 * 9.81 * 0.9), rtol=1e-5
    )  # as it meets the floor
    again = sol.at([0.0, 0.25, 0.5]).max("ball.position.z")
    assert again.over == "samples" and again.value == pytest.approx(1.0)


def test_files_with_a_model_have_the_same_extremes_and_others_those_of_their_samples(sol, tmp_path):
    sol.save(tmp_path / "run.nc")
    again = kt.open_solution(tmp_path / "run.nc")
    assert again.max("rail.displacement") == sol.max("rail.displacement")
    m = oscillator()
    m.force("push", kt.PointForce((lambda t: 0.0 * t, 0.0, 0.0)), m.bodies["mass"])
    kt.simulate(m, 20.0 * np.pi / W, output_interval=10.0 * np.pi / W).save(tmp_path / "user.nc")
    found = kt.open_solution(tmp_path / "user.nc").max("rail.displacement")
    assert found.over == "samples" and found.value < 0.75 * A
    assert kt.open_solution(tmp_path / "user.nc", m).max(
        "rail.displacement"
    ).value == pytest.approx(A, rel=1e-5)


def test_a_plot_says_that_peaks_may_lie_between_its_samples(sol):
    def said(run):
        return run.plot("rail.displacement").axes[-1].get_xlabel()

    assert "steps between two samples: sol.max and sol.min have the peaks" in said(sol)
    assert (
        said(kt.simulate(oscillator(), 0.3, rtol=1e-6)) == "time [s]"
    )  # ten periods in 501 samples
