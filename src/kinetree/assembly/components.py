"""Partition of a model into components that share no joint, and of G into diagonal blocks.

With rows and degrees of freedom sorted by blocks, G and its derivative along any motion are block
diagonal, so null spaces and ranks are those of the blocks. Components are closed independently: a
loop that cannot be closed does not affect the others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..description.lowering.flexible import COORDINATES as NODES
from ..kernel.linalg import pinv, product
from .system import System

_AWAY = 0.1  # natural units, to a position where no entry of G vanishes by coincidence


class Blocks(NamedTuple):
    """Rows of each diagonal block of G, in their order, and its columns."""

    rows: tuple[np.ndarray, ...]
    columns: tuple[np.ndarray, ...]

    def jacobians(self, system: System, q: np.ndarray, x: np.ndarray) -> list[np.ndarray]:
        """G of each block without units: lengths relative to the model size, angles in radians."""
        system.values(system.t, q, x)
        if not system.sparse:
            G = system.jacobian() / system.natural / system.length
            return [G[np.ix_(r, c)] for r, c in zip(self.rows, self.columns)]
        row, column, value = system.entries()
        return self._cut(row, column, value / system.natural[column] / system.length, system)

    def derivatives(
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
        own = block[row] == of[column]  # entries that vanish everywhere may be rounding errors here
        row, column, value = row[own], column[own], value[own]
        order = np.argsort(block[row], kind="stable")
        bounds = np.searchsorted(block[row][order], np.arange(len(self.rows) + 1))
        found = [np.zeros((len(r), len(c))) for r, c in zip(self.rows, self.columns)]
        for b, G in enumerate(found):
            mine = order[bounds[b] : bounds[b + 1]]
            G[place[row[mine]], at[column[mine]]] = value[mine]
        return found


def blocks_of(system: System, q: np.ndarray, x: np.ndarray) -> Blocks:
    """Diagonal blocks of G for a large model or one in nodal coordinates; a single block otherwise.

    Rows without entries belong to no block.
    """
    ng, nv = len(system.scale), len(system.natural)
    if not system.sparse and system.compiled.coordinates != NODES:
        return Blocks((np.arange(ng),), (np.arange(nv),)) if ng and nv else Blocks((), ())
    return connected_blocks(*_entries(system, q, x), ng, nv)


def _entries(system: System, q: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns of the entries of G that are nonzero here or at another position."""
    away = system.shift(
        q, x, np.random.default_rng(0).normal(size=len(system.natural)) * _AWAY / system.natural
    )
    found = []
    for position in (away, (q, x)):
        system.values(system.t, *position)
        found.append(system.entries()[:2])
    rows, columns = zip(*found)
    return np.concatenate(rows), np.concatenate(columns)


def connected_blocks(row: np.ndarray, column: np.ndarray, ng: int, nv: int) -> Blocks:
    """Diagonal blocks of a matrix with these entries."""
    from scipy import sparse  # slow to import
    from scipy.sparse.csgraph import connected_components

    if not len(row):
        return Blocks((), ())
    graph = sparse.coo_array((np.ones(len(row)), (row, ng + column)), (ng + nv, ng + nv))
    label = connected_components(graph.tocsr(), directed=False)[1]
    order = np.argsort(label, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(label[order])) + 1)
    both = [(p[p < ng], p[p >= ng] - ng) for p in parts]
    return Blocks(*zip(*((r, c) for r, c in both if len(r) and len(c))))


class Components(NamedTuple):
    """The component of each row of G, degree of freedom and coordinate; the last component takes
    what belongs to no other.
    """

    rows: np.ndarray
    dofs: np.ndarray
    coordinates: np.ndarray
    number: int

    def largest(self, values: np.ndarray, of: np.ndarray) -> np.ndarray:
        """The largest magnitude in each component."""
        found = np.zeros(self.number)
        with np.errstate(invalid="ignore"):  # NaN from user code is reported elsewhere
            np.maximum.at(found, of, np.abs(values))
        return found


def single_component(system: System) -> Components:
    """The whole model as one component."""
    size = system.compiled.size
    return Components(
        np.zeros(size["ng"], int), np.zeros(size["nv"], int), np.zeros(size["nq"], int), 1
    )


def components_of(system: System, q: np.ndarray, x: np.ndarray) -> Components:
    """The components of a model: tree joints that move a common row of G are connected."""
    size, links = system.compiled.size, system.tables.links
    joint_of_dof, joint_of_coordinate = (
        np.searchsorted(links[f"i{n}"][1:], np.arange(size[f"n{n}"]), "right") for n in "vq"
    )
    row, dof = _entries(system, q, x)
    blocks = connected_blocks(row, joint_of_dof[dof], size["ng"], len(links))
    if len(blocks.rows) <= 1:
        return single_component(system)
    rows, joints = np.full(size["ng"], len(blocks.rows)), np.full(len(links), len(blocks.rows))
    for b, (r, j) in enumerate(zip(*blocks)):
        rows[r], joints[j] = b, b
    return Components(rows, joints[joint_of_dof], joints[joint_of_coordinate], len(blocks.rows) + 1)


def least_step(
    system: System, g: np.ndarray, weights: np.ndarray, parts: Components, moving: np.ndarray
) -> np.ndarray:
    """The smallest step in the metric of the weights that removes g to first order, at least in
    the components that move.
    """
    if parts.number == 1 or system.sparse:
        return system.least_step(g, weights)
    G, root, step = system.position_jacobian(), 1.0 / np.sqrt(weights), np.zeros(len(weights))
    for part in np.flatnonzero(moving):
        rows, own = np.flatnonzero(parts.rows == part), np.flatnonzero(parts.dofs == part)
        inverse = pinv(G[np.ix_(rows, own)] * root[own], rcond=1e-9)
        step[own] = -root[own] * product(inverse, g[rows])
    return step
