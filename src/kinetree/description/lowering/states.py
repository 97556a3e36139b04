"""States, outputs and controllers: states and outputs are numbered before anything that reads them
is lowered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...elements.controllers.contract import State
from ...elements.controllers.controller import FUNCTION, OUTPUT, RATE, STATE, VALUE
from ...elements.forces.catalogue import ENTRIES, KIND
from ...elements.signals.contract import Signal
from ...elements.user_gaps import lower_gap
from ...errors import ModelError, no_such
from ...kernel.tables.records import CONTROLLER, INPUT
from ...kernel.usercode.registry import address_of
from ..named import coordinates, rates_of_coordinates
from .sensors import body_sensor

if TYPE_CHECKING:
    from ..model import Model
    from .lower import Lowering


class StatePlace(NamedTuple):
    """Index of a state in x, and its declaration."""

    ix: int
    state: State


def declare(to: Lowering) -> None:
    """Number all states, those of elements before those of controllers, and all outputs, by name."""
    for element in to.model.with_states:
        for state in element.spec.own_states():
            to.states[f"{element.name}.{state.label}"] = StatePlace(to.nx, state)
            to.nx += 1
    for controller in to.model.controllers.values():
        for label in controller.spec.outputs:
            to.outputs[f"{controller.name}.{label}"] = len(to.outputs)


def first_state(to: Lowering, element) -> int:
    """Index of the first state of an element; 0 if it has none."""
    own = element.spec.own_states()
    return to.states[f"{element.name}.{own[0].label}"].ix if own else 0


def lower_controllers(to: Lowering) -> None:
    for element in to.model.controllers.values():
        try:
            to.rows["controllers"].append(_controller(to, element))
        except ModelError as error:
            raise type(error)(f"controller {element.name!r}: {error}") from None


def refuse_sampled(model: Model, analysis: str, instead: str) -> None:
    """Raise an error if the model has sampled controllers, whose outputs depend on the past."""
    names = [name for name, element in model.controllers.items() if element.spec.period is not None]
    if names:
        raise ModelError(
            f"{analysis}: the outputs of sampled controllers depend on earlier samples, and "
            f"{', '.join(map(repr, names))} of model {model.name!r} has a period. {instead}"
        )


def refuse_rigid(model: Model, analysis: str) -> None:
    """Raise an error if the model has unilateral elements, whose modes are known in a run only."""
    names = [name for name, e in model.forces.items() if ENTRIES[KIND[e.spec.kind]].meet]
    if names:
        raise ModelError(
            f"{analysis}: the loads of rigid contacts and stops depend on their modes, and "
            f"{', '.join(map(repr, names))} of model {model.name!r} is rigid. Use a compliant "
            "element such as kt.Contact or kt.BumpStop, or a joint or constraint that holds the "
            "mechanism in this mode."
        )


def _controller(to: Lowering, element) -> np.void:
    row, spec = np.zeros(1, CONTROLLER)[0], element.spec
    row["address"] = address_of(spec.function, "control")
    row["first"], row["count"] = to.pool(spec.parameters), len(spec.parameters)
    row["ix"], row["nx"] = first_state(to, element), len(spec.states)
    row["period"], row["delay"], row["begin"] = spec.period or 0.0, spec.delay, spec.begin
    row["io"] = sum(int(before["no"]) for before in to.rows["controllers"])
    row["no"] = len(spec.outputs)
    row["gap"] = lower_gap(to, spec.gap, "signals", spec.parameters)
    row["iu"], row["nu"] = len(to.rows["inputs"]), len(spec.inputs)
    to.rows["inputs"] += [_input(to, one, int(row["io"])) for one in spec.inputs]
    return row


def _input(to: Lowering, name: str | Signal, ready: int) -> np.void:
    """The record of an input; only outputs of earlier controllers can be read."""
    row = np.zeros(1, INPUT)[0]
    if isinstance(name, Signal):
        row["kind"], row["index"] = FUNCTION, to.signal(name, "input")
    elif name in to.states:
        row["kind"], row["index"] = STATE, to.states[name].ix
    elif name in to.outputs:
        if to.outputs[name] >= ready:
            raise ModelError(
                f"input {name!r} is not yet known when this controller runs; declare it after "
                f"{name.rpartition('.')[0]!r}, or read a state."
            )
        row["kind"], row["index"] = OUTPUT, to.outputs[name]
    elif name in (known := coordinates(to.model)):
        row["kind"], row["index"] = VALUE, to.sensor(name)
    elif (of := rates_of_coordinates(to.model).get(name)) is not None:
        row["kind"], row["index"] = RATE, to.sensor(of)
    elif (found := body_sensor(to, name)) is not None:
        row["kind"], row["index"] = found
    else:
        raise no_such(
            "input",
            name,
            [*known, *rates_of_coordinates(to.model), *to.states, *to.outputs],
            f" in model {to.model.name!r} that is known before the forces are; bodies also have a "
            "position, velocity and angular_velocity like 'hull.velocity.x'",
        )
    return row
