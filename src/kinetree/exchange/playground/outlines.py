"""What is drawn differently for other values of the sliders: numbers in the outlines of the parts.

Each number is known at the lowest, the first and the highest value of a slider, and linear between
them. Pictures need no more; the motion does not use these numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...errors import KinetreeError
from ...viewer.motion import of_model
from ...viewer.pack import as_json
from ...viewer.scene import scene_of_motions
from .sliders import PARAMETER, Sliders

_NOTHING: dict[str, list] = {"at": [], "low": [], "high": []}


def outlines(sliders: Sliders) -> list[dict[str, list]]:
    """For each slider, the numbers that change, and by how much at both ends of its range."""
    changing = [one for one in sliders.all if one.kind == PARAMETER]
    first = _drawn(sliders, {}) if changing else None
    found = []
    for one in sliders.all:
        found.append(_NOTHING)
        ends = [
            _drawn(sliders, {one.name: v}) for v in (one.low, one.high) if one.kind == PARAMETER
        ]
        if first and ends and all(end and end[0] == first[0] for end in ends):
            low, high = (np.subtract(end[1], first[1]) for end in ends if end)
            at = np.flatnonzero((low != 0.0) | (high != 0.0))
            found[-1] = {"at": at.tolist(), "low": low[at].tolist(), "high": high[at].tolist()}
    return found


def _drawn(sliders: Sliders, values: dict[str, float]) -> tuple[list[str], list[float]] | None:
    """The texts and the numbers of all outlines; None if the model cannot be drawn."""
    try:
        model = sliders.plain(**values)
        scene = as_json(scene_of_motions([of_model(model)], model.name))
    except KinetreeError:
        return None
    leaves = list(_leaves([scene["solids"], scene["spans"]]))
    texts = [repr(leaf) if not _is_number(leaf) else "" for leaf in leaves]
    return texts, [float(leaf) for leaf in leaves if _is_number(leaf)]


def _leaves(tree: Any) -> Iterator[Any]:
    if isinstance(tree, (dict, list, tuple)):
        for one in tree.values() if isinstance(tree, dict) else tree:
            yield from _leaves(one)
    else:
        yield tree


def _is_number(leaf: Any) -> bool:
    return isinstance(leaf, (int, float)) and not isinstance(leaf, bool)
