"""Closing the loops: the nearest position that satisfies every constraint, or the names of the joints that stay open.

Gauss-Newton with the pseudo-inverse (redundant rows do no harm), steps limited and shortened until the violation
falls. Where it is stuck, as in a linkage drawn with all links in line, a small fixed disturbance is added and it
starts again; an assembly with an axis turned over is not accepted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .system import System

_ITERATIONS = 60
_RESTARTS = 8


class Closed(NamedTuple):
    """Where the search ended."""

    q: np.ndarray
    x: np.ndarray
    error: float
    iterations: int
    values: np.ndarray
    left: float = 0.0  # open in redundant directions, where that is allowed (m)
    t: float = 0.0


def close(system: System, t: float, q: np.ndarray, x: np.ndarray, weights: np.ndarray,
          search: Callable[..., Closed] | None = None) -> Closed:
    """The closed position nearest to q; `error` says whether it is closed (see `is_closed`)."""
    search = search or gauss_newton
    rng = np.random.default_rng(0)
    best = found = search(system, t, q, x, weights)
    for attempt in range(1, _RESTARTS):
        if is_closed(system, found):
            return found
        push = rng.normal(size=len(weights)) * 0.02 * 2.0**attempt / np.sqrt(weights)  # held coordinates stay
        found = search(system, t, *system.shift(q, x, push), weights)
        if found.error < best.error:
            best = found
    return found if is_closed(system, found) else best


def is_closed(system: System, found: Closed) -> bool:
    """Violation at rounding, and no axis turned over."""
    if not found.error <= 1e-11 * system.length + 1e-14 * np.abs(system.work.bodies["p"]).max():
        return False
    system.values(found.t, found.q, found.x)
    return not turned_over(system)


def turned_over(system: System) -> list[str]:
    """Cut joints whose axes are in line but point opposite ways."""
    names, (i, j), (z_i, z_j) = system.alignments
    R = np.asarray(system.work.bodies["R"]).reshape(-1, 3, 3)
    along = np.einsum("nab,nb,nac,nc->n", R[i], z_i, R[j], z_j)
    return list(dict.fromkeys(names[n] for n in np.flatnonzero(along < 0.0)))


def gauss_newton(system: System, t: float, q, x, weights) -> Closed:
    """The search for a position that closes everything."""
    g = system.values(t, q, x)
    error = _size(g)
    for k in range(_ITERATIONS):
        if error <= 1e-13 * system.length:
            return Closed(q, x, error, k, g, t=t)
        step = system.least_step(g, weights)
        step *= min(1.0, 0.5 / max(np.abs(step * system.natural).max(initial=0.0), 1e-300))
        q_new, x_new, g_new, error_new = _shorten(system, t, q, x, step, error)
        if not error_new < error * (1.0 - 1e-6):
            return Closed(q, x, error, k, g, t=t)
        q, x, g, error = q_new, x_new, g_new, error_new
        system.values(t, q, x)
    return Closed(q, x, error, _ITERATIONS, g, t=t)


def _shorten(system: System, t: float, q, x, step, error):
    """Halve the step until the violation falls."""
    for _ in range(12):
        q_new, x_new = system.shift(q, x, step)
        g_new = system.values(t, q_new, x_new)
        if _size(g_new) < error:
            break
        step = 0.5 * step
    return q_new, x_new, g_new, _size(g_new)


def _size(g: np.ndarray) -> float:
    return float(np.abs(g).max()) if len(g) else 0.0
