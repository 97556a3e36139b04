"""Accepted steps of a run: log of the integrator and constraint violation after each step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..engine.integrators.memory import BDF


class Switch(NamedTuple):
    """A change of method by the integrator "switching".

    Attributes
    ----------
    t : float
        Time of the change (s).
    before : str
        Method before, "adams" or "bdf".
    after : str
        Method after, "adams" or "bdf".
    stiffness : float
        Lipschitz constant L at the change (1/s).
    """

    t: float
    before: str
    after: str
    stiffness: float


@dataclass(frozen=True)
class Steps:
    """The accepted steps of a run; counts belong to the step. The value of ``sol.steps``.

    In runs with more than 200,000 steps an entry stands for `steps` neighbors: h is their mean,
    `shortest` and `longest` are exact, counts are sums, order and error the largest.

    Attributes
    ----------
    t : ndarray, shape (n,)
        Time at the end of the step (s).
    h : ndarray, shape (n,)
        Length of the step (s).
    order : ndarray, shape (n,)
        Order of the method.
    error : ndarray, shape (n,)
        Estimated error relative to the tolerance.
    rejected : ndarray, shape (n,)
        Number of rejected attempts before the step; of a fixed structural step, how often a part of
        it was halved.
    evaluations : ndarray, shape (n,)
        Number of evaluations of the equations of motion.
    iterations : ndarray, shape (n,)
        Number of corrections of positions, velocities and accelerations.
    factorisations : ndarray, shape (n,)
        Number of factorizations.
    jacobians : ndarray, shape (n,)
        Number of Jacobians of an implicit method.
    partitions : ndarray, shape (n,)
        Number of choices of independent coordinates.
    decompositions : ndarray, shape (n,)
        Number of singular value or QR decompositions of the constraint Jacobian.
    stiffness : ndarray, shape (n,)
        Lipschitz constant L (1/s), the last estimate; NaN unless the integrator is "switching".
    threshold : ndarray, shape (n,)
        L (1/s) from which the model counts as stiff; NaN unless the integrator is "switching".
    method : ndarray, shape (n,)
        Name of the method that took the step.
    steps : ndarray, shape (n,)
        Number of steps that the entry stands for.
    shortest : ndarray, shape (n,)
        Length of the shortest of them (s); of a divided structural step, of its shortest part.
    longest : ndarray, shape (n,)
        Length of the longest of them (s).
    """

    t: np.ndarray
    h: np.ndarray
    order: np.ndarray
    error: np.ndarray
    rejected: np.ndarray
    evaluations: np.ndarray
    iterations: np.ndarray
    factorisations: np.ndarray
    jacobians: np.ndarray
    partitions: np.ndarray
    decompositions: np.ndarray
    stiffness: np.ndarray
    threshold: np.ndarray
    method: np.ndarray
    steps: np.ndarray
    shortest: np.ndarray
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
        """Return the number of evaluations between given times.

        Parameters
        ----------
        edges : array_like, shape (k + 1,)
            Times between which the evaluations are counted (s).

        Returns
        -------
        ndarray, shape (k,)
            The numbers; a step counts at its end.
        """
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
    """Largest constraint violation after each accepted step; the value of ``sol.constraint_error``.

    It behaves as the array of the position violations: ``sol.constraint_error.max()``.

    Attributes
    ----------
    t : ndarray, shape (n,)
        Times at the ends of the steps (s).
    position : ndarray, shape (n,)
        Violation of the positions (m; angles times the size of the model).
    velocity : ndarray, shape (n,)
        Violation of the velocities (m/s).
    """

    t: np.ndarray
    position: np.ndarray
    velocity: np.ndarray

    def max(self, **options) -> float:
        """Return the largest position violation of the run.

        Parameters
        ----------
        **options : Any
            Options of `numpy.max`.

        Returns
        -------
        float
            The violation (m).
        """
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
