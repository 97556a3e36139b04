"""Recording of a run with derivatives, and their change at events and at jumps of the equations.

An event at the time t where h(t, y, p) = 0 moves with p, and its action y+ = R(t, y-, p) changes the
state [Hiskens2000]:

    dt/dp = -(h_y s- + h_p) / hdot,      hdot = h_t + h_y f-
    s+    = d/dp R(t(p), y-(t(p)), p) - f+ dt/dp

The derivatives of h and R are central differences between the companions. Without an action R is
the state itself, and s+ = s- + (f- - f+) dt/dp. A jump of the equations at a breakpoint has no such
term: the clocks of the companions show the same time there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...engine.integrators.segments import Interruption, Occurrence
from ...errors import SimulationError
from ...kernel.tables.status import Status
from ...simulation.events.impact import changed
from ...simulation.events.track import Track
from .members import Member, Pair
from .path import Path, Piece
from .slopes import rates_after, rates_before, same, value_rate

GRAZE = 1e-6  # of the largest value of an event, per run: slower crossings graze the level
TOUCH = 1e-3  # the same for two crossings within the tolerance, which count as one touch
TOGETHER = 1e-6  # of the run: events at the same time whose derivatives differ by more


class Recorder:
    """The event detector of a run with derivatives (interface: engine/integrators/segments.py)."""

    def __init__(
        self,
        nominal: Member,
        pairs: Sequence[Pair],
        clocks: np.ndarray,
        set_clocks: Callable[[np.ndarray], None],
    ) -> None:
        self.nominal, self.pairs, self.n = nominal, pairs, nominal.n
        self.clocks, self.set_clocks = clocks, set_clocks
        self.set_segment(0)
        self.inner = nominal.detector if nominal.events else None
        self.path = Path()
        self.found: list[tuple[Occurrence, np.ndarray, np.ndarray]] = []  # with state and clocks
        self.duration = nominal.options.until - nominal.assembly.t
        self.restarted = True

    @property
    def occurrences(self) -> list[Occurrence]:
        """The events that have occurred."""
        return [] if self.inner is None else self.inner.occurrences

    def begin(self, t: float, y: np.ndarray) -> None:
        """Start a segment."""
        self.restarted = True
        if self.inner is not None:
            self.inner.begin(t, y)

    def process(self, t: np.ndarray, points: np.ndarray) -> Interruption | None:
        """Record a chunk; at an event that interrupts the run, change the derivatives too."""
        track = Track(t, points)
        found = None if self.inner is None else self.inner.process(t, points)
        if self.restarted:
            self.path.pieces.append(Piece([], float(t[0]), self.clocks.copy()))
            self.restarted = False
        piece = self.path.pieces[-1]
        piece.chunks.append(track)
        piece.end = float(t[-1]) if found is None else found.t
        new = self.occurrences[len(self.found) :]
        self.found += [(one, track.at(one.t), piece.clocks) for one in new]
        if found is None or found.error is not None:
            return found
        return self._changed(found, new, piece)

    # --- breaks

    def jump(self, t: float, y: np.ndarray) -> Status:
        """Cross a jump of the equations: the clocks, then the state and its derivatives."""
        starts = [segment.start for segment in self.nominal.segments]
        self.set_segment(starts.index(t))
        return self.change(t, y)

    def set_segment(self, segment: int) -> None:
        """Set the clocks to a segment of the run."""
        for j, pair in enumerate(self.pairs):
            pair.clocks(self.nominal, segment, self.own(j))
        self.set_clocks(self.clocks)

    def own(self, j: int) -> np.ndarray:
        """The clocks of the companions of a parameter."""
        return self.clocks[2 * j : 2 * j + 2]

    def change(self, t: float, y: np.ndarray) -> Status:
        """Apply the change of the state at a jump to the state and its derivatives."""
        if self.nominal.jump is None:
            return Status.OK
        n, before = self.n, y[: self.n].copy()
        status = self.nominal.jump(t, y[:n])
        if status != Status.OK:
            return status

        def crossed(member: Member, at: np.ndarray, state: np.ndarray) -> np.ndarray:
            after = state[0].copy()
            if member.jump is not None:
                failed.append(member.jump(float(at[0]), after))
            return after

        failed: list[Status] = []
        for j, pair in enumerate(self.pairs):
            s = y[n * (j + 1) : n * (j + 2)]
            at = np.array([t])
            s[:] = pair.along(crossed, self.nominal, self.own(j), at, before[None], s.copy())
        return next((one for one in failed if one != Status.OK), Status.OK)

    # --- events

    def time_rates(self, one: Occurrence, y: np.ndarray, clocks: np.ndarray) -> np.ndarray:
        """Derivatives of the time of an event, by the clock of the run."""
        n, before = self.n, y[: self.n]
        names = [event.name for event in self.nominal.events]
        k = names.index(one.name)
        rate = value_rate(self.nominal, k, one.t, before, self.duration)
        largest = float(self.nominal.detector.largest[k])
        graze = GRAZE if one.direction else TOUCH
        if abs(rate) * self.duration <= graze * largest:
            raise SimulationError(
                f"sensitivities: event {one.name!r} only touches its level at t = {one.t:.6g} s. "
                "A small change of a parameter makes it appear or disappear, so that outputs after "
                "it have no derivative. Choose another level or other values of the parameters.",
                one.t,
                one.name,
            )
        at = np.array([one.t])

        def value(member: Member, t: np.ndarray, state: np.ndarray) -> np.ndarray:
            return member.detector.values(t, state)[0, k]

        slopes = [
            pair.along(value, self.nominal, clock, at, before[None], y[n * (j + 1) : n * (j + 2)])
            for j, (pair, clock) in enumerate(zip(self.pairs, clocks.reshape(-1, 2, 5)))
        ]
        return -np.array(slopes, float) / rate

    def _changed(
        self, found: Interruption, new: Sequence[Occurrence], piece: Piece
    ) -> Interruption:
        """The interruption with the derivatives after it."""
        before, n = found.before, self.n
        cause = self._cause(found, new, piece)
        if cause is None:
            return found
        after = found.after.copy()
        f_before = rates_before(self.nominal, found.t, before[:n], self.duration)
        f_after = rates_after(self.nominal, found.t, after[:n], self.duration)
        if not found.ended and cause.after is None and same(f_before, f_after):
            return found  # a kink
        rates = self.time_rates(cause, before, piece.clocks)
        piece.end_rate = rates
        if found.ended:
            return found
        for j, pair in enumerate(self.pairs):
            s = before[n * (j + 1) : n * (j + 2)] + f_before * rates[j]
            if cause.after is not None:
                s = self._after_action(cause, before[:n], s, pair, j, float(rates[j]))
            after[n * (j + 1) : n * (j + 2)] = s - f_after * rates[j]
        return found._replace(after=after)

    def _cause(
        self, found: Interruption, new: Sequence[Occurrence], piece: Piece
    ) -> Occurrence | None:
        """The event that interrupts the run; events at the same time must move together."""
        here = [one for one in new if found.t <= one.t <= found.t + self.nominal.detector.close]
        acting = [one for one in here if one.after is not None]
        if len(acting) > 1 or (acting and len(here) > 1):
            rates = [self.time_rates(one, found.before, piece.clocks) for one in here]
            sizes = np.array([pair.parameter.size for pair in self.pairs])
            if np.ptp(rates, axis=0).dot(sizes) > TOGETHER * self.duration or len(acting) > 1:
                names = " and ".join(repr(one.name) for one in here)
                raise SimulationError(
                    f"sensitivities: the events {names} occur at the same time t = {found.t:.6g} s. "
                    "A small change of a parameter separates them, and the state afterwards depends "
                    "on their order, so that it has no derivative.",
                    found.t,
                    here[0].name,
                )
        first = acting or here
        return first[0] if first else None

    def _after_action(
        self, cause: Occurrence, before: np.ndarray, s, pair: Pair, j: int, rate: float
    ) -> np.ndarray:
        """d/dp R: the action of an event on the states of the companions at their events."""
        k = [event.name for event in self.nominal.events].index(cause.name)

        def acted(member: Member, t: np.ndarray, y: np.ndarray) -> np.ndarray:
            event, at = member.events[k], float(t[0])
            state = member.batch.project(at, y[0])
            batch = member.batch.set_states(t, state[None])
            assert event.then is not None
            returned = member.detector._called(event, event.then, batch, 0)
            what = f"event {event.name!r}: the value of `then`"
            return state if returned is None else changed(batch, at, state, returned, what)

        at = np.array([cause.t])
        return pair.along(acted, self.nominal, self.own(j), at, before[None], s, rate)
