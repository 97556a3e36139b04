"""Scales of a compiled model to which error tests refer: units of the states, time and energy."""

from __future__ import annotations

import math
from copy import copy
from typing import Any, NamedTuple

import numpy as np

from ..description.lowering.breaks import moving
from ..description.lowering.compiled import CompiledModel
from ..kernel.linalg import norm
from ..kernel.tables.joint_inertia import joint_inertias
from ..kernel.tables.records import Tables

SLOW, FAST = 8.0, 1000.0  # limits of `second` relative to the time scale of the motion
LEDGER = 10.0  # tolerance of the work relative to that of the motion


class Scales:
    """Scales of one compiled model, the same in all its runs."""

    def __init__(self, compiled: CompiledModel) -> None:
        self._own_units, self._travels = _units(compiled)
        self._speeds, self._end = compiled.size["nq"], compiled.size["nq"] + compiled.size["nv"]
        # with forces or drivers, the work of each force element and of the drivers is integrated
        forces = len(compiled.tables.forces)
        self.works = forces + 1 if forces or moving(compiled) else 0
        self._read(compiled.tables)

    def renewed(self, tables: Tables) -> Scales:
        """The scales of a model that differs in the numbers of its tables alone."""
        other = copy(self)
        other._read(tables)
        return other

    def _read(self, tables: Tables) -> None:
        """Compute all scales from the numbers in the tables."""
        settings = tables.settings[0]
        self.length, self.gravity = float(settings["length"]), norm(settings["gravity"])
        self.units = np.where(self._travels, self.length, self._own_units)
        self._rates = self.units[self._speeds : self._end]
        if self.works:
            mass, turning = _inertias(tables.links)
            self._weight = mass * self.length * self.gravity
            own = float((joint_inertias(tables) * self._rates**2).sum())
            self._inertia = max(mass * self.length * self.length, turning, own)

    def of_many(
        self, settings: np.ndarray, links: np.ndarray, joints: np.ndarray, duration: float
    ) -> ManyScales:
        """The scales of many models: their settings, their links (models, links), and the inertias of
        their joint coordinates (models, speeds).
        """
        length = settings["length"]
        gravity = np.array([norm(one) for one in settings["gravity"]])
        units = np.where(self._travels, length[:, None], self._own_units)
        mass, turning = _inertias(links)
        seconds = np.array([_second(*one, duration) for one in zip(length, gravity)])
        rates = units[:, self._speeds : self._end].copy()
        own = (joints * rates**2).sum(axis=1)
        inertia = np.maximum(np.maximum(mass * length * length, turning), own)
        energies = mass * length * gravity, inertia
        units[:, self._speeds : self._end] /= seconds[:, None]
        return ManyScales(seconds, units, rates, np.column_stack(energies))

    @classmethod
    def of(cls, compiled: CompiledModel) -> Scales:
        """The scales of a model, computed once."""
        found = compiled.kept.get("scales")
        if found is None:
            found = cls(compiled)
            compiled.kept.keep("scales", found)
        return found

    def second(self, duration: float) -> float:
        """The time (s) by which rates are scaled in error tests: one second in usual models.

        It is limited to between 1/8 and 1000 of the time scale of the motion, which is the time of
        the run, or of a swing under gravity if that is shorter. So models of micrometers and of
        kilometers, runs of picoseconds and of years have the same error tests.
        """
        return _second(self.length, self.gravity, duration)

    def tolerances(self, base: float, second: float = 1.0) -> np.ndarray:
        """Absolute tolerance per state: angles in radians, lengths relative to the size of the
        model, others relative to their scale.
        """
        if second == 1.0:
            return base * self.units
        units = self.units.copy()
        units[self._speeds : self._end] /= second
        return base * units

    def energies(self, v: np.ndarray, duration: float) -> np.ndarray:
        """Energies (J) that scale the tolerance of the work of each force element and of the drivers.

        LEDGER times the largest of: weight times size, the kinetic energy at three sizes or radians
        per run, and the kinetic energy of the speeds v.
        """
        if not self.works:
            return np.zeros(0)
        per_second = max(3.0 / duration, float(np.abs(v / self._rates).max(initial=0.0)))
        inertia = self._inertia * per_second * per_second
        return np.full(self.works, LEDGER * max(self._weight, inertia))


class ManyScales(NamedTuple):
    """Scales of many models, one per row."""

    seconds: np.ndarray  # `Scales.second`
    units: np.ndarray  # of the states in error tests: `Scales.tolerances` of 1
    rates: np.ndarray  # units of the speeds, not in error tests
    energies: np.ndarray  # (models, 2) weight times size, and inertia, of `Scales.energies`


def _second(length: float, gravity: float, duration: float) -> float:
    moves = min(duration, math.sqrt(length / gravity)) if gravity > 0.0 else duration
    return min(max(1.0, moves / SLOW), FAST * moves)


def _inertias(links: np.ndarray) -> tuple[Any, Any]:
    """The sum of all masses, and of the largest moments of inertia, also of rotors."""
    turning = links["I_com"][..., [0, 3, 5]].max(axis=-1).sum(axis=-1)
    return links["mass"].sum(axis=-1), turning


def _units(compiled: CompiledModel) -> tuple[np.ndarray, np.ndarray]:
    """The unit of each state, one radian or the scale of an element, and whether it is the size of
    the model instead.
    """
    size = compiled.size
    units = np.ones(size["nq"] + size["nv"] + size["nx"])
    travels = np.zeros(len(units), bool)
    for i in range(1, len(compiled.bodies)):
        link = compiled.tables.links[i]
        kind = compiled.joint_class(i)
        for first, own in (
            (link["iq"], kind.coordinate_units()),
            (size["nq"] + link["iv"], kind.units),
        ):
            for k, unit in enumerate(own):
                travels[first + k] = unit == "m"
    for place in compiled.states.values():
        compiled.split(units)[2][place.ix] = place.state.scale
    return units, travels
