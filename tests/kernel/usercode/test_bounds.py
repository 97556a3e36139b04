"""User code cannot read or write beyond the arrays it is given: the error names the element, the
index and the size.
"""

import numpy as np
import pytest

import kinetree as kt
from kinetree.engine.integrators.catalogue import INTEGRATORS
from support.compiler import njit
from support.methods import PLAIN

from .machines import METHODS, with_controllers, with_force, with_law, with_signal

TABLE = np.array([1.0, 2.0, 3.0])


def rate_without_states(t, u, x, parameters, xdot, out):
    out[0] = 1.0
    xdot[0] = 5.0


def second_of_one_output(t, u, x, parameters, xdot, out):
    out[1] = 99.0


def input_that_is_not_there(t, u, x, parameters, xdot, out):
    out[0] = u[7]


def too_far_back(t, u, x, parameters, xdot, out):
    out[0] = u[-2]


def by_a_loop(t, u, x, parameters, xdot, out):
    for k in range(1000):
        out[k] = 1e30


def force_that_would_be_a_torque(t, a, b, parameters, force, torque):
    force[5] = 1.0


def parameter_that_is_not_there(t, a, b, parameters, force, torque):
    force[0] = parameters[2]


def marker_beyond_its_end(t, a, b, parameters, force, torque):
    force[0] = b.position[3]


@njit
def reach(values, k):
    return values[k]


def helper_of_a_law(t, x, xdot):
    return reach(TABLE, 3)


def signal_from_a_table(t):
    return TABLE[int(100.0 * t) + 3]


@pytest.mark.parametrize("method, options", METHODS)
def test_a_write_into_the_state_of_another_controller_is_an_error(method, options):
    with pytest.raises(
        kt.SimulationError, match=r"'first' raised IndexError: index 0 is out of bounds .* size 0"
    ) as caught:
        kt.simulate(with_controllers(rate_without_states), 0.2, integrator=method, **options)
    assert caught.value.element == "first"


CASES = [
    (with_controllers, second_of_one_output, "first", 1, 1),
    (with_controllers, input_that_is_not_there, "first", 7, 1),
    (with_controllers, too_far_back, "first", -2, 1),
    (with_controllers, by_a_loop, "first", 1, 1),
    (with_force, force_that_would_be_a_torque, "user", 5, 3),
    (with_force, marker_beyond_its_end, "user", 3, 3),
    (lambda f: with_force(f, (1.0, 2.0)), parameter_that_is_not_there, "user", 2, 2),
    (with_law, helper_of_a_law, "law", 3, 3),
    (with_signal, signal_from_a_table, "push", 3, 3),
]


@pytest.mark.parametrize(
    "build, function, element, index, size", CASES, ids=[case[1].__name__ for case in CASES]
)
def test_an_index_out_of_bounds_is_reported_with_element_index_and_size(
    build, function, element, index, size
):
    with pytest.raises(
        kt.SimulationError, match=rf"index {index} is out of bounds .* size {size}"
    ) as caught:
        kt.simulate(build(function), 0.2)
    assert caught.value.element == element and f"'{element}'" in str(caught.value)


def beyond(t, y, ydot):
    ydot[0] = -y[0]
    ydot[1] = 1.0


@pytest.mark.parametrize(
    "method, options", [one for one in METHODS if one[0] in {entry.name for entry in PLAIN}]
)
def test_an_equation_that_writes_beyond_its_end_is_an_error(method, options):
    with pytest.raises(
        kt.SimulationError, match=r"f raised IndexError: index 1 is out of bounds .* size 1"
    ):
        kt.solve_ode(beyond, (1.0,), 0.2, integrator=method, **options)


def test_negative_indices_count_from_the_end_as_in_numpy():
    def last(t, u, x, parameters, xdot, out):
        xdot[-1] = -2.0 * x[-1]
        out[-2] = x[-2]

    sol = kt.simulate(with_controllers(last, {"s": 1.0, "r": 3.0}, ("a", "b")), 0.5)
    assert sol["first.r"][-1] == pytest.approx(3.0 * np.exp(-1.0), rel=1e-6)
    assert sol["first.s"][-1] == 1.0 and sol["first.a"][-1] == 1.0 and sol["first.b"][-1] == 0.0
    assert sol["second.level"][-1] == pytest.approx(np.exp(-0.5), rel=1e-6)


@pytest.mark.filterwarnings("ignore::kinetree.kernel.usercode.registry.SlowCallback")
def test_parameters_and_the_state_of_an_equation_cannot_be_written():
    def greedy(t, a, b, parameters, force, torque):
        parameters[0] = 1e9

    def careless(t, y, ydot):
        y[0] = 7.0

    model = with_force(greedy, (1.0,))
    with pytest.raises(kt.SimulationError, match=r"'user' raised ValueError: .*read-only"):
        kt.simulate(model, 0.1)
    with pytest.raises(kt.SimulationError, match=r"f raised ValueError: .*read-only"):
        kt.solve_ode(careless, (1.0,), 0.1)


def test_every_integrator_is_tried():
    assert {name for name, _ in METHODS} == {entry.name for entry in INTEGRATORS}
