"""Change points: positions at which constraints lose rank, so that the motion can continue along
several branches.

Let the columns of U be combinations of equations that vanish at a position (U^T G = 0, redundant
equations among them) and those of N the degrees of freedom there (G N = 0). Along a motion
q(s) = q + s n + ... with n in the span of N,

    U^T g = 1/2 s^2 U^T g_qq[n, n] + ...

so where all of N are motions,  B[n] = U^T g_qq[n] N = 0  for every n. Equations that are redundant
everywhere thus have B = 0. Where B /= 0, an equation is lost at this position only, because
U^T G N grows like s B[n] to first order. Conversely, a position with singular values sigma that
are small but not zero lies at a distance  sigma / |B|  from a change point: a number without units
that does not depend on the size of the loop.
[LeeJoo, eq. (72), for the singular value that vanishes]
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from ..core.display import Printable
from ..description.lowering.compiled import CompiledModel
from ..description.topology.loops import loops
from ..errors import ModelError, counted
from .change_points import NEAREST, STEP, ZERO, BlockRank, bending, block_ranks, gaining
from .positions import gauss_newton, is_closed
from .rank import MANY, has_full_rank
from .sparse_system import SparseSystem
from .system import Redundant, System

_NAMED = 6  # loops that a message lists one by one
_NEARBY = 1e-2  # rad, distance at which the rank is compared


@dataclass(frozen=True, repr=False)
class Singularity(Printable):
    """Rank of G here and nearby, the smallest singular value that matters (m per rad), how far
    (rad), and the loops concerned.
    """

    name: str
    freedoms: int
    rank: int
    nearby: int
    value: float
    distance: float
    # joint that closes a loop which loses equations (or constraint) -> joints of that loop
    loops: dict[str, tuple[str, ...]]

    @property
    def singular(self) -> bool:
        return self.distance < NEAREST

    def __str__(self) -> str:
        if not self.singular:
            return (
                f"{self.name!r} is at a regular position: the smallest singular value of its "
                f"constraints is {self.value:.3g}."
            )
        named = [
            f"the loop closed by {cut!r} (joints {', '.join(joints)})"
            if joints
            else f"constraint {cut!r}"
            for cut, joints in list(self.loops.items())[:_NAMED]
        ]
        where = " and ".join(named) + (
            f" and {more} others" if (more := len(self.loops) - _NAMED) > 0 else ""
        )
        loses = f"lose{'s' if len(self.loops) == 1 else ''}"
        other = next(
            (f"another start= of {joints[0]!r}" for joints in self.loops.values() if joints),
            "other positions",
        )
        here, elsewhere = self.freedoms - self.rank, self.freedoms - self.nearby
        return (
            f"{self.name!r} is {self._how_near()} a change point: {where} {loses} "
            f"{self.nearby - self.rank} of {self.nearby} independent equations here, so it has "
            f"{counted(here, 'degree', 'degrees')} of freedom instead of {elsewhere} and can leave "
            f"along more than one branch. Start it elsewhere, for instance with {other}, and let "
            "it pass this position with some speed."
        )

    def _how_near(self) -> str:
        return "at" if self.distance < 1e-12 else f"only {self.distance:.1g} rad from"


def refuse_change_point(system: System, q: np.ndarray, x: np.ndarray) -> None:
    """Raise an error if the branch of the motion is undetermined at this start."""
    if is_regular(system, q, x):
        return
    found = singularity_at(system, q, x)
    if found.singular:
        raise ModelError(str(found))


def is_regular(system: System, q: np.ndarray, x: np.ndarray) -> bool:
    """Whether the rank of a large model is certainly the same here and nearby; False in case of
    doubt, and for small models.
    """
    if isinstance(system, SparseSystem):
        return _same_rank_nearby(system, q, x)
    many = MANY <= len(system.scale) <= len(system.natural)
    return many and has_full_rank(natural_jacobian(system, q, x), 1.0)


def _same_rank_nearby(system: SparseSystem, q: np.ndarray, x: np.ndarray) -> bool:
    """Whether the rank is the same at two closed positions next to this one."""
    system.values(system.t, q, x)
    rank = system.redundant_rows()[0]
    for n in system.feasible_motions(2):
        there = gauss_newton(system, system.t, *system.shift(q, x, _NEARBY * n), system.natural**2)
        if not is_closed(system, there):
            return False
        system.values(system.t, there.q, there.x)
        if system.redundant_rows()[0] != rank:
            return False
        system.values(system.t, q, x)
    return True


def lasting_redundancy(
    system: System, q: np.ndarray, x: np.ndarray, rank: int, redundant: Redundant
) -> tuple[int, Redundant, str]:
    """Rank of G near a position, the equations redundant there too, and the sentence that describes
    a change point, or "".

    An equation that depends on the equations before it only here gains rank to first order as the
    model moves. Where none does, the rank and the redundant equations are those given.
    """
    if is_regular(system, q, x):
        return rank, redundant, ""
    blocks = block_ranks(system, q, x)
    found = summary(system, blocks)
    if not found.singular:
        return rank, redundant, ""
    gains = np.zeros(len(system.scale), bool)
    for block in blocks:
        gains[block.rows] = gaining(block, bending(system), max(ZERO, system.rounding))
    lost = Counter(owner for owner, gained in zip(system.compiled.row_owner, gains) if not gained)
    return int(gains.sum()), tuple(lost.items()), str(found)


def singularity_at(system: System, q: np.ndarray, x: np.ndarray) -> Singularity:
    """Distance of a position from a change point, and the loops concerned."""
    return summary(system, block_ranks(system, q, x))


def summary(system: System, blocks: list[BlockRank]) -> Singularity:
    """Combine the ranks of the blocks."""
    values = [float(block.s[block.nearby - 1]) * system.length for block in blocks if block.nearby]
    return Singularity(
        system.compiled.model.name,
        len(system.natural),
        sum(block.here for block in blocks),
        sum(block.nearby for block in blocks),
        min(values, default=np.inf),
        min((block.distance for block in blocks), default=np.inf),
        _owners(system.compiled, blocks),
    )


def jacobian_derivative(system: System, q: np.ndarray, x: np.ndarray, n: np.ndarray) -> np.ndarray:
    """g_qq[n], the derivative of G along n in natural units."""
    ahead, behind = (
        natural_jacobian(system, *system.shift(q, x, sign * STEP * n / system.natural))
        for sign in (1.0, -1.0)
    )
    return (ahead - behind) / (2.0 * STEP)


def natural_jacobian(system: System, q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """G without units: lengths relative to the model size, angles in radians."""
    system.values(system.t, q, x)
    return system.jacobian() / system.natural / system.length


def _owners(compiled: CompiledModel, blocks: list[BlockRank]) -> dict[str, tuple[str, ...]]:
    """Owners of the lost equations with the joints of their loops (none for constraints)."""
    names = dict[str, None]()
    for block in blocks:
        share = np.abs(block.lost).max(axis=1, initial=0.0)
        lost = block.rows[share > 0.1 * share.max(initial=0.0)]
        names.update(dict.fromkeys(compiled.row_owner[r] for r in lost))
    joints = _joints_of_loops(compiled) if names else {}
    return {name: joints.get(name, ()) for name in names}


def loop_joints(compiled: CompiledModel, cut: str) -> tuple[str, ...]:
    """Joints of the loop that a cut joint closes; none for other constraints."""
    return _joints_of_loops(compiled).get(cut, ())


def _joints_of_loops(compiled: CompiledModel) -> dict[str, tuple[str, ...]]:
    """Names of the joints of every loop, by the joint that closes it."""
    return {loop.cut.name: tuple(j.name for j in loop.joints) for loop in loops(compiled.tree)}
