"""Sparse factorization of the mass matrix, solves and products with it.

    M = L^T L  with the sparsity of the tree: row k of L has entries at k and at its ancestors

The diagonal of `L` holds reciprocals, because a division takes as long as a dozen products and
each solve would divide by all of them.
"""

import math

from ...kernel.decorators import inline, internal_kernel


@internal_kernel
def factorize_mass(dof_parent, floor, M, L):
    """Factorize M = L^T L. Returns the index of a vanishing pivot, or -1.

    A pivot vanishes relative to its own diagonal entry or to `floor`, the inertia of its body.
    """
    n = M.shape[0]
    for k in range(n):
        i = k
        while i >= 0:
            L[k, i] = M[k, i]
            i = dof_parent[i]
    for k in range(n - 1, -1, -1):
        if not L[k, k] > max(1e-14 * M[k, k], floor[k]):
            return k
        L[k, k] = 1.0 / math.sqrt(L[k, k])
        i = dof_parent[k]
        while i >= 0:
            L[k, i] *= L[k, k]
            i = dof_parent[i]
        i = dof_parent[k]
        while i >= 0:
            j = i
            while j >= 0:
                L[i, j] -= L[k, i] * L[k, j]
                j = dof_parent[j]
            i = dof_parent[i]
    return -1


@inline
def solve_upper(dof_parent, L, x):
    """x <- L^-T x."""
    for k in range(x.shape[0] - 1, -1, -1):
        x[k] *= L[k, k]
        i = dof_parent[k]
        while i >= 0:
            x[i] -= L[k, i] * x[k]
            i = dof_parent[i]


@inline
def solve_lower(dof_parent, L, x):
    """x <- L^-1 x."""
    for k in range(x.shape[0]):
        i = dof_parent[k]
        total = x[k]
        while i >= 0:
            total -= L[k, i] * x[i]
            i = dof_parent[i]
        x[k] = total * L[k, k]


@inline
def mass_times(dof_parent, M, a, out):
    """out <- M a, over the sparsity of the tree."""
    for k in range(a.shape[0]):
        out[k] = M[k, k] * a[k]
    for k in range(a.shape[0]):
        i = dof_parent[k]
        while i >= 0:
            out[k] += M[k, i] * a[i]
            out[i] += M[k, i] * a[k]
            i = dof_parent[i]
