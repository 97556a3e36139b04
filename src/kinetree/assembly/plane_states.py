"""States of a model with bodies in planes, in place of six degrees of freedom per body, and back.

    p = x e_1 + y e_2 + (height) n       v = xdot e_1 + ydot e_2
    Q = (cos a/2, n sin a/2) Q_0         w = adot R_0^T n            Q: unit quaternions

Q_0 is the orientation at the angle a = 0. Coordinates, velocities and other states of bodies that
are in no plane are copied.
"""

import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ..kernel.algebra.vec3 import add, dot, load3, scale, store3
from ..kernel.decorators import inline, kernel
from ..kernel.typeof import of_dtype
from ..kernel.types import Array, IntVector, Matrix

FRAME = (
    np.dtype(  # of a body in a plane: first coordinates and velocities in space and in the plane
        [
            ("iq", "i8"),
            ("iv", "i8"),
            ("jq", "i8"),
            ("jv", "i8"),
            ("plane", "i8"),  # 0: the body is in no plane
            ("e_1", "f8", 3),
            ("e_2", "f8", 3),
            ("n", "f8", 3),
            ("n_B", "f8", 3),
            ("height", "f8"),
            ("Q_0", "f8", 4),
        ],
        align=True,
    )
)
if TYPE_CHECKING:
    FRAMES: TypeAlias = np.ndarray
else:
    FRAMES = Array(of_dtype(FRAME), 1)


@inline
def angle_about(n, Q, Q_0):
    """Angle about n of the rotation Q Q_0^-1."""
    a, b = (Q_0[1], Q_0[2], Q_0[3]), (Q[1], Q[2], Q[3])
    across = dot(
        n, (b[1] * a[2] - b[2] * a[1], b[2] * a[0] - b[0] * a[2], b[0] * a[1] - b[1] * a[0])
    )
    s = Q_0[0] * dot(n, b) - Q[0] * dot(n, a) - across
    return 2.0 * math.atan2(s, Q[0] * Q_0[0] + dot(a, b))


@inline
def turned(n, a, Q_0):
    """(cos a/2, n sin a/2) Q_0."""
    c, s = math.cos(0.5 * a), math.sin(0.5 * a)
    w, x, y, z = Q_0[0], Q_0[1], Q_0[2], Q_0[3]
    return (
        c * w - s * (n[0] * x + n[1] * y + n[2] * z),
        c * x + s * (n[0] * w + n[1] * z - n[2] * y),
        c * y + s * (n[1] * w + n[2] * x - n[0] * z),
        c * z + s * (n[2] * w + n[0] * y - n[1] * x),
    )


@kernel
def to_planes(frames: FRAMES, space: IntVector, plane: IntVector, y: Matrix, out: Matrix):
    """States in planes of states in space, one per row; (nq, nv) of both in `space` and `plane`."""
    for r in range(y.shape[0]):
        a, b = y[r], out[r]
        for frame in frames:
            iq, iv, jq, jv = frame.iq, space[0] + frame.iv, frame.jq, plane[0] + frame.jv
            if frame.plane == 0:
                b[jq : jq + 7] = a[iq : iq + 7]
                b[jv : jv + 6] = a[iv : iv + 6]
                continue
            e_1, e_2, n, n_B = load3(frame.e_1), load3(frame.e_2), load3(frame.n), load3(frame.n_B)
            p, v, w = load3(a[iq : iq + 3]), load3(a[iv : iv + 3]), load3(a[iv + 3 : iv + 6])
            b[jq], b[jq + 1] = dot(e_1, p), dot(e_2, p)
            b[jq + 2] = angle_about(n, a[iq + 3 : iq + 7], frame.Q_0)
            b[jv], b[jv + 1], b[jv + 2] = dot(e_1, v), dot(e_2, v), dot(n_B, w)
        b[plane[0] + plane[1] :] = a[space[0] + space[1] :]


@kernel
def to_space(frames: FRAMES, space: IntVector, plane: IntVector, y: Matrix, out: Matrix):
    """States in space of states in planes, one per row."""
    for r in range(y.shape[0]):
        b, a = y[r], out[r]
        for frame in frames:
            iq, iv, jq, jv = frame.iq, space[0] + frame.iv, frame.jq, plane[0] + frame.jv
            if frame.plane == 0:
                a[iq : iq + 7] = b[jq : jq + 7]
                a[iv : iv + 6] = b[jv : jv + 6]
                continue
            e_1, e_2, n, n_B = load3(frame.e_1), load3(frame.e_2), load3(frame.n), load3(frame.n_B)
            p = add(scale(b[jq], e_1), scale(b[jq + 1], e_2))
            store3(a[iq : iq + 3], add(p, scale(frame.height, n)))
            w, x, y_, z = turned(n, b[jq + 2], frame.Q_0)
            a[iq + 3], a[iq + 4], a[iq + 5], a[iq + 6] = w, x, y_, z
            store3(a[iv : iv + 3], add(scale(b[jv], e_1), scale(b[jv + 1], e_2)))
            store3(a[iv + 3 : iv + 6], scale(b[jv + 2], n_B))
        a[space[0] + space[1] :] = b[plane[0] + plane[1] :]
