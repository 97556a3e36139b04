"""What a formulation is: how constraints are treated, asked by an integrator.

    rhs(tables, work, t, y, ydot) -> Status      y = (q, v, x) -> (N v, vdot, xdot); leaves vdot, lam in work
    settle(tables, work, t, y)    -> Status      restore positions and velocities of an accepted state, in place

Each file states what it integrates, how it restores the constraints, and its source.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..compile.tables import Tables


class Formulation(NamedTuple):
    """One line of the catalogue."""

    name: str
    summary: str
    rhs: Callable
    settle: Callable
    loops: bool  # can it close loops?
    source: str
    option: int = 0  # which variant of the kernels
    exact: bool = True  # gives the exact accelerations and keeps the constraints at rounding
    alpha: float = 0.0  # a number the kernels read: stabilisation (1/s), or which literal reading
    beta: float = 0.0

    @property
    def kernels(self) -> str:
        """Name of the file whose kernels it runs."""
        return getattr(self.rhs, "py_func", self.rhs).__module__.rpartition(".")[2]

    def configure(self, tables: Tables, stabilisation: float | None = None) -> Tables:
        """Tables that carry the settings of this formulation."""
        settings = tables.settings.copy()
        settings["option"], settings["alpha"], settings["beta"] = self.option, self.alpha, self.beta
        if stabilisation is not None:
            settings["alpha"] = settings["beta"] = stabilisation
        return tables._replace(settings=settings)
