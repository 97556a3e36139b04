"""The equations of a machine, block by block: their singular values, and what is lost at this
position alone.

The mathematics is in `singular.py`. Blocks share no freedom, so all of them are moved at the same
time, each by one unit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kernel.linalg import norm, product, qr, singular_values, svd
from .blocks import blocks_of
from .system import System

# A position is closed to e = 1e-13 of the machine's size. At a distance d from a change point that
# leaves e / d of play
# across the branches, which lie d apart: below sqrt(e) = 3e-7 they cannot be told apart, and
# tenfold is a safe side.
NEAREST = 3e-6
SMALL = 1e-4  # singular values, of the largest, that are looked at: 30 times NEAREST
ZERO = 1e-8  # of the largest singular value, and of the machine's size: redundant
_BENT = 1e-5  # B, of the size of the machine, that is no error of the difference quotient
STEP = 1e-4  # of that quotient: rounding 1e-12, truncation 1e-8
_TRIES = 4


@dataclass
class Part:
    """Equations that share no freedom with others: how far a change point is, and what is lost
    there.
    """

    rows: np.ndarray
    G: np.ndarray
    columns: np.ndarray
    s: np.ndarray  # singular values of G
    large: int  # singular values that are not looked at
    rank: int
    lost: np.ndarray
    distance: float = np.inf
    T: np.ndarray | None = None  # the derivative of G along the motion in which most is gained

    @property
    def singular(self) -> bool:
        return self.distance < NEAREST

    @property
    def here(self) -> int:
        return self.large if self.singular else self.rank

    @property
    def nearby(self) -> int:
        return self.here + self.lost.shape[1]


def parts_at(system: System, q: np.ndarray, x: np.ndarray) -> list[Part]:
    """What is asked of the blocks of a machine, all of them moved at the same time."""
    blocks = blocks_of(system, q, x)
    jacobians = blocks.jacobians(system, q, x)
    values = [singular_values(G) for G in jacobians]
    size = max([1.0, *(float(s[0]) for s in values)])
    parts = [
        Part(
            rows,
            G,
            columns,
            s,
            int(np.sum(s > SMALL * size)),
            int(np.sum(s > ZERO * size)),
            np.zeros((len(rows), 0)),
        )
        for rows, columns, G, s in zip(*blocks, jacobians, values)
    ]
    doubtful = [k for k, part in enumerate(parts) if part.large < min(part.G.shape)]
    spaces = {k: _null_spaces(parts[k]) for k in doubtful}
    ways = {k: free_directions(V) for k, (_, V) in spaces.items()}
    for attempt in range(_TRIES) if doubtful else ():
        n = np.zeros(len(system.natural))
        for k in doubtful:
            n[parts[k].columns] = ways[k][attempt]
        turnings = blocks.turnings(system, q, x, n, STEP)
        for k in doubtful:
            _look(parts[k], *spaces[k], turnings[k], bending(system))
    return parts


def _null_spaces(part: Part) -> tuple[np.ndarray, np.ndarray]:
    """U: combinations of equations that vanish, or nearly. V: what the others move; the freedoms N
    are all across it.
    """
    G = part.G
    if (
        G.shape[0] < G.shape[1]
    ):  # then N is large, and nobody needs it: with G^T = Q R the rows of Q^T span those of G
        Q, R = qr(G.T)
        U, _, Vt = svd(R.T)
        return U[:, part.large :], product(Vt[: part.large], Q.T)
    U, _, Vt = svd(G)
    return U[:, part.large :], Vt[: part.large]


def _look(part: Part, U: np.ndarray, V: np.ndarray, T: np.ndarray, bar: float) -> None:
    """Whether equations are gained as G turns by T:  U^T T N  has the singular values of  U^T T (1
    - V^T V).
    """
    turned = _across(V, product(U.T, T))
    if norm(turned) <= bar:  # as usual; it bounds the singular values
        turned = turned[:, :0]
    W, b, _ = svd(turned, full_matrices=False)
    bent = b > bar
    found = product(U, W[:, : len(b)][:, bent])
    distance = np.linalg.norm(product(found.T, part.G), axis=1) / b[bent]
    found = found[:, distance < NEAREST]
    if part.T is None or found.shape[1] > part.lost.shape[1]:
        part.T, part.lost = T, found
    part.distance = min(part.distance, float(distance.min(initial=np.inf)))


def bending(system: System) -> float:
    """What a turning must exceed to be one: the quotient's error, or what absorbed gaps bend
    redundant equations.
    """
    return max(_BENT, 100.0 * system.absorbed / system.length)


def _across(V: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Rows without their parts along those of V."""
    return rows - product(rows, V.T, V)


def free_directions(V: np.ndarray) -> list[np.ndarray]:
    """A few unit vectors across the rows of V, always the same."""
    tries = _across(V, np.random.default_rng(0).normal(size=(_TRIES, V.shape[1])))
    return list(tries / np.linalg.norm(tries, axis=1)[:, None])


def directions(N: np.ndarray) -> tuple[np.ndarray, ...]:
    """A few unit vectors in the span of N, always the same."""
    rng = np.random.default_rng(0)
    tries = (product(N, rng.normal(size=N.shape[1])) for _ in range(_TRIES))
    return tuple(n / norm(n) for n in tries)
