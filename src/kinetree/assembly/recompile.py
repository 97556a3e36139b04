"""A compiled model made again from what a pickle keeps of it: addresses of kernels and user code
are those of this process.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..description.lowering.compiled import CompiledModel
from ..description.lowering.flexible import COORDINATES as NODES
from ..description.lowering.resolve import resolve
from ..description.model import Model
from ..description.topology.tree import Tree
from ..engine.beams.layout import with_layout
from ..kernel.tables.records import frozen
from .build import build, build_nodes


def compiled_again(
    model: Model, tree: Tree, coordinates: str, found: Mapping[str, float], settings: np.ndarray
) -> CompiledModel:
    """The same machine, with the same settings."""
    description = build_nodes(model) if coordinates == NODES else build(model, coordinates, tree)
    compiled = resolve(description, found, float(settings[0]["absorbed"]))
    tables = compiled.tables._replace(settings=settings)
    return replace(compiled, tables=with_layout(tables) if coordinates == NODES else frozen(tables))
