"""Evaluation of failed user code as plain Python, for the exception that machine code cannot
report.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .capture import ErrorCapture, capturing
from .copies import in_python
from .ready import ReadyFunction
from .registry import WITH_CODE, Code, code_at, plain_code


def replay(tables, t: float, evaluate: Callable) -> str | None:
    """The exception, as text, of the user's functions in `evaluate(tables)`, all run as plain
    Python; None if there is none.
    """
    alive: list[Code] = []
    plain = tables._replace(**{name: _in_plain(getattr(tables, name), alive) for name in WITH_CODE})
    # without warnings of overflow, as in the compiled code
    with capturing(ErrorCapture()) as errors, np.errstate(all="ignore"):
        evaluate(plain)
    if errors.stop is not None:
        raise errors.stop
    return errors.raised[0][1] if errors.raised else None


def _in_plain(rows: np.ndarray, alive: list[Code]) -> np.ndarray:
    """A copy of a table with plain Python in place of machine code."""
    rows = rows.copy()
    pairs = rows["address"].reshape(-1, 2)
    for k, pair in enumerate(pairs):
        code = code_at(pair)
        if code is not None and code.native:
            ready = isinstance(code.function, ReadyFunction)
            function = code.function if ready else in_python(code.function)
            alive.append(plain_code(function, code.shape))
            pairs[k] = alive[-1].address
    rows["address"] = pairs.reshape(rows["address"].shape)
    rows.flags.writeable = False  # as all tables are
    return rows
