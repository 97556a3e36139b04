"""Outputs of a run, and their derivatives from the motion and the derivatives of the state.

    c at t          dc/dp = (c(y + d s; p + d) - c(y - d s; p - d)) / (2 d)  -  cdot dt/dp
    max c           the derivative of c at the time of the extreme
    integral of c   the integral of dc/dp, plus (c- - c+) dt/dp at events
    event time      -(dh/dp + h_y s) / hdot                            (recorder.py)

t is the time of the clock (engine/integrators/companions.py); dt/dp is the rate at which the clock
of a companion differs from that of the run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...errors import ModelError, SimulationError, no_such
from .members import Member, Pair
from .path import Path, Piece
from .recorder import Recorder

NEAR = 1e-4  # of a step: distance over which a channel is differentiated in time
LEVEL = 1e-9  # of the range of a channel: two extremes closer than this are equal
APART = 1e-4  # of the run: distance between two extremes
FLAT = 1e-7  # of the range of a channel per run: slower changes are those of a stationary value


class Motion:
    """A run with derivatives: channels and their derivatives at any time."""

    def __init__(
        self, recorder: Recorder, t: float, y: np.ndarray, ended: str, exact: bool
    ) -> None:
        self.recorder, self.t, self.y, self.ended = recorder, t, y, ended
        self.nominal: Member = recorder.nominal
        self.pairs: tuple[Pair, ...] = tuple(recorder.pairs)
        self.path: Path = recorder.path
        self.n, self.exact = recorder.n, exact

    @property
    def end_rate(self) -> np.ndarray:
        """Derivatives of the end of the run: zero, unless an event ends it."""
        rate = self.path.pieces[-1].end_rate if self.ended else None
        if self.ended and rate is None:  # the event is in an earlier piece, and no step follows
            rate = next(p.end_rate for p in reversed(self.path.pieces) if p.end_rate is not None)
        return np.zeros(len(self.pairs)) if rate is None else rate

    def values(self, name: str, t: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Values of a channel at states of the run."""
        batch = self.nominal.batch.set_states(t, np.ascontiguousarray(y[:, : self.n]))
        return np.array(batch.values(name))

    def by_clock(self, name: str, t: np.ndarray, y: np.ndarray, piece: Piece) -> np.ndarray:
        """Derivatives of a channel at equal times of the clocks, shape (len(t), k)."""
        n = self.n

        def values(member: Member, own: np.ndarray, states: np.ndarray) -> np.ndarray:
            return np.array(member.batch.set_states(own, states).values(name))

        found = np.zeros((len(t), len(self.pairs)))
        for j, pair in enumerate(self.pairs):
            s, clocks = y[:, n * (j + 1) : n * (j + 2)], piece.clocks[2 * j : 2 * j + 2]
            found[:, j] = pair.along(values, self.nominal, clocks, t, y[:, :n].copy(), s)
        return found

    def clock_rates(self, t: np.ndarray, piece: Piece) -> np.ndarray:
        """dt/dp of the clocks of the companions, shape (len(t), k)."""
        rates = [
            pair.clock_rates(piece.clocks[2 * j : 2 * j + 2], t)
            for j, pair in enumerate(self.pairs)
        ]
        return np.array(rates).T

    def at_times(self, name: str, t: np.ndarray, y: np.ndarray, piece: Piece) -> np.ndarray:
        """Derivatives of a channel at fixed times."""
        found, moved = self.by_clock(name, t, y, piece), self.clock_rates(t, piece)
        if moved.any():
            found -= moved * self.channel_rates(name, t, piece)[:, None]
        return found

    def channel_rates(self, name: str, t: np.ndarray, piece: Piece) -> np.ndarray:
        """Time derivative of a channel, by differences along the motion in the same steps."""
        ends = piece.track.ends
        k = np.clip(np.searchsorted(ends, t, "left") - 1, 0, len(ends) - 2)
        d = NEAR * (ends[k + 1] - ends[k])
        before, after = np.maximum(t - d, ends[k]), np.minimum(t + d, ends[k + 1])
        values = [
            self.values(name, at, np.array([piece.track.at(one) for one in at]))
            for at in (before, after)
        ]
        return (values[1] - values[0]) / (after - before)

    def state(self, t: float) -> tuple[np.ndarray, Piece]:
        """State with derivatives at a time, and its piece."""
        piece = self.path.piece_at(t)
        return piece.track.at(min(t, piece.end)), piece

    @cached_property
    def total_end(self) -> tuple[np.ndarray, Piece]:
        """The last piece and its last state."""
        return self.y, self.path.pieces[-1]


Found = tuple[float, np.ndarray]  # a value and its derivatives


@dataclass(frozen=True)
class Final:
    """The value of a channel at the end of the run."""

    channel: str

    def of(self, motion: Motion) -> Found:
        y, piece = motion.total_end
        t = np.array([motion.t])
        value = motion.values(self.channel, t, y[None])
        rates = motion.at_times(self.channel, t, y[None], piece)[0]
        if motion.ended:
            rates = rates + motion.channel_rates(self.channel, t, piece)[0] * motion.end_rate
        return float(value[0]), rates


@dataclass(frozen=True)
class At:
    """The value of a channel at a time."""

    channel: str
    t: float

    def of(self, motion: Motion) -> Found:
        start = motion.nominal.assembly.t
        if not start <= self.t <= motion.t:
            raise ModelError(
                f"sensitivities: {self.channel!r} at t = {self.t:g} s lies outside the run from "
                f"{start:g} to {motion.t:g} s."
            )
        if self.t == motion.t and not motion.ended:
            return Final(self.channel).of(motion)
        y, piece = motion.state(self.t)
        t = np.array([self.t])
        value = motion.values(self.channel, t, y[None])
        return float(value[0]), motion.at_times(self.channel, t, y[None], piece)[0]


@dataclass(frozen=True)
class Extreme:
    """The largest or the smallest value of a channel."""

    channel: str
    sign: int  # 1: largest, -1: smallest

    def of(self, motion: Motion) -> Found:
        best: list[tuple[float, float, Piece, int]] = []  # value, time, piece, index
        low, high = np.inf, -np.inf
        for piece in motion.path.pieces:
            t, y, _ = motion.path.nodes(piece)
            values = self.sign * motion.values(self.channel, t, y)
            low, high = min(low, float(values.min())), max(high, float(values.max()))
            padded = np.concatenate([[-np.inf], values, [-np.inf]])
            peaks = np.flatnonzero((padded[1:-1] >= padded[:-2]) & (padded[1:-1] >= padded[2:]))
            best += [(float(values[i]), float(t[i]), piece, int(i)) for i in peaks]
        near = 1e-2 * max(high - low, 0.0)
        close = [self._refined(motion, *one) for one in best if one[0] >= high - near]
        close.sort(key=lambda one: -one[0])
        value, when, piece = close[0]
        rates = self._rates(motion, when, piece, high - low)
        duration = motion.t - motion.nominal.assembly.t
        for other, at, beside in close[1:]:
            if value - other <= LEVEL * (high - low) and abs(at - when) > APART * duration:
                size = np.array([pair.parameter.size for pair in motion.pairs])
                change = np.abs(self._rates(motion, at, beside, high - low) - rates) * size
                if change.max(initial=0.0) > 1e-6 * max(high - low, abs(value)):
                    raise SimulationError(
                        f"sensitivities: the {'largest' if self.sign > 0 else 'smallest'} value of "
                        f"{self.channel!r} is reached at t = {min(when, at):.6g} s and at "
                        f"t = {max(when, at):.6g} s. With other parameters it would be the one or the "
                        "other, so that it has no derivative. Ask for the value at one of these "
                        "times.",
                        when,
                        self.channel,
                    )
        return self.sign * value, rates

    def _refined(
        self, motion: Motion, value: float, t: float, piece: Piece, i: int
    ) -> tuple[float, float, Piece]:
        """The extreme near an interpolation point, by parabolas through three times."""
        times = np.unique(motion.path.nodes(piece).t)
        k = int(np.searchsorted(times, t))
        if not 0 < k < len(times) - 1:
            return value, t, piece
        a, b = times[k - 1], times[k + 1]
        for _ in range(60):  # the rate of the channel changes its sign between a and b
            middle = 0.5 * (a + b)
            if not a < middle < b or b - a <= 1e-13 * max(abs(a), abs(b)):
                break
            rising = self.sign * motion.channel_rates(self.channel, np.array([middle]), piece)[0]
            a, b = (middle, b) if rising > 0.0 else (a, middle)
        at = np.array([0.5 * (a + b)])
        found = self.sign * motion.values(self.channel, at, piece.track.at(at[0])[None])[0]
        return (float(found), float(at[0]), piece) if found >= value else (value, t, piece)

    def _rates(self, motion: Motion, t: float, piece: Piece, span: float) -> np.ndarray:
        at, y = np.array([t]), piece.track.at(t)[None]
        rates = motion.at_times(self.channel, at, y, piece)[0]
        duration = motion.t - motion.nominal.assembly.t
        if t >= piece.end and piece.end_rate is not None:  # the last value before an event
            slope = motion.channel_rates(self.channel, at, piece)[0]
            if abs(slope) * duration > FLAT * span:
                rates = rates + slope * piece.end_rate
        return rates


@dataclass(frozen=True)
class Integral:
    """The integral of a channel over the run, its mean, or its root mean square."""

    channel: str
    kind: str = "integral"  # "integral", "mean" or "rms"

    def of(self, motion: Motion) -> Found:
        total, rates = 0.0, np.zeros(len(motion.pairs))
        for k, piece in enumerate(motion.path.pieces):
            t, y, weights = motion.path.nodes(piece)
            values = motion.values(self.channel, t, y)
            changes = motion.by_clock(self.channel, t, y, piece)
            if self.kind == "rms":
                values, changes = values**2, 2.0 * values[:, None] * changes
            total += float((weights * values).sum())
            rates += (weights[:, None] * changes).sum(axis=0)
            rates += float((weights * values).sum()) * self._stretch(motion, piece)
            if piece.end_rate is not None:
                rates += values[-1] * piece.end_rate
            before = motion.path.pieces[k - 1] if k else None
            if before is not None and before.end_rate is not None:
                rates -= values[0] * before.end_rate
        if self.kind == "integral":
            return total, rates
        duration = motion.t - motion.nominal.assembly.t
        mean, rates = total / duration, (rates - total / duration * motion.end_rate) / duration
        if self.kind == "mean":
            return mean, rates
        root = float(np.sqrt(mean))
        return root, 0.5 * rates / root if root > 0.0 else np.zeros_like(rates)

    def _stretch(self, motion: Motion, piece: Piece) -> np.ndarray:
        """Derivatives of the seconds of the companions per second of the run."""
        rate = piece.clocks[:, 3].reshape(-1, 2)
        return np.array([pair.difference(*r) for pair, r in zip(motion.pairs, rate)], float)


@dataclass(frozen=True)
class EventTime:
    """The time of the n-th occurrence of an event."""

    event: str
    number: int = 0  # negative ones count from the last

    def of(self, motion: Motion) -> Found:
        names = [event.name for event in motion.nominal.events]
        if self.event not in names:
            raise no_such("event", self.event, names, " of this run")
        there = [one for one in motion.recorder.found if one[0].name == self.event]
        if not -len(there) <= self.number < len(there):
            raise ModelError(
                f"sensitivities: event {self.event!r} occurs {len(there)} times in the run, so that "
                f"it has no occurrence {self.number}."
            )
        one, y, clocks = there[self.number]
        piece = Piece([], one.t, clocks)
        moved = motion.clock_rates(np.array([one.t]), piece)[0]
        return one.t, motion.recorder.time_rates(one, y, clocks) + moved


@dataclass(frozen=True)
class Initial:
    """The value of a channel at the start of the run."""

    channel: str

    def of(self, motion: Motion) -> Found:
        return At(self.channel, motion.nominal.assembly.t).of(motion)


SAMPLES = 501  # times of a whole channel


def times_of(motion: Motion) -> np.ndarray:
    """Times of the outputs that are whole channels."""
    return np.linspace(motion.nominal.assembly.t, motion.t, SAMPLES)


@dataclass(frozen=True)
class Series:
    """A channel over the whole run, at equally spaced times."""

    channel: str

    def of(self, motion: Motion) -> tuple[np.ndarray, np.ndarray]:
        times = times_of(motion)
        values, rates = np.zeros(len(times)), np.zeros((len(times), len(motion.pairs)))
        owner = [motion.path.pieces.index(motion.path.piece_at(t)) for t in times]
        for k in sorted(set(owner)):
            piece, here = motion.path.pieces[k], np.flatnonzero(np.array(owner) == k)
            t = times[here]
            y = np.array([piece.track.at(min(one, piece.end)) for one in t])
            values[here] = motion.values(self.channel, t, y)
            rates[here] = motion.at_times(self.channel, t, y, piece)
        return values, rates


Output = Initial | Series | Final | At | Extreme | Integral | EventTime
