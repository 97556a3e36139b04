"""A lowered model with its names, first with open values, then final: what every later stage reads,
and nobody changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...elements.joints.catalogue import JOINTS
from ...elements.joints.contract import Joint
from ...elements.signals.contract import Signal
from ...errors import no_such
from ...kernel.frames import Pose
from ...kernel.tables.records import ADDRESSES, BASES, Tables
from ...kernel.tables.workspace import ALL, Work, workspace
from ...kernel.usercode.registry import Code
from ..model import JointSpec, Model
from ..topology.tree import Tree
from .states import StatePlace


@dataclass(frozen=True, slots=True)
class JointPlace:
    """Where a joint went: frames in kernel axes on bodies i (of F) and j (of M), and its
    coordinates if in the tree.
    """

    spec: JointSpec
    i: int
    j: int
    X_iF: Pose
    X_jM: Pose
    link: int = 0  # the body whose tree joint this is; 0 if cut
    reversed: bool = False
    rows: tuple[int, ...] = ()  # rows of G if cut
    turns: dict[str, int] = field(
        default_factory=dict
    )  # labels of angles whose turns a state x counts

    @property
    def direct(self) -> tuple[int, ...] | None:
        """Position of each label among the tree coordinates, or None where frames must be measured."""
        if not self.link:
            return None
        return (
            self.spec.joint.seen_from_child.order
            if self.reversed
            else tuple(range(self.spec.joint.nq))
        )


class Unresolved(NamedTuple):
    """A value that the model leaves to the initial position: whose it is, what it is, and its place
    in the tables.
    """

    owner: str
    what: str  # "rest" of a force; whatever a constraint calls it
    table: str
    row: int
    field: str
    trial: float = 1.0  # with which the equations are evaluated to find it

    @property
    def name(self) -> str:
        return f"{self.owner}.{self.what}"


@dataclass(frozen=True)
class LoweredModel:
    """A lowered model: tables plus names, open values still NaN. Nothing is computed with it but
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
    dof_owner: tuple[tuple[str, str], ...]  # (joint, speed label) of each freedom
    unresolved: tuple[
        Unresolved, ...
    ] = ()  # free lengths and offsets to be read off the initial position
    states: dict[str, StatePlace] = field(
        default_factory=dict
    )  # of elements and controllers: "pid.integral"
    outputs: dict[str, int] = field(default_factory=dict)  # of controllers: "pid.torque"
    signals: tuple[
        Signal | None, ...
    ] = ()  # the time functions, in the order of their table; None: of another variable
    code: tuple[
        Code, ...
    ] = ()  # all user code, in the order of the tables, which have its addresses

    def __repr__(self) -> str:
        return f"<{self.model.name!r} compiled in {self.coordinates} coordinates, {self.hash}>"

    @cached_property
    def size(self) -> dict[str, int]:
        s = self.tables.settings[0]
        return {k: int(s[k]) for k in ("nq", "nv", "nx", "ng")}

    def workspace(self, storage: Sequence[str] = ALL) -> Work:
        """Scratch for one thread, with the arrays that a formulation names in `storage`, or with
        all.
        """
        return workspace(self.tables, storage)

    def joint_class(self, i: int) -> type[Joint]:
        """The class of the tree joint of body i."""
        return JOINTS[int(self.tables.links[i]["kind"])].joint

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
        """Content hash of everything that decides the motion, with user code by what it is and not
        where it lies.
        """
        digest = hashlib.sha256("".join(code.digest + code.shape for code in self.code).encode())
        digest.update(self.model.generated.digest.encode() if self.model.generated else b"")
        for name, array in self.tables._asdict().items():
            if (
                name in ADDRESSES or name in BASES
            ):  # the motion does not depend on where numbers lie
                continue
            plain = np.array(array)
            if plain.dtype.names and "address" in plain.dtype.names:
                plain["address"] = plain["address"] != 0
            digest.update(name.encode() + plain.tobytes())
        return digest.hexdigest()[:16]


@dataclass(frozen=True, repr=False)
class CompiledModel(LoweredModel):
    """A description whose open values have been found: final. Only `resolve` makes one."""

    initial_values: dict[str, float] = field(
        default_factory=dict
    )  # the open values, by owner and what: "rod.length"

    def __reduce__(self):
        """Pickle the model instead of the tables, which hold addresses of this process."""
        from ...assembly.build import rebuild

        return rebuild, (
            self.model,
            self.tree,
            self.coordinates,
            self.initial_values,
            np.array(self.tables.settings),
        )

    def __deepcopy__(self, memo) -> CompiledModel:
        return self  # nobody changes it
