"""Unit quaternions, scalar first, stored in q[i..i+3]; angular velocity in the body frame.

qdot = 1/2 q o (0, w')                 [Lee1994, sec. 3.1: pdot = 1/2 G^T w']
"""

import math

from ..decorators import inline


@inline
def quat_matrix(w, x, y, z):
    """Rotation matrix of a quaternion, R = E G^T / |q|^2, which is a rotation for any length of q."""
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return (
        1.0 - s * (y * y + z * z),
        s * (x * y - w * z),
        s * (x * z + w * y),
        s * (x * y + w * z),
        1.0 - s * (x * x + z * z),
        s * (y * z - w * x),
        s * (x * z - w * y),
        s * (y * z + w * x),
        1.0 - s * (x * x + y * y),
    )


@inline
def quat_rate(q, i, wx, wy, wz, qdot):
    """Write qdot = 1/2 q o (0, w')."""
    a, b, c, d = 0.5 * q[i], 0.5 * q[i + 1], 0.5 * q[i + 2], 0.5 * q[i + 3]
    qdot[i] = -b * wx - c * wy - d * wz
    qdot[i + 1] = a * wx + c * wz - d * wy
    qdot[i + 2] = a * wy + d * wx - b * wz
    qdot[i + 3] = a * wz + b * wy - c * wx


@inline
def quat_turn(q, i, x, y, z):
    """q <- q o exp(1/2 (x, y, z)), normalized: rotation by a rotation vector in the body frame."""
    angle = math.sqrt(x * x + y * y + z * z)
    s = 0.5 - angle * angle / 48.0 if angle < 1e-4 else math.sin(0.5 * angle) / angle
    a, b, c, d = math.cos(0.5 * angle), s * x, s * y, s * z
    w = q[i] * a - q[i + 1] * b - q[i + 2] * c - q[i + 3] * d
    u = q[i] * b + q[i + 1] * a + q[i + 2] * d - q[i + 3] * c
    v = q[i] * c - q[i + 1] * d + q[i + 2] * a + q[i + 3] * b
    t = q[i] * d + q[i + 1] * c - q[i + 2] * b + q[i + 3] * a
    length = 1.0 / math.sqrt(w * w + u * u + v * v + t * t)
    q[i], q[i + 1], q[i + 2], q[i + 3] = w * length, u * length, v * length, t * length
