"""A lowered model with its names, first with unresolved values, then final. Both are immutable."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...core.latest import Latest
from ...elements.joints.catalogue import ENTRIES
from ...elements.joints.contract import Joint
from ...elements.signals.contract import Signal
from ...errors import no_such
from ...kernel.frames import Pose
from ...kernel.tables.pool import WorkspacePool
from ...kernel.tables.records import ADDRESSES, BASES, Tables
from ...kernel.tables.workspace import ALL, Work, workspace
from ...kernel.usercode.registry import Code
from ..model import JointSpec, Model
from ..topology.tree import Tree
from .states import StatePlace


@dataclass(frozen=True, slots=True)
class JointPlace:
    """A lowered joint: frames in kernel axes on bodies i (of F) and j (of M), and its tree joint or
    rows.
    """

    spec: JointSpec
    i: int
    j: int
    X_iF: Pose
    X_jM: Pose
    link: int = 0  # the body whose tree joint this is; 0 if cut
    reversed: bool = False
    rows: tuple[int, ...] = ()  # rows of G if cut
    # labels of angles -> index of the state x that counts their turns
    turns: dict[str, int] = field(default_factory=dict)

    @property
    def direct(self) -> tuple[int, ...] | None:
        """Index of each label among the tree coordinates, or None if frames must be measured."""
        if not self.link:
            return None
        return (
            self.spec.joint.seen_from_child.order
            if self.reversed
            else tuple(range(self.spec.joint.nq))
        )


class Unresolved(NamedTuple):
    """A value to be measured at the initial position: its owner, its name, and its place in the
    tables.
    """

    owner: str
    what: str  # "rest" of a force, or a name chosen by the constraint
    table: str
    row: int
    field: str
    trial: float = 1.0  # value with which the equations are evaluated to find it

    @property
    def name(self) -> str:
        return f"{self.owner}.{self.what}"


@dataclass(frozen=True)
class LoweredModel:
    """A lowered model: tables plus names, with unresolved values still NaN. It is used only to find
    the initial position.

    Index 0 of bodies is the ground; `X_BK[b]` is the kernel frame in the user's body frame.
    """

    model: Model
    coordinates: str
    tree: Tree
    tables: Tables
    bodies: tuple[str, ...]
    X_BK: tuple[Pose, ...]
    joints: dict[str, JointPlace]
    row_owner: tuple[str, ...]  # the joint or constraint of each row
    dof_owner: tuple[tuple[str, str], ...]  # (joint, speed label) of each degree of freedom
    unresolved: tuple[Unresolved, ...] = ()  # values to be measured at the start
    # of elements and controllers: "pid.integral"
    states: dict[str, StatePlace] = field(default_factory=dict)
    outputs: dict[str, int] = field(default_factory=dict)  # of controllers: "pid.torque"
    # time functions in the order of their table; None for functions of other variables
    signals: tuple[Signal | None, ...] = ()
    # all user code, in the order of the tables, which hold its addresses
    code: tuple[Code, ...] = ()
    # groups of rows that are not eliminated early (assembly/early_rows.py); None: all groups
    late: tuple[int, ...] | None = ()

    def __repr__(self) -> str:
        return f"<{self.model.name!r} compiled in {self.coordinates} coordinates, {self.hash}>"

    @cached_property
    def size(self) -> dict[str, int]:
        s = self.tables.settings[0]
        return {k: int(s[k]) for k in ("nq", "nv", "nx", "ng")}

    def workspace(self, storage: Sequence[str] = ALL) -> Work:
        """Workspace of one thread, with the arrays that a formulation names in `storage`, or with
        all.
        """
        return workspace(self.tables, storage)

    @cached_property
    def kept(self) -> Latest:
        """What runs use again: variants for formulations, scales of error tests."""
        return Latest(4)

    @cached_property
    def reductions(self) -> Latest:
        """The model of the time loop, if it is another one (assembly/reduced.py)."""
        return Latest(1)

    @cached_property
    def pool(self) -> WorkspacePool:
        """Workspaces that runs use one after the other."""
        return WorkspacePool(self.tables)

    def joint_class(self, i: int) -> type[Joint] | Joint:
        """The class of the tree joint of body i, or the joint itself inside a flexible body."""
        found = ENTRIES[int(self.tables.links[i]["kind"])].joint
        if not found.inner:
            return found
        return next(place.spec.joint for place in self.joints.values() if place.link == i)

    def body_index(self, name: str) -> int:
        if name not in self.bodies:
            raise no_such("body", name, self.bodies[1:], f" in model {self.model.name!r}")
        return self.bodies.index(name)

    def split(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(q, v, x) of a state or of an array of states."""
        nq, nv = self.size["nq"], self.size["nv"]
        return y[..., :nq], y[..., nq : nq + nv], y[..., nq + nv :]

    @cached_property
    def hash(self) -> str:
        """Content hash of all data that determine the motion; user code counts by its content, not
        its address.
        """
        digest = hashlib.sha256("".join(code.digest + code.shape for code in self.code).encode())
        digest.update(self.model.generated.digest.encode() if self.model.generated else b"")
        for name, array in self.tables._asdict().items():
            if name in ADDRESSES or name in BASES:  # the motion does not depend on addresses
                continue
            plain = np.array(array)
            if plain.dtype.names and "address" in plain.dtype.names:
                plain["address"] = plain["address"] != 0
            digest.update(name.encode() + plain.tobytes())
        return digest.hexdigest()[:16]


@dataclass(frozen=True, repr=False)
class CompiledModel(LoweredModel):
    """A lowered model whose unresolved values have been found. Only `resolve` creates it."""

    # the resolved values, by owner and field: "rod.length"
    initial_values: dict[str, float] = field(default_factory=dict)

    def __reduce__(self):
        """Pickle the model instead of the tables, which hold addresses of this process."""
        from ...assembly.build import rebuild

        return rebuild, (
            self.model,
            self.tree,
            self.coordinates,
            self.initial_values,
            np.array(self.tables.settings),
            self.late,
        )

    def __deepcopy__(self, memo) -> CompiledModel:
        return self  # immutable
