"""Sampled controllers: against the recursion of the sampled double integrator, and what must hold
at every sample.

x_k+1 = x_k + T v_k + T^2 u_k / 2 m,     v_k+1 = v_k + T u_k / m,     u_k held over [t_k, t_k + T)
"""

import numpy as np
import pytest

import kinetree as kt
from support.compiler import said_to_be_plain

MASS, T, UNTIL = 2.0, 0.05, 1.0
GAINS = (30.0, 12.0, 8.0)


def law(t, u, x, parameters, following, out):
    """Proportional, derivative, and a sum of errors with its own memory."""
    following[0] = x[0] + (parameters[3] - u[0])
    out[0] = parameters[0] * (parameters[3] - u[0]) - parameters[1] * u[1] + parameters[2] * x[0]


def cart(function=law, **options) -> kt.Model:
    m = kt.Model("cart", gravity=(0, 0, 0))
    m.joint(
        "rail",
        kt.Translational(axis="x"),
        m.ground,
        m.body("body", kt.sphere(MASS, 0.1)),
        start={"displacement": 0.3},
    )
    m.controller(
        "pid",
        kt.Controller(
            function,
            inputs=("rail.displacement", "rail.displacement.rate"),
            states={"sum": 0.0},
            outputs=("force",),
            parameters=(*GAINS, 1.0),
            **{"period": T, **options},
        ),
    )
    m.force("motor", kt.TorsionSpring("rail.displacement", torque="pid.force"))
    return m


def recursion(samples: int, late: int = 0) -> np.ndarray:
    """Rows (x, v, sum, force held from here) at the samples; `late`: outputs act a sample later."""
    x, v, total, waiting, rows = 0.3, 0.0, 0.0, [0.0] * late, []
    for _ in range(samples + 1):
        waiting.append(GAINS[0] * (1.0 - x) - GAINS[1] * v + GAINS[2] * total)
        total, u = total + (1.0 - x), waiting.pop(0)
        rows.append((x, v, total, u))
        x, v = x + T * v + 0.5 * T * T * u / MASS, v + T * u / MASS
    return np.array(rows)


def seen(sol, until=UNTIL) -> np.ndarray:
    """The same at the samples but the last, at which a run sees the side before."""
    at = np.arange(0.0, until - T / 2, T)
    return np.column_stack(
        [
            sol.at(at)[name]
            for name in ("rail.displacement", "rail.displacement.rate", "pid.sum", "pid.force")
        ]
    )


@pytest.mark.parametrize(
    "integrator, options",
    [
        ("adams", {}),
        ("dopri5", {}),
        ("bdf", {"rtol": 1e-10}),
        ("switching", {}),
        ("bdf-direct", {"rtol": 1e-10}),
        ("rk4", {"step": 0.01}),
        ("heun", {"step": 0.013}),
        ("energy-conserving", {"step": 0.01}),
        ("generalized-alpha", {"step": 0.01}),
    ],
)
def test_a_sampled_double_integrator_follows_its_recursion(integrator, options):
    sol = kt.simulate(
        cart(), UNTIL, integrator=integrator, output_interval=T / 5, progress=False, **options
    )
    off = (
        1e-8 if "rtol" in options else 1e-7 if integrator == "generalized-alpha" else 1e-11
    )  # held forces: parabolas
    np.testing.assert_allclose(seen(sol), recursion(19), atol=off)


@pytest.mark.parametrize(
    "coordinates, formulation", [("cartesian", "augmented"), ("cartesian", "projection")]
)
def test_formulations_and_coordinates_do_not_matter(coordinates, formulation):
    sol = kt.simulate(
        cart(),
        UNTIL,
        coordinates=coordinates,
        formulation=formulation,
        output_interval=T / 5,
        progress=False,
    )
    np.testing.assert_allclose(seen(sol), recursion(19), atol=1e-8)


def test_a_delay_of_one_period_is_one_more_step_in_the_recursion():
    sol = kt.simulate(cart(delay=T), UNTIL, output_interval=T / 5, progress=False)
    np.testing.assert_allclose(seen(sol), recursion(19, late=1), atol=1e-10)


def test_outputs_with_a_delay_act_that_much_later():
    sol = kt.simulate(cart(delay=0.02), UNTIL, output_interval=0.01, progress=False)
    early, late = (
        sol.at(np.arange(1, 19) * T + 0.019)["pid.force"],
        sol.at(np.arange(1, 19) * T + 0.021)["pid.force"],
    )
    np.testing.assert_allclose(late[:-1], early[1:], atol=1e-12)
    assert sol.at(0.019)["pid.force"] == 0.0 and np.abs(np.diff(late)).min() > 1e-3


def test_the_function_is_called_once_at_each_sample_and_nowhere_else():
    times = []

    def counting(t, u, x, parameters, following, out):
        times.append(t)
        law(t, u, x, parameters, following, out)

    with said_to_be_plain():
        kt.simulate(cart(counting, begin=0.02), 0.5, progress=False, integrator="dopri5")
    np.testing.assert_allclose(times, 0.02 + T * np.arange(10), rtol=1e-15)


@pytest.mark.parametrize("t", [0.3, 0.325, 0.34])
def test_a_run_that_goes_on_from_a_state_goes_on_as_it_would_have(t):
    """At a sample, between two, and while an output is pending."""
    m = cart(delay=0.03)
    whole = kt.simulate(m, UNTIL, output_interval=0.005, progress=False, rtol=1e-10)
    rest = kt.simulate(
        m, UNTIL, state=whole.at(t), output_interval=0.005, progress=False, rtol=1e-10
    )
    at = np.arange(t + 1e-6, UNTIL - 1e-9, 0.011)  # 6 periods are a little more than 0.3
    for name in ("rail.displacement", "pid.sum", "pid.force"):
        np.testing.assert_allclose(rest.at(at)[name], whole.at(at)[name], atol=1e-8, err_msg=name)


def test_inputs_may_be_outputs_of_another_and_two_rates_live_together():
    """A slow one tells a fast one what to aim at."""

    def slow(t, u, x, parameters, following, out):
        out[0] = 1.0 if t < 0.4 else 0.5

    def fast(t, u, x, parameters, following, out):
        out[0] = 30.0 * (u[2] - u[0]) - 12.0 * u[1]

    m = kt.Model("two", gravity=(0, 0, 0))
    m.joint("rail", kt.Translational(axis="x"), m.ground, m.body("body", kt.sphere(MASS, 0.1)))
    m.controller("slow", kt.Controller(slow, outputs=("aim",), period=0.2))
    m.controller(
        "fast",
        kt.Controller(
            fast,
            inputs=("rail.displacement", "rail.displacement.rate", "slow.aim"),
            outputs=("force",),
            period=T,
        ),
    )
    m.force("motor", kt.TorsionSpring("rail.displacement", torque="fast.force"))
    sol = kt.simulate(m, 0.8, output_interval=T / 5, progress=False)
    x, v = 0.0, 0.0
    for k in range(16):
        assert sol.at(k * T)["rail.displacement"] == pytest.approx(x, abs=1e-10)
        u = 30.0 * ((1.0 if k < 8 else 0.5) - x) - 12.0 * v
        x, v = x + T * v + 0.5 * T * T * u / MASS, v + T * u / MASS


def test_a_function_that_raises_ends_the_run_with_its_name():
    def broken(t, u, x, parameters, following, out):
        if t > 0.3:
            raise ValueError("no more")

    with pytest.raises(kt.SimulationError, match=r"pid.*ValueError: no more") as caught:
        kt.simulate(cart(broken), UNTIL, progress=False)
    assert caught.value.solution.t[-1] == pytest.approx(0.3, abs=1e-3)


def test_a_value_that_is_none_ends_the_run_at_the_start():
    def broken(t, u, x, parameters, following, out):
        out[0] = np.nan

    with pytest.raises(kt.SimulationError, match="pid"):
        kt.simulate(cart(broken), UNTIL, progress=False)


@pytest.mark.parametrize(
    "wrong, words",
    [
        ({"period": 0.0}, "period"),
        ({"period": -1.0}, "period"),
        ({"period": "1"}, "period"),
        ({"delay": 0.1}, "longer than the period"),
        ({"delay": -0.1}, "delay"),
        ({"period": None, "delay": 0.1}, "give its period"),
        ({"begin": np.nan}, "begin"),
    ],
)
def test_what_cannot_be_sampled_is_refused(wrong, words):
    with pytest.raises(kt.ModelError, match=words):
        cart(**wrong)


@pytest.mark.parametrize("analysis", [kt.equilibrium, kt.linearize])
def test_analyses_of_one_instant_say_why_they_cannot(analysis):
    with pytest.raises(kt.ModelError, match=r"'pid'.*has a period"):
        analysis(cart())
