"""Environments of reinforcement learning: the interface of gymnasium, and the motion behind it."""

from __future__ import annotations

import sys
import warnings

import numpy as np
import pytest

import kinetree as kt
from kinetree.models.four_bar import four_bar

gymnasium = pytest.importorskip("gymnasium", reason="the program gymnasium is not installed")


def cart() -> kt.Model:
    m = kt.Model("cart-pole")
    body = m.body("cart", kt.box(mass=1.0, sides=(0.2, 0.1, 0.1)))
    m.joint("rail", kt.Translational("x"), m.ground, body)
    pole = m.body("pole", kt.rod(mass=0.1, length=1.0, along="z"))
    m.joint("pin", kt.Revolute("y"), body, pole.end("-"))
    push = kt.Input("push", start=0.0, unit="N")
    m.force("motor", kt.TorsionSpring("rail.displacement", torque=push))
    return m


OBSERVED = ("rail.displacement", "pin.angle", "rail.displacement.rate", "pin.angle.rate")


def env(**options) -> kt.gym.Env:
    usual = {
        "actions": {"push": (-10.0, 10.0)},
        "observations": OBSERVED,
        "reward": lambda o, a: 1.0 - 0.01 * float(a @ a),
        "ends": lambda o: abs(o[1]) > 0.2,
        "start": {"pin.angle": (-0.05, 0.05), "rail.displacement": (-0.1, 0.1)},
        "until": 1.0,
    }
    return kt.gym.Env(options.pop("model", None) or cart(), **{**usual, **options})


@pytest.mark.parametrize(
    "options",
    [{}, {"normalized": True}, {"integrator": "rk4"}, {"render_mode": "rgb_array"}],
)
def test_the_checker_of_gymnasium_finds_no_fault(options):
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # observations have no bounds, and an environment that is not registered has no spec
        warnings.filterwarnings("ignore", message=".*(infinity|spec|render|asymmetric|symmetric).*")
        check_env(env(**options), skip_render_check=False)


def test_the_motion_is_that_of_simulate():
    e = env(rtol=1e-9, ends=None)
    observation, _ = e.reset(seed=3)
    start = dict(zip(OBSERVED[:2], observation))
    pushes = [3.0, -5.0, 1.0]
    for push in pushes:
        observation, *_ = e.step(np.array([push], np.float32))
    force = kt.Function(lambda t: pushes[min(int(t / 0.02 + 1e-9), 2)], breakpoints=[0.02, 0.04])
    m = cart()
    del m.forces["motor"]
    m.force("motor", kt.TorsionSpring("rail.displacement", torque=force))
    sol = kt.simulate(m, 0.06, rtol=1e-9, state=start)
    np.testing.assert_allclose(observation, [sol[name][-1] for name in OBSERVED], atol=1e-8)


def test_seeds_repeat_episodes_and_stay_in_their_ranges():
    e = env()
    first = [e.reset(seed=7)[0], *(e.reset()[0] for _ in range(20))]
    again = [e.reset(seed=7)[0], *(e.reset()[0] for _ in range(20))]
    np.testing.assert_array_equal(first, again)
    assert np.ptp(first, axis=0)[0] > 0.1
    assert np.abs(first).max(axis=0)[1] <= 0.05


def test_episodes_end_and_are_truncated():
    e = env(ends=None, until=0.1)
    e.reset(seed=0)
    late = [e.step(np.zeros(1, np.float32))[3] for _ in range(5)]
    assert late == [False] * 4 + [True]
    e = env(until=None)
    e.reset(options={"start": {"pin.angle": 0.19}})
    ended = [e.step(np.zeros(1, np.float32))[2] for _ in range(20)]
    assert ended[-1] and not ended[0]


def test_normalized_actions_are_scaled_to_the_range():
    a, b = env(), env(normalized=True)
    for e in (a, b):
        e.reset(seed=1)
    full, part = a.step(np.array([5.0], np.float32))[:2], b.step(np.array([0.5], np.float32))[:2]
    np.testing.assert_allclose(full[0], part[0], atol=1e-12)
    assert full[1] == part[1] == pytest.approx(0.75)  # the reward sees the units of the input


def test_models_with_loops_and_drawn_starts():
    m = four_bar()
    m.force("motor", kt.TorsionSpring("A.angle", torque=kt.Input("torque")))
    e = env(model=m, actions={"torque": (-5.0, 5.0)}, observations=("A.angle", "B.angle"),
            start=lambda rng: {"A.angle": rng.uniform(0.9, 1.1)}, ends=None)  # fmt: skip
    first, _ = e.reset(seed=2)
    assert 0.9 <= first[0] <= 1.1
    e.step(np.array([5.0], np.float32))
    assert abs(e.stepper["constraint.position"]) < 1e-12


def test_pictures_show_the_motion():
    e = env(render_mode="rgb_array", ends=None)
    e.reset(seed=0)
    before = e.render()
    for _ in range(30):
        e.step(np.array([10.0], np.float32))
    after = e.render()
    assert before.dtype == np.uint8 and before.shape == after.shape == (360, 480, 3)
    assert (before != after).any(axis=2).mean() > 0.001


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"actions": {"pull": (-1.0, 1.0)}}, "pull"),
        ({"actions": {"push": (1.0, -1.0)}}, "smaller and a larger"),
        ({"observations": ("pin.angel",)}, "pin.angel"),
        ({"start": {"pin.angel": (0.0, 1.0)}}, "angel"),
        ({"render_mode": "human"}, "render_mode"),
        ({"reward": 1.0}, "reward"),
        ({"interval": 0.0}, "interval"),
    ],
)
def test_wrong_arguments_are_refused_in_words(options, message):
    with pytest.raises(kt.KinetreeError, match=message):
        env(**options)


def test_a_missing_gymnasium_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "kinetree.exchange.gym.env", raising=False)
    monkeypatch.delattr(kt.gym, "env", raising=False)
    with pytest.raises(kt.ModelError, match=r"kinetree\[gym\]"):
        kt.gym.Env  # noqa: B018
