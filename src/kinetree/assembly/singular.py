"""Change points: positions where constraints lose rank, freedoms appear and the motion can go on
along several branches.

Let U be combinations of equations that vanish at a position (U^T G = 0, redundant ones among them)
and N the freedoms
there (G N = 0). Along a motion q(s) = q + s n + ... with n in N,

    U^T g = 1/2 s^2 U^T g_qq[n, n] + ...,      so where all of N are motions      B[n] = U^T g_qq[n]
                                               N = 0  for every n

Equations that are redundant everywhere thus have B = 0; where B /= 0 an equation is lost at this
position alone, for to
first order U^T G N grows like s B[n]. The other way round, a position with singular values sigma
that are small but not
zero lies at a distance  sigma / |B|  from a change point: a number free of units and of the size of
                         the loop.
[LeeJoo, eq. (72), for the singular value that vanishes]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.display import Printable
from ..description.lowering.compiled import CompiledModel
from ..description.topology.loops import loops
from ..errors import ModelError
from .full_rank import MANY, clearly_independent
from .large import LargeSystem
from .large_start import surely_regular
from .parts import NEAREST, STEP, Part, parts_at
from .system import System

_NAMED = 6  # loops that are told one by one


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
    loops: dict[
        str, tuple[str, ...]
    ]  # joint that closes a loop that loses equations, or a constraint: joints of the loop

    @property
    def singular(self) -> bool:
        return self.distance < NEAREST

    def __str__(self) -> str:
        if not self.singular:
            return f"{self.name!r} is at a regular position: the smallest singular value of its constraints is {self.value:.3g}."
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
        return (
            f"{self.name!r} is {self._how_near()} a change point: {where} {loses} "
            f"{self.nearby - self.rank} of {self.nearby} "
            f"independent equations here, so it has {self.freedoms - self.rank} freedoms instead "
            "of "
            f"{self.freedoms - self.nearby} and can leave along more than one branch. Start it "
            "elsewhere, for instance "
            f"with {other}, and let it pass this position with some speed."
        )

    def _how_near(self) -> str:
        return "at" if self.distance < 1e-12 else f"only {self.distance:.1g} rad from"


def refuse_change_point(system: System, q: np.ndarray, x: np.ndarray) -> None:
    """A start from which the branch of the motion cannot be told is no start."""
    if (isinstance(system, LargeSystem) and surely_regular(system, q, x)) or clearly_regular(
        system, q, x
    ):
        return
    found = singularity_at(system, q, x)
    if found.singular:
        raise ModelError(str(found))


def clearly_regular(system: System, q: np.ndarray, x: np.ndarray) -> bool:
    """Are there many equations, solved by dense algebra, and none of them anywhere near the loss of
    rank?
    """
    many = not isinstance(system, LargeSystem) and MANY <= len(system.scale) <= len(system.natural)
    return many and clearly_independent(natural_jacobian(system, q, x), 1.0)


def singularity_at(system: System, q: np.ndarray, x: np.ndarray) -> Singularity:
    """Whether a position is a change point or next to one, and which loops are concerned."""
    return summary(system, parts_at(system, q, x))


def summary(system: System, parts: list[Part]) -> Singularity:
    """The whole machine."""
    rank, nearby = (sum(getattr(part, which) for part in parts) for which in ("here", "nearby"))
    value = min(
        (float(part.s[part.nearby - 1]) * system.length for part in parts if part.nearby),
        default=np.inf,
    )
    return Singularity(
        system.compiled.model.name,
        len(system.natural),
        rank,
        nearby,
        value,
        min((part.distance for part in parts), default=np.inf),
        _owners(system.compiled, parts),
    )


def turning(system: System, q: np.ndarray, x: np.ndarray, n: np.ndarray) -> np.ndarray:
    """g_qq[n], the derivative of G along n in natural units."""
    ahead, behind = (
        natural_jacobian(system, *system.shift(q, x, sign * STEP * n / system.natural))
        for sign in (1.0, -1.0)
    )
    return (ahead - behind) / (2.0 * STEP)


def natural_jacobian(system: System, q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """G without units: lengths against the size of the machine, angles in radians."""
    system.values(system.t, q, x)
    return system.jacobian() / system.natural / system.length


def _owners(compiled: CompiledModel, parts: list[Part]) -> dict[str, tuple[str, ...]]:
    """The owners of the equations that are lost, with the joints of their loops; constraints have
    none.
    """
    names = dict[str, None]()
    for part in parts:
        share = np.abs(part.lost).max(axis=1, initial=0.0)
        names.update(
            dict.fromkeys(
                compiled.row_owner[r] for r in part.rows[share > 0.1 * share.max(initial=0.0)]
            )
        )
    closed = (
        {loop.cut.name: tuple(j.name for j in loop.joints) for loop in loops(compiled.tree)}
        if names
        else {}
    )
    return {name: closed.get(name, ()) for name in names}


def loop_joints(compiled: CompiledModel, cut: str) -> tuple[str, ...]:
    """Joints of the loop that a cut joint closes; none for other constraints."""
    return next(
        (
            tuple(j.name for j in loop.joints)
            for loop in loops(compiled.tree)
            if loop.cut.name == cut
        ),
        (),
    )
