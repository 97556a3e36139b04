"""A controller that cannot be right is refused by name, with the reason and what is allowed."""

import math

import pytest

import kinetree as kt

from .machines import controlled_pendulum, lag, lagged_mass, pid

NAN, INF = math.nan, math.inf
FIELDS = {
    "function": (
        lambda v: kt.Controller(v, outputs=("a",)),
        "function must be callable",
        (None, 1.0, "f", {}),
    ),
    "inputs": (
        lambda v: kt.Controller(lag, v, outputs=("a",)),
        "inputs must be",
        (None, 1.0, "A.angle", (1,), (None,), {}),
    ),
    "outputs": (
        lambda v: kt.Controller(lag, (), {"s": 0.0}, v),
        "outputs must be",
        (None, 1.0, "torque", (1,), {}),
    ),
    "labels": (
        lambda v: kt.Controller(lag, (), {}, v),
        "named by text|more than one",
        (("",), ("a.b",), (" a",), ("a", "a")),
    ),
    "states": (
        lambda v: kt.Controller(lag, (), v),
        "states must be",
        (None, 1.0, "s", ("s",), [1.0]),
    ),
    "state labels": (
        lambda v: kt.Controller(lag, (), {v: 0.0}),
        "named by text",
        ("", "a.b", 1, None, " a", "a\n"),
    ),
    "initial values": (
        lambda v: kt.Controller(lag, (), {"s": v}),
        "state 's'",
        (NAN, INF, "1e-3", True, None, 1e308, [1.0]),
    ),
    "nothing": (lambda v: kt.Controller(lag, (), v), "at least one state or output", ({},)),
    "parameters": (
        lambda v: kt.Controller(lag, (), {"s": 0.0}, (), v),
        "parameters",
        (None, 1.0, "abc", (NAN,), (1.0, "2")),
    ),
    "scales": (
        lambda v: kt.Controller(lag, (), {"s": 0.0}, scales=v),
        "scale",
        (1.0, "s", {"s": 0.0}, {"s": -1.0}, {"s": NAN}, {"s": "1"}, {"r": 1.0}),
    ),
    "units": (
        lambda v: kt.Controller(lag, (), {"s": 0.0}, units=v),
        "unit",
        (1.0, "s", {"s": 1.0}, {"r": "m"}),
    ),
}


@pytest.mark.parametrize(
    "give, says, value",
    [
        pytest.param(give, says, v, id=f"{name}={v}")
        for name, (give, says, bad) in FIELDS.items()
        for v in bad
    ],
)
def test_a_wrong_field_of_a_controller_is_refused(give, says, value):
    with pytest.raises(kt.ModelError, match=f"Controller: .*({says})"):
        give(value)


@pytest.mark.parametrize(
    "name", ["A.angel", "B.angle", "pid.torque.rate", "nobody", "lag.level.rate"]
)
def test_an_unknown_input_is_refused_with_all_that_can_be_read(name):
    m = controlled_pendulum()
    m.controller("new", kt.Controller(lag, (name,), {"s": 0.0}))
    with pytest.raises(
        kt.ModelError,
        match=r"controller 'new': no input named (.|\n)*A\.angle, .*lag\.level.*lag\.torque",
    ):
        kt.assemble(m)


@pytest.mark.parametrize(
    "element",
    [
        lambda name: kt.TorsionSpring("A.angle", torque=name),
        lambda name: kt.TorsionSpring("A.angle", damping=name),
    ],
)
@pytest.mark.parametrize("name", ["pid", "pid.integral", "pid.torqe", "A.angle"])
def test_an_unknown_output_is_refused_with_those_there_are(element, name):
    m = controlled_pendulum()
    m.force("new", element(name))
    with pytest.raises(
        kt.ModelError, match=r"force 'new': no output named (.|\n)*pid\.torque, lag\.torque"
    ):
        kt.assemble(m)


def test_an_output_that_is_computed_later_is_refused():
    m = lagged_mass()
    m.controller("first", kt.Controller(lag, ("second.b",), {"s": 0.0}, ("a",), (1.0,)))
    m.controller("second", kt.Controller(lag, ("first.a",), {"s": 0.0}, ("b",), (1.0,)))
    with pytest.raises(
        kt.ModelError,
        match=r"controller 'first': input 'second\.b' is not yet known .* after 'second'",
    ):
        kt.assemble(m)


def test_a_driver_cannot_follow_a_controller():
    m = controlled_pendulum()
    m.constraint("drive", kt.Driver("A.angle", "pid.torque"))
    with pytest.raises(
        kt.ModelError,
        match=r"constraint 'drive': motion is a function of time, not the output 'pid\.torque'",
    ):
        kt.assemble(m)


@pytest.mark.parametrize("taken", ["rod", "A", "motor", "pid", "ground"])
def test_names_of_controllers_are_unique_in_the_model(taken):
    with pytest.raises(kt.ModelError, match="the name is taken"):
        controlled_pendulum().controller(taken, kt.Controller(pid, (), {"s": 0.0}))


def test_a_controller_takes_its_name_from_later_elements():
    m = controlled_pendulum()
    with pytest.raises(kt.ModelError, match="taken by a controller"):
        m.body("pid", kt.sphere(1.0, 0.1))


def test_something_else_than_a_controller_is_refused():
    with pytest.raises(kt.ModelError, match=r"controller 'c': give a kt\.Controller"):
        controlled_pendulum().controller("c", pid)
