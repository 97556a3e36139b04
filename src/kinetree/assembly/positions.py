"""Closing the loops: the position nearest to the drawn one that satisfies every constraint.

Gauss-Newton with the pseudo-inverse (redundant rows do no harm); steps are limited in length and
halved until the violation decreases. Where the iteration is stuck, as in a linkage drawn with all
links in line, a small fixed perturbation is added and the iteration restarts for those loops. An
assembly with an axis turned over is not accepted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from .closing import close_position
from .components import Components, components_of, least_step, single_component
from .system import System

_ITERATIONS = 60
_RESTARTS = 8
_MANY = 20  # coordinates from which a partition into components pays
_FEW = 60  # rows up to which rotations of rows are faster than a decomposition called from Python
_RCOND = 1e-9  # singular values that count as zero, relative to the largest


class Closed(NamedTuple):
    """The position at which the iteration ended."""

    q: np.ndarray
    x: np.ndarray
    error: float
    iterations: int
    values: np.ndarray
    left: float = 0.0  # gap left in redundant directions, where that is allowed (m)
    t: float = 0.0


class Linearization(Protocol):
    """The equations near a position: a violation per component, and a step that reduces it."""

    def error(self, g: np.ndarray) -> np.ndarray: ...

    def step(self, g: np.ndarray, moving: np.ndarray) -> np.ndarray: ...

    def left(self, g: np.ndarray) -> float: ...


Linearize = Callable[[System, np.ndarray, Components], Linearization]


class AllRows(NamedTuple):
    """Linearization that closes every constraint."""

    system: System
    weights: np.ndarray
    parts: Components

    def error(self, g: np.ndarray) -> np.ndarray:
        """The largest violation of each component (m)."""
        return self.parts.largest(g, self.parts.rows)

    def step(self, g: np.ndarray, moving: np.ndarray) -> np.ndarray:
        """The smallest step that removes g to first order in the components that move."""
        return least_step(self.system, g, self.weights, self.parts, moving)

    def left(self, g: np.ndarray) -> float:
        """No gap is accepted."""
        return 0.0


def close(
    system: System,
    t: float,
    q: np.ndarray,
    x: np.ndarray,
    weights: np.ndarray,
    linearize: Linearize | None = None,
) -> Closed:
    """The closed position nearest to q; use `is_closed` to check the result.

    Components of the model that share no joint restart independently; those that are closed stay.
    """
    parts = single_component(system)
    if linearize is None and len(q) > _MANY and _size(system.values(t, q, x)) > _bar(system):
        parts = components_of(system, q, x)
    found = gauss_newton(system, t, q, x, weights, parts, linearize or AllRows)
    if is_closed(system, found):
        return found
    best, rng = found, np.random.default_rng(0)
    for attempt in range(1, _RESTARTS):
        again = _open(system, best, parts)
        if not again.any():
            break
        # heavily weighted coordinates hardly move
        push = rng.normal(size=len(weights)) * 0.02 * 2.0**attempt / np.sqrt(weights)
        start = np.where(again[parts.coordinates], q, best.q)
        system.values(t, start, x)
        q_new, x_new = system.shift(start, system.follow_turns(x), push * again[parts.dofs])
        found = gauss_newton(system, t, q_new, x_new, weights, parts, linearize or AllRows)
        best = _better(system, t, best, found, parts)
    return best


def _open(system: System, found: Closed, parts: Components) -> np.ndarray:
    """Per component, whether it is open."""
    system.values(system.t, found.q, found.x)
    over = set(turned_over(system))
    owners = np.array([owner in over for owner in system.compiled.row_owner], float)
    error = parts.largest(found.values, parts.rows) if parts.number > 1 else np.array([found.error])
    return (~(error <= _bar(system))) | (parts.largest(owners, parts.rows) > 0.0)


def _better(system: System, t: float, best: Closed, found: Closed, parts: Components) -> Closed:
    """Combine, for each component, the position that is closed or less open."""
    if parts.number == 1:
        return found if is_closed(system, found) or found.error < best.error else best
    was, now = (parts.largest(one.values, parts.rows) for one in (best, found))
    take = ~_open(system, found, parts) | (now < was)
    q = np.where(take[parts.coordinates], found.q, best.q)
    system.values(t, q, found.x)
    x = system.follow_turns(found.x)
    g = system.values(t, q, x)
    return Closed(q, x, _size(g), found.iterations, g, t=t)


def is_closed(system: System, found: Closed) -> bool:
    """Whether the violation is at the level of rounding and no axis is turned over."""
    if not found.error <= _bar(system):
        return False
    system.values(found.t, found.q, found.x)
    return not turned_over(system)


def _bar(system: System) -> float:
    return float(1e-11 * system.length + 1e-14 * np.abs(system.work.bodies["p"]).max())


def turned_over(system: System) -> list[str]:
    """Cut joints whose axes are in line but point opposite ways."""
    names, (i, j), (z_i, z_j) = system.alignments
    R = np.asarray(system.work.bodies["R"]).reshape(-1, 3, 3)
    along = np.einsum("nab,nb,nac,nc->n", R[i], z_i, R[j], z_j)
    return list(dict.fromkeys(names[n] for n in np.flatnonzero(along < 0.0)))


def gauss_newton(
    system: System,
    t: float,
    q: np.ndarray,
    x: np.ndarray,
    weights: np.ndarray,
    parts: Components | None = None,
    linearize: Linearize = AllRows,
) -> Closed:
    """Iterate to a closed position; steps are limited, halved and ended in each component
    independently.
    """
    parts = parts or single_component(system)
    if linearize is AllRows and parts.number == 1 and is_small(system):
        return _compiled(system, t, q, x, weights)
    g, moving, tried = system.values(t, q, x), np.ones(parts.number, bool), 0
    while True:
        linear = linearize(system, weights, parts)
        error = linear.error(g)
        moving = moving & (error > 1e-13 * system.length)
        if not moving.any() or tried == _ITERATIONS:
            break
        step = linear.step(g, moving)
        longest = parts.largest(step * system.natural, parts.dofs)
        step *= (moving * np.minimum(1.0, 0.5 / np.maximum(longest, 1e-300)))[parts.dofs]
        new = _shorten(system, t, q, x, step, error, linear, parts)
        stuck = moving & ~(linear.error(new[2]) < error * (1.0 - 1e-6))
        moving = moving & ~stuck
        if not moving.any():
            break
        if stuck.any():
            new = _shorten(system, t, q, x, step * moving[parts.dofs], error, linear, parts)
        (q, x, g), tried = new, tried + 1
        system.values(t, q, x)
    return Closed(q, x, float(error.max(initial=0.0)), tried, g, linear.left(g), t)


def is_small(system: System) -> bool:
    """Whether the compiled iteration is used: dense algebra of few rows, and no user code, whose
    errors are reported by evaluation.
    """
    return not (system.sparse or system.compiled.code) and len(system.scale) <= _FEW


def _compiled(
    system: System, t: float, q: np.ndarray, x: np.ndarray, weights: np.ndarray
) -> Closed:
    """The same iteration by one kernel."""
    ng, nv = len(system.scale), len(system.natural)
    q, x, g, system.t = np.array(q, float), np.array(x, float), np.zeros(ng), t
    error, tried = close_position(
        system.tables, system.work, t, q, x, system.scale, system.scale * system.holonomic,
        1.0 / np.sqrt(weights), system.natural, np.zeros((ng, nv)), np.zeros((ng, ng)),
        np.zeros(ng), g, np.zeros(nv), np.zeros_like(q), np.zeros_like(x), _RCOND,
    )  # fmt: skip
    return Closed(q, x, float(error), int(tried), g, 0.0, t)


def _shorten(
    system: System,
    t: float,
    q: np.ndarray,
    x: np.ndarray,
    step: np.ndarray,
    error: np.ndarray,
    linear: Linearization,
    parts: Components,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Halve the step of each component until its violation decreases."""
    for _ in range(12):
        q_new, x_new = system.shift(q, x, step)
        g_new = system.values(t, q_new, x_new)
        grows = ~(linear.error(g_new) < error) & (parts.largest(step, parts.dofs) > 0.0)
        if not grows.any():
            break
        step = np.where(grows[parts.dofs], 0.5, 1.0) * step
    return q_new, x_new, g_new


def _size(g: np.ndarray) -> float:
    return float(np.abs(g).max()) if len(g) else 0.0
