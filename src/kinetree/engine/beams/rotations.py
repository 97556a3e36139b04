"""Finite rotations by Rodrigues vectors, for Python code [Yun2005, eqs. (3)-(13)].

    p = 2 n tan(phi / 2),   p0 = cos^2(phi / 2) = 1 / (1 + p.p / 4)
    R(p) = I + p0 p~ + (p0 / 2) p~ p~                                rotation by phi about n
    G(p) = I + (sqrt(p0) / 2) p~ + p0 / (4 (1 + sqrt(p0))) p~ p~     half of it:  G G = R
    H(p) = p0 (I + p~ / 2)                                           w = H pdot, in the fixed frame

Over a step from R_i to R_f = R(r) R_i, with the average R_a = (R_i + R_f) / 2,

    R_f s - R_i s = r x (R_a s)        for every vector s fixed in the body,

which is the basis of the exact discrete derivatives. A Rodrigues vector grows without bound as phi
approaches pi. Here it is only the increment of one step, never an orientation.
"""

from __future__ import annotations

import numpy as np

from ...errors import ModelError
from ...kernel.frames import matrix_quaternion
from ...kernel.linalg import product


def skew(p) -> np.ndarray:
    """Matrix p~ with p~ a = p x a."""
    x, y, z = p
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def _p0(p) -> float:
    return 1.0 / (1.0 + 0.25 * float(np.dot(p, p)))


def turn(p) -> np.ndarray:
    """Rotation matrix R(p)."""
    s = skew(p)
    return np.eye(3) + _p0(p) * (s + product(0.5 * s, s))


def half_turn(p) -> np.ndarray:
    """G(p), the rotation by half the angle about the same axis."""
    s, c = skew(p), np.sqrt(_p0(p))
    return np.eye(3) + 0.5 * c * s + product(c * c / (4.0 * (1.0 + c)) * s, s)


def turn_rate(p) -> np.ndarray:
    """H(p): the angular velocity in the fixed frame is H pdot."""
    return _p0(p) * (np.eye(3) + 0.5 * skew(p))


def turn_rate_inverse(p) -> np.ndarray:
    """H(p)^-1 = I - p~/2 + p p^T/4."""
    return np.eye(3) - 0.5 * skew(p) + 0.25 * np.outer(p, p)


def compose(p, b) -> np.ndarray:
    """Vector c with R(c) = R(p) R(b):  c = (p + b + p x b / 2) / (1 - p.b / 4)."""
    p, b = np.asarray(p, float), np.asarray(b, float)
    return (p + b + 0.5 * np.cross(p, b)) / (1.0 - product(0.25 * p, b))


def rodrigues(R) -> np.ndarray:
    """Rodrigues vector of a rotation matrix; a rotation by pi has none."""
    w, *v = matrix_quaternion(np.asarray(R, float))
    if abs(w) < 1e-8:
        raise ModelError(
            "rodrigues: a rotation by pi has no Rodrigues vector; use it for the increments of a "
            "step."
        )
    return 2.0 * np.array(v) / w


def quaternion(p) -> np.ndarray:
    """Unit quaternion (w, x, y, z) of a Rodrigues vector:  cos(phi / 2) (1, p / 2)."""
    return np.sqrt(_p0(p)) * np.array([1.0, *(0.5 * np.asarray(p, float))])


def from_quaternion(q) -> np.ndarray:
    """Rodrigues vector of a quaternion (w, x, y, z)."""
    return 2.0 * np.asarray(q[1:], float) / q[0]
