"""Sparse elimination by blocks against dense algebra."""

import numpy as np
import pytest

from kinetree.engine.beams.blocks import factorise, solve_blocks
from kinetree.engine.beams.layout import eliminate
from kinetree.kernel.tables.records import empty_tables
from kinetree.kernel.tables.workspace import workspace

RNG = np.random.default_rng(11)


def problem(sizes, pairs, after):
    """A random matrix, dense and in blocks; the blocks of joints, in `after`, are zero."""
    pattern = eliminate(sizes, pairs, after)
    rows = np.concatenate([[0], np.cumsum(sizes)])
    A, values = np.zeros((rows[-1], rows[-1])), np.zeros(pattern.size)
    for i, j in (
        {(b, b) for b in range(len(sizes)) if b not in after}
        | {(i, j) for i, j in pairs}
        | {(j, i) for i, j in pairs}
    ):
        block = RNG.normal(size=(sizes[i], sizes[j]))
        A[rows[i] : rows[i + 1], rows[j] : rows[j + 1]] = block
        values[pattern.at[i, j] : pattern.at[i, j] + block.size] = block.ravel()
    tables = empty_tables()._replace(
        pivots=pattern.pivots, neighbours=pattern.neighbours, targets=pattern.targets
    )
    work = workspace(tables)._replace(
        matrix=values, exchanges=np.zeros(rows[-1], np.int64), largest=np.zeros(rows[-1])
    )
    return A, tables, work, pattern


CHAIN = ([6] * 7, [(k, k + 1) for k in range(6)], {})
LOOP = (
    [6, 6, 6, 6, 5, 3, 5],
    [(0, 1), (1, 2), (2, 3), (0, 4), (3, 4), (3, 0), (1, 5), (2, 6), (3, 6)],
    {4: (0, 3), 5: (1,), 6: (2, 3)},
)


@pytest.mark.parametrize("case", [CHAIN, LOOP])
def test_the_solution_equals_that_of_dense_algebra(case):
    A, tables, work, _ = problem(*case)
    b = RNG.normal(size=len(A))
    x = b.copy()
    assert factorise(tables, work) == -1
    solve_blocks(tables, work, x)
    # random blocks, pivots inside blocks only
    assert np.abs(A @ x - b).max() < 1e-9 * np.abs(x).max()


def test_a_chain_has_no_fill():
    pattern = eliminate(*CHAIN)
    assert pattern.size == 36 * (7 + 2 * 6)


def test_joints_are_eliminated_after_their_nodes():
    pattern = eliminate(*LOOP)
    rows = np.concatenate([[0], np.cumsum(LOOP[0])])
    order = [int(np.searchsorted(rows, row)) for row in pattern.pivots["row"]]
    assert all(
        order.index(joint) > order.index(node) for joint, nodes in LOOP[2].items() for node in nodes
    )


def test_a_singular_block_is_named():
    _, tables, work, pattern = problem(*CHAIN)
    work.matrix[:] = 0.0
    assert factorise(tables, work) == pattern.pivots[0]["row"]
