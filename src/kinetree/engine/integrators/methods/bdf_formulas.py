"""Formulas of the numerical differentiation method of order k = 1 .. 6 on equal steps
[Shampine1997, sec. 2].

    sum_{j=1..k} nabla^j y_{n+1} / j  -  kappa_k gamma_k (y_{n+1} - y^p)  =  h f(t_{n+1}, y_{n+1})
    gamma_k = sum_{j=1..k} 1 / j

The past is stored as backward differences D_j = nabla^j y_n. With the prediction
y^p = D_0 + ... + D_k the unknown is d = y_{n+1} - y^p = nabla^{k+1} y_{n+1}:

    c f(t_{n+1}, y^p + d) = psi + d
    c = h / ((1 - kappa_k) gamma_k),     psi = sum gamma_j D_j / ((1 - kappa_k) gamma_k)

and the local error is (kappa_k gamma_k + 1 / (k + 1)) d. kappa = 0 would be Gear's method; the
values below let the first orders take longer steps at the same error, with little loss of
stability. A change of the step length interpolates new differences.
"""

import numpy as np

from ....kernel.algebra.blas1 import add_scaled, copy, fill
from ....kernel.decorators import inline, internal_kernel
from ..memory import WIDTH, Y
from . import adams_formulas

HIGHEST, USUAL = 6, 5  # order 6 is stable only in a sector of 18 degrees: on request
KAPPA = (0.0, -0.1850, -1.0 / 9.0, -0.0823, -0.0415, 0.0, 0.0)  # [Shampine1997, Table 1]
GAMMA = np.array([sum(1.0 / j for j in range(1, k + 1)) for k in range(HIGHEST + 2)])
ALPHA = np.array([(1.0 - kappa) * gamma for kappa, gamma in zip(KAPPA, GAMMA)])
ERROR = np.array(
    [kappa * gamma + 1.0 / (k + 1) for k, (kappa, gamma) in enumerate(zip(KAPPA, GAMMA))]
)

# Rows of `vectors`: after those of the Adams method, so that a run may change between the two.
# PREDICTED y^p, CHANGE d, NEWTON delta, SLOPE f(y^p + d), PSI psi, EXCHANGES the row exchanges of
# the LU, START f at the start of a difference, D the differences D_0 .. D_{k+2}.
PREDICTED, CHANGE, NEWTON, SLOPE, PSI, EXCHANGES, START, D = range(
    adams_formulas.ROWS, adams_formulas.ROWS + 8
)
ROWS = JACOBIAN = D + HIGHEST + 3  # n rows; then n rows of factors

# Rows of `coefficients`: also after those of the Adams method.
OLD, NEW, BOTH, LAST = (adams_formulas.W + 1 + (HIGHEST + 1) * k for k in range(4))


def coefficients(order: int) -> np.ndarray:
    """Storage of the coefficients."""
    return np.zeros((LAST, WIDTH))


@inline
def predict(k, vectors):
    """y^p and psi."""
    for i in range(vectors.shape[1]):
        total, weighted = vectors[D, i], 0.0
        for j in range(1, k + 1):
            total += vectors[D + j, i]
            weighted += GAMMA[j] * vectors[D + j, i]
        vectors[PREDICTED, i] = total
        vectors[PSI, i] = weighted / ALPHA[k]


@inline
def accept(k, vectors):
    """Differences at the new state y^p + d, which is in row Y."""
    for i in range(vectors.shape[1]):
        d = vectors[Y, i] - vectors[PREDICTED, i]
        vectors[D + k + 2, i] = d - vectors[D + k + 1, i]
        vectors[D + k + 1, i] = d
        for j in range(k, 0, -1):
            vectors[D + j, i] += vectors[D + j + 1, i]
        vectors[D, i] = vectors[Y, i]


@inline
def interpolation(k, factor, at, c):
    """Row m of the matrix: differences of order 0 .. k at the point m factor steps back.

    R_{jm} = prod_{i=1..j} (i - 1 - m factor) / i                       [Shampine1997, sec. 2]
    """
    for m in range(k + 1):
        c[at, m] = 1.0
    for j in range(1, k + 1):
        for m in range(k + 1):
            c[at + j, m] = c[at + j - 1, m] * (j - 1 - m * factor) / j


@inline
def scratch_row(m):
    """A row that holds nothing between two steps, for m = 1 .. 6."""
    return PREDICTED + m - 1 if m <= 5 else START


@internal_kernel
def rescale(k, factor, c, vectors):
    """Differences for steps of factor times the length:  D <- (R(factor) R(1))^T D."""
    interpolation(k, factor, OLD, c)
    interpolation(k, 1.0, NEW, c)
    for j in range(k + 1):
        for m in range(k + 1):
            total = 0.0
            for i in range(k + 1):
                total += c[OLD + j, i] * c[NEW + i, m]
            c[BOTH + j, m] = total
    for m in range(1, k + 1):
        row = vectors[scratch_row(m)]
        fill(row, 0.0)
        for j in range(k + 1):
            add_scaled(c[BOTH + j, m], vectors[D + j], row)
    for m in range(1, k + 1):
        copy(vectors[scratch_row(m)], vectors[D + m])


@inline
def interpolate(s, k, h, vectors, out):
    """State at t + s, -h <= s <= 0:  sum_j D_j prod_{i<j} (s / h + i) / (i + 1)."""
    for i in range(out.shape[0]):
        out[i] = vectors[D, i]
    weight = 1.0
    for j in range(1, k + 1):
        weight *= (s / h + (j - 1)) / j
        for i in range(out.shape[0]):
            out[i] += weight * vectors[D + j, i]
