"""Kinks of force elements that a run passes: which of them are jumps of the slopes of the state.

A force that jumps at an end stop, such as that of a damper that is touched at speed, changes the
derivatives of the state (recorder.py). A force that only bends there, such as that of a spring, does
not; the error test of the derivatives shortens the steps around it.
"""

from __future__ import annotations

import numpy as np

from ...simulation.events.event import Event, kinks
from .outputs import Motion
from .path import Piece
from .slopes import rates_after, rates_before, same

PARTS, ROUNDS = 16, 8  # an interval is divided ROUNDS times: to 2e-10 of a part of a step


def jumping_kinks(motion: Motion) -> tuple[str, ...]:
    """Names of the kinks that a run without them as events passes, and that are jumps."""
    known = {event.name for event in motion.nominal.events}
    wanted = [one for one in kinks(motion.nominal.plan.model) if one.name not in known]
    found: dict[str, None] = {}
    for piece in motion.path.pieces if wanted else ():
        for event, t in _passings(motion, piece, wanted):
            if event.name not in found and _jumps(motion, piece, t):
                found[event.name] = None
    return tuple(found)


def _values(motion: Motion, t: np.ndarray, y: np.ndarray, events: list[Event]) -> np.ndarray:
    """Values of events, shape (events, times)."""
    batch = motion.nominal.batch.set_states(t, np.ascontiguousarray(y[:, : motion.n]))
    return np.array([batch.values(str(one.what)) - one.level for one in events])


def _passings(motion: Motion, piece: Piece, events: list[Event]) -> list[tuple[Event, float]]:
    """Events whose sign changes between two nodes, with the times at which it does."""
    t, y, _ = motion.path.nodes(piece)
    signs = np.sign(_values(motion, t, y, events))
    which, at = np.nonzero((signs[:, 1:] != signs[:, :-1]) & (np.diff(t) > 0.0))
    if not len(which):
        return []
    start, end, sign = t[at], t[at + 1], signs[which, at]
    parts = np.arange(1, PARTS + 1) / PARTS
    for _ in range(ROUNDS):
        inner = start[:, None] + (end - start)[:, None] * parts
        inner[:, -1] = end
        states = np.array([piece.track.at(one) for one in inner.ravel()])
        values = _values(motion, inner.ravel(), states, events)
        own = np.sign(values[which].reshape(len(which), len(which), PARTS))
        own = own[np.arange(len(which)), np.arange(len(which))]
        own[:, -1] = -2.0  # the sign has changed there
        first = np.argmax(own != sign[:, None], axis=1)
        rows = np.arange(len(which))
        end, start = inner[rows, first], np.where(first > 0, inner[rows, first - 1], start)
    return [(events[k], float(one)) for k, one in zip(which, end)]


def _jumps(motion: Motion, piece: Piece, t: float) -> bool:
    """Whether the slopes of the state differ on both sides of a time."""
    y, duration = piece.track.at(t)[: motion.n], motion.t - motion.nominal.assembly.t
    before = rates_before(motion.nominal, t, y, duration)
    return not same(before, rates_after(motion.nominal, t, y, duration))
