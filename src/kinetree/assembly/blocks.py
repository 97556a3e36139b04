"""Equations in blocks that share no freedom: what is asked of each costs what the block costs,
whatever stands beside it.

With rows and freedoms sorted by blocks, G and its derivative along any motion are block diagonal,
so their null spaces and their ranks are those of the blocks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..description.lowering.flexible import COORDINATES as NODES
from .large import LargeSystem
from .system import System

_AWAY = 0.1  # natural units, to a position where nothing vanishes by chance


class Blocks(NamedTuple):
    """Equations of each block, in their order, and its freedoms."""

    rows: tuple[np.ndarray, ...]
    columns: tuple[np.ndarray, ...]

    def jacobians(self, system: System, q: np.ndarray, x: np.ndarray) -> list[np.ndarray]:
        """G of each block without units: lengths against the size of the machine, angles in
        radians.
        """
        system.values(system.t, q, x)
        if not isinstance(system, LargeSystem):
            G = system.jacobian() / system.natural / system.length
            return [G[np.ix_(r, c)] for r, c in zip(self.rows, self.columns)]
        row, column, value = system.entries()
        return self._cut(row, column, value / system.natural[column] / system.length, system)

    def turnings(
        self, system: System, q: np.ndarray, x: np.ndarray, n: np.ndarray, step: float
    ) -> list[np.ndarray]:
        """g_qq[n] of each block, the derivative of G along n in natural units."""
        ahead, behind = (
            self.jacobians(system, *system.shift(q, x, by * n / system.natural))
            for by in (step, -step)
        )
        return [(a - b) / (2.0 * step) for a, b in zip(ahead, behind)]

    def _cut(
        self, row: np.ndarray, column: np.ndarray, value: np.ndarray, system: System
    ) -> list[np.ndarray]:
        block, place = np.full(len(system.scale), -1), np.zeros(len(system.scale), int)
        of, at = np.full(len(system.natural), -1), np.zeros(len(system.natural), int)
        for b, (r, c) in enumerate(zip(self.rows, self.columns)):
            block[r], place[r], of[c], at[c] = b, np.arange(len(r)), b, np.arange(len(c))
        own = block[row] == of[column]  # what vanishes wherever the machine is may be rounding here
        row, column, value = row[own], column[own], value[own]
        order = np.argsort(block[row], kind="stable")
        bounds = np.searchsorted(block[row][order], np.arange(len(self.rows) + 1))
        found = [np.zeros((len(r), len(c))) for r, c in zip(self.rows, self.columns)]
        for b, G in enumerate(found):
            mine = order[bounds[b] : bounds[b + 1]]
            G[place[row[mine]], at[column[mine]]] = value[mine]
        return found


def blocks_of(system: System, q: np.ndarray, x: np.ndarray) -> Blocks:
    """The blocks of a large machine, or of one in nodes, few of which have joints; a small one is a
    single block.

    Equations that nothing moves belong to none.
    """
    ng, nv = len(system.scale), len(system.natural)
    if not isinstance(system, LargeSystem) and system.compiled.coordinates != NODES:
        return Blocks((np.arange(ng),), (np.arange(nv),)) if ng and nv else Blocks((), ())
    return connected(*pairs_of(system, q, x), ng, nv)


def pairs_of(system: System, q: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Equations and the freedoms that move them, here or at another position."""
    away = system.shift(
        q, x, np.random.default_rng(0).normal(size=len(system.natural)) * _AWAY / system.natural
    )
    found = []
    for position in (away, (q, x)):
        system.values(system.t, *position)
        found.append(system.entries()[:2])
    return np.concatenate([row for row, _ in found]), np.concatenate(
        [column for _, column in found]
    )


def connected(row: np.ndarray, column: np.ndarray, ng: int, nv: int) -> Blocks:
    """Blocks of a matrix with these entries."""
    from scipy import sparse  # slow to import
    from scipy.sparse.csgraph import connected_components

    graph = sparse.coo_array((np.ones(len(row)), (row, ng + column)), (ng + nv, ng + nv))
    label = connected_components(graph.tocsr(), directed=False)[1]
    order = np.argsort(label, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(label[order])) + 1)
    both = [(p[p < ng], p[p >= ng] - ng) for p in parts]
    return (
        Blocks(*zip(*((r, c) for r, c in both if len(r) and len(c))))
        if len(row)
        else Blocks((), ())
    )
