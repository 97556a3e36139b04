"""Events of a run: a value that changes its sign, and what happens then.

kt.simulate(m, 5.0, events=[
    kt.Event("ball.position.z", direction=-1, then=bounce),
    kt.Event(lambda t, s: s["A.angle"] + s["B.angle"] - 1.0, terminal=True, name="folded"),
])

def bounce(t, s):
    return {"ball.velocity.z": -0.8 * s["ball.velocity.z"]}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np

from ...core.checks import flag, instance, items
from ...description.model import Model
from ...elements.user_gaps import bounds_steps
from ...errors import ModelError, explains_arguments, short
from ...kernel.frames import number


@dataclass(frozen=True)
class Event:
    """A channel that crosses a level, or a function of the state that crosses zero.

    Parameters
    ----------
    what : str or callable
        Name of a scalar channel, such as "A.angle" or "ball.position.z", or a function ``f(t, s)``
        of the time (s) and the state s. ``s["A.angle"]`` is the value of a channel at that time;
        ``s.q``, ``s.v`` and ``s.x`` are the state vectors.
    level : float, default 0.0
        Level to be crossed, in the unit of the channel.
    direction : {0, 1, -1}, default 0
        Which crossings count: both, only rising (1) or only falling (-1).
    terminal : bool, int or callable, default False
        True ends the run at the first occurrence, an integer n at the n-th one, and a function
        ``g(t, s)`` at the first one for which it returns True.
    then : callable, optional
        Function ``h(t, s)`` that is called at each occurrence and returns the changes: a dict of
        speeds after an impact ("ball.velocity.z", "A.rate") and of element states
        ("clutch.engaged"), an array of all velocities like ``s.v``, or None. Velocities that are
        not in the dict follow from the constraints, with the smallest change in the mass norm.
    restart : bool, default False
        Whether a step ends at the event and the integrator restarts there, as at a breakpoint. Use
        it for force laws that are not smooth at the event.
    name : str, default ""
        Name in ``sol.events``; if empty, the channel or the name of the function.

    Notes
    -----
    Each step carries an interpolating polynomial. Event functions are sampled at eight points of
    each step, and a change of sign is located to rounding.

    Example: a ball keeps 80 % of its speed at the floor, and the run ends at the third contact.

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("ball")
    >>> ball = m.body("ball", kt.sphere(mass=1.0, radius=0.1), position=(0.0, 0.0, 1.0))
    >>> free = m.float(ball)
    >>> def bounce(t, s):
    ...     return {"ball.velocity.z": -0.8 * s["ball.velocity.z"]}
    >>> floor = kt.Event("ball.position.z", direction=-1, then=bounce, terminal=3, name="floor")
    >>> sol = kt.simulate(m, 5.0, events=floor)
    >>> len(sol.events["floor"].t)
    3
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


@explains_arguments
def kinks(model: Model) -> tuple[Event, ...]:
    """Return events where the laws of the force elements of a model are not smooth.

    Such places are the end stops of cylinders, for example. With
    ``kt.simulate(m, until, events=kt.kinks(m))`` a step ends at each of them and the integrator
    restarts there.

    Parameters
    ----------
    model : Model
        The model.

    Returns
    -------
    tuple of Event
        One event per kink, named "<element>.<channel> = <level>".

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.excavator import excavator
    >>> events = kt.kinks(excavator())
    >>> all(event.restart for event in events)
    True
    """
    forces = instance(model, Model, "kinks: model").forces
    return tuple(
        Event(f"{name}.{reading}", level, restart=True, name=f"{name}.{reading} = {level:g}")
        for name, element in forces.items()
        for reading, level in element.spec.kinks
    )


def gaps(model: Model) -> tuple[Event, ...]:
    """Events at which user code switches, as it declares with `gap=`; steps end there."""
    found = {name: getattr(element.spec, "gap", None) for name, element in model.forces.items()}
    found.update({name: element.spec.gap for name, element in model.controllers.items()})
    return tuple(
        Event(gap, restart=True, name=f"{name}.gap")
        for name, gap in found.items()
        if gap is not None and not bounds_steps(gap)
    )


EventLike: TypeAlias = Event | str | Callable[[float, Any], float]


def events_of(given: Any, taken: Iterable[str] = ()) -> tuple[Event, ...]:
    """The events of a request, given as events, names of channels or functions.

    Functions may have the attributes `terminal` and `direction`, as in SciPy.
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
