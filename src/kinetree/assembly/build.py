"""A machine whose equations can be evaluated: its description, who fills them, and how they are
solved.
"""

from __future__ import annotations

from dataclasses import replace

from ..description.lowering.compiled import Description
from ..description.lowering.flexible import lower_nodes
from ..description.lowering.lower import lower
from ..description.lowering.trees import tree_of
from ..description.model import Model
from ..description.topology.tree import Tree
from ..engine.equations.tree import addresses
from ..engine.kkt.sparse_row_selection import with_solver
from ..engine.sparsity.choice import is_large, with_structure
from ..kernel.tables.records import frozen


def build(model: Model, coordinates: str = "relative", method: str | Tree = "auto") -> Description:
    """The model lowered, a large one with the structure of its equations; `resolve` makes it final.

    `method` is how the tree is chosen, or the tree itself.
    """
    model = model.snapshot()  # results keep it, whatever is added to the model afterwards
    found = _with_plant(
        lower(
            model,
            tree_of(model, coordinates, method) if isinstance(method, str) else method,
            coordinates,
        )
    )
    if not is_large(found.tables):
        return found
    return replace(found, tables=with_solver(with_structure(found.tables)))


def build_nodes(model: Model) -> Description:
    """The model lowered with every body free and every beam its nodes."""
    return _with_plant(lower_nodes(model.snapshot()))


def _with_plant(found: Description) -> Description:
    """The tree fills the equations, unless the model came with its own."""
    if found.model.generated is not None:
        return found
    return replace(
        found, tables=frozen(found.tables._replace(equations=addresses(_follows_user_code(found))))
    )


def _follows_user_code(found: Description) -> bool:
    """Does a driver follow a function whose jumps nobody can know?"""
    driven = {int(row["signal"]) for row in found.tables.primitives} - {-1}
    return any(
        (signal := found.signals[k]) is not None and signal.kind == "function" for k in driven
    )
