"""Rodrigues vectors p = 2 tan(phi / 2) n as tuples, in kernels."""

import math

from ..decorators import inline
from .vec3 import add, cross, dot, matmul, scale, sub


@inline
def transposed(A):
    return A[0], A[3], A[6], A[1], A[4], A[7], A[2], A[5], A[8]


@inline
def mean9(A, B):
    return (
        0.5 * (A[0] + B[0]),
        0.5 * (A[1] + B[1]),
        0.5 * (A[2] + B[2]),
        0.5 * (A[3] + B[3]),
        0.5 * (A[4] + B[4]),
        0.5 * (A[5] + B[5]),
        0.5 * (A[6] + B[6]),
        0.5 * (A[7] + B[7]),
        0.5 * (A[8] + B[8]),
    )


@inline
def turned(p):
    """Rotation matrix R(p)."""
    x, y, z = p
    a = 1.0 / (1.0 + 0.25 * (x * x + y * y + z * z))
    h = 0.5 * a
    return (
        1.0 - h * (y * y + z * z),
        h * x * y - a * z,
        h * x * z + a * y,
        h * x * y + a * z,
        1.0 - h * (x * x + z * z),
        h * y * z - a * x,
        h * x * z - a * y,
        h * y * z + a * x,
        1.0 - h * (x * x + y * y),
    )


@inline
def half(p):
    """Rodrigues vector s of half the rotation.

    2 tan(phi / 4) = 2 tan(phi / 2) / (1 + sqrt(1 + tan^2(phi / 2)))
    """
    return scale(1.0 / (1.0 + math.sqrt(1.0 + 0.25 * dot(p, p))), p)


@inline
def unturn(p, t):
    """H(p)^-1 t: change of p due to a small additional rotation t (dR = t~ R)."""
    return add(sub(t, scale(0.5, cross(p, t))), scale(0.25 * dot(p, t), p))


@inline
def unturn_matrix(p):
    """H(p)^-1 = I - p~/2 + p p^T/4."""
    x, y, z = p
    return (
        1.0 + 0.25 * x * x,
        0.5 * z + 0.25 * x * y,
        -0.5 * y + 0.25 * x * z,
        -0.5 * z + 0.25 * x * y,
        1.0 + 0.25 * y * y,
        0.5 * x + 0.25 * y * z,
        0.5 * y + 0.25 * x * z,
        -0.5 * x + 0.25 * y * z,
        1.0 + 0.25 * z * z,
    )


@inline
def half_rate(p):
    """Twice the rotation of the middle frame per rotation of the end frame, as a matrix:

    2 H(s) (dp/ds)^-1 H(p)^-1
    p = 2 s / (1 - s.s/4),   dp/ds = k (I + k s s^T / 4),  k = 2 / (1 - s.s/4)
    """
    s = half(p)
    x, y, z = s
    n = x * x + y * y + z * z
    k, b = 2.0 / (1.0 - 0.25 * n), 1.0 / (1.0 + 0.25 * n)
    c = 0.25 * k / (1.0 + 0.25 * k * n)
    back = (
        1.0 - c * x * x,
        -c * x * y,
        -c * x * z,
        -c * x * y,
        1.0 - c * y * y,
        -c * y * z,
        -c * x * z,
        -c * y * z,
        1.0 - c * z * z,
    )
    H = (b, -0.5 * b * z, 0.5 * b * y, 0.5 * b * z, b, -0.5 * b * x, -0.5 * b * y, 0.5 * b * x, b)
    M = matmul(matmul(H, back), unturn_matrix(p))
    f = 2.0 / k
    return f * M[0], f * M[1], f * M[2], f * M[3], f * M[4], f * M[5], f * M[6], f * M[7], f * M[8]


@inline
def rotation_vector(p):
    """Rotation vector phi n of a Rodrigues vector."""
    a = math.sqrt(dot(p, p))
    return scale(2.0 * math.atan(0.5 * a) / a if a > 1e-8 else 1.0, p)


@inline
def turn_quaternion(q, i, p):
    """q[i:] <- (quaternion of p) o q[i:], normalized: an additional rotation p in the fixed frame."""
    b, c, d = 0.5 * p[0], 0.5 * p[1], 0.5 * p[2]
    w, x, y, z = q[i], q[i + 1], q[i + 2], q[i + 3]
    e, f, g, h = (
        w - b * x - c * y - d * z,
        x + b * w + c * z - d * y,
        y + c * w + d * x - b * z,
        z + d * w + b * y - c * x,
    )
    s = 1.0 / math.sqrt(e * e + f * f + g * g + h * h)
    q[i], q[i + 1], q[i + 2], q[i + 3] = s * e, s * f, s * g, s * h
