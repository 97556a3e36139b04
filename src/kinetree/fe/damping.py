"""Damping of the modes: ratios of critical damping that rise in steps with the frequency."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.checks import number
from ..errors import ModelError, short

Damping = float | Sequence[tuple[float, float]] | None


def ratios(frequencies: np.ndarray, upto: float, damping: Damping) -> tuple[np.ndarray, str]:
    """The ratio of each mode, and the words of the receipt."""
    if damping is None:
        damping = [(100.0, 0.01), (max(1000.0, upto), 0.1)]
    if not isinstance(damping, (list, tuple)):
        one = number(damping, "reduce: damping", at_least_zero=True)
        return np.full(len(frequencies), one), f"{100 * one:g} % of critical in all modes"
    out, words, last = np.ones(len(frequencies)), [], -1.0
    steps = []
    for pair in damping:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise ModelError(
                f"reduce: damping must be a ratio or pairs (frequency in Hz, ratio), got {short(pair)}."
            )
        limit = number(pair[0], "reduce: frequency of damping", positive=True)
        if limit <= last:
            raise ModelError("reduce: the frequencies of damping must rise.")
        last = limit
        steps.append((limit, number(pair[1], "reduce: ratio of damping", at_least_zero=True)))
        words.append(f"{100 * steps[-1][1]:g} % up to {limit:g} Hz")
    for limit, ratio in reversed(steps):
        out[frequencies <= limit] = ratio
    return out, ", ".join([*words, "critical above"])
