"""Modes of a flexible part, as a joint without motion of its own, and the markers that they move.

The modal coordinates q belong to a link that moves with the frame of the part. Each further marker
is a link without degrees of freedom, at X in the frame, which the modes of its parent displace and
turn:

    p = X + d,    d = P q - 1/2 q G q,    R = R(theta),    theta = P' q - 1/2 q G' q

with Rodrigues vectors theta. Its hinge columns are those of the modes:

    h_k = (H(theta) theta_k, d_k),    d_k = P_k - G_k q,    w = H(theta) thetadot
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...kernel.algebra.rodrigues import turned
from ...kernel.algebra.spatial import join, load6, store6
from ...kernel.algebra.vec3 import add, cross, dot, load3, matmul, rotate, scale, sub
from ...kernel.decorators import inline
from .contract import ONE_WAY, Joint


@dataclass(frozen=True, eq=False)
class Modes(Joint):
    """The modes of a flexible part, which `Model.flexible` adds."""

    numbers: Any = None  # of the kernel of the body (engine/dynamics/modal_body.py)
    count: int = 0
    shapes: int = 0
    curved: bool = False

    kind = "modes"
    reversal = ONE_WAY
    weight = 0.5
    inner: ClassVar[bool] = True

    @classmethod
    def _complete(cls) -> None:
        """Nothing follows from the class: the part has the number of modes."""

    @property
    def coordinates(self):  # type: ignore[override]
        return dict.fromkeys(self.labels, "slide_x")

    @property
    def labels(self):  # type: ignore[override]
        return tuple(f"mode{k}" for k in range(1, self.count + 1))

    speeds = sensors_names = labels

    @property
    def sensors(self):  # type: ignore[override]
        return ("slide_x",) * self.count

    gauges = sensors

    @property
    def units(self):  # type: ignore[override]
        return ("m",) * self.count

    @property
    def nq(self):  # type: ignore[override]
        return self.count

    nv = nq

    def plain(self):  # type: ignore[override]
        return self.count

    @property
    def parameters(self):
        return self.numbers

    def coordinate_units(self):  # type: ignore[override]
        return self.units

    def rates(self, speed):  # type: ignore[override]
        return "time derivative of the modal coordinate", "its second time derivative"

    def meaning(self, label):  # type: ignore[override]
        return "modal coordinate, in meters of mean displacement of the part"

    def measure(self, R_FM, p_FM):
        return [0.0] * self.count


@dataclass(frozen=True, eq=False)
class ModalMarker(Joint):
    """A marker on a flexible part, moved by its modes; `Model.flexible` adds it."""

    X: Any = None  # (3) in the frame of the part
    P: Any = None  # (6, n) displacement and rotation per mode
    G: Any = None  # (6, n, n) of second order

    kind = "modal-marker"
    reversal = ONE_WAY
    weight = 0.5
    inner: ClassVar[bool] = True

    @property
    def parameters(self):
        return np.concatenate([self.X, self.P.T.ravel(), self.G.transpose(1, 2, 0).ravel()])

    def measure(self, R_FM, p_FM):
        return []


@inline
def move_modes(tables, link, q, R_WF, p_WF):
    return R_WF, p_WF


@inline
def hinge_modes(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    pass


@inline
def six(numbers, at):
    return load6(numbers[at : at + 6])


@inline
def plus6(a, s, b):
    """a + s b."""
    return (
        a[0] + s * b[0],
        a[1] + s * b[1],
        a[2] + s * b[2],
        a[3] + s * b[3],
        a[4] + s * b[4],
        a[5] + s * b[5],
    )


@inline
def column_of(tables, link, q, k):
    """(d_k, theta_k) of mode k."""
    n, pool, P = link.modes, tables.pool, link.first + 3
    found, G = six(pool, P + 6 * k), P + 6 * n + 6 * n * k
    for l in range(n):
        found = plus6(found, -q[link.mode_iq + l], six(pool, G + 6 * l))
    return found


@inline
def displacement(tables, link, q):
    """(d, theta)."""
    total, P = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), link.first + 3
    for k in range(link.modes):
        half = 0.5 * q[link.mode_iq + k]
        total = plus6(total, half, column_of(tables, link, q, k))
        total = plus6(total, half, six(tables.pool, P + 6 * k))
    return total


@inline
def spin(theta, rate):
    """H(theta) rate."""
    a = 1.0 / (1.0 + 0.25 * dot(theta, theta))
    return scale(a, add(rate, scale(0.5, cross(theta, rate))))


@inline
def move_marker(tables, link, q, R_WF, p_WF):
    d = displacement(tables, link, q)
    X = load3(tables.pool[link.first : link.first + 3])
    place = add(X, (d[0], d[1], d[2]))
    return matmul(R_WF, turned((d[3], d[4], d[5]))), add(p_WF, rotate(R_WF, place))


@inline
def hinge_marker(tables, link, q, R_WF, R_WM, r_F, r_M, dofs):
    d = displacement(tables, link, q)
    for k in range(link.modes):
        h = column_of(tables, link, q, k)
        w = rotate(R_WF, spin((d[3], d[4], d[5]), (h[3], h[4], h[5])))
        u = rotate(R_WF, (h[0], h[1], h[2]))
        store6(dofs[link.column + k].h, join(w, add(u, cross(r_M, w))))


@inline
def bias_marker(tables, link, q, v, R_WF, R_WM, r_F, r_M):
    """Acceleration of the marker in the frame at constant modal speeds, about O.

    thetaddot = -qdot G' qdot,    wdot = H(theta) thetaddot - (theta.thetadot) / (2 + theta^2/2) w
    """
    d, rate, bent = displacement(tables, link, q), _ZERO6, _ZERO6
    n, P = link.modes, link.first + 3
    for k in range(n):
        speed = v[link.mode_iv + k]
        rate = plus6(rate, speed, column_of(tables, link, q, k))
        for l in range(n):
            bent = plus6(
                bent,
                -speed * v[link.mode_iv + l],
                six(tables.pool, P + 6 * n + 6 * (n * k + l)),
            )
    theta, turning = angular_part(d), angular_part(rate)
    w = spin(theta, turning)
    slowing = 0.5 * dot(theta, turning) / (1.0 + 0.25 * dot(theta, theta))
    alpha = rotate(R_WF, sub(spin(theta, angular_part(bent)), scale(slowing, w)))
    w, u = rotate(R_WF, w), rotate(R_WF, (rate[0], rate[1], rate[2]))
    a = rotate(R_WF, (bent[0], bent[1], bent[2]))
    return join(alpha, sub(add(a, cross(r_M, alpha)), cross(w, u)))


_ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@inline
def angular_part(d):
    return d[3], d[4], d[5]
