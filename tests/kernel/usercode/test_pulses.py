"""Pulses and gaps in user code are not stepped over: steps are bounded, probed inside, and what was
found is said.
"""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kinetree as kt

ADAPTIVE = ["adams", "dopri5", "bdf", "switching", "dop853", "bdf-direct"]


def box(t, a, b, p, force, torque):
    if p[0] < t < p[0] + p[1]:
        force[0] = p[2]


def bump(t, a, b, p, force, torque):
    if p[0] < t < p[0] + p[1]:
        force[0] = p[2] * np.sin(np.pi * (t - p[0]) / p[1])


def at_place(t, u, x, p, xdot, out):
    if p[0] < u[0] < p[0] + p[1]:
        out[0] = p[2]


def rail(force):
    m = kt.Model("rail", gravity=(0, 0, 0))
    body = m.body("b", kt.box(1.0, (0.1, 0.1, 0.1)))
    m.joint("s", kt.Translational("x"), m.ground, body)
    if force is not None:
        m.force("f", force, body)
    return m


def driven(p, **declared):
    """A controller pushes while the driven shaft is within a short range of angles; the shaft turns
    at 1 rad/s.
    """
    m = rail(None)
    shaft = m.body("w", kt.rotor(0.01, along="y", mass=1.0))
    m.joint("shaft", kt.Revolute("y"), m.ground, shaft)
    m.constraint("d", kt.Driver("shaft.angle", kt.Ramp(1.0)))
    m.controller("c", kt.Controller(at_place, ("shaft.angle",), {}, ("f",), p, **declared))
    m.force("f", kt.TorsionSpring("s.displacement", torque="c.f"))
    return m


MACHINES = {
    "box": (lambda p: rail(kt.UserForce(box, p)), 1.0),
    "bump": (lambda p: rail(kt.UserForce(bump, p)), 2 / np.pi),
    "controller": (driven, 1.0),
}


@pytest.mark.parametrize("integrator", ADAPTIVE)
@pytest.mark.parametrize("kind", MACHINES)
def test_random_pulses_act_in_full(integrator, kind):
    """Momentum F w of a pulse of width w and mean force F moves a mass of 1 kg by F w (T - centre)."""
    build, mean = MACHINES[kind]
    rng = np.random.default_rng(5 + ADAPTIVE.index(integrator))
    for _ in range(3):
        until, rtol = float(10 ** rng.uniform(-1, 1)), float(10 ** rng.uniform(-8, -5))
        width, begin = (
            until * float(10 ** rng.uniform(-2.9, -1.0)),
            until * float(rng.uniform(0.1, 0.8)),
        )
        force = float(10 ** rng.uniform(0, 2)) / (width * until)
        sol = kt.simulate(
            build((begin, width, force)),
            until,
            integrator=integrator,
            rtol=rtol,
            output_interval=until / 10,
        )
        expected = mean * force * width * (until - begin - 0.5 * width)
        assert_allclose(
            sol["s.displacement"][-1], expected, rtol=max(1e-3, 100 * rtol)
        )  # errors of some hundred steps


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_a_pulse_inside_one_long_step_is_found_and_reported(integrator):
    """max_step=1 lets the method take steps of a second over a rest; the pulse of 0.3 s is found by
    its probes.
    """
    sol = kt.simulate(
        rail(kt.UserForce(box, (4.35, 0.3, 10.0))),
        8.0,
        integrator=integrator,
        rtol=1e-6,
        max_step=1.0,
    )
    assert_allclose(sol["s.displacement"][-1], 10.0 * 0.3 * (8.0 - 4.5), rtol=1e-4)
    assert "may be missed" in str(sol)
    if sol.result.switched:
        assert "User code switched inside" in str(sol)
        assert_allclose(sol.result.switched[0], 4.35, atol=1e-9)


def test_the_pulses_that_were_found_are_stored_in_files(tmp_path):
    sol = kt.simulate(
        rail(kt.UserForce(box, (4.35, 0.3, 10.0))), 8.0, integrator="bdf", rtol=1e-6, max_step=1.0
    )
    sol.save(tmp_path / "run.nc")
    again = kt.open_solution(tmp_path / "run.nc", sol.model)
    assert len(sol.result.switched) >= 1 and again.result.switched == sol.result.switched


def test_steps_past_user_code_are_bounded():
    """By 1/500 of the run, by what is declared, or not at all where that is infinite or max_step
    says otherwise.
    """

    def longest(**how):
        declared = {name: how.pop(name) for name in ("longest_step",) if name in how}
        return float(
            kt.simulate(
                rail(kt.UserForce(box, (1e3, 1.0, 1.0), **declared)), 8.0, **how
            ).steps.longest.max()
        )

    assert longest() <= 8.0 / 500 * (1 + 1e-12)
    assert longest(longest_step=0.1) <= 0.1 * (1 + 1e-12) and longest(longest_step=0.1) > 0.02
    assert longest(longest_step=math.inf) > 0.2 and longest(max_step=0.5) > 0.1


def test_a_declared_step_sees_shorter_pulses():
    """A pulse of a millionth of the run, which the default cannot see."""
    p = (4.0, 8e-6, 1e5)
    assert kt.simulate(rail(kt.UserForce(box, p)), 8.0)["s.displacement"][-1] == 0.0
    with_breaks = kt.simulate(rail(kt.UserForce(box, p, breakpoints=(4.0,))), 8.0)
    assert_allclose(with_breaks["s.displacement"][-1], 0.8 * 4.0, rtol=1e-4)
    short = kt.simulate(rail(kt.UserForce(box, (0.004, 8e-6, 1e5), longest_step=2e-5)), 0.008)
    assert_allclose(short["s.displacement"][-1], 0.8 * 0.004, rtol=1e-2)


def test_a_gap_ends_steps_where_it_closes():
    """The controller declares the angle at which it switches: a step ends there."""
    p = (1.0, 0.1, 10.0)
    sol = kt.simulate(driven(p, gap=lambda t, s: s["shaft.angle"] - 1.0), 2.0, rtol=1e-8)
    assert_allclose(sol.events["c.gap"].t, [1.0], atol=1e-9)
    assert np.abs(sol.steps.t - 1.0).min() < 1e-9
    assert_allclose(sol["s.displacement"][-1], 1.0 * (2.0 - 1.05), rtol=1e-6)


def test_what_cannot_be_seen_is_said():
    """A pulse of a millionth of a second just behind a gap may be missed, but not without a word."""
    p, word = (1.0, 1e-6, 1e6), "pulses shorter than 0.001 s may be missed"  # a 2000th of the run
    assert word in str(kt.simulate(driven(p, gap=lambda t, s: s["shaft.angle"] - 1.0), 2.0))
    assert word in str(kt.simulate(rail(kt.UserForce(box, (9.0, 1.0, 1.0))), 2.0))
    assert word not in str(
        kt.simulate(rail(kt.UserForce(box, (9.0, 1.0, 1.0), longest_step=math.inf)), 2.0)
    )
    assert word not in str(
        kt.simulate(rail(kt.UserForce(box, (9.0, 1.0, 1.0))), 2.0, integrator="rk4", step=0.1)
    )
    assert word not in str(kt.simulate(rail(None), 2.0))


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_the_length_that_is_reported_as_unseen_is_the_one_that_counts(integrator):
    """Long steps are allowed by max_step: pulses longer than the report says act in full, wherever
    they are.
    """
    for begin in np.linspace(1.013, 6.97, 5):
        quiet = kt.simulate(
            rail(kt.UserForce(box, (99.0, 1.0, 1.0))),
            8.0,
            integrator=integrator,
            rtol=1e-6,
            max_step=1.0,
        )
        unseen = float(str(quiet).split("pulses shorter than ")[1].split(" s")[0])
        assert unseen >= 1.0 / 8.0 * (1 - 1e-2) * float(
            quiet.steps.longest.max()
        )  # seven probes in a step
        p = (float(begin), 1.3 * unseen, 10.0)
        sol = kt.simulate(
            rail(kt.UserForce(box, p)), 8.0, integrator=integrator, rtol=1e-6, max_step=1.0
        )
        assert_allclose(
            sol["s.displacement"][-1], p[1] * p[2] * (8.0 - p[0] - 0.5 * p[1]), rtol=1e-3
        )


@pytest.mark.parametrize(
    "bad",
    [
        {"longest_step": 0.0},
        {"longest_step": -1.0},
        {"longest_step": "x"},
        {"gap": 3.0},
        {"gap": ""},
    ],
)
def test_odd_declarations_are_refused(bad):
    with pytest.raises(kt.ModelError, match=r"longest_step|gap"):
        kt.UserForce(box, (1.0, 1.0, 1.0), **bad)
    with pytest.raises(kt.ModelError, match=r"longest_step|gap"):
        kt.Controller(at_place, ("A.angle",), {}, ("f",), **bad)
