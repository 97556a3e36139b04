"""The contact groups of a lowered model."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...elements.forces.catalogue import KIND
from ...elements.forces.contact_group import SHAPE, TOTALS, WRENCH
from ...kernel.tables.records import Tables

NUMBERS = 3  # per shape in the pool: its kind, its first number, its reach


class Group(NamedTuple):
    """A contact group: its force, its first state, its law, and its shapes by markers."""

    force: int
    ix: int
    friction: float
    restitution: float
    markers: np.ndarray  # records
    shapes: np.ndarray  # (n, NUMBERS)

    def wrench(self, k: int) -> int:
        """First state of the wrench on shape k."""
        return self.ix + len(TOTALS) + WRENCH * k


def groups_of(tables: Tables) -> list[Group]:
    """All contact groups of a model."""
    found = []
    markers = tables.markers.view(np.ndarray)
    for k, force in enumerate(tables.forces.view(np.ndarray)):
        if force["kind"] != KIND["contact-group"]:
            continue
        first, count, im = int(force["first"]), int(force["nm"]), int(force["im"])
        numbers = tables.pool[first + SHAPE : first + SHAPE + NUMBERS * count]
        found.append(
            Group(
                k,
                int(force["ix"]),
                float(tables.pool[first]),
                float(tables.pool[first + 1]),
                markers[im : im + count],
                numbers.reshape(count, NUMBERS),
            )
        )
    return found
