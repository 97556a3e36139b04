"""Diagnosis of very short steps: the stiffest direction at the last state of a run, by name.

    f_y w = lambda w,   |lambda| largest,   states in units of their tolerances

The largest component of w gives the name of a coordinate or a state; the force element whose load
changes most along w is the cause.
"""

from __future__ import annotations

import numpy as np

from ..description.lowering.compiled import CompiledModel
from ..engine.formulations.contract import Formulation
from ..engine.integrators.result import Result
from ..kernel.tables.status import Status
from .observe import observe

SHORT_STEPS = (Status.OUT_OF_STEPS, Status.OUT_OF_TIME, Status.STALLED, Status.STEP_TOO_SMALL)
_NUDGE = 1e-7  # relative step of the differences, in both directions
_EXPLAINS = 1e-3  # h |lambda| from which an eigenvalue explains steps of length h
_EXTREME = 1e6  # |lambda| (1/s) that explains steps of any length


def stiffness_diagnosis(
    compiled: CompiledModel, method: Formulation, result: Result, units: np.ndarray
) -> tuple[str, str | None]:
    """Sentence and element about the last state of the run."""
    units = units / units.min(initial=1.0)
    h = float(result.log["h"][-10:].max(initial=0.0))
    found = _stiffest(compiled, method, result.t, result.y, units)
    if found is None or abs(found[0]) < min(_EXPLAINS / max(h, 1e-300), _EXTREME):
        return "", None
    eigenvalue, w = found
    name, element = _component(compiled, int(np.argmax(np.abs(w / units))))
    element = element or _element(compiled, result.t, result.y, w)
    size = (
        f"{eigenvalue.real:.3g}"
        if abs(eigenvalue.imag) < 1e-6 * abs(eigenvalue)
        else f"{eigenvalue:.3g}"
    )
    whose = f" (element {element!r})" if element else ""
    return (
        f" The step size of {h:.2g} s is limited by {name!r}{whose}, with an eigenvalue of about "
        f"{size} 1/s. Check the values and units there, and smooth functions that switch; use "
        "integrator='switching' or 'bdf' if the model is meant to be stiff."
    ), element


def _stiffest(
    compiled: CompiledModel, method: Formulation, t: float, y: np.ndarray, units: np.ndarray
):
    """lambda and w of the Jacobian by finite differences; None if it is not finite."""
    work, n = compiled.workspace(method.storage), len(y)
    f, J = _rates(compiled, method, work, t, y), np.zeros((n, n))
    for j in range(n):
        for step in _NUDGE * max(abs(y[j]), units[j]) * np.array([1.0, -1.0]):
            moved = y.copy()
            moved[j] += step
            column = (_rates(compiled, method, work, t, moved) - f) / step
            J[:, j] = column if np.abs(column).max() > np.abs(J[:, j]).max() else J[:, j]
    if not (n and np.isfinite(J).all()):
        return None
    values, vectors = np.linalg.eig(J * units / units[:, None])
    k = int(np.argmax(np.abs(values)))
    return complex(values[k]), np.real(vectors[:, k]) * units


def _rates(
    compiled: CompiledModel, method: Formulation, work, t: float, y: np.ndarray
) -> np.ndarray:
    ydot = np.zeros(len(y))
    work.report["fresh"] = 0
    return (
        ydot
        if method.rhs(compiled.tables, work, t, y.copy(), ydot) == Status.OK
        else np.full(len(y), np.nan)
    )


def _component(compiled: CompiledModel, k: int) -> tuple[str, str | None]:
    """Name of a component of y, and the element if the component is a state of one."""
    nq, nv = compiled.size["nq"], compiled.size["nv"]
    if k >= nq + nv:
        own = {place.ix: name for name, place in compiled.states.items()}
        name = own.get(k - nq - nv)
        return (name, name.rpartition(".")[0]) if name else ("the number of turns", None)
    if k < nq:
        links = compiled.tables.links
        i = max(i for i in range(1, len(compiled.bodies)) if links[i]["iq"] <= k)
        k = int(links[i]["iv"]) + min(k - int(links[i]["iq"]), int(links[i]["nv"]) - 1)
    else:
        k -= nq
    return ".".join(compiled.dof_owner[k]), None


def _element(compiled: CompiledModel, t: float, y: np.ndarray, w: np.ndarray) -> str | None:
    """The force element whose load changes most along w."""
    if not compiled.model.forces:
        return None
    step = _NUDGE * max(float(np.abs(y).max()), 1.0) / float(np.abs(w).max())
    states, zeros = np.array([y, y + step * w, y - step * w]), np.zeros((3, compiled.size["nv"]))
    load = observe(compiled, np.full(3, t), states, zeros, np.zeros((3, compiled.size["ng"]))).load
    change = np.abs(load[1:] - load[0]).sum(axis=(0, 2))
    return tuple(compiled.model.forces)[int(np.argmax(change))] if change.any() else None
