"""Asking compiled user code again in plain Python, where it failed: machine code has no words,
Python has.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .capture import ErrorCapture, watching
from .copies import in_python
from .registry import Code, code_at, plain_code


def replay(tables, t: float, evaluate: Callable) -> str | None:
    """What the user's functions raise in `evaluate(tables)` with compiled ones exchanged for the
    Python they came from.

    Code that runs as plain Python anyway has said what it raised; it is called here too, once more.
    """
    alive: list[Code] = []
    spied = tables._replace(
        **{
            name: _exchanged(getattr(tables, name), alive)
            for name in ("controllers", "forces", "signals", "settings")
        }
    )
    with (
        watching(ErrorCapture()) as watch,
        np.errstate(all="ignore"),
    ):  # numbers overflow in silence, as in the compiled code
        evaluate(spied)
    if watch.stop is not None:
        raise watch.stop
    return watch.raised[0][1] if watch.raised else None


def _exchanged(rows: np.ndarray, alive: list[Code]) -> np.ndarray:
    """A copy of a table with plain Python in the place of machine code."""
    rows = rows.copy()
    pairs = rows["address"].reshape(-1, 2)
    for k, pair in enumerate(pairs):
        code = code_at(pair)
        if code is not None and code.native:
            alive.append(plain_code(in_python(code.function), code.shape))
            pairs[k] = alive[-1].address
    rows["address"] = pairs.reshape(rows["address"].shape)
    rows.flags.writeable = False  # as all tables are
    return rows
