"""Coefficients of the Adams formulas on equal steps, generated exactly [Hairer1993, sec. III.1].

Bashforth  y_1 = y_0 + h sum_j gamma_j  nabla^j f_0,     sum_{i<=j} gamma_{j-i}  / (i + 1) = 1
Moulton    y_1 = y_0 + h sum_j gamma*_j nabla^j f_1,     sum_{i<=j} gamma*_{j-i} / (i + 1) = 0,
           gamma*_0 = 1
"""

from fractions import Fraction
from math import comb


def gammas(count: int, total: int) -> list[Fraction]:
    """gamma_0 .. gamma_{count-1} for total = 1 (Bashforth) or 0 (Moulton)."""
    gamma = [Fraction(1)]
    for j in range(1, count):
        gamma.append(total - sum((gamma[j - i] / (i + 1) for i in range(1, j + 1)), Fraction(0)))
    return gamma


def ordinates(order: int, total: int) -> list[Fraction]:
    """The same formula in function values, newest first: b_m = (-1)^m sum_{j>=m} binomial(j, m)
    gamma_j.
    """
    gamma = gammas(order, total)
    return [(-1) ** m * sum(comb(j, m) * gamma[j] for j in range(m, order)) for m in range(order)]
