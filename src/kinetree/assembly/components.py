"""Pieces of a machine that share no joint: what is wrong with one says nothing of the others, so
each is closed by itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..kernel.linalg import pinv, product
from .blocks import connected, pairs_of
from .system import System


class Pieces(NamedTuple):
    """Which piece each equation, each freedom and each coordinate belongs to; the last one has what
    belongs to none.
    """

    rows: np.ndarray
    freedoms: np.ndarray
    coordinates: np.ndarray
    number: int

    def most(self, sizes: np.ndarray, of: np.ndarray) -> np.ndarray:
        """The largest of each piece."""
        found = np.zeros(self.number)
        with np.errstate(invalid="ignore"):  # of user code that failed, which is reported as such
            np.maximum.at(found, of, np.abs(sizes))
        return found


def whole(system: System) -> Pieces:
    """The machine as one piece."""
    size = system.compiled.size
    return Pieces(
        np.zeros(size["ng"], int), np.zeros(size["nv"], int), np.zeros(size["nq"], int), 1
    )


def pieces_of(system: System, q: np.ndarray, x: np.ndarray) -> Pieces:
    """The pieces of a machine, by the joints in the tree that move an equation."""
    size, links = system.compiled.size, system.tables.links
    carried, placed = (
        np.searchsorted(links[f"i{n}"][1:], np.arange(size[f"n{n}"]), "right") for n in "vq"
    )
    row, freedom = pairs_of(system, q, x)
    blocks = connected(row, carried[freedom], size["ng"], len(links))
    if len(blocks.rows) <= 1:
        return whole(system)
    rows, joints = np.full(size["ng"], len(blocks.rows)), np.full(len(links), len(blocks.rows))
    for b, (r, j) in enumerate(zip(*blocks)):
        rows[r], joints[j] = b, b
    return Pieces(rows, joints[carried], joints[placed], len(blocks.rows) + 1)


def least_step(
    system: System, g: np.ndarray, weights: np.ndarray, pieces: Pieces, moving: np.ndarray
) -> np.ndarray:
    """The smallest step in the metric of the weights that removes g, to first order, at least in
    the pieces that move.
    """
    if pieces.number == 1 or system.large:
        return system.least_step(g, weights)
    G, root, step = system.jacobian(), 1.0 / np.sqrt(weights), np.zeros(len(weights))
    for piece in np.flatnonzero(moving):
        rows, own = np.flatnonzero(pieces.rows == piece), np.flatnonzero(pieces.freedoms == piece)
        step[own] = -root[own] * product(
            pinv(G[np.ix_(rows, own)] * root[own], rcond=1e-9), g[rows]
        )
    return step
