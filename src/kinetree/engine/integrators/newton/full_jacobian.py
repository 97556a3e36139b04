"""Linear equations of an implicit step with the full Jacobian of the system.

    (1 - c J) delta = c f - psi - d

J = f_y comes from difference quotients, one evaluation per component. Each increment is large
enough for the rounding errors of f [Hindmarsh2005, eq. (2.9)]. Large mechanisms have another matrix
(matrix.py).
"""

import math

from ....kernel.algebra.lu import factorise_lu, solve_lu
from ....kernel.decorators import inline, internal_kernel
from ..error_norm import norm
from ..methods.bdf_formulas import CHANGE, EXCHANGES, JACOBIAN, NEWTON, PSI, SLOPE, START
from ..stepping import EPS, OK, evaluate

ANY_RATE = 1.0  # contraction before any convergence has been observed
_LEAST = 1000.0  # least increment, in rounding errors of h f ...
_PART = 0.1  # ... and in tolerances, for components that are zero at rest


@inline
def increment(y, sign, weight, h_noise):
    """Increment of one component, rounded so that y + increment is exact."""
    size = max(math.sqrt(EPS) * abs(y), max(h_noise, _PART) / weight)
    return (y + math.copysign(size, sign)) - y


@internal_kernel
def difference_jacobian(tables, work, rhs, memory, t, h, y, weight, vectors):
    """Compute J at (t, y) by difference quotients; returns a Status.

    Where the equations fail on one side of a component, the difference is taken on the other side.
    Columns of components with weight zero are zero: no equation depends on them. Beside companions
    (companions.py) only the rows of the state are computed.

    Writes  rows JACOBIAN .. of vectors
    """
    n = memory.n if tables.companions.shape[0] > 0 else vectors.shape[1]
    y, f, slope = y[:n], vectors[START][:n], vectors[SLOPE][:n]
    status = evaluate(tables, work, rhs, memory, t, y, f)
    size = norm(f, weight[:n])
    h_noise = _LEAST * h * EPS * memory.n * size if size > 0.0 else 1.0
    memory.jacobians, memory.jacobian_age, memory.c = memory.jacobians + 1, 0, 0.0
    for j in range(memory.n):
        if status != OK:
            return status
        if weight[j] == 0.0:
            for i in range(n):
                vectors[JACOBIAN + i, j] = 0.0
            continue
        y_j = y[j]
        step = increment(y_j, f[j], weight[j], h_noise)
        y[j] = y_j + step
        status = evaluate(tables, work, rhs, memory, t, y, slope)
        if status != OK:
            y[j] = y_j - step
            step = -step
            status = evaluate(tables, work, rhs, memory, t, y, slope)
        y[j] = y_j
        for i in range(n):
            vectors[JACOBIAN + i, j] = (slope[i] - f[i]) / step
    return status


@internal_kernel
def factorize(c, memory, vectors):
    """Factorize 1 - c J over the components of the error norm; False if it is singular."""
    n = memory.n
    factors = vectors[JACOBIAN + vectors.shape[1] : JACOBIAN + vectors.shape[1] + n]
    for i in range(n):
        for j in range(n):
            factors[i, j] = -c * vectors[JACOBIAN + i, j]
        factors[i, i] += 1.0
    memory.c, memory.rate, memory.factorizations = c, ANY_RATE, memory.factorizations + 1
    return factorise_lu(factors, vectors[EXCHANGES])


@inline
def correction(c, memory, vectors, tangents):
    """delta of the present d, from the slope at y^p + d; quadratures follow from the others.

    Tangents satisfy s' = J s + f_p, so that their corrections have the same matrix.
    """
    n, every, delta = memory.n, vectors.shape[1], vectors[NEWTON]
    for i in range(every):
        delta[i] = c * vectors[SLOPE, i] - vectors[PSI, i] - vectors[CHANGE, i]
    factors = vectors[JACOBIAN + every : JACOBIAN + every + n]
    for k in range(tangents + 1):
        solve_lu(factors, vectors[EXCHANGES], delta[k * n : (k + 1) * n])
    if tangents > 0:
        return
    for i in range(n, every):
        for j in range(n):
            delta[i] += c * vectors[JACOBIAN + i, j] * delta[j]
