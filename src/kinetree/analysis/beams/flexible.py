"""Statics and vibrations of models with beams, in nodal coordinates.

statics      R(q) - (1 - s) R(q_0) = 0,   g(q) = 0     s from 0 to 1 is the share of the loads
vibrations   K phi = w^2 M phi,   G phi = 0            K with geometric stiffness
buckling     (K_0 + p (K_e - K_0) / e) phi = 0         K_e at a small share e of the loads
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...assembly.nodal import in_nodes
from ...assembly.result import Assembly
from ...core.checks import whole
from ...core.display import Printable
from ...description.model import Model
from ...errors import ModelError, SimulationError, counted, explains_arguments
from ...kernel.frames import number, numbers
from ...kernel.linalg import eigh, null_space, product
from ...results.solution import Solution
from ...simulation.states import HasState, State, StateLike, state_of
from ..sampled import as_solution
from .shape_text import describe_shape
from .spinning import Spinning
from .statics import Statics

# arm length in model sizes; rounding relative to the largest stiffness; number of motions listed
_ARM = 0.1
_LOOSE = 1e-12
_NAMED = 4


@dataclass(frozen=True, repr=False)
class Deflection(HasState, Printable):
    """A static equilibrium of a model with beams; ``d["arm.10.position"]`` is the value of a channel.

    Returned by `deflect`. It can be the initial state of a run:
    ``kt.simulate(model, until, state=d)``.

    Attributes
    ----------
    assembly : Assembly
        The state at rest, with multipliers.
    iterations : int
        Number of Newton iterations.

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("cantilever")
    >>> section = kt.Section.circle(radius=0.01, E=2.1e11, density=7850.0)
    >>> arm = m.beam("arm", [(0, 0, 0), (1, 0, 0)], section, elements=4)
    >>> clamp = m.joint("clamp", kt.Fixed(), m.ground, arm.end("-"))
    >>> d = kt.deflect(m)
    >>> bool(d["arm.4.position"][2] < 0.0)
    True
    """

    assembly: Assembly
    iterations: int

    @property
    def state(self) -> State:
        """The deflected shape as a state at rest."""
        return State.of(self.assembly)

    @property
    def solution(self) -> Solution:
        """The deflected shape as a solution with one sample and all channels."""
        a = self.assembly
        assert a.vdot is not None and a.lam is not None
        return as_solution(a, [a.t], a.y[None], a.vdot[None], a.lam[None], "deflection")

    def __getitem__(self, name: str) -> np.ndarray:
        return self.solution[name][0]

    def __str__(self) -> str:
        a = self.assembly
        return (
            f"Deflected shape of {a.compiled.model.name!r}: "
            f"{counted(a.compiled.size['nv'], 'nodal velocity', 'nodal velocities')}, "
            f"{counted(a.rank, 'independent constraint')}, found in "
            f"{counted(self.iterations, 'iteration')}." + (f"\n  {a.told}" if a.told else "")
        )


MOST_PARTS = 1_000_000  # load steps


@explains_arguments
def deflect(
    model: Model, *, t: float = 0.0, load_steps: int = 1, state: StateLike = None
) -> Deflection:
    r"""Find the static equilibrium of a model with beams, gravity included.

    Parameters
    ----------
    model : Model
        The model.
    t : float, default 0.0
        Time (s) at which drivers, actuators and other time functions are evaluated.
    load_steps : int, default 1
        Number of load steps; steps that do not converge are halved.
    state : State, Assembly, Deflection, Solution, tuple or dict, optional
        Shape to start from; by default the undeformed one.

    Returns
    -------
    Deflection
        The deflected shape.

    Raises
    ------
    SimulationError
        If no static equilibrium is found, because the model buckles or a motion is not constrained.

    See Also
    --------
    equilibrium : Find the static equilibrium of a rigid model.
    vibrations : Compute natural frequencies about a deflected shape.

    Notes
    -----
    Newton's method solves

    .. math:: R(q) - (1 - s) R(q_0) = 0, \qquad g(q) = 0

    for load factors s from 0 to 1.

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("cantilever", gravity=(0, 0, 0))
    >>> section = kt.Section.circle(radius=0.01, E=2.1e11, density=7850.0)
    >>> arm = m.beam("arm", [(0, 0, 0), (1, 0, 0)], section, elements=8)
    >>> clamp = m.joint("clamp", kt.Fixed(), m.ground, arm.end("-"))
    >>> load = m.force("load", kt.PointForce((0, 0, -1.0)), arm.end("+"))
    >>> d = kt.deflect(m)
    >>> round(float(d["arm.8.position"][2]) / (1.0 / (3 * 2.1e11 * 7.854e-9)), 2)  # F L^3 / (3 E I)
    -1.0
    """
    load_steps = whole(load_steps, "deflect: load_steps", 1, MOST_PARTS)
    start = _start(model, state, number(t, "deflect: t"))
    statics = Statics(start)
    try:
        count = statics.load(steps=load_steps)
    except SimulationError as error:
        free = _describe_free_motions(start)
        raise SimulationError(f"{error}{free}", error.t, error.element) from None
    return Deflection(_found(start, statics), count)


def _describe_free_motions(start: Assembly) -> str:
    """Describe the motions that nothing resists at the start, by body.

    No load needs to act along them: no shape is in equilibrium unless they are constrained.

        N^T K N z = 0,    N: motions that the constraints allow
    """
    statics = Statics(start)
    K, _, G = _matrices(statics)
    # rotations count as the displacement at the end of an arm
    size = np.tile(np.repeat([1.0, 1.0 / (_ARM * statics.length)], 3), len(K) // 6)
    N = _free_directions(G * size, len(K))
    values, vectors = eigh(product(N.T, K * np.outer(size, size), N))
    moving = product(
        N, vectors[:, np.abs(values) <= _LOOSE * np.abs(values).max(initial=0.0)]
    ).T.reshape(-1, len(K) // 6, 6)
    bodies = start.compiled.bodies[1:]
    listed = dict.fromkeys(_describe_motion(bodies, one) for one in moving[:_NAMED])
    return (
        f" At the start nothing resists these motions: {'; '.join(listed)}. Constrain them with a "
        "joint, a kt.Driver or a soft spring."
        if listed
        else ""
    )


def _describe_motion(bodies: tuple[str, ...], motion: np.ndarray) -> str:
    """Describe the body that moves most in a motion."""
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
    """K, M and G at the present position, as dense matrices."""
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
    """M at the mass centers in world axes: masses of the nodes plus the coupling within
    elements.
    """
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
    """Natural frequencies and mode shapes of a model with beams.

    Returned by `vibrations`.

    Attributes
    ----------
    frequencies : ndarray, shape (n,)
        Frequencies f (Hz), ascending. A mode that grows has a negative square f^2; it is listed as
        -sqrt(-f^2).
    shapes : ndarray, shape (n, nb, 6)
        Displacements of the mass centers and rotations of bodies and nodes, in world axes (m, rad).
    bodies : tuple of str
        Bodies and nodes in the order of the shapes.
    length : float
        Size of the model (m).

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("cantilever")
    >>> section = kt.Section.rectangle(0.02, 0.04, E=2.1e11, density=7850.0)
    >>> arm = m.beam("arm", [(0, 0, 0), (1, 0, 0)], section, elements=4)
    >>> clamp = m.joint("clamp", kt.Fixed(), m.ground, arm.end("-"))
    >>> found = kt.vibrations(m, count=3)
    >>> found.shapes.shape
    (3, 5, 6)
    >>> found.summary(0)
    'along y 100 %: arm'
    """

    frequencies: np.ndarray
    shapes: np.ndarray
    bodies: tuple[str, ...]
    length: float = 1.0

    def summary(self, k: int) -> str:
        """Describe a shape: the world directions in which it moves, and the parts that move most.

        Parameters
        ----------
        k : int
            Index of the shape.

        Returns
        -------
        str
            Shares of the squared displacements along x, y and z, or of the rotations if the shape is
            a torsion; then the bodies and beams, the one with the largest displacement first.
        """
        return describe_shape(self.shapes[k], self.bodies, self.length)

    def __str__(self) -> str:
        first = "Frequencies: " + ", ".join(f"{f:.6g}" for f in self.frequencies) + " Hz."
        rows = [
            f"{k + 1:>4} {f:>12.6g} Hz  {self.summary(k)}" for k, f in enumerate(self.frequencies)
        ]
        return "\n".join([first, *rows])


@explains_arguments
def vibrations(
    model: Model,
    *,
    state: StateLike = None,
    t: float = 0.0,
    count: int = 10,
    spin: Sequence[float] | None = None,
) -> Vibrations:
    r"""Compute the lowest natural frequencies of a model with beams, without damping.

    Parameters
    ----------
    model : Model
        The model.
    state : State, Assembly, Deflection, Solution, tuple or dict, optional
        State at rest; by default the undeformed shape. For a loaded shape give
        ``state=kt.deflect(model)``.
    t : float, default 0.0
        Time (s) at which time functions are evaluated.
    count : int, default 10
        Number of frequencies.
    spin : array_like, shape (3,), optional
        Steady angular velocity (rad/s) about an axis through the origin, such as ``(0, 0, 40.0)``.
        The model is stretched by it first. The joints must allow the spin, as a hinge or a driver
        along its axis does.

    Returns
    -------
    Vibrations
        Frequencies (Hz) and shapes.

    See Also
    --------
    deflect : Find the static equilibrium of a model with beams.
    modes : Compute the modes of a rigid model.

    Notes
    -----
    The eigenvalue problem is

    .. math:: K \varphi = \omega^2 M \varphi, \qquad G \varphi = 0

    The stiffness K includes the geometric stiffness of stresses and reactions.

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("cantilever")
    >>> section = kt.Section.circle(radius=0.01, E=2.1e11, density=7850.0)
    >>> arm = m.beam("arm", [(0, 0, 0), (1, 0, 0)], section, elements=8)
    >>> clamp = m.joint("clamp", kt.Fixed(), m.ground, arm.end("-"))
    >>> lowest = float(kt.vibrations(m, count=2).frequencies[0])
    >>> abs(lowest / 14.47 - 1.0) < 0.02  # 1.8751^2 sqrt(E I / (rho A L^4)) / (2 pi)
    True
    """
    from scipy.linalg import eigh as generalized

    count = whole(count, "vibrations: count", least=1)
    start = _settled(model, state, number(t, "vibrations: t"))
    length = float(start.compiled.tables.settings[0]["length"])
    if spin is not None:
        w, shapes = Spinning(start, numbers(spin, 3, "vibrations: spin")).modes()
        return Vibrations(
            w[:count] / (2.0 * np.pi),
            shapes[:count].reshape(len(w[:count]), -1, 6),
            start.compiled.bodies[1:],
            length,
        )
    K, M, G = _matrices(Statics(start))
    N = _free_directions(G, len(K))
    last = min(count, N.shape[1]) - 1
    values, vectors = generalized(product(N.T, K, N), product(N.T, M, N), subset_by_index=(0, last))
    w = np.sign(values) * np.sqrt(np.abs(values)) / (2.0 * np.pi)
    shapes = product(N, vectors).T.reshape(len(w), -1, 6)
    return Vibrations(w, shapes, start.compiled.bodies[1:], length)


def _settled(model: Model, state: Any, t: float) -> Assembly:
    return state.assembly if isinstance(state, Deflection) else _start(model, state, t)


@dataclass(frozen=True, repr=False)
class Buckling(Printable):
    """Critical load factors of a model with beams, and the shapes; ``b[0]`` is the lowest factor.

    Returned by `buckling`.

    Attributes
    ----------
    factors : ndarray, shape (n,)
        Factors (1) on the loads at which the model buckles, ascending.
    shapes : ndarray, shape (n, nb, 6)
        Displacements of the mass centers and rotations of bodies and nodes, in world axes (m, rad).
    bodies : tuple of str
        Bodies and nodes in the order of the shapes.

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("column", gravity=(0, 0, 0))
    >>> section = kt.Section.circle(radius=0.01, E=2.1e11, density=7850.0)
    >>> column = m.beam("column", [(0, 0, 0), (0, 0, 1)], section, elements=4)
    >>> clamp = m.joint("clamp", kt.Fixed(), m.ground, column.end("-"))
    >>> load = m.force("load", kt.PointForce((0, 0, -1.0)), column.end("+"))
    >>> len(kt.buckling(m, count=2))
    2
    """

    factors: np.ndarray
    shapes: np.ndarray
    bodies: tuple[str, ...]

    def __getitem__(self, k: Any) -> Any:
        return self.factors[k]

    def __len__(self) -> int:
        return len(self.factors)

    def __str__(self) -> str:
        return "Critical load factors: " + ", ".join(f"{f:.6g}" for f in self.factors) + "."


@explains_arguments
def buckling(model: Model, *, t: float = 0.0, count: int = 3, part: float = 1e-3) -> Buckling:
    r"""Compute the load factors at which a model with beams buckles.

    Parameters
    ----------
    model : Model
        The model with its loads, gravity included.
    t : float, default 0.0
        Time (s) at which time functions are evaluated.
    count : int, default 3
        Number of factors.
    part : float, default 1e-3
        Share of the loads at which the change of the stiffness is measured.

    Returns
    -------
    Buckling
        The smallest positive load factors and their shapes.

    Raises
    ------
    ModelError
        If no load factor makes the model unstable.

    See Also
    --------
    deflect : Find the static equilibrium under the loads themselves.

    Notes
    -----
    The eigenvalue problem for the load factor p is

    .. math:: \Big( K_0 + p \, \frac{K_e - K_0}{e} \Big) \varphi = 0, \qquad G \varphi = 0

    where :math:`K_e` is the stiffness at the share e of the loads.

    Examples
    --------
    >>> import math
    >>> import kinetree as kt
    >>> m = kt.Model("column", gravity=(0, 0, 0))
    >>> section = kt.Section.circle(radius=0.01, E=2.1e11, density=7850.0)
    >>> column = m.beam("column", [(0, 0, 0), (0, 0, 1)], section, elements=8)
    >>> clamp = m.joint("clamp", kt.Fixed(), m.ground, column.end("-"))
    >>> load = m.force("load", kt.PointForce((0, 0, -1.0)), column.end("+"))
    >>> euler = math.pi**2 * 2.1e11 * (math.pi * 0.01**4 / 4) / 4  # of a clamped-free column, N
    >>> bool(abs(kt.buckling(m)[0] / euler - 1.0) < 0.01)
    True
    """
    from scipy.linalg import eig

    count = whole(count, "buckling: count", least=1)
    part = number(part, "buckling: part", positive=True)
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
            f"buckling: no load factor makes {model.name!r} unstable; buckling needs compressive "
            "loads."
        )
    first = np.flatnonzero(real)[values.real[real].argsort()][:count]
    shapes = product(N, vectors.real[:, first]).T.reshape(len(first), -1, 6)
    return Buckling(values.real[first], shapes, start.compiled.bodies[1:])
