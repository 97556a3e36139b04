"""What the user calls an event: a value that changes its sign, and what then happens.

kt.simulate(m, 5.0, events=[kt.Event("ball.position.z", direction=-1, then=bounce),
                            kt.Event(lambda t, s: s["A.angle"] + s["B.angle"] - 1.0, terminal=True,
                            name="folded")])

def bounce(t, s):
    return {"ball.velocity.z": -0.8 * s["ball.velocity.z"]}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from ...core.checks import flag, instance, items
from ...description.model import Model
from ...errors import ModelError, short
from ...kernel.frames import number


@dataclass(frozen=True)
class Event:
    """A channel that passes a level, or a function of the state that passes zero.

    what        name of a scalar channel, like "A.angle" or "ball.position.z"; or a function f(t, s)
                of the time and of a
                moment s, which has every channel by name (`s["A.angle"]`), and `s.q`, `s.v`, `s.x`
    level       the value to be passed (1, or the unit of the channel)
    direction   +1: only rising, -1: only falling, 0: both
    terminal    True: the run ends there; a number n: at the n-th time; a function g(t, s): where
                that is true
    then        a function h(t, s) called there, which answers what changes, as a dict: speeds after
                an impact
                ("ball.velocity.z", "A.rate"), and new values of states ("clutch.engaged"); or all
                velocities, as an array like `s.v`; or None. Whatever is not said follows from the
                constraints, by the least change in the mass metric
    restart     whether a step ends there and the method starts anew, as at a break: for laws that
                are not smooth there
    name        what `sol.events` calls it; by default the channel or the name of the function

    Example: a ball that keeps 80 % of its speed at the floor, and a run that ends at its fifth
    contact.

        def bounce(t, s):
            return {"ball.velocity.z": -0.8 * s["ball.velocity.z"]}

        sol = kt.simulate(model, 5.0, events=kt.Event("ball.position.z", direction=-1, then=bounce,
        terminal=5, name="floor"))
        sol.events["floor"].t
    """

    what: str | Callable[[float, Any], float]
    level: float = 0.0
    direction: int = 0
    terminal: bool | int | Callable[[float, Any], bool] = False
    then: Callable[[float, Any], Any] | None = None
    restart: bool = False
    name: str = ""

    def __post_init__(self) -> None:
        if not (isinstance(self.what, str) and self.what) and not callable(self.what):
            raise ModelError(
                'kt.Event: give the name of a channel, like "A.angle", or a function f(t, s); '
                f"got {short(self.what)}."
            )
        if not isinstance(self.name, str):
            raise ModelError(f"kt.Event: name must be text, got {short(self.name)}.")
        name = self.name or (
            self.what if isinstance(self.what, str) else getattr(self.what, "__name__", "event")
        )
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "level", number(self.level, f"event {name!r}: level"))
        flag(self.restart, f"event {name!r}: restart")
        direction = number(self.direction, f"event {name!r}: direction")
        if direction not in (-1.0, 0.0, 1.0):
            raise ModelError(
                f"event {name!r}: direction must be -1 (falling), 0 (both) or +1 (rising), "
                f"got {short(self.direction)}."
            )
        object.__setattr__(self, "direction", int(direction))
        if not (
            callable(self.terminal)
            or (
                isinstance(self.terminal, Integral)
                and not isinstance(self.terminal, np.timedelta64)
                and self.terminal >= 0
            )
        ):
            raise ModelError(
                f"event {name!r}: terminal must be True, False, a number of times or a function "
                "g(t, s), "
                f"got {short(self.terminal)}."
            )
        if self.then is not None and not callable(self.then):
            raise ModelError(
                f"event {name!r}: then must be a function h(t, s), got {short(self.then)}."
            )


def kinks(model: Model) -> tuple[Event, ...]:
    """Events at which the laws of the model's force elements are not smooth, such as the end stops
    of cylinders.

    With `kt.simulate(..., events=kt.kinks(model))` steps end there and the method starts anew.
    """
    forces = instance(model, Model, "kinks: model").forces
    return tuple(
        Event(f"{name}.{reading}", level, restart=True, name=f"{name}.{reading} = {level:g}")
        for name, element in forces.items()
        for reading, level in element.spec.kinks
    )


def gaps(model: Model) -> tuple[Event, ...]:
    """Events at which user code switches, as it declares by `gap=`: steps end there."""
    found = {name: getattr(element.spec, "gap", None) for name, element in model.forces.items()}
    found.update({name: element.spec.gap for name, element in model.controllers.items()})
    return tuple(
        Event(gap, restart=True, name=f"{name}.gap")
        for name, gap in found.items()
        if gap is not None
    )


def events_of(given: Any, taken: Iterable[str] = ()) -> tuple[Event, ...]:
    """The events of a request: one or several of events, names of channels, functions (with SciPy's
    attributes).
    """
    several = [given] if isinstance(given, str | Event) or callable(given) else given
    several = items(
        several, "simulate: events", "a list of kt.Event, names of channels or functions f(t, s)"
    )
    events: list[Event] = []
    used = set(taken)
    for one in several:
        event = one if isinstance(one, Event) else _plain(one)
        if event.name in used:
            raise ModelError(
                f"events: the name {event.name!r} is taken; give another with kt.Event(..., "
                "name=...)."
            )
        used.add(event.name)
        events.append(event)
    return tuple(events)


def _plain(given: Any) -> Event:
    if isinstance(given, str):
        return Event(given)
    return Event(
        given, direction=getattr(given, "direction", 0), terminal=getattr(given, "terminal", False)
    )
