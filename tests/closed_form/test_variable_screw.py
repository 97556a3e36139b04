"""A screw of varying pitch against its Lagrangian, in the tree and cut.

T = (I + m T'(a)^2) a'^2 / 2,  U = m g T(a):   (I + m T'^2) a'' + m T' T'' a'^2 + m g T' = 0
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import kinetree as kt

TURN = 2.0 * np.pi
MASS, SIDES, G = 1.3, (0.2, 0.3, 0.1), 9.81
INERTIA = MASS * (SIDES[0] ** 2 + SIDES[1] ** 2) / 12.0
CLOSE = 1e-8  # rtol 1e-11 over some hundred steps
ways = pytest.mark.parametrize("way", [{}, {"coordinates": "cartesian"}], ids=["tree", "cut"])


def nut(screw, swapped=False) -> kt.Model:
    m = kt.Model("nut")
    body = m.body("nut", kt.box(MASS, SIDES))
    ends = (body, m.ground) if swapped else (m.ground, body)
    m.joint("screw", screw, *ends, start={"angle": 0.7}, speed={"angle": 9.0})
    return m


def run(model, way, until=1.5, **options):
    return kt.simulate(
        model, until, rtol=1e-11, output_interval=0.05, progress=False, **options, **way
    )


@ways
def test_a_screw_of_linear_pitch_follows_its_lagrangian(way):
    """pitch = 0.5 + 0.004 a between -50 and 50 rad."""
    screw = kt.VariableScrew("z", (-50.0, 50.0), (0.3, 0.7), smooth=False)
    sol = run(nut(screw), way)
    slope = lambda a: (0.5 + 0.004 * a) / TURN  # noqa: E731
    bend = 0.004 / TURN

    def rhs(t, y):
        a, rate = y
        force = MASS * slope(a) * (bend * rate**2 + G)
        return [rate, -force / (INERTIA + MASS * slope(a) ** 2)]

    known = solve_ivp(rhs, (0, 1.5), [0.7, 9.0], t_eval=sol.t, rtol=1e-12, atol=1e-12).y
    assert np.abs(known[0]).max() < 50.0
    np.testing.assert_allclose(sol["screw.angle"], known[0], atol=20 * CLOSE)
    np.testing.assert_allclose(sol["screw.angle.rate"], known[1], atol=100 * CLOSE)
    travel = (0.5 * known[0] + 0.002 * known[0] ** 2) / TURN
    np.testing.assert_allclose(sol["nut.position.z"], travel, atol=CLOSE)
    assert np.ptp(sol.energy.total) < 1e-8 * np.ptp(sol.energy.kinetic)


@ways
def test_a_constant_pitch_is_the_screw_joint(way):
    varying = run(nut(kt.VariableScrew("z", (-1.0, 2.0, 5.0), (0.4, 0.4, 0.4))), way)
    constant = run(nut(kt.Screw("z", pitch=0.4)), way)
    np.testing.assert_allclose(varying["screw.angle"], constant["screw.angle"], atol=CLOSE)
    np.testing.assert_allclose(varying["screw.force"], constant["screw.force"], atol=1e-6)


def test_smooth_pitches_pass_through_the_given_ones_and_are_constant_beyond():
    angles, pitch = (-2.0, 0.0, 3.0), (0.5, 0.2, 0.9)
    screw = kt.VariableScrew("z", angles, pitch)
    travel = lambda a: screw.offset([a])[2]  # noqa: E731
    h = 1e-6
    for a, p in zip((*angles, -9.0, 9.0), (*pitch, 0.5, 0.9)):
        slope = (travel(a + h) - travel(a - h)) / (2.0 * h)
        assert TURN * slope == pytest.approx(p, abs=1e-8)  # central difference: rounding 1e-16 / h
    assert travel(0.0) == 0.0


def test_the_joint_moves_the_same_seen_from_its_child():
    screw = kt.VariableScrew("z", (-9.0, 0.0, 9.0), (0.3, 0.5, 0.8))
    there, back = (run(nut(screw, swapped), {}) for swapped in (False, True))
    cut = run(nut(screw, True), {"coordinates": "cartesian"})
    assert back.compiled.joints["screw"].reversed and not there.compiled.joints["screw"].reversed
    np.testing.assert_allclose(back["nut.position"], cut["nut.position"], atol=CLOSE)


@ways
def test_a_driver_turns_the_screw_through_many_turns(way):
    screw = kt.VariableScrew("z", (0.0, 40.0), (0.05, 0.1))
    m = kt.Model("driven")
    m.joint("screw", screw, m.ground, m.body("nut", kt.box(MASS, SIDES)))
    m.constraint("motor", kt.Driver("screw.angle", kt.Ramp(30.0)))
    sol = run(m, way, 1.0)
    np.testing.assert_allclose(sol["screw.angle"], 30.0 * sol.t, atol=CLOSE)
    known = [screw.offset([30.0 * t])[2] for t in sol.t]
    np.testing.assert_allclose(sol["nut.position.z"], known, atol=CLOSE)


@pytest.mark.parametrize(
    "given, sentence",
    [
        ({"angles": (1.0,), "pitch": (0.1,)}, "at least two and increase"),
        ({"angles": (1.0, 0.0)}, "at least two and increase"),
        ({"pitch": (0.1, -0.1)}, "must not change its sign"),
        ({"pitch": (0.1, 0.2, 0.3)}, "pitch"),
    ],
)
def test_wrong_numbers_are_refused(given, sentence):
    with pytest.raises(kt.ModelError, match=sentence):
        kt.VariableScrew(**given)
