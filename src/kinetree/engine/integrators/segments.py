"""A run cut at its breaks, the times where the equations or the velocities jump.

    t0 ---- step ---- step --| b1 |---- step --|- s -|-- step --| b2 |---- until

A stretch ends at the last number before a break and the next begins at the first one after it, so
that whatever the machine is told at the break itself, each side sees its own limit. A run that
starts at a break begins just after it. Between the two, velocities may jump; then the method starts
anew, for its past tells nothing about the future. Stops (s) are kinks: a step ends there and
nothing else happens, so that a short event between two of them is seen. Fixed steps pass over
stops: their length is the user's choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from .checks import whole_steps
from .contract import Integrator
from .memory import Run, Y

TOGETHER = 1e-12  # of the length of the run: times this close are one
_FORGOTTEN = (
    "t_carry",
    "h",
    "h_used",
    "error",
    "order",
    "order_used",
    "equal_steps",
    "started",
    "rising",
    "spacing",
    "c",
    "rate",
    "age",
    "stale",
    "due",
)


class Breaks(NamedTuple):
    """Times at which the equations or velocities jump, and those at which only something is less
    smooth.
    """

    jumps: tuple[float, ...] = ()
    stops: tuple[float, ...] = ()

    def joined(self, times: float | Sequence[float] | None) -> Breaks:
        """With further times at which something may jump."""
        return (
            self
            if times is None
            else self._replace(
                jumps=tuple(sorted({*self.jumps, *map(float, np.atleast_1d(times))}))
            )
        )


NO_BREAKS = Breaks()


class Stretch(NamedTuple):
    """From `start` to the last of `stops`."""

    start: float
    stops: np.ndarray


def closeness(t0: float, until: float) -> float:
    """Times (s) of a run that are this close to each other are one: a part of its length, and what
    numbers can tell apart.
    """
    return TOGETHER * (until - t0) + 8.0 * float(np.spacing(max(abs(t0), abs(until))))


def stretches(t0: float, until: float, breaks: Breaks) -> list[Stretch]:
    """The run in pieces, the first just after a break at the start; stops at both ends are none."""
    if not (breaks.jumps or breaks.stops):
        return [Stretch(t0, np.array([until]))]
    close, here = (
        closeness(t0, until),
        [t for t in breaks.jumps if abs(t - t0) <= closeness(t0, until)],
    )
    edges = _clusters([t for t in sorted(breaks.jumps) if t0 + close < t <= until], close)
    begin = float(np.nextafter(max(here), np.inf)) if here else t0
    starts = [max(t0, begin), *(float(np.nextafter(last, np.inf)) for _, last in edges)]
    ends = [*(float(np.nextafter(first, -np.inf)) for first, _ in edges), until]
    stops = np.unique(np.array(breaks.stops, float)) if breaks.stops else np.zeros(0)
    return [Stretch(a, _thinned(stops, a, b, close)) for a, b in zip(starts, ends) if b - a > close]


def _clusters(times: Iterable[float], close: float) -> list[tuple[float, float]]:
    """First and last of the times that are one."""
    found: list[tuple[float, float]] = []
    for t in times:
        if found and t - found[-1][1] <= close:
            found[-1] = found[-1][0], t
        else:
            found.append((t, t))
    return found


def _thinned(stops: np.ndarray, a: float, b: float, close: float) -> np.ndarray:
    """Stops between a and b that can be told apart, and b."""
    if not len(stops):
        return np.array([b])
    inside = stops[(stops > a + close) & (stops < b - close)]
    apart = np.diff(inside, prepend=-np.inf) > close
    return np.append(inside[apart], b)


def enter(run: Run, control: Any, memory: Any, method: Integrator, stretch: Stretch) -> Run:
    """The run with its two records at the start of a stretch; the method will start anew."""
    end = float(stretch.stops[-1])
    if memory.started:
        for name in _FORGOTTEN:
            setattr(memory, name, 0)
        if memory.accepted > 0:
            control.h_initial = 0.0
        memory.first = memory.accepted
    memory.stop = 1
    control.t_start = memory.t = stretch.start
    control.t_end = stretch.stops[0] if method.adaptive else end
    if not method.adaptive:
        control.steps, control.h_last = whole_steps(
            end - stretch.start, control.h_fixed, max(abs(stretch.start), abs(end))
        )
    return run if run.stops is stretch.stops else run._replace(stops=stretch.stops)


def arrive(run: Run, memory: Any, until: float) -> None:
    """The end itself, where the last stretch ended just before a break at the end."""
    memory.t = until
    run.samples_y[memory.sample :] = run.vectors[Y]
    memory.sample = len(run.samples_t)


def seen_at(t: np.ndarray, jumps: Iterable[float], until: float) -> np.ndarray:
    """When to look at samples: just after a break that one falls on; at the end of the run just
    before it.
    """
    t, at = np.asarray(t, float), np.array(sorted(jumps), float)
    if not len(at):
        return t
    on = np.isin(t, at)
    return np.where(on, np.nextafter(t, np.where(t >= until, -np.inf, np.inf)), t)


FIRST_WATCHED, MOST_WATCHED = (
    4,
    256,
)  # steps per chunk, doubled as long as nothing halts: what a halt throws away


class Occurrence(NamedTuple):
    """An event that happened: which, when, its direction (0: a touch), the states before and after,
    energy it brought in.
    """

    name: str
    t: float
    direction: int
    y: np.ndarray
    after: np.ndarray | None = None  # None: nothing changed
    energy: float = 0.0  # J


class Halt(NamedTuple):
    """Where a run is halted: the time, the whole state before and after."""

    t: float
    before: np.ndarray
    after: np.ndarray
    ended: str = ""  # by the event of this name
    error: Exception | None = None


class Watcher(Protocol):
    """Finds events."""

    happened: list[Occurrence]

    def begin(self, t: float, y: np.ndarray) -> None:
        """A stretch begins."""

    def look(self, t: np.ndarray, nodes: np.ndarray) -> Halt | None:
        """The ends of the steps of a chunk, the start before them, and the states at all nodes of
        each step, its start first.
        """


def all_nodes(y: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """The nodes of each step with its start: the end of the step before, for the first one y."""
    starts = np.concatenate([y[None], nodes[:-1, -1]])
    return np.concatenate([starts[:, None], nodes], axis=1)
