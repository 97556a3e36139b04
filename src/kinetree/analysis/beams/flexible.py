"""Statics and vibrations of flexible machines, in node coordinates: deflected shape, modes about
it, buckling loads.

statics      R(q) - (1 - s) R(q_0) = 0,   g(q) = 0     from s = 0 to 1: of dead loads, these are s
             of them
vibrations   K phi = w^2 M phi,   G phi = 0            K at the state, with what stresses and
             reactions add to it
buckling     (K_0 + p (K_e - K_0) / e) phi = 0         K_e at a small part e of the loads
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...assembly.nodal import in_nodes
from ...assembly.result import Assembly
from ...core.checks import whole
from ...core.display import Printable
from ...description.model import Model
from ...errors import ModelError, SimulationError
from ...kernel.frames import number, numbers
from ...kernel.linalg import eigh, null_space, product
from ...results.solution import Solution
from ...simulation.states import HasState, State, state_of
from ..sampled import as_solution
from .spinning import Spinning
from .statics import Statics

_ARM, _LOOSE, _NAMED = (
    0.1,
    1e-12,
    4,
)  # sizes of the machine; of the largest stiffness: rounding; so many motions are told


@dataclass(frozen=True, repr=False)
class Deflection(HasState, Printable):
    """A balanced shape: `d["arm.10.position"]` reads any channel, `kt.simulate(model, until,
    state=d, ...)` starts there.
    """

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
        return (
            f"Deflected shape of {a.compiled.model.name!r}: {a.compiled.size['nv']} freedoms, "
            f"{a.rank} equations, balanced "
            f"in {self.iterations} corrections." + (f"\n  {a.told}" if a.told else "")
        )


MOST_PARTS = 1_000_000  # of the loads, one after the other


def deflect(model: Model, *, t: float = 0.0, load_steps: int = 1, state: Any = None) -> Deflection:
    """The shape in which a machine with beams is balanced under its loads at time t, gravity
    included.

    load_steps   parts in which the loads are applied at first; parts are made smaller where that is
                 needed
    state        from which shape to go: by default the undeformed one
    """
    load_steps = whole(load_steps, "deflect: load_steps", 1, MOST_PARTS)
    start = _start(model, state, number(t, "deflect: t"))
    statics = Statics(start)
    try:
        count = statics.load(steps=load_steps)
    except SimulationError as error:
        free = _free_in_words(start)
        raise SimulationError(f"{error}{free}", error.t, error.element) from None
    return Deflection(_found(start, statics), count)


def _free_in_words(start: Assembly) -> str:
    """Motions that nothing resists at the start, by body: no load needs them, and no shape is
    balanced without holding them.

    N^T K N z = 0,    N: motions that the constraints allow
    """
    statics = Statics(start)
    K, _, G = _matrices(statics)
    size = np.tile(
        np.repeat([1.0, 1.0 / (_ARM * statics.length)], 3), len(K) // 6
    )  # turns as travel at the end of an arm
    N = _free_directions(G * size, len(K))
    values, vectors = eigh(product(N.T, K * np.outer(size, size), N))
    moving = product(
        N, vectors[:, np.abs(values) <= _LOOSE * np.abs(values).max(initial=0.0)]
    ).T.reshape(-1, len(K) // 6, 6)
    bodies = start.compiled.bodies[1:]
    said = dict.fromkeys(_motion_in_words(bodies, one) for one in moving[:_NAMED])
    return (
        f" At the start nothing resists these motions: {'; '.join(said)}. Hold them with a joint, "
        "a kt.Driver or a soft "
        "spring."
        if said
        else ""
    )


def _motion_in_words(bodies: tuple[str, ...], motion: np.ndarray) -> str:
    """The body that moves most, and how."""
    b, k = np.unravel_index(int(np.argmax(np.abs(motion))), motion.shape)
    part = motion[b, 3:] if k >= 3 else motion[b, :3]
    axis = part / part[np.argmax(np.abs(part))]
    line = ", ".join(f"{c:.3g}" for c in np.round(axis, 6) + 0.0)
    return f"body {bodies[b]!r} can {'turn about' if k >= 3 else 'move along'} ({line})"


def _start(model: Model, state: Any, t: float) -> Assembly:
    return in_nodes(state_of(model, state, t0=t))


def _found(start: Assembly, statics: Statics) -> Assembly:
    q, v, x = (part.copy() for part in start.compiled.split(statics.y))
    return replace(start, q=q, v=v, x=x, vdot=np.zeros_like(v), lam=statics.work.multipliers.copy())


def _matrices(statics: Statics) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """K, M and G at the present position, as whole matrices."""
    statics.residual(True)
    n, A = len(statics.work.unbalanced), np.zeros((len(statics.work.unbalanced),) * 2)
    values, nbr = statics.work.matrix, statics.tables.neighbours
    for p in statics.tables.pivots:
        row, size, at = int(p["row"]), int(p["count"]), int(p["at"])
        A[row : row + size, row : row + size] = values[at : at + size * size].reshape(size, size)
        for j, m, up, low in nbr[int(p["first"]) : int(p["last"])]:
            A[row : row + size, j : j + m] = values[up : up + size * m].reshape(size, m)
            A[j : j + m, row : row + size] = values[low : low + size * m].reshape(m, size)
    nv = 6 * (len(statics.work.nodes) - 1)
    return 0.5 * (A[:nv, :nv] + A[:nv, :nv].T), _masses(statics), A[nv:n, :nv]


def _masses(statics: Statics) -> np.ndarray:
    """M of the mass centres in world axes: nodes, and what elements share between theirs."""
    from scipy.linalg import block_diag

    nodes, R = statics.work.nodes[1:], statics.work.poses[0, 1:, 3:].reshape(-1, 3, 3)
    M = np.zeros((6 * len(nodes),) * 2)
    for b, node in enumerate(nodes):
        M[6 * b : 6 * b + 6, 6 * b : 6 * b + 6] = block_diag(
            node["mass"] * np.eye(3), product(R[b], node["J"].reshape(3, 3), R[b].T)
        )
    for e in statics.tables.elements:
        for i, j in itertools.product((int(e["i"]) - 1, int(e["j"]) - 1), repeat=2):
            shared = block_diag(e["mass"] * np.eye(3), product(R[i], e["J"].reshape(3, 3), R[j].T))
            M[6 * i : 6 * i + 6, 6 * j : 6 * j + 6] += -shared if i == j else shared
    return M


def _free_directions(G: np.ndarray, n: int) -> np.ndarray:
    return null_space(G, rcond=1e-9) if len(G) else np.eye(n)


@dataclass(frozen=True, repr=False)
class Vibrations(Printable):
    """Frequencies (Hz), rising, and shapes (n, bodies, 6): travel of mass centres and turns in
    world axes.
    """

    frequencies: np.ndarray
    shapes: np.ndarray
    bodies: tuple[str, ...]

    def __str__(self) -> str:
        return "Frequencies: " + ", ".join(f"{f:.6g}" for f in self.frequencies) + " Hz."


def vibrations(
    model: Model, *, state: Any = None, t: float = 0.0, count: int = 10, spin: Any = None
) -> Vibrations:
    """The lowest undamped vibrations of a machine with beams about a state at rest, by default the
    undeformed one.

    About a loaded shape, give that: `kt.vibrations(model, state=kt.deflect(model))`. About a steady
    spin, give the angular
    velocity (rad/s, about an axis through the origin): `spin=(0, 0, 40.0)`; the machine is
    stretched by it first. Joints must
    allow the spin, as a hinge or a driver along its axis does.
    """
    from scipy.linalg import eigh as generalized

    count = whole(count, "vibrations: count", least=1)
    start = _settled(model, state, number(t, "vibrations: t"))
    if spin is not None:
        w, shapes = Spinning(start, numbers(spin, 3, "vibrations: spin")).modes()
        return Vibrations(
            w[:count] / (2.0 * np.pi),
            shapes[:count].reshape(len(w[:count]), -1, 6),
            start.compiled.bodies[1:],
        )
    K, M, G = _matrices(Statics(start))
    N = _free_directions(G, len(K))
    last = min(count, N.shape[1]) - 1
    values, vectors = generalized(product(N.T, K, N), product(N.T, M, N), subset_by_index=(0, last))
    w = np.sign(values) * np.sqrt(np.abs(values)) / (2.0 * np.pi)
    return Vibrations(w, product(N, vectors).T.reshape(len(w), -1, 6), start.compiled.bodies[1:])


def _settled(model: Model, state: Any, t: float) -> Assembly:
    return state.assembly if isinstance(state, Deflection) else _start(model, state, t)


@dataclass(frozen=True, repr=False)
class Buckling(Printable):
    """Factors on the loads, rising, and shapes (n, bodies, 6): travel of mass centres and turns in
    world axes.
    """

    factors: np.ndarray
    shapes: np.ndarray
    bodies: tuple[str, ...]

    def __getitem__(self, k: Any) -> Any:
        return self.factors[k]

    def __len__(self) -> int:
        return len(self.factors)

    def __str__(self) -> str:
        return "Buckles at loads times " + ", ".join(f"{f:.6g}" for f in self.factors) + "."


def buckling(model: Model, *, t: float = 0.0, count: int = 3, part: float = 1e-3) -> Buckling:
    """Factors on the loads of a machine with beams at which it buckles, the smallest positive
    first, and its shapes there.
    """
    from scipy.linalg import eig

    count, part = (
        whole(count, "buckling: count", least=1),
        number(part, "buckling: part", positive=True),
    )
    start = _start(model, None, number(t, "buckling: t"))
    statics = Statics(start)
    K0, _, G = _matrices(statics)
    statics.load(until=part)
    Ke, _, _ = _matrices(statics)
    N = _free_directions(G, len(K0))
    values, vectors = eig(product(N.T, K0, N), product(-N.T, Ke - K0, N) / part)
    real = (
        np.isfinite(values)
        & (np.abs(values.imag) < 1e-6 * np.abs(values.real))
        & (values.real > 0.0)
    )
    if not real.any():
        raise ModelError(
            f"buckling: no load factor makes {model.name!r} unstable; loads that press are needed."
        )
    first = np.flatnonzero(real)[values.real[real].argsort()][:count]
    shapes = product(N, vectors.real[:, first]).T.reshape(len(first), -1, 6)
    return Buckling(values.real[first], shapes, start.compiled.bodies[1:])
