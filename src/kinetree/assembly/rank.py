"""Rank of a dense matrix and its redundant rows, in the order of the rows."""

from __future__ import annotations

import numpy as np

from ..kernel.linalg import independent_rows, triangle

MANY = 200  # rows from which the test by Cholesky factors is faster
_CLEAR = 1e-4  # of the largest singular value


def has_full_rank(G: np.ndarray, least: float = 0.0) -> bool:
    """Whether the smallest singular value exceeds 1e-4 of the largest and of `least`; False if G
    has few rows or in case of doubt.

        sigma_min(G) > c    if and only if    G G^T - c^2 1    has Cholesky factors

    With c = 1e-4 of the largest singular value the squares differ by 1e-8, far above rounding, and
    the singular values, ten times as expensive, are not needed. Rounding can change the result only
    where sigma_min is within 1e-8 of c, and both results then lead to the same rank.
    """
    from scipy import sparse  # slow to import

    if not MANY <= len(G) <= G.shape[1]:
        return False
    rows = sparse.csr_array(G)
    sizes = abs(rows)
    # |G|^2 <= |G|_1 |G|_inf
    largest = float(np.sqrt(sizes.sum(axis=0).max() * sizes.sum(axis=1).max()))
    gram = (rows @ rows.T).toarray()
    gram[np.diag_indices_from(gram)] -= (_CLEAR * max(largest, least)) ** 2
    try:
        np.linalg.cholesky(gram)
    except np.linalg.LinAlgError:
        return False
    return True


def new_rows(G: np.ndarray, tolerances: np.ndarray) -> np.ndarray:
    """Per row, whether it is independent of the rows before it, to its tolerance."""
    if _all_independent(G, tolerances):
        return np.ones(len(G), bool)
    return independent_rows(G, tolerances)


def _all_independent(G: np.ndarray, tolerances: np.ndarray) -> bool:
    """With G^T = Q R, the part of row k that is orthogonal to the rows before it has size |R_kk|,
    as long as those are independent.
    """
    if not G.size or len(G) > G.shape[1]:
        return not len(G)
    if has_full_rank(G, 1e4 * float(tolerances.max())):
        return True
    return bool((np.abs(np.diag(triangle(G.T))) > tolerances).all())
