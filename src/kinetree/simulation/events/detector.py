"""Detection of events: values at the nodes of every batch of steps, crossings in the order of time.

    +  +  +  |  -  -     the sign at the last node is carried from batch to batch, so that no
                         crossing is found twice or lost
             t_e         where the state changes, the integrator restarts

After an event its value is compared with the value at that time, so that rounding at the level
makes no further event. The same holds for a run that starts from the state after an event of
another run, if that event is detected again.

A value that jumps over zero, at a breakpoint of the model or because another event changed the
state, has changed its sign too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...engine.integrators.segments import Interruption, Occurrence, time_tolerance
from ...errors import KinetreeError, SimulationError, counted
from .batch import Batch, Moment
from .crossings import Crossing, Line, crossings
from .event import Event
from .impact import changed
from .track import OFF, Track

TOUCH = 10.0  # tolerances, of the largest value so far, within which a value touches zero
ZERO = 1e-12  # of the level, and of the size of the value: a start as near to zero is one at zero
CLOSER = 6  # times that nodes are doubled where a value is faster than the motion
# An event repeats without end if it changes the state TIMES times in a row, each within AGAIN of the
# run, or if the rest of the run would have NEVER occurrences at the rate of the last MANY.
AGAIN, TIMES = 1e-8, 3
MANY, NEVER = 20, 1e5


class Found(NamedTuple):
    """A crossing of one of the events."""

    t: float
    k: int
    direction: int


class EventDetector:
    """The event detector of a run (interface: engine/integrators/segments.py)."""

    def __init__(
        self,
        events: tuple[Event, ...],
        batch: Batch,
        rtol: float,
        t0: float,
        until: float,
        n: int,
        over: tuple[tuple[str, int], ...] = (),
    ) -> None:
        for event in events:
            batch.check(event)
        count = len(events)
        self.events, self.batch, self.rtol, self.n = events, batch, rtol, n
        self.t0, self.until, self.shortest, self.close = (
            t0,
            until,
            AGAIN * (until - t0),
            time_tolerance(t0, until),
        )
        self.size = np.array(
            [abs(event.level) + self._natural(event) for event in events]
        )  # what is small against this is zero
        self.sign, self.offset, self.largest = (
            np.zeros(count, int),
            np.zeros(count),
            np.zeros(count),
        )
        self.times = [0] * count  # it has happened
        self.acted: list[list[float]] = [[] for _ in events]
        self.fresh = np.ones(count, bool)  # sign not known
        self.left = np.zeros(
            count, bool
        )  # it has just happened: the value leaves zero with its sign
        self.before: Track | None = None  # the step before the chunk
        self.occurrences: list[Occurrence] = []
        known = {event.name: k for k, event in enumerate(events)}
        self.over = [
            Found(t0, known[name], direction) for name, direction in over if name in known
        ]  # before the start

    # --- values

    def values(self, t: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Values of all events without their levels, shape (len(t), count)."""
        batch = self.batch.set_states(t, y[:, : self.n])
        return np.column_stack([self._value(event, batch) for event in self.events])

    def _value(self, event: Event, batch: Batch) -> np.ndarray:
        if isinstance(event.what, str):
            found = batch.values(event.what) - event.level
        else:
            found = (
                np.array([self._called(event, event.what, batch, k) for k in range(len(batch.t))])
                - event.level
            )
        if not np.isfinite(found).all():
            t = float(batch.t[int(np.argmin(np.isfinite(found)))])
            raise SimulationError(
                f"event {event.name!r} has no value at t = {t:.6g} s.", t, event.name
            )
        return found

    def _called(self, event: Event, function, batch: Batch, k: int):
        t = float(batch.t[k])
        try:
            returned = function(t, Moment(batch, k))
            return float(returned) if function is event.what else returned
        except KinetreeError:
            raise
        except Exception as error:
            raise SimulationError(
                f"event {event.name!r}: its function raised {type(error).__name__}: {error} "
                f"(t = {t:.6g} s).",
                t,
                event.name,
            ) from error

    def _natural(self, event: Event) -> float:
        """Scale of a value by its unit: the size of the model, a radian, or that per run; otherwise
        0.
        """
        unit = self.batch.solution.unit(event.what) if isinstance(event.what, str) else ""
        sizes = {"m": float(self.batch.compiled.tables.settings[0]["length"]), "rad": 1.0}
        return (
            sizes[unit]
            if unit in sizes
            else sizes.get(unit.removesuffix("/s"), 0.0) / (self.until - self.t0)
        )

    # --- looking

    def begin(self, t: float, y: np.ndarray) -> None:
        """Start a new segment of the run."""
        self.before = None
        if self.over:
            self._go_on(t, y[: self.n])

    def _go_on(self, t: float, y: np.ndarray) -> None:
        """Start from a state to which events have led, so that they do not occur again at once."""
        values, rates = self._rates(t, np.array([y, y]))
        span = np.maximum(np.abs(rates[1]) * (self.until - self.t0), self.size)
        self._leave(self.over, values[1], rates, TOUCH * self.rtol * span + ZERO * self.size)
        self.over = []

    def process(self, ends: np.ndarray, nodes: np.ndarray) -> Interruption | None:
        """Process the events of a batch, up to the first that changes the state or ends the run."""
        track = Track(ends, nodes)
        if self.before is not None:
            track = Track(
                np.concatenate([self.before.ends[:1], ends]),
                np.concatenate([self.before.nodes, nodes]),
            )
        values = self.values(track.t, track.y)
        t, values = self._closer(track, values)
        first = int(np.searchsorted(t, ends[0]))
        jumped = (
            self._jumped(values[first:], float(ends[0]), nodes[0, 0])
            if self.before is None
            else None
        )
        if jumped is not None:
            return jumped
        signs, found = np.zeros(len(self.events), int), []
        for k in range(len(self.events)):
            line = self._line(track, t, values[:, k], k)
            own, signs[k] = crossings(line, int(self.sign[k]), first, bool(self.left[k]))
            if self.left[k] and own and own[0].t <= ends[0]:  # back at once
                return Interruption(
                    float(ends[0]),
                    nodes[0, 0].copy(),
                    nodes[0, 0].copy(),
                    error=self._endless(k, float(ends[0])),
                )
            found += [Found(c.t, k, c.direction) for c in [*self._at_start(line, k, own), *own]]
        for when in sorted({f.t for f in found}):
            together = [f for f in found if when <= f.t <= when + self.close]
            found = [f for f in found if f not in together]
            for f in together:
                self.sign[f.k] = f.direction or self.sign[f.k]
            interruption = self._happen(when, together, track.at(when)) if together else None
            if interruption is not None:
                return interruption
        self.sign, self.before = signs, track.last
        self.left[:] = False
        return None

    def _closer(self, track: Track, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Times and values at the nodes, at points where values turn, and at more if nodes are too
        few.
        """
        t, coarse, turns = track.t, ~track.resolved(values), track.extrema(values)
        if len(turns):
            t, values, _ = self._with(track, t, values, turns)
        for _ in range(CLOSER if coarse.any() else 0):  # fast functions in long steps
            step = np.clip(np.searchsorted(track.ends, t[:-1], "right") - 1, 0, len(coarse) - 1)
            t, values, off = self._with(track, t, values, (0.5 * (t[1:] + t[:-1]))[coarse[step]])
            if (off <= OFF * np.abs(values).max(axis=0)).all():
                break
        return t, values

    def _with(
        self, track: Track, t: np.ndarray, values: np.ndarray, more: np.ndarray
    ) -> tuple[np.ndarray, ...]:
        """Times and values with more times, and their deviations from linear interpolation."""
        found = self.values(more, np.array([track.at(one) for one in more]))
        off = np.abs(np.array([np.interp(more, t, column) for column in values.T]).T - found)
        order = np.argsort(np.concatenate([t, more]), kind="stable")
        return np.concatenate([t, more])[order], np.concatenate([values, found])[order], off

    def _line(self, track: Track, t: np.ndarray, value: np.ndarray, k: int) -> Line:
        self.largest[k] = max(self.largest[k], float(np.abs(value).max()))
        size = abs(self.events[k].level) + abs(self.offset[k]) + 1e-3 * self.largest[k]

        def many(times: np.ndarray) -> np.ndarray:
            return (
                self.values(times, np.array([track.at(one) for one in times]))[:, k]
                - self.offset[k]
            )

        return Line(
            t, value - self.offset[k], many, TOUCH * self.rtol * self.largest[k], 4e-16 * size
        )

    def _at_start(self, line: Line, k: int, own: list[Crossing]) -> list[Crossing]:
        """The event at the start of the run, if its value is zero there."""
        if line.t[0] > self.t0 or self.sign[k] != 0 or not self.fresh[k] or self.times[k]:
            return []
        self.fresh[k] = False
        leaving = next((int(np.sign(v)) for v in line.value[1:] if abs(v) > line.noise), 0)
        if own and own[0].direction:
            leaving = -own[0].direction
        return [Crossing(float(line.t[0]), leaving)]

    def _jumped(self, values: np.ndarray, t: float, y: np.ndarray) -> Interruption | None:
        """Set the signs at the start of a segment; process the events whose values have jumped over
        zero.
        """
        small, values = ZERO * np.maximum(self.size, np.abs(values).max(axis=0)), values[0]
        now = np.where(
            np.abs(values - self.offset) <= small, self.sign, np.sign(values - self.offset)
        ).astype(int)
        now[self.left] = self.sign[self.left]
        jumped = [Found(t, int(k), int(now[k])) for k in np.flatnonzero(now * self.sign < 0)]
        self.sign = now
        self.fresh &= now == 0
        return self._happen(t, jumped, y) if jumped else None

    # --- what follows

    def _happen(self, t: float, found: list[Found], y: np.ndarray) -> Interruption | None:
        """Record events that occur together, and apply their actions."""
        fired = [
            f for f in found if self.events[f.k].direction in (0, f.direction) or f.direction == 0
        ]
        if not fired:
            return None
        before = y.copy()
        before[: self.n] = self.batch.project(t, y[: self.n])
        after, ended = before.copy(), ""
        for f in fired:
            after, ends = self._act(t, f, after)
            ended = ended or (self.events[f.k].name if ends else "")
        if (
            not ended
            and np.array_equal(after, before)
            and not any(self.events[f.k].restart for f in fired)
        ):
            return None
        return Interruption(t, before, after, ended, self._restart(t, fired, before, after))

    def _act(self, t: float, f: Found, y: np.ndarray) -> tuple[np.ndarray, bool]:
        """The state after one event, and whether it ends the run."""
        event, state = self.events[f.k], y[: self.n]
        self.times[f.k] += 1
        batch, after, energy = self.batch.set_states(np.array([t]), state[None]), y.copy(), 0.0
        if callable(event.terminal):
            ends = bool(self._called(event, event.terminal, batch, 0))
        else:
            ends = bool(event.terminal) and self.times[f.k] >= int(event.terminal)
        returned = None if event.then is None else self._called(event, event.then, batch, 0)
        if returned is not None:
            after[: self.n] = changed(
                batch, t, state, returned, f"event {event.name!r}: the value of `then`"
            )
        acted = not np.array_equal(after, y)
        if acted:
            total = batch.set_states(
                np.array([t, t]), np.array([state, after[: self.n]])
            ).solution.energy.total
            energy = float(total[1] - total[0])
        self.occurrences.append(
            Occurrence(
                event.name,
                t,
                f.direction,
                state.copy(),
                after[: self.n].copy() if acted else None,
                energy,
            )
        )
        return after, ends

    def _restart(
        self, t: float, fired: list[Found], before: np.ndarray, after: np.ndarray
    ) -> Exception | None:
        """Set the signs after an event; return an error if the event repeats without end."""
        values, rates = self._rates(t, np.array([before, after])[:, : self.n])
        unknown = (self.sign == 0) & ~self.fresh  # left zero since the last look
        self.sign[unknown] = np.sign(values[0] - self.offset)[unknown]
        self.left[:] = False
        self._leave(fired, values[1], rates, TOUCH * self.rtol * self.largest)
        for f in fired:
            self.acted[f.k] = [*self.acted[f.k][-MANY:], t]
        return next((self._endless(f.k, t) for f in fired if self._rushes(self.acted[f.k])), None)

    def _leave(
        self, fired: list[Found], values: np.ndarray, rates: np.ndarray, touch: np.ndarray
    ) -> None:
        """Set the offsets of events that have just occurred, if their values are within `touch` of
        zero.
        """
        for f in fired:
            near = bool(abs(values[f.k]) <= touch[f.k])
            self.offset[f.k] = values[f.k] if near else 0.0
            self.left[f.k], self.fresh[f.k] = near, not near
            self.sign[f.k] = self._leaves(f, *rates[:, f.k]) if near else 0

    def _rushes(self, times: list[float]) -> bool:
        """Whether an event repeats faster and faster, or so often that the run would never end."""
        fast = len(times) > TIMES and float(np.diff(times[-1 - TIMES :]).max()) <= self.shortest
        return fast or (
            len(times) > MANY and (self.until - times[-1]) * MANY > NEVER * (times[-1] - times[0])
        )

    def _rates(self, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values before and after an event and their rates, by a short step along the motion."""
        way, times = 1e-5 * self.shortest / AGAIN, np.full(2, t)
        ydot = self.batch.set_states(times, y).rates()
        values = self.values(times, y)
        return values, (self.values(times + way, y + way * ydot) - values) / way

    def _leaves(self, f: Found, before: float, after: float) -> int:
        """The sign of a value just after its event; a value that was stopped must not pass zero."""
        noise = (
            1e-14
            * (abs(self.events[f.k].level) + self.largest[f.k])
            / (1e-5 * self.shortest / AGAIN)
        )
        return int(np.sign(after)) if abs(after) > max(noise, 1e-9 * abs(before)) else -f.direction

    def _endless(self, k: int, t: float) -> SimulationError:
        """The error about an event that repeats without end."""
        name, last = self.events[k].name, self.acted[k][-TIMES:]
        recent = f", the last {len(last)} within {t - last[0]:.2g} s" if len(last) > 1 else ""
        return SimulationError(
            f"event {name!r} has occurred {counted(self.times[k], 'time')}{recent}: it repeats "
            f"without end near t = {t:.9g} s, and nothing in the model holds the mechanism there "
            "afterwards. End the run when the motion has become slow (kt.Event(..., "
            "terminal=lambda t, s: ...)), or add a spring or a constraint.",
            t,
            name,
        )
