"""What every joint says of itself, and the frame its axes define.

A joint links frame F on the parent body P with frame M on the child body B. Its file holds the user's class (a frozen
dataclass with the traits below) and five kernels, all in world axes:

    move(link, q, R_WF, p_WF)               -> R_WM, p_WM     pose of M
    hinge(link, R_WF, R_WM, r_F, r_M, dofs)                   columns h of the hinge map, V_FM = sum h_k v_k, about O
    bias(link, v, dofs)                     -> 6-vector       hinge rate seen from F, sum (dh_k/dt) v_k
    rate(link, q, v, qdot)                                    qdot = N(q) v
    shift(link, q, delta)                                     q <- q (+) delta, a finite step along the velocities

and one Python function, `measure(R_FM, p_FM) -> q`, the inverse of `move`.

The tree may reach the joint from its child. The same kernels then run with the frames exchanged, which is right only if
the joint seen from M is again a joint of its kind: every class says with `reversal` how, or that it is ONE_WAY.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import ClassVar, NamedTuple

import numpy as np

from ..errors import ModelError
from ..frames import Pose, axis_frame

X, Y, Z = 0, 1, 2


class Point(NamedTuple):
    """Three cut equations: the origins of F and M coincide."""


class Perpendicular(NamedTuple):
    """One cut equation: axis `of_F` of F stays perpendicular to axis `of_M` of M (dot-1)."""

    of_F: int
    of_M: int


class InPlane(NamedTuple):
    """One cut equation: the origin of M stays in the plane through F normal to its axis `of_F` (dot-2)."""

    of_F: int


class Advance(NamedTuple):
    """One cut equation of a screw: travel along z follows the turn about z."""


class Reversal(NamedTuple):
    """How a joint looks from its child: the frames M and F, each turned by `flip`, carry a joint of the same kind.

    `order` says where each coordinate stands among those of that joint, with the same value and sign; None where the
    coordinates have no such relation and are measured on the frames.
    """

    flip: tuple[tuple[int, int, int], ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    order: tuple[int, ...] | None = None

    @property
    def rotation(self) -> Pose:
        return Pose(np.array(self.flip, float), np.zeros(3))


ONE_WAY = None  # the joint seen from its child is another one: trees never run against it
ABOUT_X = ((1, 0, 0), (0, -1, 0), (0, 0, -1))  # half a turn: the axis z points the other way


@dataclass(frozen=True)
class Joint:
    """Base of the joint classes: traits the catalogue, the compiler, the report and the tests read."""

    kind: ClassVar[str]
    nq: ClassVar[int]
    nv: ClassVar[int]
    weight: ClassVar[float]  # distance-matrix weight, [Lee1994, Table 1]
    labels: ClassVar[tuple[str, ...]] = ()  # names of the scalar coordinates, one per q
    speeds: ClassVar[tuple[str, ...]] = ()  # names of the velocities, one per v
    units: ClassVar[tuple[str, ...]] = ()  # unit of each velocity without "/s"
    sensors: ClassVar[tuple[str, ...]] = ()  # how each labelled scalar coordinate is read off the frames at a cut
    cut: ClassVar[tuple[tuple, ...]] = ()  # the equations of the joint when it is cut
    parallel: ClassVar[tuple[int, ...]] = ()  # axes that must point the same way, not merely stay in line
    reversal: ClassVar[Reversal | None]  # how it looks from the child, or ONE_WAY; every joint must say

    def __init_subclass__(cls, **keywords) -> None:
        super().__init_subclass__(**keywords)
        if "kind" in vars(cls) and "reversal" not in vars(cls):
            raise TypeError(f"joint class {cls.__name__} must say with `reversal` how it looks from its child: a Reversal(...), "
                            "or ONE_WAY where it is another joint then.")

    def frame(self) -> np.ndarray:
        """Rotation of the joint frame in the marker frame."""
        return np.eye(3)

    def with_axis(self, axis) -> Joint:
        """The same joint with its axis taken from the drawing."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        if "axis" not in values:
            raise ModelError(f"a {self.kind} joint has no axis; leave out axis=.")
        return type(self)(**{**values, "axis": axis})

    @property
    def pitch_per_radian(self) -> float:
        return 0.0


@dataclass(frozen=True)
class AxisJoint(Joint):
    """A joint with one axis, the third axis of its frames F and M.

    Seen from the child most such motions are the same about the opposite axis: with F and M flipped ABOUT_X the
    coordinates keep their meaning and sign.
    """

    axis: str | tuple[float, float, float] = "z"

    def frame(self) -> np.ndarray:
        return axis_frame(self.axis, f"{self.kind} joint")


def check_coordinate(name: object, what: str) -> None:
    """A joint coordinate is named like "A.angle"; whether the model has it is found when the model is lowered."""
    if not isinstance(name, str) or not all(name.rpartition(".")):
        raise ModelError(f"{what} must name a joint coordinate like 'A.angle', got {name!r}.")


class Entry(NamedTuple):
    """One line of the catalogue."""

    joint: type[Joint]
    move: Callable
    hinge: Callable
    bias: Callable
    rate: Callable
    shift: Callable
    measure: Callable
