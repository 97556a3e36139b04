"""The state y = (q, v, x)."""

from typing import NamedTuple

import numpy as np

from ..decorators import inline


class Start(NamedTuple):
    """A time and a state that satisfies the constraints."""

    t: float
    y: np.ndarray


@inline
def parts(tables, y):
    """Views q, v, x of a state."""
    s = tables.settings[0]
    return y[: s.nq], y[s.nq : s.nq + s.nv], y[s.nq + s.nv :]
