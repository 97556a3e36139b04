"""Change points: positions where constraints lose rank, freedoms appear and the motion can go on along several branches.

Let U be combinations of equations that vanish at a position (U^T G = 0, redundant ones among them) and N the freedoms
there (G N = 0). Along a motion q(s) = q + s n + ... with n in N,

    U^T g = 1/2 s^2 U^T g_qq[n, n] + ...,      so where all of N are motions      B[n] = U^T g_qq[n] N = 0  for every n

Equations that are redundant everywhere thus have B = 0; where B /= 0 an equation is lost at this position alone, for to
first order U^T G N grows like s B[n]. The other way round, a position with singular values sigma that are small but not
zero lies at a distance  sigma / |B|  from a change point: a number free of units and of the size of the loop.
[LeeJoo, eq. (72), for the singular value that vanishes]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..compile.compiled import CompiledModel
from ..errors import ModelError
from ..shown import Shown
from ..topology.loops import loops
from .large import LargeSystem
from .large_start import surely_regular
from .system import System

# A position is closed to e = 1e-13 of the machine's size. At a distance d from a change point that leaves e / d of play
# across the branches, which lie d apart: below sqrt(e) = 3e-7 they cannot be told apart, and tenfold is a safe side.
NEAREST = 3e-6
_SMALL = 1e-4  # singular values, of the largest, that are looked at: 30 times NEAREST
_ZERO = 1e-8  # of the largest singular value, and of the machine's size: redundant
_BENT = 1e-5  # B, of the size of the machine, that is no error of the difference quotient
_STEP = 1e-4  # of that quotient: rounding 1e-12, truncation 1e-8
_TRIES = 4


@dataclass(frozen=True, repr=False)
class Singularity(Shown):
    """Rank of G here and nearby, the smallest singular value that matters (m per rad), how far (rad), and the loops concerned."""

    name: str
    freedoms: int
    rank: int
    nearby: int
    value: float
    distance: float
    loops: dict[str, tuple[str, ...]]  # joint that closes a loop that loses equations, or a constraint: joints of the loop
    freedoms_here: tuple[np.ndarray, ...] = ()  # directions, in natural units, in which no equation holds it here

    @property
    def singular(self) -> bool:
        return self.distance < NEAREST

    def __str__(self) -> str:
        if not self.singular:
            return f"{self.name!r} is at a regular position: the smallest singular value of its constraints is {self.value:.3g}."
        where = " and ".join(f"the loop closed by {cut!r} (joints {', '.join(joints)})" if joints else f"constraint {cut!r}"
                             for cut, joints in self.loops.items())
        other = next((f"another start= of {joints[0]!r}" for joints in self.loops.values() if joints), "other positions")
        return (f"{self.name!r} is {self._how_near()} a change point: {where} loses {self.nearby - self.rank} of {self.nearby} "
                f"independent equations here, so it has {self.freedoms - self.rank} freedoms instead of "
                f"{self.freedoms - self.nearby} and can leave along more than one branch. Start it elsewhere, for instance "
                f"with {other}, and let it pass this position with some speed.")

    def _how_near(self) -> str:
        return "at" if self.distance < 1e-12 else f"only {self.distance:.1g} rad from"


def refuse_change_point(system: System, q: np.ndarray, x: np.ndarray) -> None:
    """A start from which the branch of the motion cannot be told is no start."""
    if isinstance(system, LargeSystem) and surely_regular(system, q, x):
        return
    found = singularity_at(system, q, x)
    if found.singular:
        raise ModelError(str(found))


def singularity_at(system: System, q: np.ndarray, x: np.ndarray) -> Singularity:
    """Whether a position is a change point or next to one, and which loops are concerned."""
    name, G = system.compiled.model.name, natural_jacobian(system, q, x)
    freedoms = G.shape[1]
    if not len(G):
        return Singularity(name, freedoms, 0, 0, np.inf, np.inf, {})
    U, s, Vt = np.linalg.svd(G)
    size = max(s.max(initial=0.0), 1.0)
    large = int(np.sum(s > _SMALL * size))
    rank = int(np.sum(s > _ZERO * size))
    distance, lost = _lost(system, q, x, G, U[:, large:], Vt[large:].T)
    if not distance < NEAREST:
        return Singularity(name, freedoms, rank, rank, float(s[rank - 1]) * system.length if rank else np.inf, distance, {})
    nearby = large + lost.shape[1]
    return Singularity(name, freedoms, large, nearby, float(s[nearby - 1]) * system.length, distance,
                       _owners(system.compiled, lost), directions(Vt[large:].T))


def _lost(system: System, q, x, G: np.ndarray, U: np.ndarray, N: np.ndarray) -> tuple[float, np.ndarray]:
    """Distance to a change point (inf where there is none), and the combinations of equations that are lost there."""
    if not U.shape[1] or not N.shape[1]:
        return np.inf, U[:, :0]
    nearest, lost = np.inf, U[:, :0]
    for n in directions(N):
        W, b, _ = np.linalg.svd(U.T @ turning(system, q, x, n) @ N)
        bent = b > max(_BENT, 100.0 * system.absorbed / system.length)  # absorbed gaps bend redundant equations a little
        found = U @ W[:, : len(b)][:, bent]
        distance = np.linalg.norm(found.T @ G, axis=1) / b[bent]
        found = found[:, distance < NEAREST]
        lost = found if found.shape[1] > lost.shape[1] else lost
        nearest = min(nearest, distance.min(initial=np.inf))
    return float(nearest), lost


def directions(N: np.ndarray) -> tuple[np.ndarray, ...]:
    """A few unit vectors in the span of N, always the same."""
    rng = np.random.default_rng(0)
    tries = (N @ rng.normal(size=N.shape[1]) for _ in range(_TRIES))
    return tuple(n / np.linalg.norm(n) for n in tries)


def nearby_rank(G: np.ndarray, T: np.ndarray) -> int:
    """Rank of G + s T for small s, to first order: what G has, and what T adds between its null spaces."""
    U, s, Vt = np.linalg.svd(G)
    rank = int(np.sum(s > _SMALL * max(s.max(initial=0.0), 1.0)))
    return rank + int(np.sum(np.linalg.svd(U[:, rank:].T @ T @ Vt[rank:].T, compute_uv=False) > _BENT))


def turning(system: System, q: np.ndarray, x: np.ndarray, n: np.ndarray) -> np.ndarray:
    """g_qq[n], the derivative of G along n in natural units."""
    ahead, behind = (natural_jacobian(system, *system.shift(q, x, sign * _STEP * n / system.natural)) for sign in (1.0, -1.0))
    return (ahead - behind) / (2.0 * _STEP)


def natural_jacobian(system: System, q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """G without units: lengths against the size of the machine, angles in radians."""
    system.values(system.t, q, x)
    return system.jacobian() / system.natural / system.length


def _owners(compiled: CompiledModel, lost: np.ndarray) -> dict[str, tuple[str, ...]]:
    """The owners of the equations that are lost, with the joints of their loops."""
    share = np.abs(lost).max(axis=1)
    names = dict.fromkeys(owner for owner, part in zip(compiled.row_owner, share) if part > 0.1 * share.max())
    return {name: loop_joints(compiled, name) for name in names}


def loop_joints(compiled: CompiledModel, cut: str) -> tuple[str, ...]:
    """Joints of the loop that a cut joint closes; none for other constraints."""
    return next((tuple(j.name for j in loop.joints) for loop in loops(compiled.tree) if loop.cut.name == cut), ())
