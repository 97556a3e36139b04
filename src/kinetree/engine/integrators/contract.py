"""What an integrator declares about itself. To add one: write `<name>.py`, add one line to
`catalogue.py`.

Its line names its options (see `options.py`): those of `FIXED` or of `VARIABLE` steps, and what it
has besides. A Runge-Kutta method is a `Tableau` and nothing else. Any other method file offers
`ROWS` (rows of `vectors` it needs), if need be `coefficients(order)`, and three kernels for the
time loop (see loop.py)

    start(tables, work, rhs, settle, run) -> Status
    step(tables, work, rhs, settle, run)  -> Status
    dense(run, t, out)

`step` takes one step from `memory.t` on, settles the new state, and leaves the last good state in
row Y whatever happens; the loop logs it and fills the samples. The contract tests then measure the
declared order, the error against the tolerance, chunking, faults in the right-hand side, and that
nothing is allocated.
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
    """The option `order` of a method that has several."""
    return replace(ORDER, most=highest, default=default)


class Problem(Enum):
    """Kinds of problem an integrator can be given."""

    ODE = "ode"  # ydot = f(t, y), with states settled onto invariants after each step
    MACHINE = "machine"  # M vdot = f - G^T lam, g = 0, as a plant gives them
    NODES = "nodes"  # a machine in node coordinates, beams included: one Newton problem per step


class Kernels(NamedTuple):
    """What the time loop calls."""

    start: Callable
    step: Callable
    dense: Callable


def no_coefficients(order: int) -> np.ndarray:
    return np.zeros((0, WIDTH))


@dataclass(frozen=True)
class Integrator:
    """One catalogue entry."""

    name: str
    summary: str
    order: int  # the order used if none is asked for; the highest one if the method varies it
    options: tuple[Option, ...]
    reference: str
    kernels: Kernels = field(repr=False)
    rows: int = field(repr=False)
    coefficients: Callable[[int], np.ndarray] = field(default=no_coefficients, repr=False)
    matrices: int = field(
        default=0, repr=False
    )  # n x n matrices it needs as further rows of `vectors`, without a layout
    handles: frozenset[Problem] = frozenset({Problem.ODE, Problem.MACHINE})
    layout: Callable[..., Layout] | None = field(
        default=None, repr=False
    )  # of the matrix of its steps, of a machine
    storage: tuple[str, ...] = ()  # arrays of `Work` it needs beside those of the formulation
    formulations: tuple[str, ...] = ()  # those it goes with; empty: with all
    own_reactions: bool = False  # whether its accelerations and multipliers are part of its steps

    @classmethod
    def runge_kutta(cls, name: str, summary: str, tableau: Tableau, reference: str) -> Integrator:
        """The line of a tableau: steps are controlled if it estimates its error, else fixed."""
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
        """The line of a one-step method on node coordinates."""
        fixed = replace(
            STEP,
            required=False,
            help="length of the fixed steps (s); by default 1/1000 of the run",
        )
        rtol = replace(
            RTOL,
            default=None,
            help="error per step, of travels in sizes of the machine and of turns in rad; if it "
            "is given, steps are chosen by it",
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
        """The method with the steps asked for: one that has both kinds chooses them where no length
        is given.
        """
        return self if chosen.get(STEP.name) is not None else self._choosing

    @cached_property
    def _choosing(self) -> Integrator:
        """The method that chooses its steps, if it can."""
        if self.adaptive or not any(option.name == RTOL.name for option in self.options):
            return self
        return replace(
            self, options=tuple(option for option in self.options if option.name != STEP.name)
        )

    @property
    def family(self) -> str:
        """Name of its kernels: those of all tableaux with or without error control are the same."""
        step = getattr(self.kernels.step, "py_func", self.kernels.step)
        return f"{step.__module__.rpartition('.')[2]}-{step.__name__}"

    @cached_property
    def adaptive(self) -> bool:
        """Whether it chooses its own steps."""
        return all(option.name != STEP.name for option in self.options)

    @property
    def orders(self) -> tuple[int, ...]:
        """What `order=` may be; empty: the order is fixed."""
        return next(
            (
                tuple(range(int(o.least), int(o.most) + 1))
                for o in self.options
                if o.name == ORDER.name
            ),
            (),
        )
