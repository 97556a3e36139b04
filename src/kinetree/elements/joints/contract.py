"""The interface of a joint: its class and its kernels.

A joint connects frame F on the parent body P with frame M on the child body B. Its file has the
user's class (a frozen dataclass with the attributes below, and `measure`, the inverse of `move`) and
its kernels in world axes:

    move(tables, link, q, R_WF, p_WF)                        return R_WM, p_WM, the pose of M
    hinge(tables, link, q, R_WF, R_WM, r_F, r_M, dofs)       write the columns h of the hinge map,
                                                             V_FM = sum h_k v_k, into dofs[.].h
    bias(tables, link, q, v, R_WF, R_WM, r_F, r_M)           optional: return sum (dh_k/dt)_q v_k

Vectors r lead from the reference point O to the origins of F and M; columns and bias are spatial
vectors about O. The columns of most joints are fixed in F (the first `leading` ones) or in M (the
others); their rate follows from that. Columns that also depend on q, as those of a screw of varying
pitch, need `bias`: the rate of the columns as seen from the frame that carries them, times v. The
joint's own numbers (`parameters`) are in tables.pool from link.first on.

Scalar coordinates come first, with qdot = v. `coordinates` has their names and how each is measured
between the frames: slide_x, slide_y, slide_z along the axes of F, turn_z and turn_x about those of F,
turn_y about that of M, or the arc length along a curve of the joint. A joint with `ball = True` lets
the child turn freely: a unit quaternion qw, qx, qy, qz follows the scalar coordinates, with the
angular velocity wx, wy, wz in M.

A cut joint is a set of equations between F and M: `cut` lists them. Where no primitive expresses one
of them, the file has kernels for it (`CutRows`), and `cut` has `OwnRows()`.

The tree may reach the joint from its child. The same kernels then run with the frames exchanged,
which is right only if the joint seen from M is again a joint of its kind: every class declares with
`reversal` how, or that it is ONE_WAY.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, NamedTuple, Protocol

import numpy as np

from ...core.quantities import Axis, UserClass
from ...errors import ModelError, short
from ...kernel.decorators import inline
from ...kernel.frames import Pose, axis_frame, unit_vector
from ...kernel.linalg import product

X, Y, Z = 0, 1, 2


QUATERNION = ("qw", "qx", "qy", "qz")
MEANINGS = {  # of coordinates and velocities that several joints share
    "qw": "scalar part of the unit quaternion of the child's frame M in the parent's frame F",
    **{
        f"q{axis}": f"{axis} part of the unit quaternion of M in F: {axis} of the axis times sin(angle / 2)"
        for axis in "xyz"
    },
    **{
        f"w{axis}": f"angular velocity of the child relative to the parent, about {axis} of frame M"
        for axis in "xyz"
    },
    **{
        f"v{axis}": f"velocity of the child relative to the parent, along {axis} of frame F"
        for axis in "xyz"
    },
}


class Point(NamedTuple):
    """Three cut equations: the origins of F and M coincide."""

    def lower(self, to, place) -> None:
        to.between_frames("point", place)


class Perpendicular(NamedTuple):
    """One cut equation: axis `of_F` of F stays perpendicular to axis `of_M` of M (dot-1)."""

    of_F: int
    of_M: int

    def lower(self, to, place) -> None:
        p = to.between_frames("perpendicular", place)
        p["a_i"], p["a_j"] = place.X_iF.R[:, self.of_F], place.X_jM.R[:, self.of_M]


class InPlane(NamedTuple):
    """One cut equation: the origin of M stays in the plane through F normal to its axis `of_F`
    (dot-2).
    """

    of_F: int

    def lower(self, to, place) -> None:
        to.between_frames("in-plane", place)["a_i"] = place.X_iF.R[:, self.of_F]


class CutEquations(Protocol):
    """What `cut` holds: equations that write themselves."""

    def lower(self, to, place) -> None:
        """Add the rows of a cut joint at its place through the compiler."""


class Reversal(NamedTuple):
    """How a joint looks from its child: the frames M and F, each turned by `flip`, carry a joint of
    the same kind.

    `order` is the index of each coordinate among those of that joint, with the same value and
    sign; None where the coordinates have no such relation and are measured on the frames.
    """

    flip: tuple[tuple[int, int, int], ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    order: tuple[int, ...] | None = None

    @property
    def rotation(self) -> Pose:
        return Pose(np.array(self.flip, float), np.zeros(3))


ONE_WAY = None  # the joint seen from its child is another one: trees never run against it
ABOUT_X = ((1, 0, 0), (0, -1, 0), (0, 0, -1))  # half a turn: the axis z points the other way


@dataclass(frozen=True)
class Joint(UserClass):
    """Base of the joint classes: traits the catalogue, the compiler, the report and the tests read."""

    _shown = ("labels", "speeds", "units")
    kind: ClassVar[str]
    inner: ClassVar[bool] = False  # whether the compiler alone adds it, inside a flexible body
    coordinates: ClassVar[
        dict[str, str]
    ] = {}  # scalar coordinates by label, and how each shows on the frames
    ball: ClassVar[bool] = False  # whether it also has a unit quaternion
    leading: ClassVar[int] = 0  # so many hinge columns are fixed in F, the others in M
    weight: ClassVar[float]  # distance-matrix weight, [Lee1994, Table 1]
    cut: ClassVar[tuple[CutEquations, ...]] = ()  # the equations of the joint when it is cut
    parallel: ClassVar[
        tuple[int, ...]
    ] = ()  # axes that must point the same way, not merely stay in line
    reversal: ClassVar[
        Reversal | None
    ]  # how it looks from the child, or ONE_WAY; every joint must declare it
    meanings: ClassVar[dict[str, str]] = {}  # of its coordinates: what, and which sign
    look: ClassVar[
        tuple[str, ...]
    ] = ()  # the pieces it is drawn with, see viewer/joint_looks.py; none: held by nothing
    # What follows from the coordinates; a class may have other speeds, and fewer sensors:
    labels: ClassVar[tuple[str, ...]]  # names of the coordinates, one per q
    speeds: ClassVar[tuple[str, ...]]  # names of the velocities, one per v
    sensors: ClassVar[
        tuple[str, ...]
    ]  # how the coordinates that drivers, springs and controllers may name show on the frames
    gauges: ClassVar[
        tuple[str, ...]
    ]  # how each velocity shows on the frames; spin_x, ... are those of a quaternion, in M
    units: ClassVar[tuple[str, ...]]  # unit of each velocity without "/s"
    nq: ClassVar[int]
    nv: ClassVar[int]

    def __init_subclass__(cls, **keywords) -> None:
        super().__init_subclass__(**keywords)
        if "kind" in vars(cls):
            cls._complete()
            if "reversal" not in vars(cls):
                raise TypeError(
                    f"joint class {cls.__name__} must declare with `reversal` how it looks from "
                    "its "
                    "child: a "
                    "Reversal(...), or ONE_WAY where it is another joint then."
                )

    @classmethod
    def _complete(cls) -> None:
        """What follows from the coordinates."""
        scalars, shown = tuple(cls.coordinates), tuple(cls.coordinates.values())
        cls.labels = scalars + QUATERNION * cls.ball
        cls.speeds = vars(cls).get("speeds", scalars + ("wx", "wy", "wz") * cls.ball)
        cls.sensors = vars(cls).get("sensors", shown)
        cls.gauges = shown + ("spin_x", "spin_y", "spin_z") * cls.ball
        cls.units = tuple(
            "m" if gauge.startswith(("slide", "along")) else "rad" for gauge in cls.gauges
        )
        cls.nq, cls.nv = len(cls.labels), len(cls.speeds)

    @classmethod
    def meaning(cls, label: str) -> str:
        """Return what a coordinate or velocity is, with its sign."""
        return cls.meanings.get(label, MEANINGS.get(label, label))

    @classmethod
    def rates(cls, speed: str) -> tuple[str, str]:
        """Return what a velocity and its time derivative are."""
        kind = "angular " if cls.units[cls.speeds.index(speed)] == "rad" else ""
        if speed in cls.labels:
            first = f"{kind}velocity: time derivative of `{speed}`"
            return first, f"{kind}acceleration: second time derivative of `{speed}`"
        return cls.meaning(speed), f"{kind}acceleration: time derivative of `{speed}`"

    @property
    def seen_from_child(self) -> Reversal:
        """Its reversal, for a tree that runs against it; none runs against a joint that is ONE_WAY."""
        if self.reversal is None:
            raise ModelError(f"a {self.kind} joint is another joint seen from its child.")
        return self.reversal

    @classmethod
    def examples(cls) -> tuple[Joint, ...]:
        """Joints of this class with which the contract tests run: one of each sort it has."""
        return (cls(),)

    def offset(self, q: Sequence[float]) -> tuple[float, float, float]:
        """Position of M in F at coordinates q, besides the travels among them: the advance of a
        screw, the point of a curve.
        """
        return 0.0, 0.0, 0.0

    def exchanged(self) -> Joint:
        """The joint that holds the same two bodies in the same way, given child first."""
        return self

    def frame(self) -> np.ndarray:
        """Rotation of the joint frame in the marker frame."""
        return np.eye(3)

    def mirrored(self) -> Joint:
        """What it is behind a mirror, in frames of the other hand that are turned back."""
        return self

    def with_axis(self, axis) -> Joint:
        """The same joint with its axis taken from the drawing."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        if "axis" not in values:
            raise ModelError(f"a {self.kind} joint has no axis; leave out axis=.")
        return type(self)(**{**values, "axis": axis})

    @property
    def advance(self) -> float:
        """Travel of the child along z per radian of its turn about z, of a screw (m)."""
        return 0.0

    @property
    def parameters(self) -> Sequence[float] | np.ndarray:
        """The numbers that its kernels read in the pool, from tables.pool[link.first] on."""
        return ()

    @property
    def scalars(self) -> tuple[str, ...]:
        """Labels of the coordinates that drivers, springs and controllers may name."""
        return self.labels[: len(self.sensors)]

    def period(self, label: str) -> float:
        """After how much a coordinate that counts on repeats the same pose: a turn, or the round of
        a closed curve; 0 where it never does.
        """
        return 2.0 * math.pi

    def on_turn(self, label: str, raw: float, near: float) -> float:
        """The value of a coordinate, known up to whole periods, that is nearest to another one."""
        period = self.period(label)
        return raw + period * round((near - raw) / period) if period else raw

    def along(self, p_FM: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Places s on the curve of a coordinate that counts "along" it, nearest to points in F, with
        c' and c'' there.
        """
        raise NotImplementedError(f"{type(self).__name__} has no curve.")

    def drawn_curve(self) -> np.ndarray:
        """Points of its curve in F, (n, 3), close enough for a drawing."""
        raise NotImplementedError(f"{type(self).__name__} has no curve.")

    def measure(self, R_FM: np.ndarray, p_FM: np.ndarray) -> list[float]:
        """Coordinates of a pose of M in F."""
        raise NotImplementedError(
            f"{type(self).__name__} must compute its coordinates in `measure`."
        )

    def check_start(self, start: dict[str, float], what: str) -> None:
        """Refuse initial coordinates that cannot be; the four parts of a quaternion go together."""
        q = [start.get(label, 0.0) for label in QUATERNION]
        if any(label in start for label in QUATERNION) and abs(math.hypot(*q) - 1.0) > 1e-6:
            raise ModelError(f"{what}: quaternion {tuple(q)} does not have unit length.")

    def suggested_joint(self, X_FM: Pose, length: float) -> str:
        """Describe a joint that would close the remaining gap in place of this one; `length` is the
        size of the model.
        """
        return ""

    @classmethod
    def plain(cls) -> int:
        """How many coordinates have qdot = v: all but those of a quaternion, which comes last."""
        return len(cls.coordinates)

    @classmethod
    def coordinate_units(cls) -> tuple[str, ...]:
        """Unit of each coordinate."""
        return cls.units[: cls.plain()] + ("1",) * (4 * cls.ball)


@dataclass(frozen=True)
class AxisJoint(Joint):
    """A joint with one axis, the third axis of its frames F and M.

    Seen from the child most such motions are the same about the opposite axis: with F and M flipped
    ABOUT_X the coordinates keep their meaning and sign.
    """

    axis: Axis = "z"

    def frame(self) -> np.ndarray:
        return axis_frame(self.axis, f"{self.kind} joint")


@dataclass(frozen=True)
class TwoAxisJoint(Joint):
    """A joint with two axes at a right angle, the first two axes of its frames F and M."""

    axis1: Axis = "x"
    axis2: Axis = "y"

    def frame(self) -> np.ndarray:
        x, y = (unit_vector(axis, f"{self.kind} joint") for axis in (self.axis1, self.axis2))
        if abs(product(x, y)) > 1e-9:
            raise ModelError(
                f"{self.kind} joint: axes {self.axis1} and {self.axis2} are not perpendicular "
                f"(cosine {product(x, y):.3g}); its two axes must be perpendicular."
            )
        return np.column_stack([x, y, np.cross(x, y)])


def refuse_turned(signs: Mapping[str, float], what: str) -> None:
    """Raise an error for an element that cannot change the signs of coordinates."""
    for name, sign in signs.items():
        if sign < 0.0:
            raise ModelError(
                f"a mirror turns the sign of {name!r}, which a {what} cannot follow; give this "
                "element in the "
                "file that uses the assembly."
            )


def check_coordinate(name: object, what: str) -> None:
    """Check that a name has the form "A.angle"; lowering the model checks whether it exists."""
    if not isinstance(name, str) or not all(name.rpartition(".")):
        raise ModelError(f"{what} must name a joint coordinate like 'A.angle', got {short(name)}.")


@inline
def no_bias(tables, link, q, v, R_WF, R_WM, r_F, r_M):
    return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class CutRows(NamedTuple):
    """Kernels of the equations of a cut joint that no primitive expresses (elements/constraints/contract.py).

    The record p of these rows has the frames F and M and the numbers of the joint in the pool, from
    p.first on: R_iF (9), R_jM (9), `parameters`.
    """

    value: Callable
    pair: Callable
    bias: Callable
    rows: int = 1
    is_length: bool = True


class OwnRows(NamedTuple):
    """Cut equations by the kernels of the joint's own file, which its line in the catalogue names."""

    def lower(self, to, place) -> None:
        p = to.between_frames(place.spec.joint.kind, place)
        frames = [*place.X_iF.R.ravel(), *place.X_jM.R.ravel()]
        p["first"] = to.pool([*frames, *place.spec.joint.parameters])


class Entry(NamedTuple):
    """One line of the catalogue."""

    joint: type[Joint]
    move: Callable
    hinge: Callable
    bias: Callable = no_bias
    rows: CutRows | None = None

    @property
    def varying(self) -> bool:
        """Whether the hinge columns depend on the coordinates."""
        return self.bias is not no_bias
