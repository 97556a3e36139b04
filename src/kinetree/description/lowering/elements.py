"""Force elements become records, each written by its own class, and their markers a table of frames
on bodies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...elements.forces.catalogue import KIND
from ...errors import ModelError
from ...kernel.tables.records import FORCE, MARKER
from ..body import Marker
from .states import first_state

if TYPE_CHECKING:
    from .lower import Lowering


def lower_forces(to: Lowering) -> None:
    for element in to.model.forces.values():
        row = np.zeros(1, FORCE)[0]
        row["kind"], row["ix"], row["sensor"] = (
            KIND[element.spec.kind],
            first_state(to, element),
            -1,
        )
        row["im"], row["nm"] = _markers(to, element.markers), len(element.markers)
        try:
            element.spec.lower(row, to)
        except ModelError as error:
            raise type(error)(f"force {element.name!r}: {error}") from None
        to.rows["forces"].append(row)


def _markers(to: Lowering, markers: Sequence[Marker]) -> int:
    """Position of the first of these markers in their table."""
    first, bodies = len(to.rows["markers"]), [m.body for m in markers]
    for k, marker in enumerate(markers):
        row = np.zeros(1, MARKER)[0]
        row["body"], X = to.placed(marker)
        row["R"], row["p"], row["again"] = X.R.ravel(), X.p, marker.body in bodies[:k]
        to.rows["markers"].append(row)
    return first
