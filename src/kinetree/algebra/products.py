"""Products of matrices and vectors, and lengths: `product(A, B, x)` is A @ B @ x."""

from __future__ import annotations

import math
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .sums import inner_product, length_of, matrix_matrix, matrix_vector, stack_stack, vector_matrix


def floats(given: ArrayLike) -> np.ndarray:
    """As an array that kernels take."""
    return np.ascontiguousarray(given, float)


def product(first: ArrayLike, *others: ArrayLike) -> Any:
    """The product of vectors, matrices and stacks of matrices (.., m, n), from the left to the right.

    Parameters
    ----------
    first, *others : array_like of float or complex
        Shapes as for ``@``; a stack is multiplied by a stack of the same length, by one matrix, or by one vector from the right.

    Returns
    -------
    ndarray or float
        A number if vectors remain on both sides.
    """
    return reduce(_product, others, first)


def _product(first: ArrayLike, second: ArrayLike) -> Any:
    if np.iscomplexobj(first) or np.iscomplexobj(second):
        (a, b), (c, d) = ((np.real(x), np.imag(x)) for x in (first, second))
        return _product(a, c) - _product(b, d) + 1j * (_product(a, d) + _product(b, c))
    A, B = floats(first), floats(second)
    if A.shape[-1:] != B.shape[max(B.ndim - 2, 0):][:1] or not A.ndim or not B.ndim:
        raise ValueError(f"matrices of shapes {A.shape} and {B.shape} have no product.")
    if A.ndim > 2 and B.ndim <= 2:
        return _product(A.reshape(math.prod(A.shape[:-1]), A.shape[-1]), B).reshape(*A.shape[:-1], *B.shape[1:])
    if A.ndim > 2 or B.ndim > 2:
        return _stacks(A, B)
    if A.ndim == 1:
        if B.ndim == 1:
            return inner_product(A, B)
        out = np.empty(B.shape[1])
        vector_matrix(A, B, out)
    elif B.ndim == 1:
        out = np.empty(len(A))
        matrix_vector(A, B, out)
    else:
        out = np.empty((len(A), B.shape[1]))
        matrix_matrix(A, B, out)
    return out


def _stacks(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    if A.ndim == 2:
        A = np.ascontiguousarray(np.broadcast_to(A, (*B.shape[:-2], *A.shape)))
    if A.shape[:-2] != B.shape[:-2]:
        raise ValueError(f"stacks of shapes {A.shape} and {B.shape} have different lengths.")
    out = np.empty((*A.shape[:-1], B.shape[-1]))
    stack_stack(*(x.reshape(math.prod(x.shape[:-2]), *x.shape[-2:]) for x in (A, B, out)))
    return out


def norm(x: ArrayLike) -> float:
    """The Euclidean length of a vector; of a matrix, the root of the sum of the squares of its entries."""
    return length_of(floats(x).reshape(-1))
