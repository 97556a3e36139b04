"""Equations that repeat what others say: in the present position, or wherever the machine moves
from it.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from ..kernel.linalg import independent_rows, norm, product, triangle
from .full_rank import clearly_independent
from .large import LargeSystem
from .large_start import surely_regular
from .parts import SMALL, ZERO, Part, bending, parts_at
from .singular import clearly_regular, summary
from .system import System

Spare = tuple[
    tuple[str, int], ...
]  # joints and constraints, with how many of their equations are redundant


def redundancy(system: System) -> tuple[int, Spare]:
    """Rank of G at the present position and, per joint or constraint, how many of its equations are
    redundant.
    """
    if isinstance(system, LargeSystem):
        rank, found = system.spare_rows()
        return rank, tuple(found.items())
    G = (
        system.jacobian() / system.natural
    )  # every entry a length; the machine's size is what rounding is measured against
    bars = np.maximum(
        1e-8 * np.maximum(np.linalg.norm(G, axis=1), 1e-3 * system.length), 20.0 * system.absorbed
    )
    if _independent(G, bars):
        return len(G), ()
    new = independent_rows(G, bars)  # in order, so the last joint of a loop carries the excess
    spare = Counter(
        owner for owner, independent in zip(system.compiled.row_owner, new) if not independent
    )
    return int(new.sum()), tuple(spare.items())


def _independent(G: np.ndarray, bars: np.ndarray) -> bool:
    """Do the rows before each leave more of it than its bar?  With G^T = Q R they leave |R_kk|,
    while all are independent.
    """
    if not G.size or len(G) > G.shape[1]:
        return not len(G)
    if clearly_independent(G, 1e4 * float(bars.max())):
        return True
    return bool((np.abs(np.diag(triangle(G.T))) > bars).all())


def lasting_redundancy(
    system: System, q: np.ndarray, x: np.ndarray, rank: int, redundant: Spare
) -> tuple[int, Spare, str]:
    """Rank of G near a position, the equations redundant also there, and the sentence of a change
    point, if it is one.

    An equation that depends on those before it only here gains rank to first order as the machine
    moves. Where none does, the answer is that of `redundancy` at the position itself.
    """
    if isinstance(system, LargeSystem) and surely_regular(system, q, x):
        return rank, redundant, ""
    if clearly_regular(system, q, x):
        return rank, redundant, ""
    parts = parts_at(system, q, x)
    found = summary(system, parts)
    if not found.singular:
        return rank, redundant, ""
    gains = np.zeros(len(system.scale), bool)
    for part in parts:
        gains[part.rows] = gaining(part, bending(system), max(ZERO, system.rounding))
    spare = Counter(owner for owner, gained in zip(system.compiled.row_owner, gains) if not gained)
    return int(gains.sum()), tuple(spare.items()), str(found)


def gaining(part: Part, bent: float, zero: float) -> np.ndarray:
    """Per equation, in order, whether it adds to the rank of those before it, here or to first
    order as the machine moves.

    The rank of G + s T for small s is that of the rows w, one for each row of G:

        w_k = g_k  where that is independent of those before it,  else  u^T T / |u|  with  u^T G =
                   0, u_k = 1, u_j = 0 for j > k

    for all u so far span the left null space U of the rows so far, and  rank [G; U^T T] = rank G +
                                                                         rank(U^T T N).
    """
    small, bar = (SMALL, bent) if part.singular else (zero, np.inf)
    small, (count, n) = small * max(1.0, float(part.s[0])), part.G.shape
    T = part.G if part.T is None else part.T
    here, nearby, gains = _Span(count, n, 2 * n + count), _Span(count, n, n), np.zeros(count, bool)
    for k, row in enumerate(np.hstack([part.G, T, np.eye(count)])):
        left = here.left(row)
        independent = here.grow(left, small)
        w = row[:n] if independent else left[n : 2 * n] / norm(left[2 * n :])
        gains[k] = nearby.grow(nearby.left(w), small if independent else bar)
    return gains


class _Span:
    """Rows that are orthonormal in their first n numbers; the others are carried along."""

    def __init__(self, most: int, n: int, width: int) -> None:
        self.rows, self.n, self.count = np.zeros((most, width)), n, 0

    def left(self, row: np.ndarray) -> np.ndarray:
        """What the rows so far leave of this one: orthogonalised twice, which is enough."""
        rows = self.rows[: self.count]
        for _ in range(2):
            row = row - product(rows[:, : self.n], row[: self.n], rows)
        return row

    def grow(self, left: np.ndarray, bar: float) -> bool:
        """Take in what is left of a row, if that is more than the bar."""
        size = norm(left[: self.n])
        if size > bar:
            self.rows[self.count] = left / size
            self.count += 1
        return size > bar
