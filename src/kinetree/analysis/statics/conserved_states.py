"""States that only motion changes: oil shut in behind valves, a counter of the way gone.

    x' = R(q, x) + A(q, x) v,       w^T dR/d(q, x) = 0 at rest   =>   w^T x is kept, but for  w^T A
                                    v  of the motion

At rest any value of such combinations w of the states would do. What holds is what the way there
leaves of them: the oil in a shut cylinder is compressed by a load and carries it, and a leaking
piston passes oil from one chamber to the other.
"""

from __future__ import annotations

import numpy as np

from ...kernel.linalg import qr, svd

# rates (in scales of the states per second) below which nothing changes: a scale in thirty years
_SLOW = 1e-9
_DEPENDENT = 1e-7  # of the largest singular value; by difference quotients


def kept_combinations(J: np.ndarray) -> np.ndarray:
    """Orthonormal columns w with w^T J = 0; slow rows count as fast ones.

    J = dR/d(q, x) is in scales of the states per second, or per the time that stands for a second
    (balance.py).
    """
    size = np.linalg.norm(J, axis=1)
    size[size <= _SLOW] = np.inf
    U, s, _ = svd(J / size[:, None])
    W = U[:, int(np.sum(s > _DEPENDENT)) :] / np.where(np.isinf(size), 1.0, size)[:, None]
    return qr(W)[0] if W.shape[1] else W
