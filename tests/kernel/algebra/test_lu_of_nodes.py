"""Sparse LU factors with row exchanges inside nodes, against dense algebra."""

import numpy as np
import pytest

from kinetree.kernel.algebra.elimination_order import FREEDOM, ROW, Pattern
from kinetree.kernel.algebra.lu_of_nodes import factor_nodes, solve_nodes
from kinetree.kernel.algebra.symbolic_factorization import Lists, analyse

SIZES = (6, 7, 6, 7, 6, 5)
KINDS = (FREEDOM, ROW, FREEDOM, ROW, FREEDOM, ROW)
PAIRS = ((0, 1), (1, 2), (2, 3), (3, 4), (0, 5), (4, 5))  # a closed chain of three bodies


def random_matrix(seed: int) -> np.ndarray:
    """A saddle matrix that is not symmetric; the diagonal blocks of the rows are zero."""
    rng, at = np.random.default_rng(seed), np.concatenate([[0], np.cumsum(SIZES)])
    K = np.zeros((at[-1], at[-1]))
    for i, j in PAIRS:
        K[at[i] : at[i + 1], at[j] : at[j + 1]] = rng.normal(size=(SIZES[i], SIZES[j]))
        K[at[j] : at[j + 1], at[i] : at[i + 1]] = rng.normal(size=(SIZES[j], SIZES[i]))
    for i in (0, 2, 4):
        K[at[i] : at[i + 1], at[i] : at[i + 1]] = rng.normal(size=(6, 6)) + 10.0 * np.eye(6)
    return K


def packed(lists: Lists, K: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both halves of the matrix in the order of the factors."""
    halves, n = np.zeros((2, lists.size)), len(K)
    for half, matrix in zip(halves, (K, K.T)):
        moved = np.zeros_like(matrix)
        moved[np.ix_(lists.place, lists.place)] = matrix
        half[:n] = np.diag(moved)
        column = np.repeat(np.arange(n), np.diff(lists.first))
        half[n:] = moved[lists.row, column]
    return halves[0], halves[1]


def nodes_of(lists: Lists) -> np.ndarray:
    """The nodes of all positions: rows are exchanged in the nodes of rows."""
    n, first = len(lists.place), 0
    begin, end = np.arange(n), np.arange(n) + 1
    for size, kind in zip(SIZES, KINDS):
        at = lists.place[first]
        if kind == ROW:
            begin[at : at + size], end[at : at + size] = at, at + size
        first += size
    return np.concatenate([begin, end])


def solved(K: np.ndarray, b: np.ndarray) -> tuple[int, np.ndarray]:
    """What `factor_nodes` returns, and the solution."""
    lists = analyse(Pattern(SIZES, KINDS, PAIRS))
    first, row, *runs = [one.astype(np.int64) for one in lists[2:]]
    (A, B), D, exchanges, x = packed(lists, K), *np.zeros((3, len(K)))
    nodes = nodes_of(lists)
    x[lists.place] = b
    found = factor_nodes(first, row, *runs, nodes, A, B, D, exchanges)
    if found < 0:
        solve_nodes(first, row, nodes, A, B, D, exchanges, x)
    return found, x[lists.place]


@pytest.mark.parametrize("seed", range(4))
def test_the_solution_is_that_of_dense_algebra(seed):
    K, b = random_matrix(seed), np.random.default_rng(9).normal(size=sum(SIZES))
    found, x = solved(K, b)
    assert found == -1
    np.testing.assert_allclose(K @ x, b, atol=1e-10 * np.abs(x).max())


def test_a_zero_pivot_is_replaced_by_another_row_of_the_node():
    """With its velocity fixed, the joint of node 3 has a row that depends on others."""
    K, b = random_matrix(0), np.random.default_rng(9).normal(size=sum(SIZES))
    first = sum(SIZES[:3])
    K[first, :], K[:, first] = 0.0, 0.0
    K[first, first + 6], K[first + 6, first] = 2.0, -3.0  # it acts on the last unknown of the node
    found, x = solved(K, b)
    assert found == -1
    np.testing.assert_allclose(K @ x, b, atol=1e-10 * np.abs(x).max())


def test_a_singular_matrix_is_reported():
    K = random_matrix(0)
    first = sum(SIZES[:3])
    K[first, :], K[:, first] = 0.0, 0.0
    assert solved(K, np.ones(len(K)))[0] >= 0
