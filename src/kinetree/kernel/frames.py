"""Frames at the Python level: axes given as letters or vectors, rotations given in the usual ways,
poses of the kernels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..core.checks import LARGE as LARGE
from ..core.checks import check as check
from ..core.checks import is_number, numbers, points, shape_of, together
from ..core.checks import number as number
from ..core.checks import word as word
from ..errors import ModelError, short
from .linalg import norm, product, svd
from .linalg.products import floats
from .linalg.sums import compose

_LETTERS = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
# rotations that make x, y and z the third axis
_EVEN = {
    "x": ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
    "y": ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)),
    "z": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}


class Pose(NamedTuple):
    """X_AB: rotation R_AB and position p_AB, so that X_AC = X_AB @ X_BC."""

    R: np.ndarray
    p: np.ndarray

    def __matmul__(self, other: Pose) -> Pose:
        if self.R is UNTURNED:
            return Pose(
                other.R,
                self.p if other.p is ORIGIN else other.p if self.p is ORIGIN else other.p + self.p,
            )
        if other.R is UNTURNED:
            return Pose(self.R, self.p if other.p is ORIGIN else product(self.R, other.p) + self.p)
        if other.p is ORIGIN:
            return Pose(product(self.R, other.R), self.p)
        found = np.empty((4, 3))
        compose(*map(floats, (*self, *other)), found)
        return Pose(found[:3], found[3])

    @property
    def inverse(self) -> Pose:
        R = UNTURNED if self.R is UNTURNED else self.R.T
        return Pose(R, ORIGIN if self.p is ORIGIN else product(-R, self.p))


def _shared(array: Any) -> np.ndarray:
    """A read-only array that many poses share: large models have tens of thousands of poses."""
    found = np.array(array, float)
    found.flags.writeable = False
    return found


UNTURNED = _shared(np.eye(3))  # R of poses without rotation
_FRAMES = {letter: _shared(frame) for letter, frame in _EVEN.items()}
ORIGIN = _shared(np.zeros(3))  # p of poses without translation
IDENTITY = Pose(UNTURNED, ORIGIN)


def symmetric_matrix(given: Any, n: int, what: str) -> np.ndarray:
    """A symmetric matrix, given by its diagonal or by all entries."""
    if shape_of(given) == (n, n):
        M = together(what, matrix=given)[0]
        if np.abs(M - M.T).max() > 1e-9 * max(np.abs(M).max(), 1e-300):
            raise ModelError(f"{what} is not symmetric.")
        return 0.5 * (M + M.T)
    return np.diag(numbers(given, n, f"{what} ({n} numbers or a {n}x{n} matrix)"))


def unit_vector(axis: Any, what: str) -> np.ndarray:
    """A direction given as a letter (also '-y') or as three numbers."""
    if isinstance(axis, str):
        sign, letter = (-1.0, axis[1:]) if axis.startswith("-") else (1.0, axis.removeprefix("+"))
        if letter not in _LETTERS:
            meant = f" Did you mean {axis.lower()!r}?" if letter.lower() in _LETTERS else ""
            raise ModelError(
                f"{what}: axis {short(axis)} is not one of 'x', 'y', 'z', '-x', '-y', '-z'.{meant} "
                "Other directions are three numbers, like (0, 1, 0)."
            )
        return sign * np.array(_LETTERS[letter])
    if shape_of(axis) != (3,):
        raise ModelError(
            f"{what}: axis must be one of 'x', 'y', 'z', '-x', '-y', '-z' or three numbers, like "
            f"(0, 1, 0), got {short(axis)}."
        )
    vector = numbers(axis, 3, f"{what}: axis")
    length = norm(vector)
    if length < 1.0 / LARGE:
        raise ModelError(f"{what}: axis {tuple(vector.tolist())} has no direction.")
    return vector / length


def axis_frame(axis: Any, what: str) -> np.ndarray:
    """Rotation matrix of a frame whose third axis is `axis`; for x, y, z an even permutation of the
    axes.
    """
    if isinstance(axis, str) and axis in _EVEN:
        return _FRAMES[axis]
    z = unit_vector(axis, what)
    if z.max() == 1.0:
        return _FRAMES["xyz"[int(np.argmax(z))]]
    x = np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))])
    x /= norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def quaternion_matrix(wxyz: Sequence[float] | np.ndarray) -> np.ndarray:
    """Rotation matrix of a unit quaternion (w, x, y, z)."""
    w, x, y, z = np.asarray(wxyz, float) / norm(wxyz)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def matrix_quaternion(R: np.ndarray) -> np.ndarray:
    """Unit quaternions (w, x, y, z) with w >= 0 of rotation matrices (.., 3, 3).

    They are the longest column of

    4 q q^T = [ 1 + tr R    s^T                       ]     s = (R32 - R23, R13 - R31, R21 - R12)
              [ s           R + R^T + (1 - tr R) 1    ]
    """
    trace, four = np.trace(R, axis1=-2, axis2=-1)[..., None, None], np.empty((*R.shape[:-2], 4, 4))
    four[..., :1, :1] = 1.0 + trace
    four[..., 0, 1:] = four[..., 1:, 0] = (R - R.swapaxes(-1, -2))[..., [2, 0, 1], [1, 2, 0]]
    four[..., 1:, 1:] = R + R.swapaxes(-1, -2) + (1.0 - trace) * np.eye(3)
    longest = np.argmax(np.diagonal(four, axis1=-2, axis2=-1), axis=-1)
    q = np.take_along_axis(four, longest[..., None, None], axis=-1)[..., 0]
    q /= np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(q[..., :1] >= 0.0, q, -q)


def euler_matrix(sequence: str, angles: np.ndarray, what: str) -> np.ndarray:
    """Rotation matrix of successive rotations: about fixed axes (small letters) or about the axes of
    the rotating frame (capital letters).

    "zyx", (a, b, c):   R_x(c) R_y(b) R_z(a)              "ZYX", (a, b, c):   R_z(a) R_y(b) R_x(c)
    """
    letters = sequence.lower()
    alike = sequence in (letters, letters.upper())
    if not (alike and 1 <= len(letters) <= 3 and set(letters) <= set("xyz")) or any(
        a == b for a, b in pairwise(letters)
    ):
        raise ModelError(
            f"{what}: {short(sequence)} is not a sequence of axes such as 'zyx': one to three of "
            "the letters x, y, z, all small (fixed axes) or all capital (axes that rotate with the "
            "frame), neighbors different."
        )
    turns = [_turn("xyz".index(letter), angle) for letter, angle in zip(letters, angles.tolist())]
    return reduce(product, turns if sequence != letters else turns[::-1])


def _turn(axis: int, angle: float) -> np.ndarray:
    c, s, R = math.cos(angle), math.sin(angle), np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
    return R


def rotation_matrix(rotation: Any, what: str) -> np.ndarray:
    """Rotation matrix from None, a 3x3 matrix, a quaternion (w, x, y, z) or ("zyx", angles) as in
    SciPy.
    """
    if rotation is None:
        return UNTURNED
    if isinstance(rotation, (tuple, list)) and len(rotation) == 2 and isinstance(rotation[0], str):
        sequence, angles = rotation
        return euler_matrix(
            sequence, numbers([angles] if is_number(angles) else angles, len(sequence), what), what
        )
    shape = shape_of(rotation)
    if shape == (4,):
        q = numbers(rotation, 4, what)
        if abs(product(q, q) - 1.0) > 1e-6:
            raise ModelError(
                f"{what}: quaternion {tuple(q)} does not have unit length (|q| = "
                f"{math.sqrt(product(q, q)):.6g})."
            )
        return quaternion_matrix(q)
    if shape != (3, 3):
        raise ModelError(
            f"{what} must be a 3x3 matrix, a quaternion (w, x, y, z) or (sequence, angles), got "
            f"{short(rotation)}."
        )
    R = points(rotation, what)
    if (
        np.abs(product(R, R.T) - np.eye(3)).max() > 1e-6
        or product(np.cross(R[0], R[1]), R[2]) < 0.0
    ):
        raise ModelError(
            f"{what}: the matrix is not a rotation (R R^T differs from 1, or it mirrors)."
        )
    if np.abs(product(R, R.T) - np.eye(3)).max() <= 8e-16:  # orthogonal up to rounding: unchanged
        return R
    u, _, vt = svd(R)
    return product(u, vt)
