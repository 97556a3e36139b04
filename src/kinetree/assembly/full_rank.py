"""Are the rows of a matrix clearly independent?  A quick answer that is never wrong, but may miss
it.

    sigma_min(G) > bar    where    G G^T - bar^2 1    has Cholesky factors

With bar = 1e-4 of the largest singular value the squares differ by 1e-8, far above rounding, and
singular values themselves, ten
times as dear, need not be computed. LAPACK factors this matrix: rounding cannot change the answer
unless sigma_min lies within 1e-8 of the bar, and either answer leads to the same rank.
"""

from __future__ import annotations

import numpy as np

MANY = 200  # rows from which that pays
_CLEAR = 1e-4  # of the largest singular value


def clearly_independent(G: np.ndarray, least: float = 0.0) -> bool:
    """Is the smallest singular value of many rows more than 1e-4 of the largest one, and of
    `least`?
    """
    from scipy import sparse  # slow to import

    if not MANY <= len(G) <= G.shape[1]:
        return False
    rows = sparse.csr_array(G)
    sizes = abs(rows)
    largest = float(
        np.sqrt(sizes.sum(axis=0).max() * sizes.sum(axis=1).max())
    )  # |G|^2 <= |G|_1 |G|_inf
    gram = (rows @ rows.T).toarray()
    gram[np.diag_indices_from(gram)] -= (_CLEAR * max(largest, least)) ** 2
    try:
        np.linalg.cholesky(gram)
    except np.linalg.LinAlgError:
        return False
    return True
