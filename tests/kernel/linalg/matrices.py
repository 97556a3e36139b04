"""Matrices of all kinds, always the same ones."""

import numpy as np

SHAPES = [(1, 1), (1, 6), (6, 1), (3, 3), (5, 8), (8, 5), (16, 30), (40, 40), (70, 33)]


def random(m: int, n: int) -> np.ndarray:
    return np.random.default_rng(100 * m + n).normal(size=(m, n))


def deficient(m: int, n: int) -> np.ndarray:
    """Of half the rank that is possible."""
    r = max(1, min(m, n) // 2)
    return random(m, r) @ random(r + 1, n)[:r]


def graded(m: int, n: int) -> np.ndarray:
    """Columns of sizes from 1 to 1e-10."""
    return random(m, n) * np.ldexp(1.0, -np.linspace(0, 33, n).astype(int))


def repeated(m: int, n: int) -> np.ndarray:
    """Small integers, many of them equal: equal columns, equal singular values, exact zeros."""
    return np.array([[(i % 3) - (j % 2) for j in range(n)] for i in range(m)], float)


KINDS = [
    random,
    deficient,
    graded,
    repeated,
    lambda m, n: np.zeros((m, n)),
    lambda m, n: np.eye(m, n),
    lambda m, n: 1e-12 * random(m, n),
    lambda m, n: 1e12 * deficient(m, n),
    lambda m, n: 1e-200 * random(m, n),
    lambda m, n: 1e250 * random(m, n),
]
NAMES = [
    "random",
    "deficient",
    "graded",
    "repeated",
    "zero",
    "unit",
    "1e-12",
    "1e12 deficient",
    "1e-200",
    "1e250",
]
