"""Change points: positions where constraints lose rank, freedoms appear and the motion can go on along several branches.

The rank of G at the assembled position is compared with the rank a small way off along the mechanism's own motion, so
that equations that are redundant everywhere do not count. The smallest singular value that matters goes to zero at a
change point [LeeJoo, eq. (72)] and measures how near it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..assembly.positions import close, is_closed
from ..assembly.prepare import prepare
from ..assembly.receipt import Assembly
from ..assembly.system import System
from ..constraints.driver import Driver
from ..model.model import Model
from ..topology.loops import loops

_AWAY = 0.05  # rad, or parts of the machine's size: far enough to see the rank come back
_TRIES = 4
_ZERO = 1e-8  # of the largest singular value, and of the machine's size


@dataclass(frozen=True)
class Singularity:
    """Rank of G here and nearby, the smallest singular value that matters (m per rad), and the loops concerned."""

    name: str
    freedoms: int
    rank: int
    nearby: int
    value: float
    loops: dict[str, tuple[str, ...]]  # joint that closes a loop that loses equations, or a constraint: joints of the loop

    @property
    def singular(self) -> bool:
        return self.rank < self.nearby

    def __str__(self) -> str:
        if not self.singular:
            return f"{self.name!r} is at a regular position: the smallest singular value of its constraints is {self.value:.3g}."
        where = "; ".join(f"the loop closed by {cut!r} (joints {', '.join(joints)})" if joints else f"constraint {cut!r}"
                          for cut, joints in self.loops.items())
        first = next((joints[0] for joints in self.loops.values() if joints), "a joint")
        return (f"{self.name!r} is at a change point: {where} loses {self.nearby - self.rank} of {self.nearby} independent "
                f"equations here, so it has {self.freedoms - self.rank} freedoms instead of {self.freedoms - self.nearby} "
                "and can leave along more than one branch. Start it elsewhere, for instance with another "
                f"start= of {first!r}, or let it pass with some speed.")


def singularity(model: Model) -> Singularity:
    """Whether the assembled position of a model is a change point, and which loops are concerned."""
    assembly = prepare(model)
    system = System(assembly.compiled)
    here = _jacobian(system, assembly.q, assembly.x)
    around = [_jacobian(system, q, assembly.x) for q in _neighbours(model, assembly)]
    nearby = max([_rank(here), *map(_rank, around)])
    values = np.linalg.svd(here, compute_uv=False)
    value = float(values[nearby - 1]) * system.length if nearby else np.inf
    return Singularity(model.name, len(assembly.v), _rank(here), nearby, value, _loops(system, here, around))


def _neighbours(model: Model, assembly: Assembly) -> list[np.ndarray]:
    """Closed positions a small way off, drivers let go."""
    kept = {name: e for name, e in model.constraints.items() if not isinstance(e.spec, Driver)}
    free = prepare(model.variant(constraints=kept)) if len(kept) < len(model.constraints) else assembly
    system, rng, found = System(free.compiled), np.random.default_rng(0), []
    null = _null_space(_jacobian(system, assembly.q, free.x))
    for _ in range(_TRIES if null.shape[1] else 0):
        push = null @ rng.normal(size=null.shape[1])
        push *= _AWAY / np.abs(push).max() / system.natural
        near = close(system, assembly.t, *system.shift(assembly.q, free.x, push), system.natural**2)
        if is_closed(system, near):
            found.append(near.q)
    return found


def _jacobian(system: System, q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """G without units: lengths against the size of the machine, angles in radians."""
    system.values(0.0, q, x)
    return system.jacobian() / system.natural / system.length


def _rank(G: np.ndarray) -> int:
    s = np.linalg.svd(G, compute_uv=False)
    return int(np.sum(s > _ZERO * max(s.max(initial=0.0), 1.0)))


def _null_space(G: np.ndarray) -> np.ndarray:
    return np.linalg.svd(G)[2][_rank(G):].T if len(G) else np.eye(G.shape[1])


def _loops(system: System, here: np.ndarray, around: list[np.ndarray]) -> dict[str, tuple[str, ...]]:
    """The owners of equations that are fewer here than nearby, with the joints of their loops."""
    owners = np.array(system.compiled.row_owner)
    of = {loop.cut.name: tuple(j.name for j in loop.joints) for loop in loops(system.compiled.tree)}
    if not any(_rank(G) > _rank(here) for G in around):
        return {}
    lost = [name for name in dict.fromkeys(owners)
            if any(_rank(G[owners == name]) > _rank(here[owners == name]) for G in around)]
    return {str(name): of.get(str(name), ()) for name in lost or dict.fromkeys(owners)}
