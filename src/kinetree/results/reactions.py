"""Joint reactions by name, and whether they are unique."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..assembly.receipt import Assembly
from ..assembly.system import System
from ..dynamics.observe import Record
from ..dynamics.reactions import seats_of, self_stress
from ..errors import no_such

_WARNING = ("; NOT UNIQUE: redundant constraints could share this load in other ways with the same motion; joints with "
            "more freedom around the loop make it unique")


@dataclass(frozen=True)
class Reaction:
    """Force (N) and torque (N m), (nt, 3) each, of a joint on its child at the joint point (origin of M); world axes.

    What acts along the joint's own coordinate (driver, gear, torsion spring) is part of it.
    """

    name: str
    child: str
    force: np.ndarray
    torque: np.ndarray
    unique: bool = True

    def __repr__(self) -> str:
        largest = (float(np.linalg.norm(a, axis=1).max(initial=0.0)) for a in (self.force, self.torque))
        return "<reaction of joint {!r} on {!r}: force up to {:.4g} N, torque up to {:.4g} N m{}>".format(
            self.name, self.child, *largest, "" if self.unique else _WARNING)


class Reactions(Mapping[str, Reaction]):
    """Reactions of all joints of the model, tree and cut alike."""

    def __init__(self, assembly: Assembly, record: Record) -> None:
        self._assembly, self._record = assembly, record
        self._names = list(assembly.compiled.joints)

    def __getitem__(self, name: str) -> Reaction:
        if name not in self._names:
            raise no_such("joint", name, self._names, f" in model {self._assembly.compiled.model.name!r}")
        n = self._names.index(name)
        wrench, child = self._record.wrench[:, n], self._assembly.compiled.joints[name].spec.M.body.name
        return Reaction(name, child, wrench[:, 3:], wrench[:, :3], name not in self.ambiguous)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    @cached_property
    def ambiguous(self) -> frozenset[str]:
        """Joints whose reactions redundant constraints leave open."""
        return ambiguous_joints(self._assembly) if self._assembly.redundant else frozenset()

    def __repr__(self) -> str:
        return "\n".join(repr(reaction) for reaction in self.values())


def ambiguous_joints(assembly: Assembly) -> frozenset[str]:
    """Joints that carry something under multipliers with G^T lam = 0: loads that balance without any motion."""
    system = System(assembly.compiled)
    system.values(assembly.t, assembly.q, assembly.x)
    rows = np.linalg.svd(system.jacobian())[0]
    spare = rows[:, assembly.rank:] * system.scale[:, None]  # the Jacobian had its rows scaled to metres
    seats = seats_of(assembly.compiled)
    found: set[str] = set()
    wrench = np.zeros((len(assembly.compiled.joints), 6))
    for lam in spare.T:
        self_stress(system.tables, system.work, seats, np.ascontiguousarray(lam), wrench)
        size = np.abs(wrench).max(axis=1)
        found |= {name for name, a in zip(assembly.compiled.joints, size) if a > 1e-6 * size.max()}
    return frozenset(found)
