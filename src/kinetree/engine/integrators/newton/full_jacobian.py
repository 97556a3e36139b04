"""The linear equations of an implicit step with the full Jacobian of the system.

    (1 - c J) delta = c f - psi - d

J = f_y comes from differences, one evaluation per component, each increment large enough for what
rounding leaves of f
[Hindmarsh2005, eq. (2.9)]. Machines with many freedoms have another matrix (`newton_matrix.py`).
"""

import math

from ....kernel.algebra.lu import factorise_lu, solve_lu
from ....kernel.decorators import inline, internal_kernel
from ..error_norm import norm
from ..methods.bdf_formulas import CHANGE, EXCHANGES, JACOBIAN, NEWTON, PSI, SLOPE, START
from ..stepping import EPS, OK, evaluate

ITERATIONS = 4
SOLVED = 0.03  # of the tolerance: what the iteration may leave to the error test
ANY_RATE = 1.0  # no convergence has been observed yet
_LEAST = 1000.0  # least increment, in roundings of h f ...
_PART = 0.1  # ... and as a part of the tolerance, for components that are zero in a machine at rest


@inline
def increment(y, sign, weight, h_noise):
    """An increment of one component, exactly representable beside it."""
    size = max(math.sqrt(EPS) * abs(y), max(h_noise, _PART) / weight)
    return (y + math.copysign(size, sign)) - y


@internal_kernel
def difference_jacobian(tables, work, rhs, memory, t, h, y, weight, vectors):
    """J at (t, y); a component that cannot be moved one way is moved the other. Nothing depends on
    those of weight zero.
    """
    n, f = vectors.shape[1], vectors[START]
    status = evaluate(tables, work, rhs, memory, t, y, f)
    size = norm(f, weight)
    h_noise = _LEAST * h * EPS * memory.n * size if size > 0.0 else 1.0
    memory.jacobians, memory.age, memory.c = memory.jacobians + 1, 0, 0.0
    for j in range(memory.n):
        if status != OK:
            return status
        if weight[j] == 0.0:
            for i in range(n):
                vectors[JACOBIAN + i, j] = 0.0
            continue
        kept = y[j]
        step = increment(kept, f[j], weight[j], h_noise)
        y[j] = kept + step
        status = evaluate(tables, work, rhs, memory, t, y, vectors[SLOPE])
        if status != OK:
            y[j] = kept - step
            step = -step
            status = evaluate(tables, work, rhs, memory, t, y, vectors[SLOPE])
        y[j] = kept
        for i in range(n):
            vectors[JACOBIAN + i, j] = (vectors[SLOPE, i] - f[i]) / step
    return status


@internal_kernel
def factorise(c, memory, vectors):
    """Factors of 1 - c J, for the components under the error test: nothing depends on the others."""
    n = memory.n
    factors = vectors[JACOBIAN + vectors.shape[1] : JACOBIAN + vectors.shape[1] + n]
    for i in range(n):
        for j in range(n):
            factors[i, j] = -c * vectors[JACOBIAN + i, j]
        factors[i, i] += 1.0
    memory.c, memory.rate, memory.factors = c, ANY_RATE, memory.factors + 1
    return factorise_lu(factors, vectors[EXCHANGES])


@inline
def correction(c, memory, vectors):
    """delta of the present d, from the slope at y^p + d; that of components carried along follows
    from the others.
    """
    n, every, delta = memory.n, vectors.shape[1], vectors[NEWTON]
    for i in range(every):
        delta[i] = c * vectors[SLOPE, i] - vectors[PSI, i] - vectors[CHANGE, i]
    solve_lu(vectors[JACOBIAN + every : JACOBIAN + every + n], vectors[EXCHANGES], delta)
    for i in range(n, every):
        for j in range(n):
            delta[i] += c * vectors[JACOBIAN + i, j] * delta[j]
