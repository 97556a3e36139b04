"""What happened at the accepted steps: the log of the integrator, and the constraint violation left after each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Steps:
    """One entry per accepted step; counts belong to the step."""

    t: np.ndarray  # its end
    h: np.ndarray  # its length
    order: np.ndarray
    error: np.ndarray  # estimated error / tolerance
    rejected: np.ndarray  # tries rejected before it
    evaluations: np.ndarray
    iterations: np.ndarray  # corrections of positions, velocities and accelerations
    factorisations: np.ndarray

    @classmethod
    def from_log(cls, log: np.ndarray) -> Steps:
        counts = {name: np.diff(log[name], prepend=0) for name in ("iterations", "factorisations")}  # logged as sums
        return cls(*(np.array(log[name]) for name in ("t", "h", "order", "error", "rejected", "evaluations")), **counts)

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        if not len(self):
            return "<no accepted step>"
        return (f"<{len(self)} steps of {self.h.min():.3g} to {self.h.max():.3g} s, order up to {self.order.max()}, "
                f"{self.rejected.sum()} rejected>")


@dataclass(frozen=True)
class ConstraintError:
    """Largest constraint violation after each accepted step, in metres (angles at the size of the machine).

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
        return f"<constraint error: {self.max():.2g} m, {self.velocity.max(initial=0.0):.2g} m/s at most>"
