"""3-vectors as tuples, and rotation matrices as tuples of nine numbers row by row; the compiler keeps
them in registers.
"""

import math

from ..decorators import inline
from ..intrinsics import loader, storer

load3, load9, store3, store9 = loader(3), loader(9), storer(3), storer(9)


@inline
def add(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inline
def sub(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inline
def scale(s, a):
    return s * a[0], s * a[1], s * a[2]


@inline
def neg(a):
    return -a[0], -a[1], -a[2]


@inline
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inline
def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inline
def norm(a):
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@inline
def rotate(R, a):
    """R a."""
    return (
        R[0] * a[0] + R[1] * a[1] + R[2] * a[2],
        R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
        R[6] * a[0] + R[7] * a[1] + R[8] * a[2],
    )


@inline
def rotate_t(R, a):
    """R^T a."""
    return (
        R[0] * a[0] + R[3] * a[1] + R[6] * a[2],
        R[1] * a[0] + R[4] * a[1] + R[7] * a[2],
        R[2] * a[0] + R[5] * a[1] + R[8] * a[2],
    )


@inline
def matmul(A, B):
    """A B."""
    return (
        A[0] * B[0] + A[1] * B[3] + A[2] * B[6],
        A[0] * B[1] + A[1] * B[4] + A[2] * B[7],
        A[0] * B[2] + A[1] * B[5] + A[2] * B[8],
        A[3] * B[0] + A[4] * B[3] + A[5] * B[6],
        A[3] * B[1] + A[4] * B[4] + A[5] * B[7],
        A[3] * B[2] + A[4] * B[5] + A[5] * B[8],
        A[6] * B[0] + A[7] * B[3] + A[8] * B[6],
        A[6] * B[1] + A[7] * B[4] + A[8] * B[7],
        A[6] * B[2] + A[7] * B[5] + A[8] * B[8],
    )


@inline
def column(R, k):
    """Axis k of the frame R: its unit vector in the outer frame."""
    return R[k], R[k + 3], R[k + 6]


@inline
def turn_z(R, angle):
    """R Rz(angle): the frame R rotated about its own third axis."""
    return turned_z(R, math.cos(angle), math.sin(angle))


@inline
def turned_z(R, c, s):
    """R Rz for the cosine c and the sine s of the angle."""
    return (
        R[0] * c + R[1] * s,
        R[1] * c - R[0] * s,
        R[2],
        R[3] * c + R[4] * s,
        R[4] * c - R[3] * s,
        R[5],
        R[6] * c + R[7] * s,
        R[7] * c - R[6] * s,
        R[8],
    )


@inline
def turn_x(R, angle):
    """R Rx(angle)."""
    c, s = math.cos(angle), math.sin(angle)
    return (
        R[0],
        R[1] * c + R[2] * s,
        R[2] * c - R[1] * s,
        R[3],
        R[4] * c + R[5] * s,
        R[5] * c - R[4] * s,
        R[6],
        R[7] * c + R[8] * s,
        R[8] * c - R[7] * s,
    )


@inline
def turn_y(R, angle):
    """R Ry(angle)."""
    c, s = math.cos(angle), math.sin(angle)
    return (
        R[0] * c - R[2] * s,
        R[1],
        R[2] * c + R[0] * s,
        R[3] * c - R[5] * s,
        R[4],
        R[5] * c + R[3] * s,
        R[6] * c - R[8] * s,
        R[7],
        R[8] * c + R[6] * s,
    )
