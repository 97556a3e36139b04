"""Segments of a run: between breaks, and between events that interrupt it.

    t0 ---- step ---- step --| b1 |---- step --|- s -|-- step --| b2 |---- until

At a break (b) the equations or the velocities jump. A segment ends at the last number before a
break, and the next one begins at the first number after it, so that each side gets its own limit of
every input. A run that starts at a break begins just after it. Velocities may change between two
segments, and the method restarts, because its past does not predict the future. A stop (s) is a
kink: a step ends there and nothing else happens, so that a short event between two stops is not
missed. Fixed steps ignore stops, because the user chose their length.

Events. The detector processes the interpolation points of every chunk (loop.py). Where an event
changes the state, ends the run or fails, the detector returns an `Interruption`: the steps after it
are discarded, and the method restarts from the state after the event, as after a break.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from ...kernel.tables.status import Status
from .checks import whole_steps
from .contract import Integrator
from .memory import RunArrays, Y

TOGETHER = 1e-12  # of the length of the run: times this close are equal
# Steps per chunk of a run with events, doubled while no event interrupts it: an interruption
# discards the rest of its chunk.
FIRST_WITH_EVENTS, MOST_WITH_EVENTS = 4, 256
_RESET = (  # fields of the memory that a restart sets to zero
    "t_carry",
    "h",
    "h_used",
    "error",
    "order",
    "order_used",
    "equal_steps",
    "started",
    "start_phase",
    "spacing",
    "c",
    "rate",
    "jacobian_age",
    "slope_row",
    "judge",
)


class Breaks(NamedTuple):
    """Times at which the equations or velocities jump, and times of kinks."""

    jumps: tuple[float, ...] = ()
    stops: tuple[float, ...] = ()

    def joined(self, times: float | Sequence[float] | None) -> Breaks:
        """The breaks together with further times of jumps."""
        if times is None:
            return self
        jumps = {*self.jumps, *map(float, np.atleast_1d(times))}
        return self._replace(jumps=tuple(sorted(jumps)))


NO_BREAKS = Breaks()


class Segment(NamedTuple):
    """Part of a run from `start` to the last of `stops`."""

    start: float
    stops: np.ndarray


def time_tolerance(t0: float, until: float) -> float:
    """Distance (s) below which two times of a run count as equal."""
    return TOGETHER * (until - t0) + 8.0 * float(np.spacing(max(abs(t0), abs(until))))


def split_at_breaks(t0: float, until: float, breaks: Breaks) -> list[Segment]:
    """Segments of a run; a break at t0 moves the first start, and stops at the ends are dropped."""
    if not (breaks.jumps or breaks.stops):
        return [Segment(t0, np.array([until]))]
    close = time_tolerance(t0, until)
    here = [t for t in breaks.jumps if abs(t - t0) <= close]
    edges = _clusters([t for t in sorted(breaks.jumps) if t0 + close < t <= until], close)
    begin = float(np.nextafter(max(here), np.inf)) if here else t0
    starts = [max(t0, begin), *(float(np.nextafter(last, np.inf)) for _, last in edges)]
    ends = [*(float(np.nextafter(first, -np.inf)) for first, _ in edges), until]
    stops = np.unique(np.array(breaks.stops, float)) if breaks.stops else np.zeros(0)
    return [
        Segment(a, _stops_between(stops, a, b, close))
        for a, b in zip(starts, ends)
        if b - a > close
    ]


def _clusters(times: Iterable[float], close: float) -> list[tuple[float, float]]:
    """First and last time of each group of equal times."""
    found: list[tuple[float, float]] = []
    for t in times:
        if found and t - found[-1][1] <= close:
            found[-1] = found[-1][0], t
        else:
            found.append((t, t))
    return found


def _stops_between(stops: np.ndarray, a: float, b: float, close: float) -> np.ndarray:
    """Distinct stops between a and b, and b."""
    if not len(stops):
        return np.array([b])
    inside = stops[(stops > a + close) & (stops < b - close)]
    apart = np.diff(inside, prepend=-np.inf) > close
    return np.append(inside[apart], b)


def enter(
    arrays: RunArrays, control: Any, memory: Any, method: Integrator, segment: Segment
) -> RunArrays:
    """Set the records of a run to the start of a segment, where the method restarts."""
    end = float(segment.stops[-1])
    if memory.started:
        for name in _RESET:
            setattr(memory, name, 0)
        if memory.accepted > 0:
            control.h_initial = 0.0
        memory.steps_before = memory.accepted
    memory.next_stop = 1
    control.t_start = memory.t = segment.start
    control.t_end = segment.stops[0] if method.adaptive else end
    if not method.adaptive:
        control.steps, control.h_last = whole_steps(
            end - segment.start, control.h_fixed, max(abs(segment.start), abs(end))
        )
    return arrays if arrays.stops is segment.stops else arrays._replace(stops=segment.stops)


def arrive(arrays: RunArrays, memory: Any, until: float) -> None:
    """Move the time to the end of the run, where the last segment ended just before a break."""
    memory.t = until
    arrays.samples_y[memory.sample :] = arrays.vectors[Y]
    memory.sample = len(arrays.samples_t)


def evaluation_times(t: np.ndarray, jumps: Iterable[float], until: float) -> np.ndarray:
    """Times at which samples are evaluated: just after a break, at the end of the run before it."""
    t, at = np.asarray(t, float), np.array(sorted(jumps), float)
    if not len(at):
        return t
    on = np.isin(t, at)
    return np.where(on, np.nextafter(t, np.where(t >= until, -np.inf, np.inf)), t)


class Occurrence(NamedTuple):
    """One occurrence of an event."""

    name: str
    t: float
    direction: int  # of the crossing; 0: a touch
    y: np.ndarray  # state before
    after: np.ndarray | None = None  # state after; None: unchanged
    energy: float = 0.0  # that the event added (J)


class Interruption(NamedTuple):
    """Time at which an event interrupts a run, with the whole state before and after."""

    t: float
    before: np.ndarray
    after: np.ndarray
    ended: str = ""  # name of the event that ends the run
    error: Exception | None = None


class ContactEvents(Protocol):
    """Interface of what follows from the events of contacts (engine/contacts)."""

    occurrences: list[Occurrence]

    def start(self, t: float, y: np.ndarray) -> Status:
        """Find the modes at the start of a segment; may change y in place."""

    def happen(self, t: float, y: np.ndarray) -> Status:
        """Apply the event at which a step has ended; changes y in place."""


class EventDetector(Protocol):
    """Interface of the detection of events."""

    occurrences: list[Occurrence]

    def begin(self, t: float, y: np.ndarray) -> None:
        """Start a segment."""

    def process(self, t: np.ndarray, points: np.ndarray) -> Interruption | None:
        """Process a chunk: times of its start and of the ends of its steps, and the states at all
        interpolation points of each step, its start first.
        """


def with_start_points(y: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Interpolation points of each step with its start: the end of the step before, first y."""
    starts = np.concatenate([y[None], points[:-1, -1]])
    return np.concatenate([starts[:, None], points], axis=1)
