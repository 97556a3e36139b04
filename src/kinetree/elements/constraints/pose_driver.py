"""A pose driver prescribes the pose of one frame in another: a robot's hand, a shaker table, the
attitude of a satellite.

Position: three displacements of M in the axes of F follow time functions, with the rows of a
driver. Orientation: three rows compare M with a frame D whose orientation in F is a function of
time (orientation.py, aims.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...core.checks import row, word
from ...core.quantities import (
    MotionInRadians,
    Position,
    Reference,
    Rotation,
    Seconds,
    Travel,
    TurnAxis,
    Turning,
)
from ...errors import ModelError, no_such, short
from ...kernel.frames import matrix_quaternion, numbers, rotation_matrix, unit_vector
from ...kernel.linalg import product
from ..joints.sensors import KINDS
from ..signals.contract import negated
from ..signals.table import Table
from .aims import AXES, QUATERNION, VECTOR
from .contract import Constraint, Loads

_WAYS = (
    "rotation_vector=(x, y, z), axis= with angle=, sequence= with angles=, or rotations= at times"
)


@dataclass(frozen=True)
class PoseDriver(Constraint):
    r"""Prescribed pose of the second marker in the first, or of a joint's child in its parent.

    Parameters
    ----------
    joint : str, optional
        Name of a free or spherical joint, instead of two markers.
    position : sequence of 3 float, time function or callable, optional
        Position of the second marker in the axes of the first (m).
    rotation_vector : sequence of 3 float, time function or callable, optional
        Rotation vector, axis times angle (rad).
    axis : str or (3,) array_like, optional
        Axis of a rotation by `angle`: "x", "y", "z", "-x", "-y", "-z" or a vector of any length but
        zero.
    angle : float, time function or callable, optional
        Angle of rotation about `axis` (rad).
    sequence : str, optional
        Axes of successive rotations by `angles`: upper case, such as "ZYX", about the rotated axes,
        lower case, such as "zyx", about the fixed axes.
    angles : sequence of float, time function or callable, default ()
        Angles of `sequence`, one for each letter (rad).
    times : sequence of float, default ()
        Increasing times of `positions` and `rotations`, which are joined by splines with two
        continuous derivatives that start and end at rest (s).
    positions : sequence of (3,) array_like, default ()
        Positions at `times`, instead of `position` (m).
    rotations : sequence, default ()
        Orientations at `times`: 3x3 matrices, quaternions (w, x, y, z), or ("zyx", angles).

    See Also
    --------
    kt.Driver : Prescribes one joint coordinate.
    kt.kinematics : Positions, velocities and accelerations of a driven model.

    Notes
    -----
    With the prescribed pose :math:`(p(t), D(t))` of the second marker M in the first marker F:

    .. math::
        p_{FM} - p(t) = 0, \qquad 2\,v = 0, \qquad (s, v) \text{ the unit quaternion of } R_{DM},
        \; s \ge 0

    A position or an orientation that is not given stays free. The orientation error :math:`2 v` has
    the length :math:`2 \sin(\vartheta / 2)` for a missing rotation by :math:`\vartheta` and is
    singular at half a turn only. The channels `force` (N, in the axes of the first marker) and
    `torque` (N m, in the axes of the second) act on the body of the second marker, and are positive
    along these axes.

    Examples
    --------
    A table is moved up by 0.1 m and back; at rest the motor carries its weight.

    >>> import kinetree as kt
    >>> model = kt.Model("shaker")
    >>> table = model.body("table", kt.box(mass=10.0, sides=(1.0, 1.0, 0.1)))
    >>> free = model.float(table)
    >>> path = [(0, 0, 0), (0, 0, 0.1), (0, 0, 0)]
    >>> level = (0.0, 0.0, 0.0)
    >>> pose = kt.PoseDriver("table.free", rotation_vector=level, times=(0, 1, 2), positions=path)
    >>> shaker = model.constraint("shaker", pose)
    >>> sol = kt.simulate(model, until=3.0)
    >>> print(f"{sol['table.position.z'].max():.2f} m, {sol['shaker.force'][-1, 2]:.1f} N")
    0.10 m, 98.1 N
    """

    joint: Reference | None = None
    position: Travel | None = None
    rotation_vector: Turning | None = None
    axis: TurnAxis | None = None
    angle: MotionInRadians | None = None
    sequence: str | None = None
    angles: Sequence[MotionInRadians] = ()
    times: Sequence[Seconds] = ()
    positions: Sequence[Position] = ()
    rotations: Sequence[Rotation] = ()

    kind = "pose-driver"
    driven = True
    prescribes = True
    markers = (0, 2)

    def __post_init__(self) -> None:
        if self.joint is not None:
            word(self.joint, "PoseDriver: joint")
        for name in ("position", "rotation_vector"):
            three = getattr(self, name)
            if (
                three is not None
                and len(row(three, f"PoseDriver: {name}", "three numbers or time functions")) != 3
            ):
                raise ModelError(
                    f"PoseDriver: {name} must be three numbers or time functions, got "
                    f"{short(three)}."
                )
        for name in ("angles", "times", "positions", "rotations"):
            row(getattr(self, name), f"PoseDriver: {name}")
        turns = [
            self.rotation_vector is not None,
            self.axis is not None,
            self.sequence is not None,
            len(self.rotations) > 0,
        ]
        if sum(turns) > 1:
            raise ModelError(
                f"PoseDriver: the orientation is given in {sum(turns)} ways; give one of {_WAYS}."
            )
        if self.position is not None and len(self.positions):
            raise ModelError(
                "PoseDriver: give position= as time functions, or positions= at times, not both."
            )
        if (
            not any(turns)
            and self.position is None
            and not len(self.positions)
            and not len(self.times)
        ):
            raise ModelError(
                "PoseDriver: nothing is prescribed; give position=, positions= at times, or an "
                "orientation: "
                f"{_WAYS}."
            )
        self._check_turns()
        self._check_times()

    def mirrored(self, S: np.ndarray) -> PoseDriver:
        """Return the driver in a mirror: the angles of a sequence change their signs where
        needed.
        """
        if self.sequence is None:
            return self
        turned = [float(np.prod(S)) * S["xyz".index(letter)] for letter in self.sequence.lower()]
        what = "PoseDriver: angles"
        return replace(
            self,
            angles=[a if sign > 0.0 else negated(a, what) for a, sign in zip(self.angles, turned)],
        )

    def _check_turns(self) -> None:
        if (self.axis is None) != (self.angle is None):
            raise ModelError(
                "PoseDriver: axis and angle go together, like axis='z', angle=kt.Ramp(1.0)."
            )
        if self.axis is not None:
            unit_vector(self.axis, "PoseDriver")
        if self.sequence is None and len(self.angles):
            raise ModelError("PoseDriver: angles need a sequence of axes, like sequence='ZYX'.")
        letters = self.sequence
        if letters is not None and not (
            isinstance(letters, str)
            and letters
            and (set(letters) <= set("xyz") or set(letters) <= set("XYZ"))
        ):
            raise ModelError(
                "PoseDriver: sequence must be axes such as 'ZYX' (turned) or 'zyx' (fixed), got "
                f"{short(letters)}."
            )
        if letters is not None and len(self.angles) != len(letters):
            raise ModelError(
                f"PoseDriver: sequence {letters!r} needs {len(letters)} angles, got "
                f"{len(self.angles)}."
            )

    def _check_times(self) -> None:
        given = {
            name: getattr(self, name)
            for name in ("positions", "rotations")
            if len(getattr(self, name))
        }
        if bool(given) != bool(len(self.times)):
            raise ModelError(
                "PoseDriver: times go together with positions or rotations, one for each time."
            )
        for name, values in given.items():
            if len(values) != len(self.times):
                raise ModelError(
                    f"PoseDriver: {name} must be one for each of the {len(self.times)} times, got "
                    f"{len(values)}."
                )
        self._points()
        self._quaternions()

    def drives(self, joints: Mapping[str, Any]) -> tuple[str, ...]:
        speeds = (
            joints[self.joint].joint.speeds
            if self.joint is not None and self.joint in joints
            else ()
        )
        return tuple(f"{self.joint}.{speed}" for speed in speeds)

    def _points(self) -> list[Table]:
        """Return the three coordinates of `positions` as time functions."""
        if not len(self.positions):
            return []
        points = [
            numbers(p, 3, f"PoseDriver: positions[{k}]") for k, p in enumerate(self.positions)
        ]
        return [
            Table(tuple(self.times), tuple(column), at_rest=True) for column in np.transpose(points)
        ]

    def _quaternions(self) -> list[Table]:
        """Return the four parts of `rotations` as time functions, with signs that keep them
        continuous.
        """
        if not len(self.rotations):
            return []
        parts: list[np.ndarray] = []
        for k, rotation in enumerate(self.rotations):
            q = matrix_quaternion(rotation_matrix(rotation, f"PoseDriver: rotations[{k}]"))
            parts.append(-q if parts and product(q, parts[-1]) < 0.0 else q)
            if k and abs(product(q, parts[-2])) < 0.05:
                raise ModelError(
                    f"PoseDriver: rotations[{k - 1}] and rotations[{k}] are half a turn apart, "
                    "which leaves the way "
                    "round open; give an orientation between them."
                )
        return [
            Table(tuple(self.times), tuple(column), at_rest=True) for column in np.transpose(parts)
        ]

    def _axes(self) -> tuple[list[float], list[Any]]:
        """Return fixed axes and the angles about them, in the order of rotations about rotated
        axes.
        """
        if self.axis is not None:
            return list(unit_vector(self.axis, "PoseDriver")), [self.angle]
        turned = str(self.sequence).isupper()
        pairs = list(zip(str(self.sequence).lower(), self.angles))
        pairs = pairs if turned else pairs[::-1]
        return [x for letter, _ in pairs for x in unit_vector(letter, "PoseDriver")], [
            angle for _, angle in pairs
        ]

    def lower(self, to: Any, name: str, markers: Any) -> None:
        i, X_iF, j, X_jM = self._ends(to, markers)
        for axis, motion in zip(
            "xyz", self.position if self.position is not None else self._points()
        ):
            sensor = to.slide_between(f"{name} {axis}", KINDS[f"slide_{axis}"], i, X_iF, j, X_jM)
            to.relation(name, (sensor, 1.0))["signal"] = to.signal(motion, f"position {axis}")
        aim = self._aim(to)
        if aim is not None:
            p = to.primitive("orientation", name)
            p["i"], p["j"], p["aim"] = i, j, aim
            p["a_i"], p["p_i"], p["a_j"], p["p_j"] = (
                X_iF.R[:, 0],
                X_iF.R[:, 1],
                X_jM.R[:, 0],
                X_jM.R[:, 1],
            )

    def _ends(self, to: Any, markers: Any) -> tuple[Any, ...]:
        """Return bodies and frames of the markers, or of the joint."""
        if self.joint is not None:
            if markers:
                raise ModelError("PoseDriver: give a joint or two markers, not both.")
            if self.joint not in to.places:
                raise no_such("joint", self.joint, to.places, f" in model {to.model.name!r}")
            place = to.places[self.joint]
            return place.i, place.X_iF, place.j, place.X_jM
        if len(markers) != 2:
            raise ModelError(f"PoseDriver: name a joint, or give two markers, got {len(markers)}.")
        return (*to.placed(markers[0]), *to.placed(markers[1]))

    def _aim(self, to: Any) -> int | None:
        axes: list[float] = []
        if self.rotation_vector is not None:
            kind, motions = VECTOR, list(self.rotation_vector)
        elif len(self.rotations):
            kind, motions = QUATERNION, list(self._quaternions())
        elif self.axis is not None or self.sequence is not None:
            kind, (axes, motions) = AXES, self._axes()
        else:
            return None
        signals = [
            to.signal(
                motion,
                f"angle {k + 1}"
                if kind == AXES
                else f"rotation_vector {'xyz'[k]}"
                if kind == VECTOR
                else "rotations",
            )
            for k, motion in enumerate(motions)
        ]
        return to.aim(kind, signals[0], len(signals), axes)

    def loads(self, name: str) -> tuple[Loads, ...]:
        moved = self.position is not None or len(self.positions) > 0
        turned = (
            any(given is not None for given in (self.rotation_vector, self.axis, self.sequence))
            or len(self.rotations) > 0
        )
        force = Loads(
            "force", "N", f"force of {name} on its second marker, in axes of the first", 0
        )
        torque = Loads(
            "torque",
            "N m",
            f"torque of {name} on its second marker, in axes of the second",
            3 * moved,
        )
        return (force,) * moved + (torque,) * turned
