"""What a formulation is: how constraints are treated, asked by an integrator.

    rhs(tables, work, t, y, ydot) -> Status      y = (q, v, x) -> (N v, vdot, xdot); leaves vdot,
                                                 lam in work
    project(tables, work, t, y)    -> Status      restore positions and velocities of an accepted
                                  state, in place

Each file states what it integrates, how it restores the constraints, and its source. An option it
has (see `options.py`) reaches its kernels as the number of that name in `tables.settings`.

It owns the arrays of `work` that its line in the catalogue names as `storage`, and what it keeps in
`work.report`; what others may read there is `HEALTH` (kernel/tables/workspace.py). The equations come from a
plant (engine/equations/interface.py), the algebra of M and G from saddle/.

Two numbers of `work.report` guard the run against change points (`engine/kkt/singular_steps.py`); both may be
left alone, and the run is then not guarded:

    margin    how far the rows in use are from being dependent, 1 at best; `widest` is the largest
              so far
    kick      part of the velocity that `project` took away

A formulation that computes dependent coordinates from the independent ones at every evaluation sets
`passive` to their number and names them at the front of `work.columns`; integrators leave them out
of error tests and Jacobians (`engine/integrators/error_norm.py`).

The number of independent rows is `tables.settings[0].rows` (-1: not known). Off the constraints
redundant rows look independent, so a formulation never uses more; which ones, `engine/kkt/row_selection.py` can
tell: `renew_rows` factors those in use, and `exchange_rows` chooses better ones. It is free to
factor anew at every call, or to keep factors as `augmented` does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ...kernel.tables.records import Tables, frozen
from ...kernel.tables.state import Start
from ...kernel.tables.workspace import ALL
from ...options import SPARSE, Option
from ..kkt.sparse_row_selection import with_solver
from ..sparsity.choice import solved_sparsely


class Formulation(NamedTuple):
    """One line of the catalogue."""

    name: str
    summary: str
    rhs: Callable
    project: Callable
    loops: bool  # can it close loops?
    source: str
    variant: int = 0  # which variant of the kernels
    exact: bool = True  # gives the exact accelerations and keeps the constraints at rounding
    options: tuple[Option, ...] = ()
    storage: tuple[str, ...] = ALL  # arrays of `Work` it needs beside those that all have

    def __reduce__(self):
        """By name: kernels belong to a process."""
        from .catalogue import formulation

        return formulation, (self.name,)

    def __deepcopy__(self, memo) -> Formulation:
        return self

    @property
    def kernels(self) -> str:
        """Name of the file whose kernels it runs."""
        return getattr(self.project, "py_func", self.project).__module__.rpartition(".")[2]

    def configure(
        self,
        tables: Tables,
        given: Mapping[str, Any] | None = None,
        rows: int = -1,
        start: Start | None = None,
    ) -> Tables:
        """Tables that carry the settings of this formulation: its variant, its options, and how
        many rows are independent.

        Local bases are found at a settled state; without one, bases are those of the whole machine.
        """
        settings = tables.settings.copy()
        settings["option"], settings["rows"] = self.variant, rows
        for option in self.options:
            if option is not SPARSE:
                settings[option.name] = (given or {}).get(option.name, option.default)
        tables = tables._replace(settings=settings)
        if SPARSE not in self.options:
            return frozen(tables)
        if "N" in self.storage:
            from .local import (
                with_local_bases,  # and all it takes to find them, which small machines do not need
            )

            return frozen(
                with_local_bases(tables, start, (given or {}).get(SPARSE.name), rows, self.project)
            )
        return with_solver(solved_sparsely(tables, (given or {}).get(SPARSE.name)))
