"""States of user code move with the machine: in every formulation, coordinate set and integrator,
and by name.
"""

import math

import numpy as np
import pytest

import kinetree as kt
from kinetree.assembly.build import build
from kinetree.engine.formulations.catalogue import FORMULATIONS
from support.compiler import said_to_be_plain

from .machines import CHANNELS, controlled_pendulum, lagged_mass, pid, reference

UNTIL = 0.8
LOOPS = [f.name for f in FORMULATIONS if f.loops and f.exact]


@pytest.fixture(scope="module")
def expected() -> np.ndarray:
    return reference(UNTIL)


def final(sol) -> np.ndarray:
    return np.array([sol[name][-1] for name in CHANNELS])


def run(**options):
    return kt.simulate(controlled_pendulum(), until=UNTIL, output_interval=UNTIL / 4, **options)


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_controlled_pendulum_moves_as_its_equations_say(coordinates, expected):
    np.testing.assert_allclose(final(run(coordinates=coordinates, rtol=1e-10)), expected, atol=1e-8)


@pytest.mark.parametrize("formulation", LOOPS)
def test_every_formulation_carries_the_states_along(formulation, expected):
    sol = run(coordinates="cartesian", formulation=formulation, rtol=1e-10)
    np.testing.assert_allclose(final(sol), expected, atol=1e-8)


def test_constraint_stabilisation_carries_the_states_along(expected):
    sol = run(coordinates="cartesian", formulation="baumgarte", rtol=1e-10)
    np.testing.assert_allclose(
        final(sol), expected, atol=1e-7
    )  # the constraints drift by what is stabilised away


@pytest.mark.parametrize(
    "integrator, options",
    [
        ("dopri5", {"rtol": 1e-10}),
        ("rk4", {"step": 1e-3}),
        ("bdf", {"rtol": 1e-11}),
        ("switching", {"rtol": 1e-10}),
    ],
)
def test_every_integrator_carries_the_states_along(integrator, options, expected):
    np.testing.assert_allclose(final(run(integrator=integrator, **options)), expected, atol=1e-8)


def test_states_and_outputs_are_channels_with_units():
    sol = run()
    assert {name: sol.unit(name) for name in ("pid.integral", "pid.torque", "lag.level")} == {
        "pid.integral": "rad s",
        "pid.torque": "N m",
        "lag.level": "1",
    }
    assert set(CHANNELS) < set(sol.names())
    error = 0.5 - sol["A.angle"]
    np.testing.assert_allclose(
        sol["pid.torque"],
        40.0 * error + 30.0 * sol["pid.integral"] - 6.0 * sol["A.rate"],
        rtol=1e-12,
    )
    np.testing.assert_allclose(sol["motor.torque"], sol["lag.level"], rtol=1e-12)


def test_states_between_samples_are_as_good_as_positions():
    sol = kt.simulate(controlled_pendulum(), until=UNTIL, output_interval=0.02, rtol=1e-11)
    fine = kt.simulate(controlled_pendulum(), until=UNTIL, output_interval=0.01, rtol=1e-11)
    wanted = fine.t[1::2]
    for name in CHANNELS:  # cubic between samples: h^4 / 384 of the fourth derivative, 11^4 at most
        np.testing.assert_allclose(
            sol.at(wanted)[name], fine[name][1::2], atol=2e-5 * np.ptp(fine[name]), err_msg=name
        )


def test_tolerances_follow_the_scale_of_a_state():
    """A state counted in millions of small units must not cost more steps than the same state
    counted in ones.
    """

    def slow(t, u, x, parameters, xdot, out):
        xdot[0] = parameters[0] * math.cos(5.0 * t) * 5.0
        out[0] = x[0] / parameters[0]

    steps = []
    for size in (1.0, 1e6):
        m = controlled_pendulum()
        m.controller(
            "slow", kt.Controller(slow, (), {"a": 0.0}, ("b",), (size,), scales={"a": size})
        )
        sol = kt.simulate(m, until=UNTIL)
        steps.append(sol.statistics["accepted"])
        np.testing.assert_allclose(sol["slow.b"], np.sin(5.0 * sol.t), atol=1e-7)
    assert steps[0] == steps[1]


@pytest.mark.filterwarnings("ignore::kinetree.kernel.usercode.registry.SlowCallback")
def test_plain_python_controllers_give_the_same_motion(expected):
    class Slow:
        def __call__(self, t, u, x, parameters, xdot, out):
            pid(t, u, x, parameters, xdot, out)

    m = controlled_pendulum()
    spec = m.controllers["pid"].spec
    with said_to_be_plain():
        build(
            _with(
                m,
                pid=kt.Controller(Slow(), spec.inputs, spec.states, spec.outputs, spec.parameters),
            )
        )
    slow = _with(
        m, pid=kt.Controller(Slow(), spec.inputs, spec.states, spec.outputs, spec.parameters)
    )
    np.testing.assert_allclose(
        final(kt.simulate(slow, until=UNTIL, rtol=1e-10)), expected, atol=1e-8
    )


def _with(m: kt.Model, **controllers) -> kt.Model:
    """The same model with other controllers under the same names."""
    from kinetree.description.model import Element

    return m.variant(
        controllers={
            name: Element(name, controllers.get(name, e.spec), ())
            for name, e in m.controllers.items()
        }
    )


def test_user_code_cannot_change_the_state_it_is_shown(expected):
    def greedy(t, u, x, parameters, xdot, out):
        error = parameters[0] - u[0]
        xdot[0] = error
        out[0] = parameters[1] * error + parameters[2] * x[0] - parameters[3] * u[1]
        x[0], u[0] = 1e9, 1e9

    m = controlled_pendulum()
    spec = m.controllers["pid"].spec
    sol = kt.simulate(
        _with(
            m, pid=kt.Controller(greedy, spec.inputs, spec.states, spec.outputs, spec.parameters)
        ),
        until=UNTIL,
        rtol=1e-10,
    )
    np.testing.assert_allclose(final(sol), expected, atol=1e-8)


def test_a_model_is_the_same_model_whatever_the_address_of_its_code():
    m, spec = lagged_mass(), lagged_mass().controllers["drive"].spec
    assert build(m).hash == build(_with(m, drive=spec)).hash
    other = _with(
        m,
        drive=kt.Controller(
            spec.function, spec.inputs, spec.states, spec.outputs, (51.0, 0.3), spec.scales
        ),
    )
    assert build(m).hash != build(other).hash


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_assembly_starts_states_at_their_initial_values(coordinates):
    assembly = kt.assemble(controlled_pendulum(), coordinates=coordinates)
    found = {name: assembly.x[place.ix] for name, place in assembly.compiled.states.items()}
    assert found == {"pid.integral": 0.1, "lag.level": 0.0, "follower.level": 0.2}


# --- faults
# -------------------------------------------------------------------------------------------------------


def faulty(function, states=None, outputs=("torque",)):
    m = kt.Model("faulty")
    rod = m.body("rod", kt.rod(1.0, 1.0, along="z"))
    m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("+"), start={"angle": 0.3})
    m.controller(
        "bad",
        kt.Controller(function, ("A.angle",), {"s": 0.0} if states is None else states, outputs),
    )
    if outputs:
        m.force("motor", kt.TorsionSpring("A.angle", torque="bad.torque"))
    return m


def nan_rate(t, u, x, parameters, xdot, out):
    xdot[0] = math.sqrt(0.5 - t) if t < 0.5 else math.nan


def nan_output(t, u, x, parameters, xdot, out):
    out[0] = 1.0 if t < 0.5 else math.inf


def raising(t, u, x, parameters, xdot, out):
    if t > 0.5:
        raise ValueError("too late")


@pytest.mark.parametrize("integrator", ["adams", "dopri5", "bdf", "switching"])
@pytest.mark.parametrize(
    "function, outputs, said",
    [
        (nan_rate, (), "rate of state 'bad.s'"),
        (nan_output, ("torque",), "output 'bad.torque'"),
        (raising, ("torque",), "'bad"),
    ],
)
def test_a_rate_or_output_without_value_is_named_with_its_controller_and_time(
    function, outputs, said, integrator
):
    with pytest.raises(kt.SimulationError, match=said) as caught:
        kt.simulate(faulty(function, outputs=outputs), until=1.0, integrator=integrator)
    assert caught.value.element == "bad"
    assert caught.value.t == pytest.approx(0.5, abs=1e-3)
    assert np.isfinite(caught.value.solution.y).all()


@pytest.mark.filterwarnings("ignore::kinetree.kernel.usercode.registry.SlowCallback")
def test_an_exception_in_plain_python_is_told_with_the_name_of_the_controller():
    class Raising:
        def __call__(self, t, u, x, parameters, xdot, out):
            raise ValueError("no signal")

    with pytest.raises(
        kt.SimulationError, match=r"user code of 'bad' raised ValueError: no signal"
    ):
        kt.simulate(faulty(Raising()), until=1.0)
