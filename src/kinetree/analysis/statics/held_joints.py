"""Coordinates held fixed during a search for equilibrium, each by a driver that does not move.

The multiplier of the driver is the effort that holds the coordinate: the load of a cylinder, a
brake or a hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...assembly.build import build
from ...assembly.convert import convert_state
from ...assembly.result import Assembly
from ...description.lowering.resolve import resolve
from ...description.model import Element
from ...elements.constraints.driver import Driver
from ...errors import ModelError
from ...kernel.frames import number
from ...results.solution import Solution

Hold = Sequence[str] | Mapping[str, float]
_HELD = "hold "
_OFF = 1e-6  # rad, or model sizes: largest distance from the requested value


def held_model(start: Assembly, hold: Hold, t: float) -> Assembly:
    """The same state with drivers that hold coordinates at their present or requested values."""
    model, compiled = start.compiled.model, start.compiled
    drivers = {}
    for name in hold:
        at = start.coordinates[name]
        joint, label = name.rpartition(".")[::2]
        kind = model.joints[joint].joint
        size = (
            float(compiled.tables.settings[0]["length"])
            if kind.units[kind.labels.index(label)] == "m"
            else 1.0
        )
        if (
            isinstance(hold, Mapping)
            and abs(number(hold[name], f"equilibrium: hold {name!r}") - at) > _OFF * size
        ):
            raise ModelError(
                f"equilibrium: {name!r} cannot be held at {hold[name]:g}: the other joints and "
                f"held coordinates allow {at:g} nearby. Hold fewer coordinates, or another value."
            )
        drivers[_HELD + name] = Element(_HELD + name, Driver(name, at), ())
    held = model.variant(constraints={**model.constraints, **drivers})
    method = compiled.tree.method if compiled.coordinates == "relative" else "auto"
    return convert_state(
        start,
        resolve(build(held, compiled.coordinates, method), compiled.initial_values, start.absorbed),
    )


def efforts(solution: Solution) -> dict[str, float]:
    """Effort along each held coordinate."""
    names = [name for name in solution.model.constraints if name.startswith(_HELD)]
    return {name.removeprefix(_HELD): float(solution[f"{name}.force"][0]) for name in names}
