"""Interface of an integrator. To add one: write `methods/<name>.py` and add a line to catalogue.py.

The line names its options (options.py): those of `FIXED` or `VARIABLE` steps, and its own. A
Runge-Kutta method is a `Tableau` and nothing else. The file of any other method defines `ROWS` (the
rows of `vectors` that it needs), `coefficients(order)` if it has any, and three kernels for the
time loop (loop.py)

    start(tables, work, rhs, project, run) -> Status
    step(tables, work, rhs, project, run)  -> Status
    dense(run, t, out)

`step` takes one step from `memory.t`, projects the new state, and leaves the last valid state in
row Y in any case; the loop logs the step and fills the samples. The contract tests then measure the
declared order, the error against the tolerance, chunks, and faults in the right-hand side, and
check that nothing is allocated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...options import (
    ATOL,
    BREAKPOINTS,
    FIRST_STEP,
    MAX_STEP,
    MAX_STEPS,
    ORDER,
    PLANAR,
    RTOL,
    STEP,
    TIME_LIMIT,
    Option,
)
from .memory import WIDTH
from .methods import runge_kutta, structural
from .methods.tableau import Tableau
from .newton.pattern import Layout

ALWAYS = (BREAKPOINTS, MAX_STEPS, TIME_LIMIT)
VARIABLE = (RTOL, ATOL, MAX_STEP, FIRST_STEP, *ALWAYS)
FIXED = (STEP, *ALWAYS)


def up_to(highest: int, default: int) -> Option:
    """Option `order` of a method with several orders."""
    return replace(ORDER, most=highest, default=default)


class Problem(Enum):
    """Kinds of problems that an integrator can solve."""

    ODE = "ode"  # ydot = f(t, y), with a projection onto invariants after each step
    MACHINE = "machine"  # M vdot = f - G^T lam, g = 0 of a mechanism
    NODES = "nodes"  # a mechanism in nodal coordinates, with beams: one Newton problem per step


class Kernels(NamedTuple):
    """Kernels of a method."""

    start: Callable
    step: Callable
    dense: Callable


def no_coefficients(order: int) -> np.ndarray:
    """Coefficients of a method without any."""
    return np.zeros((0, WIDTH))


@dataclass(frozen=True)
class Integrator:
    """One catalogue entry."""

    name: str
    summary: str
    order: int  # the default order; the highest one if the method varies it
    options: tuple[Option, ...]
    reference: str
    kernels: Kernels = field(repr=False)
    rows: int = field(repr=False)
    coefficients: Callable[[int], np.ndarray] = field(default=no_coefficients, repr=False)
    # n x n matrices as further rows of `vectors`, with a full Jacobian
    matrices: int = field(default=0, repr=False)
    handles: frozenset[Problem] = frozenset({Problem.ODE, Problem.MACHINE})
    # layout of the matrix of its steps, for mechanisms
    layout: Callable[..., Layout] | None = field(default=None, repr=False)
    # the layout that replaces it where the iteration converges slowly
    layout_after: Callable[..., Layout | None] | None = field(default=None, repr=False)
    storage: tuple[str, ...] = ()  # arrays of `Work` besides those of the formulation
    formulations: tuple[str, ...] = ()  # compatible formulations; empty: all
    own_reactions: bool = False  # whether its steps compute accelerations and multipliers

    @classmethod
    def runge_kutta(cls, name: str, summary: str, tableau: Tableau, reference: str) -> Integrator:
        """Entry of a tableau: controlled steps if it estimates its error, else fixed ones."""
        step, options = (
            (runge_kutta.step_controlled, VARIABLE)
            if tableau.error
            else (runge_kutta.step_fixed, FIXED)
        )
        return cls(
            name,
            summary,
            tableau.order,
            options,
            reference,
            Kernels(runge_kutta.start, step, runge_kutta.dense),
            runge_kutta.ROWS,
            tableau.coefficients,
        )

    @classmethod
    def structural(
        cls,
        name: str,
        summary: str,
        step: Callable,
        reference: str,
        *more: Option,
        own_reactions: bool = False,
    ) -> Integrator:
        """Entry of a one-step method in nodal coordinates."""
        fixed = replace(
            STEP,
            required=False,
            help="length of the fixed steps (s); by default 1/1000 of the run",
        )
        rtol = replace(
            RTOL,
            default=None,
            help="error per step, of displacements in lengths of the model and of rotations in "
            "rad; if it is given, it controls the steps",
        )
        options = (fixed, rtol, MAX_STEP, FIRST_STEP, *ALWAYS, PLANAR, *more)
        return cls(
            name,
            summary,
            2,
            options,
            reference,
            Kernels(structural.start, step, structural.dense),
            structural.ROWS,
            structural.coefficients,
            handles=frozenset({Problem.NODES}),
            own_reactions=own_reactions,
        )

    def configured(self, chosen: Mapping[str, Any]) -> Integrator:
        """The method with the chosen kind of steps.

        A method with both kinds controls its steps where no length is given.
        """
        return self if chosen.get(STEP.name) is not None else self._choosing

    @cached_property
    def _choosing(self) -> Integrator:
        """The method with controlled steps, if it has them."""
        if self.adaptive or not any(option.name == RTOL.name for option in self.options):
            return self
        return replace(
            self, options=tuple(option for option in self.options if option.name != STEP.name)
        )

    @property
    def family(self) -> str:
        """Name of its kernels; all tableaux with or without error control share theirs."""
        step = getattr(self.kernels.step, "py_func", self.kernels.step)
        return f"{step.__module__.rpartition('.')[2]}-{step.__name__}"

    @cached_property
    def adaptive(self) -> bool:
        """Whether the method chooses its steps."""
        return all(option.name != STEP.name for option in self.options)

    @property
    def orders(self) -> tuple[int, ...]:
        """Allowed values of `order`; empty: the order is fixed."""
        return next(
            (
                tuple(range(int(o.least), int(o.most) + 1))
                for o in self.options
                if o.name == ORDER.name
            ),
            (),
        )
