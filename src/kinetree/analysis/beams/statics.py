"""Static equilibrium in nodal coordinates: residual, Newton corrections and load steps.

A correction is shortened until the next one, with the same matrix, would be shorter (the natural
monotonicity test of [Deuflhard2011, sec. 3.3]). A load step for which that fails is halved. A model
without stiffness at the start, such as hinged beams in one straight line, first moves with a
resistance  d  that decreases with its residual  R  [KelleyKeyes1998],

    (K + d D) dx = -R,      d = |R| / (0.01 model sizes),
    D = 1 for displacements, (0.1 model sizes)^2 for rotations

The Newton loops of `analysis` stay apart because they share no step control: this one shortens by
the natural test, `balance` by the force along the step, `independent_coordinates` not at all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...assembly.result import Assembly
from ...engine.beams.assembly import assemble
from ...engine.beams.blocks import factorise, solve_blocks
from ...engine.beams.newton import correct
from ...engine.beams.nodal import STATIC, load_nodes, store_nodes, update_poses
from ...errors import SimulationError
from ...kernel.linalg import norm
from ...kernel.tables.records import Tables
from ...kernel.tables.workspace import NODES, Work

_RHO = np.zeros(16)
# corrections in model sizes
_CONVERGED = 1e-12
_ROUNDING = 1e-8
_MOST = 60
_SHORTEST = 1e-3
_SMALLEST = 1e-6
# pseudo-transient steps: first and largest one, residual at the end, number of steps
_FIRST = 0.01
_FARTHEST = 0.1
_NEAR = 1e-6
_FADED = 1e-3
_LONG = 200


class Statics:
    """A model at rest in nodal coordinates: residual, corrections and state."""

    def __init__(self, start: Assembly) -> None:
        rows = start.compiled.tables.settings.copy()
        rows["rows"] = start.rank
        self.tables: Tables = start.compiled.tables._replace(settings=rows)
        self.work: Work = start.compiled.workspace(NODES)
        self.t, self.x, self.y = start.t, start.x.copy(), start.y.copy()
        self.length = float(self.tables.settings[0]["length"])
        load_nodes(self.tables, self.work, self.y)
        self.rebase()

    def rebase(self) -> None:
        """Take the present position as the one from which increments are counted."""
        for name in ("v", "w", "d", "r"):
            self.work.nodes[name] = 0.0
        update_poses(self.tables, self.work, 1.0, STATIC, _RHO)

    def residual(self, tangent: bool = False) -> np.ndarray:
        update_poses(self.tables, self.work, 1.0, STATIC, _RHO)
        assemble(self.tables, self.work, self.t, 1.0, self.x, STATIC, _RHO, tangent)
        return self.work.unbalanced.copy()

    def stiffened(self, f: np.ndarray, only_right: bool = False) -> np.ndarray:
        """Replace K by K + p G^T G and add p G^T g to the right-hand side.

        The correction is the same, and a body held by joints alone is not singular when it is
        eliminated before them.
        """
        A, first, f = self.work.matrix, 6 * (len(self.work.nodes) - 1), f.copy()
        if not only_right:
            self._rows = list(self._held())
        for bodies, blocks, up, down, row, p in self._rows:
            for i, b in enumerate(bodies):
                f[6 * b - 6 : 6 * b] += p * down[i] * f[first + row]
                for j in range(len(bodies)):
                    if not only_right:
                        at = blocks[i][j]
                        A[at : at + 36] += p * np.outer(down[i], up[j]).ravel()
        return f

    def _held(self):
        """For every row: its bodies, their blocks, its derivatives at the end and at the average,
        its number, and p.
        """
        spots, A = self.tables.spots, self.work.matrix
        for n, primitive in enumerate(self.tables.primitives):
            at, count = int(spots[n]), int(spots[spots[n]])
            bodies = [int(b) for b in spots[at + 1 : at + 1 + count]]
            blocks = spots[at + 1 + count : at + 1 + count + count**2].reshape(count, count)
            own = at + 1 + count + count * count
            rows, first = int(spots[own + 2 * count + 1]), int(spots[own + 2 * count + 2])
            p = max(
                float(np.abs(A[blocks[i, i] : blocks[i, i] + 36 : 7]).max()) for i in range(count)
            )
            for k in range(int(primitive["ng"])):
                up = [
                    A[o + 6 * (first + k) : o + 6 * (first + k) + 6].copy()
                    for o in map(int, spots[own : own + count])
                ]
                down = [
                    A[o + first + k : o + 6 * rows : rows].copy()
                    for o in map(int, spots[own + count : own + 2 * count])
                ]
                yield bodies, blocks, up, down, int(primitive["ig"]) + k, p

    def solved(self, f: np.ndarray) -> np.ndarray:
        x = f.copy()
        solve_blocks(self.tables, self.work, x)
        return x

    def size(self, change: np.ndarray) -> float:
        """Largest displacement, in model sizes, and largest rotation."""
        nodes = change[: 6 * (len(self.work.nodes) - 1)].reshape(-1, 6)
        return float(
            max(
                np.abs(nodes[:, :3]).max(initial=0.0) / self.length,
                np.abs(nodes[:, 3:]).max(initial=0.0),
            )
        )

    def keep(self) -> tuple[Any, ...]:
        return self.work.nodes.copy(), self.work.multipliers.copy()

    def restore(self, kept: tuple[Any, ...]) -> None:
        self.work.nodes[:], self.work.multipliers[:] = kept

    def shift(self, change: np.ndarray, s: float) -> None:
        self.work.unbalanced[:] = change
        correct(self.tables, self.work, s)

    def balance(self, spare: np.ndarray) -> int:
        """Iterate until the residual is `spare`; return the number of corrections, or -1."""
        for count in range(1, _MOST + 1):
            f = self.residual(True) - spare
            f = self.stiffened(f)
            if factorise(self.tables, self.work) >= 0:
                return -1
            change, kept, s = self.solved(f), self.keep(), 1.0
            size = self.size(change)
            if not np.isfinite(size):
                return -1
            s = min(1.0, 0.5 / size) if size > 0.5 else 1.0
            while True:
                self.shift(change, s)
                if size < _CONVERGED:
                    return count
                nxt = self.size(
                    self.solved(self.stiffened(self.residual() - spare, only_right=True))
                )
                if nxt <= (1.0 - 0.5 * s) * size:
                    break
                if size < _ROUNDING:
                    return count
                self.restore(kept)
                s *= 0.5
                if s < _SHORTEST:
                    return -1
        return -1

    def pseudo_transient(self, spare: np.ndarray) -> int:
        """Move from a position without stiffness to one where Newton converges; return the steps,
        or -1.
        """
        last, first = 6 * (len(self.work.nodes) - 1), 0.0
        for count in range(1, _LONG + 1):
            f = self.residual(True) - spare
            size = norm(f[:last])
            first = first or size
            self._add_resistance(size / (_FIRST * self.length))
            f = self.stiffened(f)
            if factorise(self.tables, self.work) >= 0:
                return -1
            change = self.solved(f)
            moved = self.size(change)
            if not np.isfinite(moved):
                return -1
            self.shift(change, min(1.0, _FARTHEST / max(moved, _NEAR)))
            if moved < _NEAR and size < _FADED * first:
                return count
        return -1

    def _add_resistance(self, resistance: float) -> None:
        """Replace K by K + resistance D."""
        D = resistance * np.repeat([1.0, (0.1 * self.length) ** 2], 3)
        for pivot in self.tables.pivots:
            if pivot["row"] < 6 * (len(self.work.nodes) - 1):
                self.work.matrix[int(pivot["at"]) : int(pivot["at"]) + 36 : 7] += D

    def project(self) -> None:
        """Store the position found as the state, at rest."""
        update_poses(self.tables, self.work, 1.0, STATIC, _RHO)
        store_nodes(self.tables, self.work, self.y, 1.0, 0)
        nq, nv = (int(self.tables.settings[0][n]) for n in ("nq", "nv"))
        self.y[nq : nq + nv] = 0.0
        self.rebase()

    def load(self, until: float = 1.0, steps: int = 1) -> int:
        """Apply the fraction `until` of the loads, from the present residual; return the
        corrections.
        """
        first, s, ds, count = self.residual(), 0.0, until / steps, 0
        first[6 * (len(self.work.nodes) - 1) :] = 0.0
        while s < until * (1.0 - 1e-12):
            ds = min(ds, until - s)
            kept = self.keep()
            found = self.balance((1.0 - s - ds) * first)
            if found < 0:
                self.restore(kept)
                ds *= 0.5
                if (
                    ds < _SMALLEST
                    and s == 0.0
                    and (found := self._from_no_stiffness((1.0 - until) * first)) > 0
                ):
                    return found
                if ds < _SMALLEST:
                    where = (
                        f"beyond {100.0 * s:.4g} % of the loads"
                        if s
                        else "even at the smallest load"
                    )
                    raise SimulationError(
                        f"statics: no static equilibrium was found {where}; the model may buckle "
                        "or move away there. Apply a smaller load, or simulate with damping.",
                        self.t,
                    )
                continue
            self.project()
            s, count, ds = s + ds, count + found, 1.5 * ds
        return count

    def _from_no_stiffness(self, spare: np.ndarray) -> int:
        """Find equilibrium from a position without stiffness.

        Returns the number of corrections, or -1; the position is then unchanged.
        """
        kept = self.keep()
        crept = self.pseudo_transient(spare)
        found = self.balance(spare) if crept > 0 else -1
        if found < 0:
            self.restore(kept)
            return -1
        self.project()
        return crept + found
