"""Starting points of a search: given ones, and points that fill the ranges and can be computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.checks import mapping
from ...errors import ModelError, no_such
from ...kernel.frames import number
from ..cases.rows import DONE
from .evaluator import Evaluator

DRAWN = 40  # points drawn at most, for each start


def given_start(given: Mapping[str, Any], evaluator: Evaluator) -> np.ndarray:
    """The scaled parameters of a start; parameters that are not given are in the middle."""
    p = 0.5 * (evaluator.low + evaluator.high)
    for name, value in mapping(given, "start", "{'length': 0.5}").items():
        if name not in evaluator.names:
            raise no_such("parameter", name, evaluator.names, " of start")
        k = evaluator.names.index(name)
        p[k] = number(value, f"start: {name}")
        if not evaluator.low[k] <= p[k] <= evaluator.high[k]:
            raise ModelError(
                f"start: {name} = {p[k]:g} is outside its limits {evaluator.low[k]:g} .. "
                f"{evaluator.high[k]:g}."
            )
    return (p - evaluator.low) / (evaluator.high - evaluator.low)


def feasible_starts(
    evaluator: Evaluator, count: int, seed: int
) -> tuple[list[np.ndarray], int, str]:
    """Scaled points of a Sobol sequence whose case can be computed, how many were drawn, and why the
    last one that failed did so.
    """
    from scipy.stats import qmc

    sequence = qmc.Sobol(len(evaluator.names), rng=np.random.default_rng(seed))
    found: list[np.ndarray] = []
    drawn, why = 0, ""
    while len(found) < count and drawn < DRAWN * count:
        batch = sequence.random(max(2, 1 << (count - len(found) - 1).bit_length()))
        rows = evaluator.rows(evaluator.low + (evaluator.high - evaluator.low) * batch)
        for u, row in zip(batch, rows):
            drawn += 1
            if row.status == DONE and len(found) < count:
                values = evaluator.flat(row.values)
                if np.isfinite(values).all():
                    found.append(u)
            elif row.status != DONE:
                why = row.reason
    return found, drawn, why
