"""Change points as one call: whether a model starts where its constraints lose rank, and which loops are concerned."""

from __future__ import annotations

from ..assembly.prepare import prepare
from ..assembly.singular import Singularity, singularity_at
from ..assembly.systems import system_of
from ..model.model import Model


def singularity(model: Model) -> Singularity:
    """Whether the assembled position of a model is a change point or next to one."""
    assembly = prepare(model)
    return singularity_at(system_of(assembly.compiled), assembly.q, assembly.x)
