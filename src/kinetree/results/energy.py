"""The energy ledger of a run: what is stored, what came in, and how well the two agree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..dynamics.observe import Record


class Momentum(NamedTuple):
    """Momentum of the whole machine, (nt, 3) each."""

    linear: np.ndarray  # kg m/s
    angular: np.ndarray  # kg m^2/s about the world origin


@dataclass(frozen=True)
class EnergyLedger:
    """Energies (J) at the samples; potential energy is that of gravity, zero at the world origin, and of springs."""

    t: np.ndarray
    kinetic: np.ndarray
    potential: np.ndarray
    elastic: np.ndarray  # the part of the potential energy that is in springs
    power: np.ndarray  # of all force elements and drivers on the machine, W

    @classmethod
    def of(cls, t: np.ndarray, record: Record) -> EnergyLedger:
        elastic = record.stored.sum(axis=1)
        potential = record.potential.sum(axis=1) + elastic
        return cls(t, record.kinetic.sum(axis=1), potential, elastic, record.power.sum(axis=1) + record.drive)

    @property
    def total(self) -> np.ndarray:
        return self.kinetic + self.potential

    @cached_property
    def work(self) -> np.ndarray:
        """Work of dampers, actuators, applied forces and drivers since the first sample.

        Integral of the power by a cubic spline through the samples, plus what the springs took: exactly zero where
        there are neither force elements nor drivers, else as accurate as the samples are dense.
        """
        if len(self.t) < 2:
            return np.zeros(len(self.t))
        if not self.power.any():
            return self.elastic - self.elastic[0]
        if not np.isfinite(self.power).all():  # user code failed at a sample: nobody knows the work from there on
            return np.full(len(self.t), np.nan)
        from scipy.interpolate import CubicSpline  # slow to import

        return CubicSpline(self.t, self.power).antiderivative()(self.t) + (self.elastic - self.elastic[0])

    @property
    def scale(self) -> float:
        """Energy the motion handles: the largest kinetic energy or the span of the potential one."""
        return float(max(self.kinetic.max(initial=0.0), np.ptp(self.potential) if len(self.t) else 0.0))

    @property
    def drift(self) -> float:
        """Largest change of the total energy against `scale`: the error of a conservative machine."""
        return self._relative(self.total)

    @property
    def imbalance(self) -> float:
        """Largest change of total energy minus work against `scale`: the error of any machine, and of the samples."""
        return self._relative(self.total - self.work)

    def _relative(self, values: np.ndarray) -> float:
        change = float(np.abs(values - values[0]).max()) if len(values) else 0.0
        return change / self.scale if self.scale > 0.0 else change

    def __repr__(self) -> str:
        return f"<energy: up to {self.scale:.4g} J in motion, drift {self.drift:.2g}, imbalance {self.imbalance:.2g}>"
