"""The equations of a state and of its derivatives: by dual numbers, or beside user code by
differences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...engine.integrators.companions import beside, project_beside, rhs_beside
from ...errors import ModelError
from ...kernel.decorators import JIT
from ...kernel.tables.records import Tables
from ...kernel.tables.signatures import signatures
from ...kernel.types import WIDTH
from .members import Member, Pair

BY_DIFFERENCES = ("tree", "augmented")  # formulations whose choices do not depend on the past


@dataclass
class Beside:
    """Kernels and tables of a run with derivatives."""

    rhs: Any
    project: Any
    tables: Tables
    clocks: np.ndarray  # of the companions, two for each parameter
    set_clocks: Callable[[np.ndarray], None]
    exact: bool  # derivatives are exact up to rounding, so that their errors are tested
    keep: Any  # arrays that the tables refer to


def equations_of(nominal: Member, pairs: Sequence[Pair]) -> Beside:
    """The equations of a model with its derivatives."""
    if JIT and not nominal.assembly.compiled.code:
        try:
            return _by_tangents(nominal, pairs)
        except ImportError:  # kernels with dual numbers are compiled here, by llvmlite
            pass
    return _by_differences(nominal, pairs)


def _by_tangents(nominal: Member, pairs: Sequence[Pair]) -> Beside:
    from ...engine.integrators.tangents import (
        FIRST,
        TangentArrays,
        project_with_tangents,
        rhs_with_tangents,
    )
    from ...kernel.runtime.tangents import TangentPointer

    plan, (_, _, rhs, project) = nominal.plan, signatures()
    storage = (*plan.method.storage, *plan.integrator.storage)
    arrays = TangentArrays(
        nominal.assembly.compiled.tables,
        nominal.work,
        nominal.assembly.compiled.workspace(storage),
        plan.method.rhs,
        plan.method.project,
        [pair.slopes() for pair in pairs],
        nominal.n,
    )

    def set_clocks(clocks: np.ndarray) -> None:
        for j, pair in enumerate(pairs):
            group, lane, own = arrays.clocks[j // WIDTH], j % WIDTH, clocks[2 * j : 2 * j + 2]
            group[0] = own[0, 1]
            group[FIRST + lane] = pair.difference(own[0, 2], own[1, 2])
            group[FIRST + WIDTH + lane] = pair.difference(own[0, 3], own[1, 3])

    return Beside(
        TangentPointer(rhs_with_tangents, rhs),
        TangentPointer(project_with_tangents, project),
        arrays.tables,
        np.zeros((2 * len(pairs), 5)),
        set_clocks,
        True,
        arrays,
    )


def _by_differences(nominal: Member, pairs: Sequence[Pair]) -> Beside:
    plan = nominal.plan
    if plan.method.name not in BY_DIFFERENCES:
        raise ModelError(
            f"sensitivities: a model with user code needs formulation 'augmented' or 'tree', not "
            f"{plan.method.name!r}."
        )
    members = [member for pair in pairs for member in pair.members]
    tables, arrays = beside(
        nominal.assembly.compiled.tables,
        plan.method.rhs,
        plan.method.project,
        [(member.assembly.compiled.tables, member.work) for member in members],
        np.concatenate([pair.increments for pair in pairs]),
        nominal.n,
    )
    return Beside(
        rhs_beside, project_beside, tables, arrays.clocks, lambda clocks: None, False, arrays
    )
