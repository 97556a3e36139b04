"""Accepted steps of a run: log of the integrator and constraint violation after each step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..engine.integrators.memory import BDF


class Switch(NamedTuple):
    """A change of method: time, methods before and after, and L (1/s)."""

    t: float
    before: str
    after: str
    stiffness: float


@dataclass(frozen=True)
class Steps:
    """One entry per accepted step; counts belong to the step.

    Of runs beyond 200,000 steps an entry stands for `steps` neighbours: h is their mean, `shortest`
    and `longest` are exact, counts are sums, order and error the largest.
    """

    t: np.ndarray  # its end
    h: np.ndarray  # its length
    order: np.ndarray
    error: np.ndarray  # estimated error / tolerance
    rejected: (
        np.ndarray
    )  # tries rejected before it; of a fixed structural step, how often a part of it was halved
    evaluations: np.ndarray
    iterations: np.ndarray  # corrections of positions, velocities and accelerations
    factorisations: np.ndarray
    jacobians: np.ndarray  # of an implicit method
    partitions: np.ndarray  # choices of independent coordinates
    decompositions: (
        np.ndarray
    )  # singular value or QR decompositions of the Jacobian of the constraints
    stiffness: (
        np.ndarray
    )  # L (1/s), last estimate of the spectral radius (see `looks`); NaN where it is not watched
    threshold: (
        np.ndarray
    )  # the L (1/s) from which the switching method counts the machine as stiff; else NaN
    method: np.ndarray  # name of the method that took the step
    steps: np.ndarray  # steps it stands for
    shortest: np.ndarray  # length (s); of a structural step that was divided, of its shortest part
    longest: np.ndarray

    @classmethod
    def from_log(cls, log: np.ndarray, integrator: str) -> Steps:
        plain = (
            "t",
            "h",
            "order",
            "error",
            "rejected",
            "evaluations",
            "steps",
            "shortest",
            "longest",
        )
        sums = ("iterations", "factorisations", "jacobians", "partitions", "decompositions")
        watched = integrator == "switching"
        method = (
            np.where(log["method"] == BDF, "bdf", "adams")
            if watched
            else np.full(len(log), integrator)
        )
        known = {name: np.where(watched, log[name], np.nan) for name in ("stiffness", "threshold")}
        return cls(
            **{name: np.array(log[name]) for name in plain},
            **{name: np.diff(log[name], prepend=0) for name in sums},
            **known,
            method=method,
        )

    @property
    def switches(self) -> list[Switch]:
        """Changes of the method during the run."""
        at = np.flatnonzero(self.method[1:] != self.method[:-1])
        return [
            Switch(
                float(self.t[k]),
                str(self.method[k]),
                str(self.method[k + 1]),
                float(self.stiffness[k + 1]),
            )
            for k in at
        ]

    @property
    def looks(self) -> np.ndarray:
        """Entries with a new estimate of L; between them `stiffness` keeps the last estimate."""
        return np.flatnonzero(np.diff(self.stiffness, prepend=np.nan) != 0.0)

    def cost(self, edges: np.ndarray) -> np.ndarray:
        """Number of evaluations between given times, by the ends of the steps."""
        return np.histogram(self.t, edges, weights=self.evaluations)[0].astype(int)

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        if not len(self):
            return "<no accepted step>"
        return (
            f"<{self.steps.sum()} steps of {self.shortest.min():.3g} to {self.longest.max():.3g} "
            "s, "
            f"{self.rejected.sum()} rejected>"
        )


@dataclass(frozen=True)
class ConstraintError:
    """Largest constraint violation after each accepted step, in metres (angles at the size of the
    machine).

    Behaves as the array of position violations; `velocity` (m/s) goes with it.
    """

    t: np.ndarray
    position: np.ndarray
    velocity: np.ndarray

    def max(self, **options) -> float:
        """Largest position violation of the run (also by np.max)."""
        return float(self.position.max(**{"initial": 0.0, **options}))

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return np.array(self.position, dtype, copy=copy)

    def __len__(self) -> int:
        return len(self.position)

    def __getitem__(self, index):
        return self.position[index]

    def __repr__(self) -> str:
        speed = self.velocity.max(initial=0.0)
        return f"<constraint error: {self.max():.2g} m, {speed:.2g} m/s at most>"
