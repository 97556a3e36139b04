"""Products of matrices and vectors, and lengths: `product(A, B, x)` is A @ B @ x."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .sums import inner_product, length_of, matrix_matrix, matrix_vector, stack_stack, vector_matrix

_FLOAT = np.dtype(float)


def floats(given: ArrayLike) -> np.ndarray:
    """A contiguous array of floats."""
    return np.ascontiguousarray(given, float)


def product(first: ArrayLike, *others: ArrayLike) -> Any:
    """The product of vectors, matrices and stacks of matrices (.., m, n), from the left to the
    right.

    Parameters
    ----------
    first, *others : array_like of float or complex
        Shapes as for ``@``; a stack is multiplied by a stack of the same length, by one matrix, or
        by one vector from the right.

    Returns
    -------
    ndarray or float
        A number if vectors remain on both sides.
    """
    found = first
    for other in others:
        found = _pair(found, other)
    return found


def _pair(first: ArrayLike, second: ArrayLike) -> Any:
    A, B = np.ascontiguousarray(first), np.ascontiguousarray(second)
    if A.dtype != _FLOAT or B.dtype != _FLOAT:
        return _converted(A, B)
    kind = A.ndim, B.ndim
    if not B.ndim or A.shape[-1] != B.shape[max(B.ndim - 2, 0)]:
        raise ValueError(f"matrices of shapes {A.shape} and {B.shape} have no product.")
    if kind == (2, 1):
        out = np.empty(A.shape[0])
        matrix_vector(A, B, out)
    elif kind == (2, 2):
        out = np.empty((A.shape[0], B.shape[1]))
        matrix_matrix(A, B, out)
    elif kind == (1, 2):
        out = np.empty(B.shape[1])
        vector_matrix(A, B, out)
    elif kind == (1, 1):
        return inner_product(A, B)
    elif B.ndim <= 2:
        return _pair(A.reshape(math.prod(A.shape[:-1]), A.shape[-1]), B).reshape(
            *A.shape[:-1], *B.shape[1:]
        )
    else:
        return _stacks(A, B)
    return out


def _converted(A: np.ndarray, B: np.ndarray) -> Any:
    """Products of numbers that are not floats."""
    if A.dtype.kind == "c" or B.dtype.kind == "c":
        return (
            _pair(A.real, B.real)
            - _pair(A.imag, B.imag)
            + 1j * (_pair(A.real, B.imag) + _pair(A.imag, B.real))
        )
    return _pair(A.astype(float), B.astype(float))


def _stacks(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    if A.ndim == 2:
        A = np.ascontiguousarray(np.broadcast_to(A, (*B.shape[:-2], *A.shape)))
    if A.shape[:-2] != B.shape[:-2]:
        raise ValueError(f"stacks of shapes {A.shape} and {B.shape} have different lengths.")
    out = np.empty((*A.shape[:-1], B.shape[-1]))
    stack_stack(*(x.reshape(math.prod(x.shape[:-2]), *x.shape[-2:]) for x in (A, B, out)))
    return out


def norm(x: ArrayLike) -> float:
    """The Euclidean length of a vector; of a matrix, the root of the sum of the squares of its
    entries.
    """
    return length_of(floats(x).reshape(-1))
