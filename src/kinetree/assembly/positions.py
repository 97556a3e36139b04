"""Closing the loops: the nearest position that satisfies every constraint, or the names of the
joints that stay open.

Gauss-Newton with the pseudo-inverse (redundant rows do no harm), steps limited and shortened until
the violation falls. Where it is stuck, as in a linkage drawn with all links in line, a small fixed
disturbance is added and it starts again, those loops that are stuck only; an assembly with an axis
turned over is not accepted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from .components import Pieces, least_step, pieces_of, whole
from .system import System

_ITERATIONS = 60
_RESTARTS = 8
_MANY = 20  # coordinates from which it pays to look for pieces


class Closed(NamedTuple):
    """Where the search ended."""

    q: np.ndarray
    x: np.ndarray
    error: float
    iterations: int
    values: np.ndarray
    left: float = 0.0  # open in redundant directions, where that is allowed (m)
    t: float = 0.0


def close(
    system: System,
    t: float,
    q: np.ndarray,
    x: np.ndarray,
    weights: np.ndarray,
    search: Callable[..., Closed] | None = None,
) -> Closed:
    """The closed position nearest to q; `error` says whether it is closed (see `is_closed`).

    Pieces of the machine that share no joint start again each for itself, while those that are
    closed stay.
    """
    pieces = whole(system)
    if search is None and len(q) > _MANY and _size(system.values(t, q, x)) > _bar(system):
        pieces = pieces_of(system, q, x)
    search = search or partial(gauss_newton, pieces=pieces)
    found = search(system, t, q, x, weights)
    if is_closed(system, found):
        return found
    best, rng = found, np.random.default_rng(0)
    for attempt in range(1, _RESTARTS):
        again = _open(system, best, pieces)
        if not again.any():
            break
        push = (
            rng.normal(size=len(weights)) * 0.02 * 2.0**attempt / np.sqrt(weights)
        )  # held coordinates stay
        start = np.where(again[pieces.coordinates], q, best.q)
        system.values(t, start, x)
        found = search(
            system,
            t,
            *system.shift(start, system.follow_turns(x), push * again[pieces.freedoms]),
            weights,
        )
        best = _better(system, t, best, found, pieces)
    return best


def _open(system: System, found: Closed, pieces: Pieces) -> np.ndarray:
    """Per piece, whether it is open."""
    system.values(system.t, found.q, found.x)
    over = set(turned_over(system))
    owners = np.array([owner in over for owner in system.compiled.row_owner], float)
    error = pieces.most(found.values, pieces.rows) if pieces.number > 1 else np.array([found.error])
    return (~(error <= _bar(system))) | (pieces.most(owners, pieces.rows) > 0.0)


def _better(system: System, t: float, best: Closed, found: Closed, pieces: Pieces) -> Closed:
    """Of each piece what is closed, or less open."""
    if pieces.number == 1:
        return found if is_closed(system, found) or found.error < best.error else best
    was, now = (pieces.most(one.values, pieces.rows) for one in (best, found))
    take = ~_open(system, found, pieces) | (now < was)
    q = np.where(take[pieces.coordinates], found.q, best.q)
    system.values(t, q, found.x)
    x = system.follow_turns(found.x)
    g = system.values(t, q, x)
    return Closed(q, x, _size(g), found.iterations, g, t=t)


def is_closed(system: System, found: Closed) -> bool:
    """Violation at rounding, and no axis turned over."""
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


def gauss_newton(system: System, t: float, q, x, weights, pieces: Pieces | None = None) -> Closed:
    """The search for a position that closes everything; steps are limited, shortened and ended in
    each piece by itself.
    """
    pieces = pieces or whole(system)
    g = system.values(t, q, x)
    error, moving = pieces.most(g, pieces.rows), np.ones(pieces.number, bool)
    for k in range(_ITERATIONS):
        moving = moving & (error > 1e-13 * system.length)
        if not moving.any():
            return Closed(q, x, _size(g), k, g, t=t)
        step = least_step(system, g, weights, pieces, moving)
        longest = pieces.most(step * system.natural, pieces.freedoms)
        step *= (moving * np.minimum(1.0, 0.5 / np.maximum(longest, 1e-300)))[pieces.freedoms]
        q_new, x_new, g_new, error_new = _shorten(system, t, q, x, step, error, pieces)
        stuck = moving & ~(error_new < error * (1.0 - 1e-6))
        moving = moving & ~stuck
        if stuck.any():
            if not moving.any():
                return Closed(q, x, _size(g), k, g, t=t)
            q_new, x_new, g_new, error_new = _shorten(
                system, t, q, x, step * moving[pieces.freedoms], error, pieces
            )
        q, x, g, error = q_new, x_new, g_new, error_new
        system.values(t, q, x)
    return Closed(q, x, _size(g), _ITERATIONS, g, t=t)


def _shorten(system: System, t: float, q, x, step, error: np.ndarray, pieces: Pieces):
    """Halve the step of each piece until its violation falls."""
    for _ in range(12):
        q_new, x_new = system.shift(q, x, step)
        g_new = system.values(t, q_new, x_new)
        error_new = pieces.most(g_new, pieces.rows)
        grows = ~(error_new < error) & (pieces.most(step, pieces.freedoms) > 0.0)
        if not grows.any():
            break
        step = np.where(grows[pieces.freedoms], 0.5, 1.0) * step
    return q_new, x_new, g_new, error_new


def _size(g: np.ndarray) -> float:
    return float(np.abs(g).max()) if len(g) else 0.0
