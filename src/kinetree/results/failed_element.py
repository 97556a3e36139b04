"""Who left no value, and in whose words: user code that raised or gave NaN, found again where the
evaluation failed.
"""

from __future__ import annotations

import numpy as np

from ..description.lowering.compiled import CompiledModel
from ..engine.dynamics.sampling import take_samples
from ..engine.formulations.contract import Formulation
from ..engine.integrators.result import Failure
from ..kernel.tables.fault import CONSTRAINT, CONTROLLER, FORCE
from ..kernel.tables.records import Tables
from ..kernel.tables.status import Status
from ..kernel.usercode.replay import replay


def owner_of(compiled: CompiledModel, failure: Failure) -> str | None:
    """Name of the element that the evaluation found without a value."""
    if failure.fault == CONTROLLER:
        return list(compiled.model.controllers)[failure.culprit]
    if failure.fault == FORCE:
        return list(compiled.model.forces)[failure.culprit]
    if failure.fault == CONSTRAINT:
        return compiled.row_owner[int(compiled.tables.primitives[failure.culprit]["ig"])]
    return None


def user_fault(
    compiled: CompiledModel, method: Formulation, failure: Failure
) -> tuple[str, str | None]:
    """(sentence, element): what user code raised, or what is NaN; compiled code is asked again in
    plain Python.
    """
    again, element = Again(compiled, method, failure), owner_of(compiled, failure)
    reason = failure.reason or replay(compiled.tables, failure.t, again.finite)
    if reason is not None:
        return f"user code of {element!r} raised {reason} for t = {failure.t:.6g} s.", element
    what = (
        again.first_without_value()
        or f"what user code of {element!r} gives for t = {failure.t:.6g} s"
    )
    return _without_value(what, element), element


def not_finite(
    compiled: CompiledModel, method: Formulation, failure: Failure
) -> tuple[str, str] | None:
    """(sentence, element): a state, an output or a force element without a value; None where no
    single one is found.
    """
    again = Again(compiled, method, failure)
    if (what := again.first_without_value()) is not None:
        element = what.split("'")[1].rpartition(".")[0]
        return _without_value(what, element), element
    force = again.force()
    return None if force is None else (_without_value(f"the load of {force!r}", force), force)


def _without_value(what: str, element: str | None) -> str:
    return f"{what} is NaN or infinite. Check what {element!r} computes near this state."


class Again:
    """The evaluation that failed, once more."""

    def __init__(self, compiled: CompiledModel, method: Formulation, failure: Failure) -> None:
        self.compiled, self.method, self.failure = compiled, method, failure

    def finite(self, tables: Tables) -> bool:
        """Does it give accelerations with these tables, after the samples that are due?"""
        self.work, ydot = (
            self.compiled.workspace(self.method.storage),
            np.zeros_like(self.failure.y),
        )
        if tables.controllers["period"].any():
            parts = self.compiled.split(self.failure.y.copy())
            if take_samples(tables, self.work, self.failure.t, *parts) != Status.OK:
                return False
        status = self.method.rhs(tables, self.work, self.failure.t, self.failure.y.copy(), ydot)
        return status == Status.OK and bool(np.isfinite(ydot).all())

    def first_without_value(self) -> str | None:
        """The first output or rate of a state that has no value."""
        self.finite(self.compiled.tables)
        outputs = {
            f"the output {name!r}": self.work.outputs[k]
            for name, k in self.compiled.outputs.items()
        }
        rates = {
            f"the rate of state {name!r}": self.work.xdot[place.ix]
            for name, place in self.compiled.states.items()
        }
        return next(
            (name for name, value in {**outputs, **rates}.items() if not np.isfinite(value)), None
        )

    def force(self) -> str | None:
        """The first force element which alone leaves no accelerations, though without any there are
        some.
        """
        tables = self.compiled.tables
        if not self.finite(tables._replace(forces=tables.forces[:0])):
            return None
        return next(
            (
                name
                for k, name in enumerate(self.compiled.model.forces)
                if not self.finite(tables._replace(forces=tables.forces[k : k + 1]))
            ),
            None,
        )
