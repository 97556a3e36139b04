"""Structural methods as [Yun2005] prints them: checked against the model, and written to the
settings of its tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..elements.forces.catalogue import FORCES
from ..errors import ModelError
from ..kernel.tables.records import Tables
from ..options import CONVECTED, HISTORY, PLANAR, PRINTED
from .result import Assembly

EQUATIONS = {"energy-conserving": 39, "trapezoidal": 40}  # of springs, by the name of the rule
_SPRINGS = [kind for kind, entry in enumerate(FORCES) if entry.discrete is not None]


def as_printed(assembly: Assembly, rule: str, chosen: Mapping[str, Any]) -> Assembly:
    """The assembly with the printed forms that are chosen in its settings."""
    printed, history, convected = (bool(chosen.get(o.name)) for o in (PRINTED, HISTORY, CONVECTED))
    if not (printed or history or convected):
        return assembly
    tables, name = assembly.compiled.tables, assembly.compiled.model.name
    if printed:
        _check_springs(tables, name, rule)
    if history and not len(tables.elements):
        raise ModelError(
            f"history: model {name!r} has no beam, and only beam elements carry frame and strain "
            "from step to step. Leave history= out."
        )
    if (history or convected) and chosen.get(PLANAR.name):
        what = HISTORY.name if history else CONVECTED.name
        raise ModelError(
            f"{what}: the form of [Yun2005, eq. (25)] is computed in space only. Leave planar= out."
        )
    settings, elements = tables.settings.copy(), tables.elements
    settings["printed"] = EQUATIONS[rule] if printed else 0
    settings["history"], settings["convected"] = history, convected
    if convected:
        elements = elements.copy()
        elements["mass"], elements["J"] = 0.0, 0.0  # nothing is shared between nodes
    tables = tables._replace(settings=settings, elements=elements)
    return replace(assembly, compiled=replace(assembly.compiled, tables=tables))


def _check_springs(tables: Tables, name: str, rule: str) -> None:
    if len(tables.elements):
        raise ModelError(
            f"printed: eqs. (39) and (40) of [Yun2005] are those of springs, and model {name!r} has "
            "beams; their printed form is history=True, convected=True of 'energy-conserving'. "
            "Leave printed= out."
        )
    if not np.isin(tables.forces["kind"], _SPRINGS).any():
        kinds = ", ".join(FORCES[kind].force.__name__ for kind in _SPRINGS)
        raise ModelError(
            f"printed: model {name!r} has no spring ({kinds}), so that {rule!r} has nothing to "
            f"replace by eqs. ({EQUATIONS[rule]}) of [Yun2005]. Leave printed= out."
        )
