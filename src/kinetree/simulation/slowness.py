"""Warning before a run that will be slow: a large model solved with dense algebra."""

from __future__ import annotations

import warnings

import numpy as np

from ..assembly.result import Assembly
from ..engine.formulations.contract import Formulation
from ..engine.sparsity.choice import dense_work, front_work
from ..kernel.tables.records import Tables
from ..options import SPARSE
from .run import Options

_SLOW = 3e7  # multiplications per evaluation, some 10 ms
_WIDE = 30  # velocities of a local basis that is not small


class SlowAlgebra(UserWarning):
    """Warning about a large model that is solved with dense algebra."""


def warn_of_dense_algebra(assembly: Assembly, method: Formulation, options: Options) -> None:
    """Warn about a large model that is solved with dense algebra, and name a faster choice."""
    tables, size = assembly.compiled.tables, assembly.compiled.size
    if not method.loops or len(tables.pivots) or _is_quick(tables, assembly.rank):
        return
    instead = "use formulation='augmented' or 'baumgarte', which have sparse algebra"
    if SPARSE in method.options and options.chosen[SPARSE.name] is False:
        instead = "leave out sparse=False"
    elif SPARSE in method.options and "N" not in method.storage:
        instead = "use coordinates='cartesian', in which long closed chains stay sparse"
    how = (
        f"in local bases of up to {_widest(tables)} velocities"
        if len(tables.fronts)
        else "with dense algebra"
    )
    warnings.warn(
        f"{assembly.compiled.model.name!r} has {size['nv']} velocities and {assembly.rank} "
        f"independent equations, which formulation {method.name!r} solves {how}; the time grows "
        f"with their cube. To be faster, {instead}.",
        SlowAlgebra,
        stacklevel=4,
    )


def _is_quick(tables: Tables, rank: int) -> bool:
    """Is what the algebra of an evaluation takes small, or linear in the size of the machine?"""
    if len(tables.fronts):
        return front_work(tables) < _SLOW or _widest(tables) < _WIDE
    return bool(tables.settings[0]["sparse"]) or dense_work(tables, rank) < _SLOW


def _widest(tables: Tables) -> int:
    """How many velocities meet in a front, or in a column of the reduced mass matrix."""
    return max(int(tables.fronts["width"].max()), 1 + int(np.diff(tables.z_first).max(initial=0)))
