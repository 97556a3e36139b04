"""The state of a run that is advanced from outside, call by call (advance.py)."""

from typing import NamedTuple

import numpy as np

from ...kernel.array_block import all_are_like, block
from ...kernel.decorators import table

NO_RESTART, RESTART, AFTER_BREAK = range(3)  # values of `restart`
SESSION = np.dtype(
    [
        ("now", "f8"),  # time of the state in `y` (s)
        ("until", "f8"),  # end of the last segment; extended if the run goes on
        ("length", "f8"),  # by which it is extended
        ("close", "f8"),  # times closer than this are equal
        ("end", "f8"),  # end of the present segment, ...
        ("resume", "f8"),  # ... and start of the next one; infinity if no break follows
        ("restart", "i8"),  # whether the method restarts from `y` at `now`
        ("switched", "i8"),  # 1: the segment ends at a switch of user code, where no velocity jumps
        ("switches", "i8"),  # number of these
        ("next_break", "i8"),
        ("adaptive", "i8"),
        ("drivers", "i8"),  # 1: velocities may jump with drivers at breaks
        ("sampled", "i8"),  # 1: there are sampled controllers
        ("index", "i8"),  # degree of freedom or row of a failure
    ],
    align=True,
)


@block
class Session(NamedTuple):
    """Arrays of one run."""

    state: np.ndarray  # SESSION, one record
    y: np.ndarray  # the state (q, v, x) at `now`, then the work of force elements
    breaks: np.ndarray  # sorted times at which the equations or velocities may jump
    stops: np.ndarray  # sorted times at which a step ends


def empty_session() -> Session:
    """A session without arrays."""
    return Session(table(SESSION, 1), np.zeros(0), np.zeros(0), np.zeros(0))


all_are_like(Session, empty_session)
