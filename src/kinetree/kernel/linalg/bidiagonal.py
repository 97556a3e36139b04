"""Singular values alone: bidiagonal form by reflections from both sides.   [Golub2013, secs. 5.4.8
and 8.6.1]

The eigenvalues of the tridiagonal matrix with zeros on its diagonal and  d_0, e_0, d_1, e_1, ..
beside it are the singular
values of the bidiagonal one and their negatives.
"""

from ..decorators import inline, kernel
from ..types import Matrix
from .reflections import make_reflection, reflect
from .sums import Stack, sum_of_products
from .symmetric import eigenvalues, row_reflection, smallest_first


@inline
def reflect_rows(A, k, tau):
    """Rows below k, in the columns behind k, become A H; v is row k."""
    n, v = A.shape[1], A[k, k + 1 :]
    for i in range(k + 1, A.shape[0]):
        along = tau * sum_of_products(A[i, k + 1 :], v)
        for j in range(k + 1, n):
            A[i, j] -= along * A[k, j]


@inline
def of_one(A, values, work):
    """`values` <- singular values and their negatives, rising; False if they did not converge."""
    n, beside = A.shape[1], work[0]
    for k in range(n):
        tau = make_reflection(A, k)
        if tau != 0.0:
            reflect(A, k, n, tau, work[1])
        beside[2 * k], beside[2 * k + 1] = A[k, k], 0.0
        if k < n - 1:
            tau, beside[2 * k + 1] = row_reflection(A[k], k + 1)
            if tau != 0.0:
                reflect_rows(A, k, tau)
    for k in range(2 * n):
        values[k] = 0.0
    done = eigenvalues(values, beside, A, False)
    smallest_first(values, A, False)
    return done


@kernel
def singular_values_of(A: Stack, values: Matrix, work: Matrix):
    """Of matrices with no more columns than rows, which are used up: `of_one` of each."""
    done = True
    for k in range(A.shape[0]):
        done = of_one(A[k], values[k], work) and done
    return done
