"""Records of flexible bodies, for the links of the joints inside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...elements.joints.catalogue import MODES
from ...elements.joints.contract import Joint
from ...kernel.tables.records import FLEXIBLE
from ...kernel.tables.workspace import modal_numbers

if TYPE_CHECKING:
    from .lower import Lowering


def lower_modes(to: Lowering, row: np.void, i: int, joint: Joint) -> None:
    """Fill the fields of a link with modes, or of a marker; the link with the modes comes first."""
    if isinstance(joint, MODES):
        _new_body(to, row, i, joint)
        return
    carrier = to.links[row["parent"]]
    row["modes"], row["mode_iq"], row["mode_iv"] = carrier["nv"], carrier["iq"], carrier["iv"]
    row["column"] = to.columns  # after those of the degrees of freedom, see `place_columns`
    to.columns += int(carrier["nv"])


def _new_body(to: Lowering, row: np.void, i: int, joint: Any) -> None:
    record = np.zeros(1, FLEXIBLE)[0]
    before = to.rows["flexible"]
    record["link"], record["n"], record["r"] = i, joint.count, joint.shapes
    record["iq"], record["iv"] = row["iq"], row["iv"]
    record["at"] = sum(modal_numbers(int(one["n"]), int(one["r"])) for one in before)
    record["curved"] = joint.curved
    before.append(record)
    row["flexible"] = len(before)


def place_columns(to: Lowering) -> None:
    """Count the columns of markers from behind those of all degrees of freedom."""
    to.links["column"][to.links["modes"] > 0] += to.nv
