"""The interface of a formulation: the treatment of constraints, called by an integrator.

    rhs(tables, work, t, y, ydot) -> Status     y = (q, v, x) -> (N v, vdot, xdot);
                                                leaves vdot and lam in work
    project(tables, work, t, y)   -> Status     projects an accepted state onto the constraints,
                                                in place

The head of each module states what it integrates, how it satisfies the constraints, and its source.
The value of an option (see `options.py`) is the field of that name in `tables.settings`.

A formulation owns the arrays of `work` that its catalogue entry names as `storage`, and the private
fields of `work.report`; other modules may read the fields in `HEALTH` (kernel/tables/report.py).
The equations come from engine/equations/interface.py, the algebra of M and G from engine/kkt.

Two fields of `work.report` protect a run against change points (`engine/kkt/singular_steps.py`). A
formulation may leave them alone; the run is then not protected:

    pivot_margin          how far the selected rows are from being dependent, 1 at best;
                          `best_margin` is the largest so far
    velocity_correction   part of the velocity that `project` removed

A formulation that computes dependent coordinates from the independent ones in every evaluation sets
`passive` to their number and lists them first in `work.columns`; integrators leave them out of
error tests and Jacobians (`engine/integrators/error_norm.py`).

The number of independent rows is `tables.settings[0].rows` (-1: not known). A formulation never
selects more, because at a state that violates the constraints redundant rows look independent.
`engine/kkt/row_selection.py` selects them: `refactor_rows` factorizes the selected rows, and
`reselect_rows` selects better ones. A formulation may factorize at every call, or keep factors as
`augmented` does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ...kernel.decorators import JIT
from ...kernel.intrinsics import address_of
from ...kernel.tables.records import Tables, frozen
from ...kernel.tables.signatures import signatures
from ...kernel.tables.state import Start
from ...kernel.tables.workspace import ALL
from ...options import SPARSE, Option
from ..kkt.sparse_row_selection import with_solver
from ..sparsity.choice import solved_sparsely


class Formulation(NamedTuple):
    """One entry of the catalogue."""

    name: str
    summary: str
    rhs: Callable
    project: Callable
    loops: bool  # whether it handles closed loops
    source: str
    variant: int = 0  # `tables.settings[0].option`
    exact: bool = True  # exact accelerations, and constraints satisfied to rounding
    options: tuple[Option, ...] = ()
    storage: tuple[str, ...] = ALL  # optional arrays of `Work`
    beneath: Any = None  # the formulation without the contacts of the model

    def __reduce__(self):
        """Pickle by name, because kernels belong to a process."""
        from .catalogue import formulation

        return formulation, (self.name, self.beneath is not None)

    def with_contacts(self) -> Formulation:
        """This formulation for models with unilateral contacts (engine/contacts/modes.py)."""
        from ..contacts import modes  # models without contacts do not need it

        if self.beneath is not None:
            return self
        return self._replace(rhs=modes.rhs, project=modes.project, beneath=self)

    def __deepcopy__(self, memo) -> Formulation:
        return self

    @property
    def kernels(self) -> str:
        """Name of the module of its kernels."""
        return getattr(self.project, "py_func", self.project).__module__.rpartition(".")[2]

    def addresses(self) -> np.ndarray:
        """Addresses of `rhs` and `project`."""
        kinds = signatures()[2:] if JIT else (None, None)
        return np.array([address_of(self.rhs, kinds[0]), address_of(self.project, kinds[1])])

    def configure(
        self,
        tables: Tables,
        given: Mapping[str, Any] | None = None,
        rows: int = -1,
        start: Start | None = None,
    ) -> Tables:
        """Tables with the settings of this formulation: variant, options, number of rows.

        Bases by fronts are found at a projected state `start`; without one, the basis is that of
        the whole model.
        """
        if self.beneath is not None:
            tables = self.beneath.configure(tables, given, rows, start)
            return frozen(tables._replace(formulation=self.beneath.addresses()))
        settings = tables.settings.copy()
        settings["option"], settings["rows"] = self.variant, rows
        for option in self.options:
            if option is not SPARSE:
                settings[option.name] = (given or {}).get(option.name, option.default)
        tables = tables._replace(settings=settings)
        if SPARSE not in self.options:
            return frozen(tables)
        if "N" in self.storage:
            # imported here, because small models do not need it
            from .local import with_front_bases

            return frozen(
                with_front_bases(tables, start, (given or {}).get(SPARSE.name), rows, self.project)
            )
        return with_solver(solved_sparsely(tables, (given or {}).get(SPARSE.name)))
