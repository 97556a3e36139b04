"""Formulas of the Adams methods: coefficients on equal steps, and the variable-step differences.

On equal steps, generated exactly [Hairer1993, sec. III.1]:

    Bashforth  y_1 = y_0 + h sum_j gamma_j  nabla^j f_0,     sum_{i<=j} gamma_{j-i}  / (i + 1) = 1
    Moulton    y_1 = y_0 + h sum_j gamma*_j nabla^j f_1,     sum_{i<=j} gamma*_{j-i} / (i + 1) = 0,
               gamma*_0 = 1

On variable steps, one kernel per stage [Shampine1975, ch. 5 and 6]. Rows of differences and
coefficients count from one, as in the book. `c` has the coefficients (rows PSI .. W), `vectors` the
state, the differences phi_i (rows PHI + i) and those expected at the end of the step
(EXPECTED + i).
"""

import math
from fractions import Fraction
from math import comb

import numpy as np

from ....kernel.decorators import inline
from ..memory import METHOD_ROWS, WIDTH, YDOT, Y


def gammas(count: int, total: int) -> list[Fraction]:
    """gamma_0 .. gamma_{count-1} for total = 1 (Bashforth) or 0 (Moulton)."""
    gamma = [Fraction(1)]
    for j in range(1, count):
        gamma.append(total - sum((gamma[j - i] / (i + 1) for i in range(1, j + 1)), Fraction(0)))
    return gamma


def ordinates(order: int, total: int) -> list[Fraction]:
    """Weights of function values, newest first.

    b_m = (-1)^m sum_{j>=m} binomial(j, m) gamma_j
    """
    gamma = gammas(order, total)
    return [(-1) ** m * sum(comb(j, m) * gamma[j] for j in range(m, order)) for m in range(order)]


MAX_ORDER = 12
P, NEXT, SLOPE, WEIGHT, CARRY, CARRY_P, PHI = range(METHOD_ROWS, METHOD_ROWS + 7)
EXPECTED = PHI + MAX_ORDER + 3
ROWS = EXPECTED + MAX_ORDER + 2
PSI, PSI_NEXT, ALPHA, BETA, SIGMA, G, W = range(7)  # rows of the coefficients
# of the larger of the two differences before it: a difference that has not fallen over two orders
ALIKE = 0.7
# |gamma*_k|: error constants on equal steps
GAMMA = np.array([abs(float(g)) for g in gammas(MAX_ORDER + 2, 0)])


def coefficients(order: int) -> np.ndarray:
    """Storage of the coefficients."""
    return np.zeros((W + 1, WIDTH))


@inline
def update_coefficients(k, h, c):
    """Coefficients of a step of length h [Shampine1975, ch. 5].

    psi_1 = h,  psi_i = psi_{i-1,old} + h,                       alpha_i = h / psi_i
    beta_1 = 1, beta_i = beta_{i-1} psi_{i-1} / psi_{i-1,old}
    sigma_1 = 1, sigma_{i+1} = i alpha_i sigma_i
    g_{1q} = 1 / q,  g_{i+1,q} = g_{iq} - alpha_i g_{i,q+1},     g_i = g_{i1}
    """
    c[PSI_NEXT, 1], c[ALPHA, 1], c[BETA, 1] = h, 1.0, 1.0
    c[SIGMA, 1], c[SIGMA, 2], c[G, 1] = 1.0, 1.0, 1.0
    for i in range(2, k + 1):
        c[PSI_NEXT, i] = c[PSI, i - 1] + h
        c[ALPHA, i] = h / c[PSI_NEXT, i]
        c[BETA, i] = c[BETA, i - 1] * c[PSI_NEXT, i - 1] / c[PSI, i - 1]
        c[SIGMA, i + 1] = i * c[ALPHA, i] * c[SIGMA, i]
    for q in range(1, k + 2):
        c[W, q] = 1.0 / q
    for i in range(1, k + 1):
        for q in range(1, k + 2 - i):
            c[W, q] -= c[ALPHA, i] * c[W, q + 1]
        c[G, i + 1] = c[W, 1]


@inline
def predict(k, h, c, vectors):
    """Differences expected at t + h and the predicted state p, less the carried rounding error."""
    n = vectors.shape[1]
    for i in range(n):
        vectors[P, i] = 0.0
        vectors[EXPECTED + k + 1, i] = 0.0
    for j in range(k, 0, -1):
        beta, g = c[BETA, j], c[G, j]
        for i in range(n):
            phi = beta * vectors[PHI + j, i]
            vectors[P, i] += g * phi
            vectors[EXPECTED + j, i] = vectors[EXPECTED + j + 1, i] + phi
    for i in range(n):
        y, change = vectors[Y, i], h * vectors[P, i] - vectors[CARRY, i]
        vectors[P, i] = y + change
        vectors[CARRY_P, i] = (vectors[P, i] - y) - change


@inline
def estimate(k, h, c, vectors, noisy):
    """Turn f(p) into d; errors of this step and of steps of order k, k - 1, k - 2 at equal length.

        error = |h (g_k - g_{k+1}) d|
        e_j   = |h sigma_{j+1} gamma*_j (phi^e_{j+1} + d)|,        phi^e_{k+1} = 0

    The factor g_k - g_{k+1} belongs to a smooth f, whose differences fall with their order. It is
    small, and tiny where h is short compared with the steps before. A kink or jump of f inside the
    step, or among the values behind it, makes differences of all orders alike, and then the whole
    correction h g_{k+1} d is uncertain. Components with such differences count with it, unless a
    singular position is near: there rounding does the same to the differences, and shorter steps
    lead into it.
    """
    n, rough = vectors.shape[1], 0.0
    total, total1, total2 = 0.0, 0.0, 0.0
    for i in range(n):
        weight, d = vectors[WEIGHT, i], vectors[SLOPE, i] - vectors[EXPECTED + 1, i]
        d1, d2 = vectors[EXPECTED + k, i] + d, vectors[EXPECTED + max(k - 1, 1), i] + d
        vectors[SLOPE, i] = d
        total += (d * weight) ** 2
        total1 += (d1 * weight) ** 2
        total2 += (d2 * weight) ** 2
        if k > 2 and not noisy and abs(d) > ALIKE * max(abs(d1), abs(d2)):
            rough += (d * weight) ** 2
    scale = h / math.sqrt(max(n, 1))
    e_k = scale * math.sqrt(total)
    e_k1 = scale * math.sqrt(total1) * c[SIGMA, k] * GAMMA[k - 1] if k > 1 else math.inf
    e_k2 = scale * math.sqrt(total2) * c[SIGMA, k - 1] * GAMMA[k - 2] if k > 2 else math.inf
    error = max(e_k * abs(c[G, k] - c[G, k + 1]), scale * math.sqrt(rough) * c[G, k + 1])
    return error, e_k * c[SIGMA, k + 1] * GAMMA[k], e_k1, e_k2


@inline
def correct(k, h, c, vectors):
    """The corrected state, and the rounding error of the two additions that gave it."""
    factor = h * c[G, k + 1]
    for i in range(vectors.shape[1]):
        p, change = vectors[P, i], factor * vectors[SLOPE, i] - vectors[CARRY_P, i]
        vectors[NEXT, i] = p + change
        vectors[CARRY_P, i] = (vectors[NEXT, i] - p) - change


@inline
def accept(k, c, vectors):
    """Store the trial as the present: y, f, psi, the rounding error and phi_1 .. phi_{k+2}."""
    n = vectors.shape[1]
    for j in range(1, k + 1):
        c[PSI, j] = c[PSI_NEXT, j]
    for i in range(n):
        vectors[Y, i] = vectors[NEXT, i]
        vectors[CARRY, i] = vectors[CARRY_P, i]
        vectors[YDOT, i] = vectors[SLOPE, i]
        vectors[PHI + 1, i] = vectors[SLOPE, i]
        vectors[SLOPE, i] -= vectors[EXPECTED + 1, i]
        vectors[PHI + k + 2, i] = vectors[SLOPE, i] - vectors[PHI + k + 1, i]
        vectors[PHI + k + 1, i] = vectors[SLOPE, i]
    for j in range(2, k + 1):
        for i in range(n):
            vectors[PHI + j, i] = vectors[EXPECTED + j, i] + vectors[SLOPE, i]


@inline
def interpolate(s, k, c, vectors, out):
    """State at t + s, -h <= s <= 0, of the polynomial of degree k + 1 through y and the last f.

    g_{1q} = 1 / q,   g_{i+1,q} = gamma_i g_{iq} - eta_i g_{i,q+1}
    gamma_i = (s + psi_{i-1}) / psi_i,      eta_i = s / psi_i
    y(t + s) = y + s sum_{i<=k+1} g_{i1} phi_i                                  [Shampine1975]
    """
    for i in range(len(out)):
        out[i] = 0.0
    for q in range(1, k + 2):
        c[W, q] = 1.0 / q
    for j in range(1, k + 2):
        if j > 1:
            gamma, eta = (s + c[PSI, j - 2]) / c[PSI, j - 1], s / c[PSI, j - 1]
            for q in range(1, k + 3 - j):
                c[W, q] = gamma * c[W, q] - eta * c[W, q + 1]
        weight = s * c[W, 1]
        for i in range(len(out)):
            out[i] += weight * vectors[PHI + j, i]
    for i in range(len(out)):
        out[i] += vectors[Y, i]
