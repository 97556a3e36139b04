"""Statics and vibrations of flexible machines, in node coordinates: deflected shape, modes about it, buckling loads.

    statics      R(q) - (1 - s) R(q_0) = 0,   g(q) = 0     from s = 0 to 1: of dead loads, these are s of them
    vibrations   K phi = w^2 M phi,   G phi = 0            K at the state, with what stresses and reactions add to it
    buckling     (K_0 + p (K_e - K_0) / e) phi = 0         K_e at a small part e of the loads

Newton's corrections are shortened until the next one, with the same matrix, would be shorter (the natural test of
[Deuflhard2011, sec. 3.3]); a part of the load for which that fails is halved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..assembly.nodes import in_nodes
from ..assembly.receipt import Assembly
from ..errors import ModelError, SimulationError
from ..frames import number
from ..model.model import Model
from ..results.solution import Solution
from ..shown import Shown
from ..states import HasState, State, state_of
from ..structural.assembly import assemble
from ..structural.blocks import factorise, solve_blocks
from ..structural.newton import correct
from ..structural.nodes import STATIC, load_nodes, pass_all, store_nodes
from ..tables.records import Tables
from ..tables.work import NODES, Work
from .sampled import as_solution

_RHO = np.zeros(16)
_CONVERGED, _ROUNDING, _MOST, _SHORTEST, _SMALLEST = 1e-12, 1e-8, 60, 1e-3, 1e-6  # corrections in sizes of the machine


class _Statics:
    """A machine at rest in node coordinates: residual, corrections and the state they lead to."""

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
        """The present position as the one that increments are counted from."""
        for name in ("v", "w", "d", "r"):
            self.work.nodes[name] = 0.0
        pass_all(self.tables, self.work, 1.0, STATIC, _RHO)

    def residual(self, tangent: bool = False) -> np.ndarray:
        pass_all(self.tables, self.work, 1.0, STATIC, _RHO)
        assemble(self.tables, self.work, self.t, 1.0, self.x, STATIC, _RHO, tangent)
        return self.work.residual.copy()

    def stiffened(self, f: np.ndarray, only_right: bool = False) -> np.ndarray:
        """K + p G^T G in the place of K, and f + p G^T g on the right: the same correction, and a body held by joints alone is
        not singular when it is eliminated before them."""
        A, first, f = self.work.matrix, 6 * (len(self.work.nodes) - 1), f.copy()
        if not only_right:
            self._rows = list(self._held())
        for bodies, blocks, up, down, row, p in self._rows:
            for i, b in enumerate(bodies):
                f[6 * b - 6:6 * b] += p * down[i] * f[first + row]
                for j in range(len(bodies)):
                    if not only_right:
                        at = blocks[i][j]
                        A[at:at + 36] += p * np.outer(down[i], up[j]).ravel()
        return f

    def _held(self):
        """Of every row: its bodies, their blocks, its derivatives at the end and at the average, its number, and p."""
        spots, A = self.tables.spots, self.work.matrix
        for n, primitive in enumerate(self.tables.primitives):
            at, count = int(spots[n]), int(spots[spots[n]])
            bodies = [int(b) for b in spots[at + 1:at + 1 + count]]
            blocks = spots[at + 1 + count:at + 1 + count + count**2].reshape(count, count)
            own = at + 1 + count + count * count
            rows, first = int(spots[own + 2 * count + 1]), int(spots[own + 2 * count + 2])
            p = max(float(np.abs(A[blocks[i, i]:blocks[i, i] + 36:7]).max()) for i in range(count))
            for k in range(int(primitive["ng"])):
                up = [A[o + 6 * (first + k):o + 6 * (first + k) + 6].copy() for o in map(int, spots[own:own + count])]
                down = [A[o + first + k:o + 6 * rows:rows].copy() for o in map(int, spots[own + count:own + 2 * count])]
                yield bodies, blocks, up, down, int(primitive["ig"]) + k, p

    def solved(self, f: np.ndarray) -> np.ndarray:
        x = f.copy()
        solve_blocks(self.tables, self.work, x)
        return x

    def size(self, change: np.ndarray) -> float:
        """Largest travel, in sizes of the machine, and turn."""
        nodes = change[: 6 * (len(self.work.nodes) - 1)].reshape(-1, 6)
        return float(max(np.abs(nodes[:, :3]).max(initial=0.0) / self.length, np.abs(nodes[:, 3:]).max(initial=0.0)))

    def keep(self) -> tuple[Any, ...]:
        return self.work.nodes.copy(), self.work.multipliers.copy()

    def restore(self, kept: tuple[Any, ...]) -> None:
        self.work.nodes[:], self.work.multipliers[:] = kept

    def shift(self, change: np.ndarray, s: float) -> None:
        self.work.residual[:] = change
        correct(self.tables, self.work, s)

    def balance(self, spare: np.ndarray) -> int:
        """Newton until the residual is `spare`; corrections, or -1."""
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
                nxt = self.size(self.solved(self.stiffened(self.residual() - spare, only_right=True)))
                if nxt <= (1.0 - 0.5 * s) * size:
                    break
                if size < _ROUNDING:
                    return count
                self.restore(kept)
                s *= 0.5
                if s < _SHORTEST:
                    return -1
        return -1

    def settle(self) -> None:
        """The position found becomes the state, at rest."""
        pass_all(self.tables, self.work, 1.0, STATIC, _RHO)
        store_nodes(self.tables, self.work, self.y, 1.0, 0)
        nq, nv = (int(self.tables.settings[0][n]) for n in ("nq", "nv"))
        self.y[nq:nq + nv] = 0.0
        self.rebase()

    def load(self, until: float = 1.0, steps: int = 1) -> int:
        """From the present residual to a part `until` of the loads; corrections."""
        first, s, ds, count = self.residual(), 0.0, until / steps, 0
        first[6 * (len(self.work.nodes) - 1):] = 0.0
        while s < until * (1.0 - 1e-12):
            ds = min(ds, until - s)
            kept = self.keep()
            found = self.balance((1.0 - s - ds) * first)
            if found < 0:
                self.restore(kept)
                ds *= 0.5
                if ds < _SMALLEST:
                    raise SimulationError(f"statics: no balanced shape was found beyond {s:.4g} of the loads; the machine may "
                                          "buckle or move away there. Ask for a smaller load, or simulate with damping.", self.t)
                continue
            self.settle()
            s, count, ds = s + ds, count + found, 1.5 * ds
        return count


@dataclass(frozen=True, repr=False)
class Deflection(HasState, Shown):
    """A balanced shape: `d["arm.10.position"]` reads any channel, `kt.simulate(model, until, state=d, ...)` starts there."""

    assembly: Assembly
    iterations: int

    @property
    def state(self) -> State:
        return State.of(self.assembly)

    @property
    def solution(self) -> Solution:
        a = self.assembly
        assert a.vdot is not None and a.lam is not None
        return as_solution(a, [a.t], a.y[None], a.vdot[None], a.lam[None], "deflection")

    def __getitem__(self, name: str) -> np.ndarray:
        return self.solution[name][0]

    def __str__(self) -> str:
        a = self.assembly
        return (f"Deflected shape of {a.compiled.model.name!r}: {a.compiled.size['nv']} freedoms, {a.rank} equations, balanced "
                f"in {self.iterations} corrections.")


def deflect(model: Model, *, t: float = 0.0, load_steps: int = 1, state: Any = None) -> Deflection:
    """The shape in which a machine with beams is balanced under its loads at time t, gravity included.

    load_steps   parts in which the loads are applied at first; parts are made smaller where that is needed
    state        from which shape to go: by default the undeformed one
    """
    start = _start(model, state, number(t, "deflect: t"))
    statics = _Statics(start)
    if isinstance(load_steps, bool) or not isinstance(load_steps, int) or load_steps < 1:
        raise ModelError(f"deflect: load_steps must be a whole number from 1 on, got {load_steps!r}.")
    count = statics.load(steps=load_steps)
    return Deflection(_found(start, statics), count)


def _start(model: Model, state: Any, t: float) -> Assembly:
    given = state_of(model, state, t0=t) if not isinstance(state, HasState) else state.state.origin
    return in_nodes(replace(given, t=t))


def _found(start: Assembly, statics: _Statics) -> Assembly:
    q, v, x = (part.copy() for part in start.compiled.split(statics.y))
    return replace(start, q=q, v=v, x=x, vdot=np.zeros_like(v), lam=statics.work.multipliers.copy())


def _matrices(statics: _Statics) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """K, M and G at the present position, as whole matrices."""
    statics.residual(True)
    n, A = len(statics.work.residual), np.zeros((len(statics.work.residual),) * 2)
    values, nbr = statics.work.matrix, statics.tables.neighbours
    for p in statics.tables.pivots:
        row, size, at = int(p["row"]), int(p["count"]), int(p["at"])
        A[row:row + size, row:row + size] = values[at:at + size * size].reshape(size, size)
        for j, m, up, low in nbr[int(p["first"]):int(p["last"])]:
            A[row:row + size, j:j + m] = values[up:up + size * m].reshape(size, m)
            A[j:j + m, row:row + size] = values[low:low + size * m].reshape(m, size)
    nodes = statics.work.nodes[1:]
    nv, M = 6 * len(nodes), np.zeros((6 * len(nodes),) * 2)
    for b, node in enumerate(nodes):
        R = statics.work.poses[0, b + 1, 3:].reshape(3, 3)
        M[6 * b:6 * b + 3, 6 * b:6 * b + 3] = node["mass"] * np.eye(3)
        M[6 * b + 3:6 * b + 6, 6 * b + 3:6 * b + 6] = R @ node["J"].reshape(3, 3) @ R.T
    return 0.5 * (A[:nv, :nv] + A[:nv, :nv].T), M, A[nv:n, :nv]


def _free_directions(G: np.ndarray, n: int) -> np.ndarray:
    from scipy.linalg import null_space

    return null_space(G, rcond=1e-9) if len(G) else np.eye(n)


@dataclass(frozen=True, repr=False)
class Vibrations(Shown):
    """Frequencies (Hz), rising, and shapes (n, bodies, 6): travel of mass centres and turns in world axes."""

    frequencies: np.ndarray
    shapes: np.ndarray
    bodies: tuple[str, ...]

    def __str__(self) -> str:
        return "Frequencies: " + ", ".join(f"{f:.6g}" for f in self.frequencies) + " Hz."


def vibrations(model: Model, *, state: Any = None, t: float = 0.0, count: int = 10) -> Vibrations:
    """The lowest undamped vibrations of a machine with beams about a state at rest, by default the undeformed one.

    About a loaded shape, give that: `kt.vibrations(model, state=kt.deflect(model))`.
    """
    from scipy.linalg import eigh

    statics = _Statics(_settled(model, state, t))
    K, M, G = _matrices(statics)
    N = _free_directions(G, len(K))
    last = min(count, N.shape[1]) - 1
    values, vectors = eigh(N.T @ K @ N, N.T @ M @ N, subset_by_index=(0, last))
    bodies = _settled(model, state, t).compiled.bodies[1:]
    w = np.sign(values) * np.sqrt(np.abs(values)) / (2.0 * np.pi)
    return Vibrations(w, (N @ vectors).T.reshape(len(w), -1, 6), bodies)


def _settled(model: Model, state: Any, t: float) -> Assembly:
    return state.assembly if isinstance(state, Deflection) else _start(model, state, t)


def buckling(model: Model, *, t: float = 0.0, count: int = 3, part: float = 1e-3) -> np.ndarray:
    """Factors on the loads of a machine with beams at which it buckles, the smallest positive first."""
    from scipy.linalg import eig

    statics = _Statics(_start(model, None, t))
    K0, _, G = _matrices(statics)
    statics.load(until=part)
    Ke, _, _ = _matrices(statics)
    N = _free_directions(G, len(K0))
    values = eig(N.T @ K0 @ N, -N.T @ (Ke - K0) @ N / part, right=False)
    real = values.real[np.isfinite(values) & (np.abs(values.imag) < 1e-6 * np.abs(values.real)) & (values.real > 0.0)]
    if not len(real):
        raise ModelError(f"buckling: no load factor makes {model.name!r} unstable; loads that press are needed.")
    return np.sort(real)[:count]

