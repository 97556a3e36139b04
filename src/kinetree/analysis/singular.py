"""Change points as one call: whether a model starts where its constraints lose rank, and which
loops are concerned.
"""

from __future__ import annotations

from ..assembly.nodal import in_nodes, singularity_in_nodes
from ..assembly.prepare import prepare
from ..assembly.singular import Singularity, singularity_at
from ..assembly.sparse_system import system_of
from ..description.lowering.flexible import beams_of
from ..description.model import Model


def singularity(model: Model) -> Singularity:
    """Whether the assembled position of a model is a change point or next to one; beams may bend."""
    assembly = prepare(model)
    if beams_of(model):
        return singularity_in_nodes(in_nodes(assembly), assembly.compiled.tree)
    return singularity_at(system_of(assembly.compiled), assembly.q, assembly.x)
