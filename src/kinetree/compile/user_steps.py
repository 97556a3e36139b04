"""Which user code a run steps past, and what it says about its shortest pulses.

Sampled controllers are called at their samples alone, where steps end.
"""

from __future__ import annotations

import numpy as np

from ..signals.function import Function
from .compiled import CompiledModel


def declared_steps(compiled: CompiledModel) -> list[float | None]:
    """The longest step (s) that each force, controller and time function with user code declares; None where it says nothing."""
    forces, model = compiled.tables.forces, compiled.model
    called = [bool(np.any(forces[k]["address"])) for k in range(len(forces))]
    found = [step for element, code in zip(model.forces.values(), called) if code for step in element.spec.longest_steps()]
    found += [one.spec.longest_step for one in model.controllers.values() if one.spec.period is None]
    return found + [signal.longest_step for signal in compiled.signals if isinstance(signal, Function)]
