"""Transfer of the past between Adams and BDF, without a restart at order one.

Both store the past as a polynomial: Adams one through y and the last slopes, BDF one through the
last states at equal steps h. Each follows from the other,

    Adams -> BDF:   D_j = nabla^j of the values at t, t - h, t - 2 h, ...
    BDF -> Adams:   h nabla^i f = sum_{j >= 1} nabla^{i+j} y / j         (h d/dt = -ln(1 - nabla))
"""

from ....kernel.algebra.blas1 import copy
from ....kernel.decorators import inline
from ..memory import YDOT, Y
from . import adams_formulas as adams
from .adams_formulas import CARRY, PHI, PSI
from .bdf import NO_JACOBIAN
from .bdf_formulas import HIGHEST, USUAL, D

STABLE = 0.5  # h L of Adams steps where stability limits them


@inline
def past_reaches(h, k, c):
    """Largest order up to five for which the known past psi_k contains that many steps."""
    order = 1
    while order < min(k, USUAL) and (order + 1) * h <= c[PSI, k] * (1.0 + 1e-9):
        order += 1
    return order


@inline
def to_bdf(memory, c, vectors):
    """Differences of states at equal steps of the present length, from the Adams polynomial."""
    h, k = memory.h_used, memory.order_used
    order = past_reaches(h, k, c)
    copy(vectors[Y], vectors[D])
    for j in range(1, order + 1):
        adams.interpolate(-j * h, k, c, vectors, vectors[D + j])
    for j in range(1, order + 1):
        for m in range(order, j - 1, -1):
            for i in range(vectors.shape[1]):
                vectors[D + m, i] = vectors[D + m - 1, i] - vectors[D + m, i]
    for j in range(order + 1, HIGHEST + 3):
        for i in range(vectors.shape[1]):
            vectors[D + j, i] = 0.0
    memory.order, memory.spacing, memory.h = order, h, h
    memory.equal_steps = 0
    if memory.jacobian_age > 0:  # no Jacobian was computed at this state
        memory.jacobian_age = NO_JACOBIAN


@inline
def to_adams(memory, c, vectors):
    """Differences of slopes at equal steps, from the differences of states.

    Reads  row YDOT, the slope at the present state
    """
    h, k = memory.spacing, memory.order
    for i in range(vectors.shape[1]):
        vectors[CARRY, i] = 0.0
        vectors[PHI + 1, i] = vectors[YDOT, i]
    for m in range(1, adams.MAX_ORDER + 2):
        for i in range(vectors.shape[1]):
            total = 0.0
            for j in range(1, k - m + 1):
                total += vectors[D + m + j, i] / j
            vectors[PHI + m + 1, i] = total / h
    for m in range(1, k + 1):
        c[PSI, m] = m * h
    memory.equal_steps, memory.start_phase, memory.order_used, memory.h_used = 0, 0, k, h
    memory.h = min(h, STABLE / memory.L) if memory.L > 0.0 else h
