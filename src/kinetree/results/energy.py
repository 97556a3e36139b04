"""Energy balance of a run.

    (kinetic + potential)(t) - (kinetic + potential)(0)  =  work of drivers, actuators, applied
                                                            forces and dampers up to t

Work is the integral of the power  sum F.V + sum tau v - nu.lam  of every force element and of the
drivers. Events that change the state contribute too: the energy that an impact dissipates is listed
under the name of its event. A simulation integrates the work with the state, so the balance is as
accurate as the motion at any output interval. States that were not found by integration have only
samples; there the power is integrated by a cubic spline through the samples.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from .observe import Observed

DRIVERS = "drivers"
STANDING = 1e-6  # least `scale` relative to the energy of the model at rest


class Momentum(NamedTuple):
    """Momentum of the whole model; one value of ``sol.momentum``.

    Attributes
    ----------
    linear : ndarray, shape (nt, 3)
        Linear momentum in world axes (kg m/s).
    angular : ndarray, shape (nt, 3)
        Angular momentum about the world origin, in world axes (kg m^2/s).
    """

    linear: np.ndarray
    angular: np.ndarray

    def __repr__(self) -> str:
        linear, angular = (float(np.linalg.norm(a, axis=1).max(initial=0.0)) for a in self)
        return f"<momentum: linear up to {linear:.4g} kg m/s, angular up to {angular:.4g} kg m^2/s>"


class Budget(NamedTuple):
    """Energy budget of a run: put_in - taken_out = stored + imbalance.

    Attributes
    ----------
    put_in : float
        Work (J) of the force elements and drivers with net positive work on the model.
    taken_out : float
        Energy (J) taken by those with net negative work: dampers, brakes, loads.
    stored : float
        Change of kinetic and potential energy (J).
    imbalance : float
        Error of the balance (J).
    """

    put_in: float
    taken_out: float
    stored: float
    imbalance: float


@dataclass(frozen=True)
class EnergyLedger:
    """Energies at the samples, and the balance of a run; the value of ``sol.energy``.

    The potential energy is that of gravity, zero at the world origin, and of springs.

    Attributes
    ----------
    t : ndarray, shape (nt,)
        Times of the samples (s).
    kinetic : ndarray, shape (nt,)
        Kinetic energy (J).
    potential : ndarray, shape (nt,)
        Potential energy of gravity and springs (J).
    elastic : ndarray, shape (nt,)
        Part of the potential energy that is stored in springs (J).
    power : ndarray, shape (nt,)
        Power of all force elements and drivers (W).
    sources : callable
        Function that computes `by_source`.
    standing : float
        Energy of the model at rest (J): weight times size, and springs.
    """

    t: np.ndarray
    kinetic: np.ndarray
    potential: np.ndarray
    elastic: np.ndarray
    power: np.ndarray
    sources: Callable[[], dict[str, np.ndarray]]
    standing: float = 0.0

    @classmethod
    def of(
        cls,
        t: np.ndarray,
        record: Observed,
        carried: np.ndarray | None = None,
        elements: tuple[str, ...] = (),
        weight: float = 0.0,
        events: Mapping[str, np.ndarray] | None = None,
    ) -> EnergyLedger:
        """Energies from the record of the samples.

        `carried` is the work integrated with the state, `weight` is weight times size (J), and
        `events` is the energy that each event has brought in.
        """
        seen = record.some(dict.fromkeys(("kinetic", "potential", "stored", "power", "drive"), ()))
        stored, elastic = seen["stored"], seen["stored"].sum(axis=1)
        powers = np.column_stack([seen["power"], seen["drive"]])
        sources = partial(_work_by_source, t, powers, stored, carried, elements, events or {})
        return cls(
            t,
            seen["kinetic"],
            seen["potential"] + elastic,
            elastic,
            powers.sum(axis=1),
            sources,
            weight + float(np.abs(elastic).max(initial=0.0)),
        )

    @cached_property
    def by_source(self) -> dict[str, np.ndarray]:
        """Work (J) of each force element without its stored energy, of drivers and of events."""
        return self.sources()

    @property
    def total(self) -> np.ndarray:
        """Sum of kinetic and potential energy (J), shape (nt,)."""
        return self.kinetic + self.potential

    @cached_property
    def work(self) -> np.ndarray:
        """Work of dampers, actuators, applied forces and drivers since the first sample (J)."""
        return np.sum(list(self.by_source.values()), axis=0)

    @property
    def moved(self) -> float:
        """Energy exchanged by the motion (J): the largest of kinetic, range of potential, and work."""
        flows = [float(np.abs(w).max(initial=0.0)) for w in self.by_source.values()]
        return max(
            float(self.kinetic.max(initial=0.0)),
            float(np.ptp(self.potential)) if len(self.t) else 0.0,
            *flows,
        )

    @property
    def scale(self) -> float:
        """Reference of relative errors (J): `moved`, or 1e-6 of `standing` if that is more."""
        return max(self.moved, STANDING * self.standing)

    @property
    def drift(self) -> float:
        """Largest change of the total energy relative to `scale` (1): error of a conservative model."""
        return self._relative(self.total)

    @property
    def imbalance(self) -> float:
        """Largest change of total energy minus work relative to `scale` (1): the error of any model."""
        return self._relative(self.total - self.work)

    @property
    def budget(self) -> Budget:
        """The energy budget of the whole run."""
        net = [float(w[-1]) for w in self.by_source.values() if len(w)]
        put_in, taken_out = sum(w for w in net if w > 0.0), -sum(w for w in net if w < 0.0)
        stored = float(self.total[-1] - self.total[0]) if len(self.t) else 0.0
        return Budget(put_in, taken_out, stored, put_in - taken_out - stored)

    def _relative(self, values: np.ndarray) -> float:
        change = float(np.abs(values - values[0]).max()) if len(values) else 0.0
        return change / self.scale if self.scale > 0.0 else change

    def __str__(self) -> str:
        """The energy budget and the work of each source as text."""
        b = self.budget
        lines = [
            f"put in {b.put_in:.6g} J, taken out {b.taken_out:.6g} J, stored {b.stored:+.6g} J, "
            f"imbalance {b.imbalance:.2g} J"
        ]
        lines += [
            f"  {name}: {w[-1]:+.6g} J" for name, w in self.by_source.items() if len(w) and w.any()
        ]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return (
            f"<energy: peak kinetic {self.kinetic.max(initial=0.0):.4g} J, drift {self.drift:.2g}, "
            f"imbalance {self.imbalance:.2g}>"
        )


def _work_by_source(
    t: np.ndarray,
    powers: np.ndarray,
    stored: np.ndarray,
    carried: np.ndarray | None,
    elements: tuple[str, ...],
    events: Mapping[str, np.ndarray],
) -> dict[str, np.ndarray]:
    """Work since the first sample (J) by name: force elements, drivers, events."""
    done = _by_samples(t, powers) if carried is None or not carried.size else carried - carried[:1]
    done[:, :-1] += stored - stored[:1]
    own = dict(zip((*elements, DRIVERS), done.T))
    return own | {name: work - work[:1] for name, work in events.items()}


def _by_samples(t: np.ndarray, powers: np.ndarray) -> np.ndarray:
    """Integral of each column by a cubic spline through the samples."""
    if len(t) < 2 or not powers.any():
        return np.zeros(powers.shape)
    from scipy.interpolate import CubicSpline  # slow to import

    return CubicSpline(t, powers).antiderivative()(t)
