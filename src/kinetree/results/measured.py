"""Joint coordinates at all samples, with rates and accelerations, in the user's direction and with
turns counted.

Joints of the tree have them in q, v and vdot. Of the others they are measured on the frames F
(parent) and M (child):

    s = a.(p_M - p_F),  sdot = a.v_rel,  sddot = a.a_rel            sliding, a fixed in F, motion as
                        seen from F
    phidot = a.(w_M - w_F),  phiddot = (w_c x a).(w_M - w_F) + a.(alpha_M - alpha_F)
                             turning, a carried by c
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..description.lowering.compiled import JointPlace
from ..elements.joints.contract import QUATERNION
from ..kernel.frames import matrix_quaternion
from ..kernel.linalg import product
from ..kernel.mathematics import angles
from .observe import Observed

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .solution import Solution

_AXES = {"x": 0, "y": 1, "z": 2}
_ANGLE = {
    "turn_x": ((2, 1), (1, 1)),
    "turn_y": ((0, 2), (0, 0)),
    "turn_z": ((1, 0), (0, 0)),
}  # atan2 entries of R_FM


def dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.einsum("ti,ti->t", a, b)


def point_motion(
    record: Observed, body: int, p_B: ArrayLike
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Position, velocity and acceleration of a body-fixed point, (nt, 3) each."""
    p, v, a = (
        point_at(record, body, p_B, what) for what in ("position", "velocity", "acceleration")
    )
    return p, v, a


def point_at(record: Observed, body: int, p_B: ArrayLike, what: str) -> np.ndarray:
    """One of these:  p + r,  v + w x r,  a + alpha x r + w x (w x r)."""
    turning = {
        "position": (),
        "velocity": ("angular_velocity",),
        "acceleration": ("angular_velocity", "angular_acceleration"),
    }
    seen = record.some(dict.fromkeys((what, "rotation", *turning[what]), (body,)))
    r = product(seen["rotation"].reshape(-1, 3, 3), np.asarray(p_B, float))
    if what == "position":
        return seen[what] + r
    turned = np.cross(seen["angular_velocity"], r)
    if what == "velocity":
        return seen[what] + turned
    return (
        seen[what]
        + np.cross(seen["angular_acceleration"], r)
        + np.cross(seen["angular_velocity"], turned)
    )


def rotations(record: Observed, body: int) -> np.ndarray:
    """R_WB at the samples, (nt, 3, 3)."""
    return record.of("rotation", body).reshape(-1, 3, 3)


def quaternions(R: np.ndarray) -> np.ndarray:
    """Unit quaternions (w, x, y, z) of rotation matrices, continuous in time, the first with w >=
    0.
    """
    if not len(R):
        return np.zeros((0, 4))
    q = matrix_quaternion(R)
    flips = np.where(dot(q[1:], q[:-1]) < 0.0, -1.0, 1.0)
    return q * np.cumprod(np.concatenate([[1.0], flips]))[:, None]


class JointMotion:
    """Motion of one joint: coordinates by label, rates and accelerations by speed.

    Returned by `Solution.joint_motion`.
    """

    def __init__(self, sol: Solution, place: JointPlace) -> None:
        self.place, self.joint, self.sol = place, place.spec.joint, sol
        self.record, self.q, self.v, self.x = sol.record, sol.q, sol.v, sol.x
        link = sol.compiled.tables.links[place.link]
        self.iq, self.iv = int(link["iq"]), int(link["iv"])

    def coordinate(self, label: str) -> np.ndarray:
        """Return the time history of a coordinate.

        Parameters
        ----------
        label : str
            Its name in the joint, such as "angle".

        Returns
        -------
        ndarray, shape (nt,)
            The values (rad or m).
        """
        at = self.joint.labels.index(label)
        if self.place.direct is not None:
            return self.q[:, self.iq + self.place.direct[at]]
        if label in QUATERNION:
            return quaternions(self.R_FM)[:, QUATERNION.index(label)]
        kind = self.joint.gauges[at]
        if kind == "along":
            return self._counted(label, self.curve[0])
        return self._angle(label, kind) if kind in _ANGLE else self.travel[0][:, _AXES[kind[-1]]]

    def rate(self, speed: str) -> np.ndarray:
        """Return the time history of a speed.

        Parameters
        ----------
        speed : str
            Its name in the joint, such as "angle".

        Returns
        -------
        ndarray, shape (nt,)
            The values (rad/s or m/s).
        """
        return (
            self.v[:, self._freedom(speed)]
            if self.place.direct is not None
            else self._measured(speed, 1)
        )

    def acceleration(self, speed: str) -> np.ndarray:
        """Return the time history of the derivative of a speed.

        Parameters
        ----------
        speed : str
            Its name in the joint, such as "angle".

        Returns
        -------
        ndarray, shape (nt,)
            The values (rad/s^2 or m/s^2).
        """
        return (
            self.sol.vdot[:, self._freedom(speed)]
            if self.place.direct is not None
            else self._measured(speed, 2)
        )

    def _freedom(self, speed: str) -> int:
        at, direct = self.joint.speeds.index(speed), self.place.direct
        return self.iv + (direct[at] if direct is not None and self.place.reversed else at)

    def _angle(self, label: str, kind: str) -> np.ndarray:
        """The angle, on the turn given by the state x, or else continuous from sample to sample."""
        (a, b), (c, d) = _ANGLE[kind]
        return self._counted(label, angles(self.R_FM[:, a, b], self.R_FM[:, c, d]))

    def _counted(self, label: str, raw: np.ndarray) -> np.ndarray:
        period = self.joint.period(label)
        if not period:
            return raw
        if label not in self.place.turns:
            return np.unwrap(raw, period=period)
        return raw + period * np.round((self.x[:, self.place.turns[label]] - raw) / period)

    def _measured(self, speed: str, derivative: int) -> np.ndarray:
        kind = self.joint.gauges[self.joint.speeds.index(speed)]
        if kind == "along":
            return self._along(derivative)
        axis = _AXES[kind[-1]]
        if kind.startswith("slide"):
            return self.travel[derivative][:, axis]
        on_child = (
            kind.startswith("spin") or kind == "turn_y"
        )  # the second axis of a universal joint is the child's
        a = (self.R_WM if on_child else self.R_WF)[:, :, axis]
        w_i, w_j = (self.record.of("angular_velocity", k) for k in (self.place.i, self.place.j))
        if derivative == 1:
            return dot(a, w_j - w_i)
        alpha_i, alpha_j = (
            self.record.of("angular_acceleration", k) for k in (self.place.i, self.place.j)
        )
        return dot(np.cross(w_j if on_child else w_i, a), w_j - w_i) + dot(a, alpha_j - alpha_i)

    def _along(self, derivative: int) -> np.ndarray:
        """sdot = c'.v / c'.c',   sddot = (c'.a - c'.c'' sdot^2) / c'.c'   along a curve c(s)."""
        _, slope, bend = self.curve
        square = dot(slope, slope)
        rate = dot(slope, self.travel[1]) / square
        if derivative == 1:
            return rate
        return (dot(slope, self.travel[2]) - dot(slope, bend) * rate * rate) / square

    @cached_property
    def curve(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Places on the curve of the joint, c' and c'' there."""
        return self.joint.along(self.travel[0])

    @cached_property
    def R_WF(self) -> np.ndarray:
        """Axes of frame F on the parent in world axes as columns, shape (nt, 3, 3)."""
        return product(rotations(self.record, self.place.i), self.place.spec.F.X_Bm.R)

    @cached_property
    def R_WM(self) -> np.ndarray:
        """Axes of frame M on the child in world axes as columns, shape (nt, 3, 3)."""
        return product(rotations(self.record, self.place.j), self.place.spec.M.X_Bm.R)

    @cached_property
    def R_FM(self) -> np.ndarray:
        """Axes of frame M in those of frame F as columns, shape (nt, 3, 3)."""
        return product(np.swapaxes(self.R_WF, 1, 2), self.R_WM)

    @cached_property
    def travel(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Position, velocity and acceleration of M as seen from F, in F."""
        i = self.place.i
        p_F, v_F, a_F = point_motion(self.record, i, self.place.spec.F.X_Bm.p)
        p_M, v_M, a_M = point_motion(self.record, self.place.j, self.place.spec.M.X_Bm.p)
        w, alpha, r = (
            self.record.of("angular_velocity", i),
            self.record.of("angular_acceleration", i),
            p_M - p_F,
        )
        slip = v_M - v_F - np.cross(w, r)
        rate = (
            a_M - a_F - np.cross(alpha, r) - np.cross(w, np.cross(w, r)) - 2.0 * np.cross(w, slip)
        )
        return tuple(np.einsum("tij,ti->tj", self.R_WF, u) for u in (r, slip, rate))
