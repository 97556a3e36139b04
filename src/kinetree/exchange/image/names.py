"""Names of states and bodies in the header of an image, and layouts of its records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...description.lowering.breaks import driving_signals, sampled_controllers
from ...description.lowering.compiled import CompiledModel
from ...elements.signals.input import Input
from ...engine.integrators.memory import CONTROL, MEMORY
from ...errors import ModelError
from ...kernel.tables.records import SIGNAL
from ...kernel.tables.report import REPORT
from ...simulation.run import tolerances
from .prepare import Blocks
from .session import SESSION

_LISTED = ("session", "view", "record", "outputs", "run", "tables", "seen")


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
        "nominals": tolerances(blocks.assembly, 1.0).tolist(),
        "kinds": kinds_of(blocks),
        "inputs": _inputs(blocks, places),
        "parameters": [],
        "patches": [],
    }


def kinds_of(blocks: Blocks) -> dict[str, bool]:
    """What decides how a model can be run by other integrators."""
    compiled = blocks.assembly.compiled
    driven = [compiled.signals[k] for k in driving_signals(compiled)]
    return {
        "constrained": bool(compiled.size["ng"])
        or any(compiled.joint_class(i).ball for i in range(1, len(compiled.bodies))),
        "sampled": sampled_controllers(compiled),
        "input drives": any(isinstance(signal, Input) for signal in driven),
    }


def _inputs(blocks: Blocks, places: Mapping[str, int]) -> list[dict[str, Any]]:
    """Names, units, values at the start and records of the inputs."""
    found: dict[str, dict[str, Any]] = {}
    for k, signal in enumerate(blocks.assembly.compiled.signals):
        if not isinstance(signal, Input):
            continue
        own = {"name": signal.name, "unit": signal.unit, "start": signal.start}
        known = found.setdefault(signal.name, {**own, "places": []})
        if any(known[key] != value for key, value in own.items()):
            raise ModelError(
                f"inputs named {signal.name!r} have different starts or units: {known['start']:g} "
                f"{known['unit']} and {signal.start:g} {signal.unit}. Use one kt.Input for all, or "
                "different names."
            )
        for block in dict.fromkeys((places["tables.signals"], places["seen.signals"])):
            known["places"].append(block + k * SIGNAL.itemsize)
    return list(found.values())


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
    fields: Mapping[str, Any] = dtype.fields or {}
    return {
        "bytes": dtype.itemsize,
        **{name: [offset, kind.base.str[1:]] for name, (kind, offset, *_) in fields.items()},
    }
