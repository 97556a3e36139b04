"""Products and sums of dense matrices, always added in the same order.

Inner loops run along rows, where LLVM can use wide registers without changing the order of any sum;
sums along a row have four partial sums.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ..decorators import inline, kernel
from ..types import Matrix, Vector, float64

if TYPE_CHECKING:  # as in kernel/types.py
    Stack: TypeAlias = np.ndarray
else:
    Stack = float64[:, :, ::1]


@inline
def sum_of_products(a, b):
    """a . b in four partial sums, which a processor adds in parallel."""
    n = a.shape[0]
    whole = n - n % 4
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    for k in range(0, whole, 4):
        s0 += a[k] * b[k]
        s1 += a[k + 1] * b[k + 1]
        s2 += a[k + 2] * b[k + 2]
        s3 += a[k + 3] * b[k + 3]
    for k in range(whole, n):
        s0 += a[k] * b[k]
    return (s0 + s1) + (s2 + s3)


@kernel
def inner_product(a: Vector, b: Vector):
    return sum_of_products(a, b)


@kernel
def length_of(a: Vector):
    return math.sqrt(sum_of_products(a, a))


@kernel
def matrix_vector(A: Matrix, x: Vector, y: Vector):
    """y <- A x."""
    for i in range(A.shape[0]):
        y[i] = sum_of_products(A[i], x)


@kernel
def vector_matrix(x: Vector, A: Matrix, y: Vector):
    """y <- x A."""
    for j in range(y.shape[0]):
        y[j] = 0.0
    for i in range(A.shape[0]):
        s, row = x[i], A[i]
        for j in range(y.shape[0]):
            y[j] += s * row[j]


@inline
def multiply(A, B, C):
    """C <- A B, four rows of B at a time."""
    n, width = A.shape[1], B.shape[1]
    whole = n - n % 4
    for i in range(A.shape[0]):
        row, out = A[i], C[i]
        for j in range(width):
            out[j] = 0.0
        for k in range(0, whole, 4):
            a, b, c, d = row[k], row[k + 1], row[k + 2], row[k + 3]
            for j in range(width):
                out[j] += a * B[k, j] + b * B[k + 1, j] + c * B[k + 2, j] + d * B[k + 3, j]
        for k in range(whole, n):
            a = row[k]
            for j in range(width):
                out[j] += a * B[k, j]


@kernel
def matrix_matrix(A: Matrix, B: Matrix, C: Matrix):
    multiply(A, B, C)


@kernel
def compose(R: Matrix, p: Vector, S: Matrix, r: Vector, out: Matrix):
    """out[:3] <- R S, out[3] <- R r + p: composition of two poses."""
    for i in range(3):
        a, b, c = R[i, 0], R[i, 1], R[i, 2]
        for j in range(3):
            out[i, j] = a * S[0, j] + b * S[1, j] + c * S[2, j]
        out[3, i] = a * r[0] + b * r[1] + c * r[2] + p[i]


@kernel
def stack_stack(A: Stack, B: Stack, C: Stack):
    for k in range(A.shape[0]):
        multiply(A[k], B[k], C[k])
