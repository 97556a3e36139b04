"""Loops drawn with rounded numbers: what is left open in redundant directions, and nowhere else, is
absorbed.

A planar loop of spatial hinges with one of them 1e-9 m out of the plane closes nowhere exactly, and
moves as well as any.
With D G = U S V^T in natural units, each joint's rows at the size of its largest, the directions U1
with S > slack are
closed by Gauss-Newton,

    V1 S1^-1 U1^T g -> 0,      and      |g - U1 U1^T g| <= slack L      is what stays open

It may, if the equations U2 dropped are redundant wherever the machine moves: U2^T g_qq[n] V2 is
then as small as the gap, and not so where a rod is merely too short to reach (see `singular`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..kernel.linalg import product, svd
from .parts import directions
from .positions import Closed
from .singular import natural_jacobian, turning
from .system import System

SLACK = (
    1e-5  # of the machine's size: coarser than the micrometres of a drawing, finer than any play
)
WIDEST = 1e-2  # of the machine's size: gaps up to this are explained, not accepted
_ROUNDING = 1e-8  # singular values below this are redundant in any case
_ITERATIONS = 60
_BENT = 1e-5  # error of the difference quotient in `turning`
_GROWTH = 100.0  # gaps, of the machine's size, by which redundant directions may turn in one radian


class Split(NamedTuple):
    """Directions of g that can be closed, those that cannot, and the singular values of the latter."""

    U1: np.ndarray
    s1: np.ndarray
    V1: np.ndarray
    U2: np.ndarray
    s2: np.ndarray
    V2: np.ndarray


def split(G: np.ndarray, slack: float) -> Split:
    """G without units, rows at the size of their joints."""
    U, s, Vt = svd(G)
    rank = int(np.sum(s > max(slack, _ROUNDING)))
    return Split(U[:, :rank], s[:rank], Vt[:rank].T, U[:, rank:], s[rank:], Vt[rank:].T)


def sizes(system: System, G: np.ndarray) -> np.ndarray:
    """The largest row of the joint or constraint of each row, at least rounding."""
    rows = np.linalg.norm(G, axis=1)
    owners = np.array(system.compiled.row_owner)
    return np.array([max(rows[owners == owner].max(), _ROUNDING) for owner in owners])


def loosely(slack: float) -> Callable[..., Closed]:
    """Gauss-Newton (see `positions`) for what can be closed."""

    def search(
        system: System, t: float, q: np.ndarray, x: np.ndarray, weights: np.ndarray
    ) -> Closed:
        root, length = 1.0 / np.sqrt(weights), system.length
        tried = 0
        while True:
            g = system.values(t, q, x)
            G = system.jacobian() * root / length
            size = sizes(system, G)
            parts = split(G / size[:, None], slack)
            error = _closable(parts, g, size)
            if error <= 1e-13 * length or tried == _ITERATIONS:
                break
            step = -root * product(parts.V1, product(parts.U1.T, g / size / length) / parts.s1)
            step *= min(1.0, 0.5 / max(np.abs(step * system.natural).max(initial=0.0), 1e-300))
            for _ in range(12):
                q_new, x_new = system.shift(q, x, step)
                if _closable(parts, system.values(t, q_new, x_new), size) < error:
                    break
                step = 0.5 * step
            else:
                break
            q, x, tried = q_new, x_new, tried + 1
        values = system.values(t, q, x)
        return Closed(q, x, error, tried, values, float(np.abs(values).max(initial=0.0)), t)

    return search


def _closable(parts: Split, g: np.ndarray, size: np.ndarray) -> float:
    """How far the directions that can be closed are open (m)."""
    return float(
        np.abs(product(parts.U1.T, g / size) * (size.max() if len(size) else 1.0)).max(initial=0.0)
    )


def absorbed(system: System, found: Closed, slack: float) -> float:
    """The gap (m) that redundant directions keep as the machine moves; infinite if they are none."""
    G = natural_jacobian(system, found.q, found.x)
    size = sizes(system, G)
    parts = split(G / size[:, None], slack)
    near = float(parts.s2.max(initial=0.0))
    gap = max(found.left / system.length, near * size.max(initial=0.0))
    bend = 0.0
    for n in directions(parts.V2) if parts.V2.shape[1] else ():
        T = turning(system, found.q, found.x, n) / size[:, None]
        bend = max(bend, float(np.abs(product(parts.U2.T, T, parts.V2)).max(initial=0.0)))
    harmless = found.left <= slack * system.length and bend <= _BENT + _GROWTH * gap
    return gap * system.length if harmless else np.inf
