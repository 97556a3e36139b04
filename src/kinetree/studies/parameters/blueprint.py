"""One model of a study lowered, with everything that a run and the search of its start need.

A blueprint lists all its numbers in one vector: those of the tables for the run, those of the tables
with drivers that hold the given start values, and the numbers that Python code reads (the drawn
position, start values and speeds, frames of bodies and joints). Two models that differ in parameters
alone have equal structure and differ in these numbers only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np

from ...assembly.build import build
from ...assembly.start import drawn_position
from ...description.lowering.breaks import sampled_controllers
from ...description.lowering.compiled import LoweredModel
from ...description.model import Element, Model
from ...elements.constraints.driver import Driver
from ...kernel.tables.records import Tables
from .words import Layout, own_words

Configure = Callable[[Tables], Tables]


@dataclass(frozen=True)
class Blueprint:
    """A lowered model, the same with its start values held, and all numbers in both."""

    model: Model
    lowered: LoweredModel
    held: LoweredModel | None
    tables: Tables  # of the run, with the settings of the formulation
    drawn: np.ndarray

    @classmethod
    def of(cls, model: Model, topology: str, configure: Configure) -> Blueprint:
        """Lower a model."""
        lowered = build(model, "relative", topology)
        starts = held_values(model)
        held = None
        if starts and lowered.size["ng"]:
            drivers = {f"hold {k}": Element(f"hold {k}", Driver(k, v), ()) for k, v in starts}
            driven = model.variant(constraints={**model.constraints, **drivers})
            held = build(driven, "relative", lowered.tree.method)
        return cls(
            lowered.model,
            lowered,
            held,
            configure(lowered.tables),
            drawn_position(lowered, lowered.workspace(())),
        )

    @cached_property
    def layouts(self) -> tuple[Layout, ...]:
        """The layouts of the tables."""
        return tuple(Layout.of(one) for one in self._tables)

    @property
    def _tables(self) -> tuple[Tables, ...]:
        return (self.tables,) if self.held is None else (self.tables, self.held.tables)

    @cached_property
    def others(self) -> dict[str, np.ndarray]:
        """Numbers outside of the tables, by what they are."""
        lowered, joints = self.lowered, self.lowered.joints.values()
        held = self.held or lowered
        return {
            "drawn position": self.drawn,
            "initial states": initial_values(lowered),
            "turns": turns(lowered),
            "initial states with drivers": initial_values(held),
            "turns with drivers": turns(held),
            "speeds": np.array([one.value for one in speeds(lowered)], float),
            "frames of bodies": _flat([_pose(X) for X in lowered.X_BK]),
            "frames of joints": _flat([_pose(X) for p in joints for X in (p.X_iF, p.X_jM)]),
            "start values": np.array([value for _, value in start_values(self.model)], float),
        }

    @cached_property
    def lasting(self) -> dict[str, np.ndarray]:
        """Numbers that Python code of a run reads, and that must be equal in all cases."""
        lowered, model = self.lowered, self.model
        times = [t for signal in lowered.signals if signal for t in signal.breaks()]
        times += [t for element in model.with_states for t in element.spec.breakpoints]
        return {
            "times at which time functions break": np.array(times, float),
            "scales of states": np.array([p.state.scale for p in lowered.states.values()], float),
            "velocities of bodies": _body_velocities(model),
        }

    @cached_property
    def numbers(self) -> np.ndarray:
        """All numbers, in a fixed order."""
        found = [
            own_words(tables).numbers[layout.numbers]
            for tables, layout in zip(self._tables, self.layouts)
        ]
        return np.concatenate([*found, *self.others.values()])

    @cached_property
    def sizes(self) -> np.ndarray:
        """Per number, the largest component of the same vector: what its rounding errors refer to."""
        found = []
        for tables, layout in zip(self._tables, self.layouts):
            size = np.abs(own_words(tables).numbers)
            size[~layout.numbers | ~np.isfinite(size)] = 0.0
            largest = np.zeros(layout.groups.max() + 2)
            np.maximum.at(largest, layout.groups, size)
            found.append(largest[layout.groups][layout.numbers])
        for what, values in self.others.items():
            if what.startswith("frames"):
                poses = np.abs(values.reshape(-1, 12))
                far = poses[:, 9:].max(axis=1, initial=0.0)
                found.append(np.column_stack([np.ones((len(poses), 9)), *3 * [far]]).ravel())
            else:
                found.append(np.abs(np.nan_to_num(values)))
        return np.concatenate(found)

    @cached_property
    def structure(self) -> str:
        """Digest of all that must be equal in all cases."""
        digest = blake2b(digest_size=16)
        for tables, layout in zip(self._tables, self.layouts):
            words = own_words(tables).raw[layout.structure]
            digest.update(repr(layout.shapes).encode() + words.tobytes())
        digest.update(repr(self.names).encode())
        digest.update(repr([len(one) for one in self.others.values()]).encode())
        return digest.hexdigest()

    @cached_property
    def names(self) -> dict[str, tuple[str, ...]]:
        """Names of everything in the model, by what they name."""
        model, lowered = self.model, self.lowered
        return {
            "bodies": tuple(lowered.bodies[1:]),
            "joints": _kinds(model.joints, lambda one: one.joint.kind),
            "constraints": _kinds(model.constraints, lambda one: one.spec.kind),
            "forces": _kinds(model.forces, lambda one: one.spec.kind),
            "controllers": _kinds(model.controllers, lambda one: ""),
            "start values": tuple(name for name, _ in start_values(model)),
            "speeds": tuple(one.name for one in speeds(lowered)),
            "lengths left open": tuple(one.name for one in lowered.unresolved),
            "time functions": tuple(str(s and s.kind) for s in lowered.signals),
        }

    def name(self, k: int) -> str:
        """A number in words, such as "links[2].mass"."""
        for tables, layout, held in zip(self._tables, self.layouts, ("", "held start: ")):
            words = np.flatnonzero(layout.numbers)
            if k < len(words):
                return held + layout.name(tables, int(words[k]))
            k -= len(words)
        for what, values in self.others.items():
            if k < len(values):
                return f"{what}, number {k}"
            k -= len(values)
        raise IndexError(k)

    def difference(self, other: Blueprint) -> str:
        """Which parts two models of different structure do not share, in words."""
        found = []
        for what, mine in self.names.items():
            its = other.names[what]
            if mine != its:
                only = [f"{one!r} only in the first" for one in mine if one not in its]
                only += [f"{one!r} only in the second" for one in its if one not in mine]
                found.append(f"{what} ({', '.join(only[:4]) or 'in another order'})")
        if not found:
            shapes = zip(self._tables[0]._fields, self._tables[0], other._tables[0])
            found = [f"table {n!r}" for n, a, b in shapes if a.shape != b.shape]
        return ", ".join(found) or "a count or a choice among their settings"


def held_values(model: Model) -> list[tuple[str, float]]:
    """The given start values of scalar coordinates."""
    return [
        (f"{s.name}.{label}", value)
        for s in model.joints.values()
        for label, value in s.start.items()
        if label in s.joint.scalars
    ]


def start_values(model: Model) -> list[tuple[str, float]]:
    """All given start values, by name."""
    return [
        (f"{s.name}.{label}", value)
        for s in model.joints.values()
        for label, value in s.start.items()
    ]


def speeds(lowered: LoweredModel) -> list[Any]:
    """The given joint speeds."""
    from ...assembly.velocities import Speed

    return [
        Speed(place, label, value)
        for place in lowered.joints.values()
        for label, value in place.spec.speed.items()
    ]


def initial_values(lowered: LoweredModel) -> np.ndarray:
    """Initial states of elements and controllers."""
    x = np.zeros(lowered.size["nx"])
    for own in lowered.states.values():
        x[own.ix] = own.state.initial
    return x


def turns(lowered: LoweredModel) -> np.ndarray:
    """Per state that counts turns, the given angle; NaN for the others."""
    x = np.full(lowered.size["nx"], np.nan)
    for place in lowered.joints.values():
        for label, ix in place.turns.items():
            x[ix] = place.spec.start.get(label, np.nan)
    return x


def sampled(lowered: LoweredModel) -> bool:
    """Whether the model has sampled controllers."""
    return sampled_controllers(lowered)  # type: ignore[arg-type]


def _kinds(parts: dict[str, Any], kind: Callable[[Any], str]) -> tuple[str, ...]:
    return tuple(
        f"{name} ({found})" if (found := kind(one)) else name for name, one in parts.items()
    )


def _pose(X: Any) -> np.ndarray:
    return np.concatenate([X.R.ravel(), X.p])


def _flat(parts: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.zeros(0), *parts])


def _body_velocities(model: Model) -> np.ndarray:
    given = [
        np.asarray(u, float)
        for body in model.bodies.values()
        for u in (body.velocity, body.angular_velocity)
        if u is not None
    ]
    return _flat(given)
