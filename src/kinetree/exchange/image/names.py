"""Names of states and bodies in the header of an image, and layouts of its records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...description.lowering.compiled import CompiledModel
from ...engine.integrators.memory import CONTROL, MEMORY
from ...kernel.tables.records import SIGNAL
from ...kernel.tables.report import REPORT
from .prepare import Blocks
from .session import SESSION

_LISTED = ("session", "view", "record", "run", "tables", "seen")


def names_of(blocks: Blocks, places: Mapping[str, int]) -> dict[str, Any]:
    """What the header tells about the content of the arena."""
    compiled, size = blocks.assembly.compiled, blocks.assembly.compiled.size
    arrays = {
        f"{name}.{field}": [places[f"{name}.{field}"], _kind(array.dtype), list(array.shape)]
        for name in _LISTED
        for field, array in blocks.by_name[name]._asdict().items()
        if array.size
    }
    records = {"session": SESSION, "memory": MEMORY, "control": CONTROL, "report": REPORT}
    records["signal"] = SIGNAL
    return {
        "arrays": arrays,
        "records": {name: _fields(dtype) for name, dtype in records.items()},
        "numbers": {
            "n": len(blocks.assembly.y),
            "width": blocks.run.vectors.shape[1],
            "bodies": len(compiled.bodies),
            **size,
        },
        "states": state_names(compiled),
        "bodies": list(compiled.bodies),
        "rtol": blocks.rtol,
    }


def state_names(compiled: CompiledModel) -> list[str]:
    """Names of the states (q, v, x): coordinates, velocities, states of elements and controllers."""
    size = compiled.size
    q = [f"q[{k}]" for k in range(size["nq"])]
    for i in range(1, len(compiled.bodies)):
        first, kind = int(compiled.tables.links[i]["iq"]), compiled.joint_class(i)
        owner = next(
            (name for name, place in compiled.joints.items() if place.link == i),
            compiled.bodies[i],
        )
        for k, label in enumerate(kind.labels):
            q[first + k] = f"{owner}.{label}"
    v = [f"{owner}.{label}.rate" for owner, label in compiled.dof_owner]
    x = [f"x[{k}]" for k in range(size["nx"])]
    for name, place in compiled.states.items():
        x[place.ix] = name
    return _distinct([*q, *v, *x])


def _distinct(names: list[str]) -> list[str]:
    """The names, with a number after those that are there already."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return found


def _kind(dtype: np.dtype) -> str:
    return "record" if dtype.names else dtype.str[1:]


def _fields(dtype: np.dtype) -> dict[str, Any]:
    fields = dtype.fields or {}
    return {
        "bytes": dtype.itemsize,
        **{name: [offset, kind.base.str[1:]] for name, (kind, offset, *_) in fields.items()},
    }
