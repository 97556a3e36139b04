"""Rank of G at a position and near it, block by block.

The mathematics is in `singular.py`. Blocks share no degree of freedom, so all of them are moved at
the same time, each by one unit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kernel.linalg import norm, product, qr, singular_values, svd
from .components import blocks_of
from .system import System

# A position is closed to e = 1e-13 of the model size. At a distance d from a change point that
# leaves an uncertainty e / d across the branches, which lie d apart: below sqrt(e) = 3e-7 they
# cannot be distinguished. Ten times that is on the safe side.
NEAREST = 3e-6
SMALL = 1e-4  # singular values, relative to the largest, that are examined: 30 times NEAREST
ZERO = 1e-8  # relative to the largest singular value, and to the model size: redundant
_BENT = 1e-5  # B, relative to the model size, above the error of the difference quotient
STEP = 1e-4  # of that quotient: rounding 1e-12, truncation 1e-8
_TRIES = 4


@dataclass
class BlockRank:
    """Rank of a diagonal block of G here and nearby, and the distance to a change point."""

    rows: np.ndarray
    G: np.ndarray
    columns: np.ndarray
    s: np.ndarray  # singular values of G
    large: int  # number of singular values that need no examination
    rank: int
    lost: np.ndarray  # combinations of rows that vanish at this position only
    distance: float = np.inf
    T: np.ndarray | None = None  # derivative of G along the motion that gains most rank

    @property
    def singular(self) -> bool:
        return self.distance < NEAREST

    @property
    def here(self) -> int:
        return self.large if self.singular else self.rank

    @property
    def nearby(self) -> int:
        return self.here + self.lost.shape[1]


def block_ranks(system: System, q: np.ndarray, x: np.ndarray) -> list[BlockRank]:
    """Ranks of the blocks of G, all blocks moved at the same time."""
    blocks = blocks_of(system, q, x)
    jacobians = blocks.jacobians(system, q, x)
    values = [singular_values(G) for G in jacobians]
    size = max([1.0, *(float(s[0]) for s in values)])
    found = []
    for rows, columns, G, s in zip(*blocks, jacobians, values):
        large, rank = int(np.sum(s > SMALL * size)), int(np.sum(s > ZERO * size))
        found.append(BlockRank(rows, G, columns, s, large, rank, np.zeros((len(rows), 0))))
    doubtful = [k for k, block in enumerate(found) if block.large < min(block.G.shape)]
    spaces = {k: _null_spaces(found[k]) for k in doubtful}
    ways = {k: free_directions(V) for k, (_, V) in spaces.items()}
    for attempt in range(_TRIES) if doubtful else ():
        n = np.zeros(len(system.natural))
        for k in doubtful:
            n[found[k].columns] = ways[k][attempt]
        derivatives = blocks.derivatives(system, q, x, n, STEP)
        for k in doubtful:
            examine(found[k], *spaces[k], derivatives[k], bending(system))
    return found


def _null_spaces(block: BlockRank) -> tuple[np.ndarray, np.ndarray]:
    """U: combinations of rows that vanish, or nearly. V: basis of the other rows; the null space N
    is orthogonal to it.
    """
    G = block.G
    if G.shape[0] < G.shape[1]:
        # N is large and not needed: with G^T = Q R the rows of Q^T span those of G
        Q, R = qr(G.T)
        U, _, Vt = svd(R.T)
        return U[:, block.large :], product(Vt[: block.large], Q.T)
    U, _, Vt = svd(G)
    return U[:, block.large :], Vt[: block.large]


def examine(block: BlockRank, U: np.ndarray, V: np.ndarray, T: np.ndarray, bar: float) -> None:
    """Record the rank gained as G changes by T:  U^T T N  has the singular values of
    U^T T (1 - V^T V).
    """
    gained = _orthogonal_part(V, product(U.T, T))
    if norm(gained) <= bar:  # the usual case; the norm bounds the singular values
        gained = gained[:, :0]
    W, b, _ = svd(gained, full_matrices=False)
    bent = b > bar
    found = product(U, W[:, : len(b)][:, bent])
    distance = np.linalg.norm(product(found.T, block.G), axis=1) / b[bent]
    found = found[:, distance < NEAREST]
    if block.T is None or found.shape[1] > block.lost.shape[1]:
        block.T, block.lost = T, found
    block.distance = min(block.distance, float(distance.min(initial=np.inf)))


def bending(system: System) -> float:
    """Threshold for U^T T N: the error of the difference quotient, or the change of redundant rows
    due to absorbed gaps.
    """
    return max(_BENT, 100.0 * system.absorbed / system.length)


def _orthogonal_part(V: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Rows minus their projections onto the rows of V."""
    return rows - product(rows, V.T, V)


def free_directions(V: np.ndarray) -> list[np.ndarray]:
    """Unit vectors orthogonal to the rows of V, from a fixed seed."""
    tries = _orthogonal_part(V, np.random.default_rng(0).normal(size=(_TRIES, V.shape[1])))
    return list(tries / np.linalg.norm(tries, axis=1)[:, None])


def directions(N: np.ndarray) -> tuple[np.ndarray, ...]:
    """Unit vectors in the span of N, from a fixed seed."""
    rng = np.random.default_rng(0)
    tries = (product(N, rng.normal(size=N.shape[1])) for _ in range(_TRIES))
    return tuple(n / norm(n) for n in tries)


def gaining(block: BlockRank, bent: float, zero: float) -> np.ndarray:
    """Per row, in order, whether it adds to the rank of the rows before it, here or to first order
    as the model moves.

    The rank of G + s T for small s is that of the rows w, one for each row of G:

        w_k = g_k         where that is independent of the rows before it,
        w_k = u^T T / |u| otherwise, with  u^T G = 0,  u_k = 1,  u_j = 0 for j > k

    because all u so far span the left null space U of the rows so far, and
    rank [G; U^T T] = rank G + rank(U^T T N).
    """
    small, bar = (SMALL, bent) if block.singular else (zero, np.inf)
    small, (count, n) = small * max(1.0, float(block.s[0])), block.G.shape
    T = block.G if block.T is None else block.T
    here, nearby, gains = _Span(count, n, 2 * n + count), _Span(count, n, n), np.zeros(count, bool)
    for k, row in enumerate(np.hstack([block.G, T, np.eye(count)])):
        rest = here.rest(row)
        independent = here.grow(rest, small)
        w = row[:n] if independent else rest[n : 2 * n] / norm(rest[2 * n :])
        gains[k] = nearby.grow(nearby.rest(w), small if independent else bar)
    return gains


class _Span:
    """Rows that are orthonormal in their first n columns; the other columns follow the same
    operations.
    """

    def __init__(self, most: int, n: int, width: int) -> None:
        self.rows, self.n, self.count = np.zeros((most, width)), n, 0

    def rest(self, row: np.ndarray) -> np.ndarray:
        """The part of a row that is orthogonal to the rows so far (orthogonalized twice)."""
        rows = self.rows[: self.count]
        for _ in range(2):
            row = row - product(rows[:, : self.n], row[: self.n], rows)
        return row

    def grow(self, rest: np.ndarray, bar: float) -> bool:
        """Add the rest of a row if it is larger than the bar."""
        size = norm(rest[: self.n])
        if size > bar:
            self.rows[self.count] = rest / size
            self.count += 1
        return size > bar
