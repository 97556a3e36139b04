"""Convergence of Newton iterations: the measures that all of them share.

Corrections d_1, d_2, ... with a matrix that is kept shrink by about the same factor each time, so

    theta = |d_m| / |d_{m-1}|,        error left after m corrections = theta / (1 - theta) |d_m|

[Deuflhard2011, sec. 2.1]. The iteration has converged where this error is small, and it has failed
where the remaining corrections cannot make it small.
"""

import math

from ..decorators import inline

DIVERGENT = 0.9  # contraction from which an iteration is given up
FORGET = 0.3  # the contraction of earlier iterations counts at least this much


@inline
def all_finite(x):
    """Whether all numbers of a vector are finite."""
    for i in range(len(x)):
        if not math.isfinite(x[i]):
            return False
    return True


@inline
def contraction(size, before):
    """theta = |d_m| / |d_{m-1}|; zero after a correction of zero."""
    return size / before if before > 0.0 else 0.0


@inline
def smoothed_contraction(rate, size, before):
    """theta, but at least FORGET times the rate known so far: one lucky correction proves little."""
    return max(FORGET * rate, size / before) if before > 0.0 else 0.0


@inline
def remaining_error(rate, size):
    """Error left after a correction of this size, theta / (1 - theta) |d|, for theta < 1."""
    return rate / (1.0 - rate) * size


@inline
def is_divergent(rate, size, left):
    """Whether `left` further corrections leave an error above one, in units of the tolerance."""
    return rate >= DIVERGENT or rate**left / (1.0 - rate) * size > 1.0


@inline
def step_fraction(size, limit):
    """Largest fraction s <= 1 of a correction with s size <= limit."""
    return min(1.0, limit / size) if size > limit else 1.0
