"""Longest steps past user code: what it declares, and the times at which a run evaluates it.

Sampled controllers are called only at their samples, where steps end.
"""

from __future__ import annotations

import math

import numpy as np

from ...elements.signals.function import Function
from ...elements.user_gaps import bounds_steps
from ...engine.integrators.probing import MOST_PROBES
from .compiled import CompiledModel

SHORT = 500.0  # parts of a run: the longest step past user code, if that declares none
PROBED = 0.25  # of the longest step: how far apart the times are at which user code is probed


def declared_steps(compiled: CompiledModel) -> list[float | None]:
    """The longest step (s) that each force, controller and time function with user code declares,
    or None.
    """
    forces, model = compiled.tables.forces, compiled.model
    called = [bool(np.any(forces[k]["address"])) for k in range(len(forces))]
    found = [
        step
        for element, code in zip(model.forces.values(), called)
        if code
        for step in element.spec.longest_steps()
    ]
    found += [
        math.inf
        if one.spec.longest_step is None and bounds_steps(one.spec.gap)
        else one.spec.longest_step
        for one in model.controllers.values()
        if one.spec.period is None
    ]
    return found + [
        signal.longest_step for signal in compiled.signals if isinstance(signal, Function)
    ]


def longest_step(compiled: CompiledModel, length: float) -> float | None:
    """The longest step (s) past user code in a run of that length; None without user code, or if
    all of it is declared smooth.
    """
    bound = min(
        (length / SHORT if step is None else float(step) for step in declared_steps(compiled)),
        default=np.inf,
    )
    return bound if np.isfinite(bound) else None


def unseen(compiled: CompiledModel, length: float, longest: float) -> float | None:
    """The longest time (s) between evaluations of user code in a run of that length with this
    longest step.
    """
    bound = longest_step(compiled, length)
    return (
        None
        if bound is None
        else longest / (min(max(math.ceil(longest / (PROBED * bound)) - 1, 0), MOST_PROBES) + 1)
    )
