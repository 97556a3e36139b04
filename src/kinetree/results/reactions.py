"""Joint reactions by name, and which of their components are unique.

Multipliers with G^T lam = 0 are loads that balance without any motion: any multiple of them can be
added to the result. A component of a reaction to which such a load contributes is not unique; all
others are unique.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..assembly.measure import joint_frames_of
from ..assembly.result import Assembly
from ..assembly.system import System
from ..engine.dynamics.reactions import self_stress
from ..errors import ResultError, no_such
from ..kernel.linalg import svd
from .observe import Observed

_COMPONENTS = tuple(
    f"{what}.{k}" for what in ("torque", "force") for k in "xyz"
)  # as they stand in a wrench
_WARNING = (
    "; NOT UNIQUE: {}: redundant constraints could share this load in other ways with the same "
    "motion; joints with "
    "more freedom around the loop make it unique"
)
_SMALL = 1e-6  # of the largest component of such a load, torques at the size of the machine
_LOOKS = 25  # states of a run at which loads without motion are looked for


@dataclass(frozen=True)
class Reaction:
    """Reaction force and torque of a joint on its child, at the joint point, in world axes.

    One value of ``sol.reactions``. Forces along the coordinate of the joint (driver, gear, torsion
    spring) are part of it.

    Attributes
    ----------
    name : str
        Name of the joint.
    child : str
        Name of its child.
    force : ndarray, shape (nt, 3)
        Force on the child, in world axes (N).
    torque : ndarray, shape (nt, 3)
        Torque on the child about the joint point, in world axes (N m).
    open : tuple of str
        Components that are not unique because of redundant constraints, such as "force.y".

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.four_bar import four_bar
    >>> reaction = kt.simulate(four_bar(), 0.2).reactions["A"]
    >>> reaction.force.shape
    (501, 3)
    """

    name: str
    child: str
    force: np.ndarray
    torque: np.ndarray
    open: tuple[
        str, ...
    ] = ()  # components that redundant constraints leave open, like "force.y"; the others are unique

    @property
    def unique(self) -> bool:
        """Whether all components are unique."""
        return not self.open

    def __repr__(self) -> str:
        force, torque = (
            float(np.linalg.norm(a, axis=1).max(initial=0.0)) for a in (self.force, self.torque)
        )
        warning = "" if self.unique else _WARNING.format(", ".join(self.open))
        return (
            f"<reaction of joint {self.name!r} on {self.child!r}: force up to {force:.4g} N, "
            f"torque up to {torque:.4g} N m"
            f"{warning}>"
        )


class Reactions(Mapping[str, Reaction]):
    """Reactions of all joints by name: a mapping to `Reaction`; the value of ``sol.reactions``.

    Models with flexible links have the reactions of their cut joints only.
    """

    def __init__(self, assembly: Assembly, record: Observed, t: np.ndarray, y: np.ndarray) -> None:
        self._assembly, self._record, self._t, self._y = assembly, record, t, y
        self._names = {
            name: n
            for n, (name, place) in enumerate(assembly.compiled.joints.items())
            if not place.spec.joint.inner
        }

    def __getitem__(self, name: str) -> Reaction:
        if name not in self._names:
            raise no_such(
                "joint", name, self._names, f" in model {self._assembly.compiled.model.name!r}"
            )
        if name not in self:
            raise ResultError(
                f"joint {name!r}: the reactions inside {self._assembly.compiled.model.name!r} do "
                "not follow from "
                "its bodies, which bend; those of the pins that close its loops do."
            )
        n = self._names[name]
        wrench, child = (
            self._record.of("wrench", n),
            self._assembly.compiled.joints[name].spec.M.body.name,
        )
        return Reaction(name, child, wrench[:, 3:], wrench[:, :3], self.ambiguous.get(name, ()))

    @cached_property
    def _known(self) -> dict[str, None]:
        """Joints whose load follows from the bodies; in a machine that bends those that are cut."""
        generated, joints = self._assembly.compiled.model.generated, self._assembly.compiled.joints
        return dict.fromkeys(
            n
            for n in self._names
            if generated is None or not generated.flexible or not joints[n].link
        )

    def __contains__(self, name: object) -> bool:
        return name in self._known

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    @cached_property
    def ambiguous(self) -> dict[str, tuple[str, ...]]:
        """Joints with components that redundant constraints leave open, at any of up to 25 states
        of the run.
        """
        if not self._assembly.redundant:
            return {}
        looks = np.unique(np.linspace(0, len(self._t) - 1, min(len(self._t), _LOOKS)).astype(int))
        found = np.zeros((len(self._assembly.compiled.joints), 6), bool)
        for k in looks:
            found |= open_components(self._assembly, float(self._t[k]), self._y[k])
        left = {
            name: tuple(sorted(c for c, a in zip(_COMPONENTS, row) if a))
            for name, row in zip(self._names, found[list(self._names.values())])
        }
        return {name: left[name] for name in self._assembly.compiled.model.joints if left.get(name)}

    def __repr__(self) -> str:
        return "\n".join(repr(reaction) for reaction in self.values())


def open_components(assembly: Assembly, t: float, y: np.ndarray) -> np.ndarray:
    """(nj, 6) bool: components of the wrenches (torque, force) that multipliers with G^T lam = 0
    can change at a state.
    """
    system = System(assembly.compiled)
    q, _, x = (np.ascontiguousarray(part) for part in assembly.compiled.split(y))
    system.values(t, q, x)
    rows = svd(system.jacobian())[0]
    spare = (
        rows[:, assembly.rank :] * system.scale[:, None]
    )  # the Jacobian had its rows scaled to metres
    seats = joint_frames_of(assembly.compiled)
    wrench, unit = (
        np.zeros((len(assembly.compiled.joints), 6)),
        np.array([system.length] * 3 + [1.0] * 3),
    )
    found = np.zeros(wrench.shape, bool)
    for lam in spare.T:
        self_stress(system.tables, system.work, seats, np.ascontiguousarray(lam), wrench)
        size = np.abs(wrench) / unit
        found |= size > _SMALL * size.max(initial=0.0)
    return found


def ambiguous_sentence(ambiguous: dict[str, tuple[str, ...]]) -> str:
    """Sentence about reactions that are not unique, joints with the same components together."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, components in ambiguous.items():
        groups.setdefault(components, []).append(name)
    parts = [
        f"{', '.join(components)} of {', '.join(names)}" for components, names in groups.items()
    ]
    return (
        f"The constraints are redundant; these reactions are not unique: {'; '.join(parts)}. All "
        "others are unique."
    )
