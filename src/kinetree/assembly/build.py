"""Lower a model and attach the kernels and the sparsity that evaluate its equations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..description.lowering.compiled import CompiledModel, LoweredModel
from ..description.lowering.flexible import COORDINATES as NODES
from ..description.lowering.flexible import lower_nodes
from ..description.lowering.lower import lower
from ..description.lowering.modal import expanded, flexible_bodies
from ..description.lowering.resolve import resolve
from ..description.lowering.trees import tree_of
from ..description.model import Model
from ..description.topology.tree import Tree
from ..engine.beams.layout import with_layout
from ..engine.equations.tree import addresses
from ..engine.kkt.sparse_row_selection import with_solver
from ..engine.sparsity.choice import is_large, with_structure
from ..kernel.tables.records import frozen


def build(
    model: Model,
    coordinates: str = "relative",
    method: str | Tree = "auto",
    late: tuple[int, ...] | None = (),
) -> LoweredModel:
    """Lower a model, a large one with the sparsity of its equations; `resolve` makes it final.

    `method` is the way the tree is chosen, or the tree itself. Rows may be eliminated before all
    their unknowns, except those of the groups `late`, or all (early_rows.py).
    """
    model = model.snapshot()  # independent of later changes of the user's model
    if flexible_bodies(model):
        model, method = expanded(model, coordinates, str(method))
    tree = tree_of(model, coordinates, method) if isinstance(method, str) else method
    found = with_equations(lower(model, tree, coordinates))
    if not is_large(found.tables):
        return found
    tables = with_structure(found.tables, late is not None, late or ())
    return replace(found, tables=with_solver(tables), late=late)


def build_nodes(model: Model) -> LoweredModel:
    """Lower a model in nodal coordinates: every body and every node of a beam is free."""
    return with_equations(lower_nodes(model.snapshot()))


def with_equations(found: LoweredModel) -> LoweredModel:
    """Attach the kernels of the tree, unless the model has generated equations."""
    if found.model.generated is not None:
        return found
    kernels = addresses(_has_user_driver(found))
    return replace(found, tables=frozen(found.tables._replace(equations=kernels)))


def _has_user_driver(found: LoweredModel) -> bool:
    """Whether a driver follows a user function, whose discontinuities are unknown."""
    driven = {int(row["signal"]) for row in found.tables.primitives} - {-1}
    return any(
        (signal := found.signals[k]) is not None and signal.kind == "function" for k in driven
    )


def rebuild(
    model: Model,
    tree: Tree,
    coordinates: str,
    found: Mapping[str, float],
    settings: np.ndarray,
    late: tuple[int, ...] | None = (),
) -> CompiledModel:
    """Compile a model again from the data that a pickle keeps; addresses of kernels and user code
    are those of this process.
    """
    description = (
        build_nodes(model) if coordinates == NODES else build(model, coordinates, tree, late)
    )
    compiled = resolve(description, found, float(settings[0]["absorbed"]))
    tables = compiled.tables._replace(settings=settings)
    return replace(compiled, tables=with_layout(tables) if coordinates == NODES else frozen(tables))
