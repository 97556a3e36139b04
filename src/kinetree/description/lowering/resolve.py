"""Insert the values that were unresolved: the last change of the tables after lowering.

Values are identified by the names of their elements, so that values found in one compiled model (in
relative coordinates, at the start) can be used in another one of the same model: in Cartesian
coordinates, or with drivers or inputs added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from ...kernel.tables.records import frozen
from .compiled import CompiledModel, LoweredModel


def resolve(
    description: LoweredModel, found: Mapping[str, float], absorbed: float = 0.0
) -> CompiledModel:
    """Return the final model; `found` must contain every unresolved value. `absorbed` is the gap
    that redundant equations keep (m).
    """
    changed = {
        name: getattr(description.tables, name).copy()
        for name in ("forces", "primitives", "settings")
    }
    changed["settings"]["absorbed"] = absorbed
    values = {one.name: float(found[one.name]) for one in description.unresolved}
    for one in description.unresolved:
        changed[one.table][one.row][one.field] = values[one.name]
    parts = {f.name: getattr(description, f.name) for f in fields(LoweredModel)}
    return CompiledModel(
        **{**parts, "tables": frozen(description.tables._replace(**changed))}, initial_values=values
    )
