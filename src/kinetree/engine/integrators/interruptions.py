"""What the time loop has to do with events: it is watched chunk by chunk, and may be halted in
between.

A watcher looks at the nodes of every chunk (`loop.py`). Where an event changes the state, ends the
run or fails, it answers with a halt: what lies behind is forgotten, and the method starts anew from
the state after the event, as after a break.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

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
