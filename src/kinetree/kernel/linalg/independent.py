"""Which rows of a matrix are independent of those before them, by Gram and Schmidt.   [Golub2013,
sec. 5.2.8]
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from ..decorators import inline, kernel
from ..types import Matrix, Vector, Whole
from .products import floats
from .sums import sum_of_products


@inline
def orthogonalise(row, basis, count):
    """What the first rows of an orthonormal basis leave of a row."""
    for k in range(count):
        along = sum_of_products(basis[k], row)
        for j in range(row.shape[0]):
            row[j] -= along * basis[k, j]


@kernel
def mark_independent(A: Matrix, bars: Vector, independent: Whole):
    """independent[i] <- 1 if the rows before row i leave more of it than its bar. A is used up: its
    first rows become a basis.
    """
    count = 0
    for i in range(A.shape[0]):
        for _ in range(2):  # twice is enough
            orthogonalise(A[i], A, count)
        left = math.sqrt(sum_of_products(A[i], A[i]))
        independent[i] = 1 if left > bars[i] else 0
        if left > bars[i]:
            for j in range(A.shape[1]):
                A[count, j] = A[i, j] / left
            count += 1


def independent_rows(A: ArrayLike, bars: ArrayLike) -> np.ndarray:
    """(m,) bool: is more left of a row than its bar, once the parts along the independent rows
    before it are subtracted?
    """
    rows, found = np.array(A, float, order="C"), np.empty(len(np.asarray(bars)), np.int64)
    mark_independent(rows, floats(bars), found)
    return found.astype(bool)
