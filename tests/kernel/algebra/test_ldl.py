"""Sparse factors of saddle matrices against dense algebra: symmetric and not, any order, rows left
out, light freedoms.
"""

import numpy as np
import pytest

from kinetree.kernel.algebra.elimination_order import BODY, FREEDOM, ROW, Pattern, least_degree
from kinetree.kernel.algebra.ldl import factor, factor_lu, solve, solve_lu
from kinetree.kernel.algebra.symbolic_factorization import analyse


def whole(lists) -> list[np.ndarray]:
    """Lists as the one signature of `factor_lu` has them."""
    return [one.astype(np.int64) for one in lists]


class Saddle:
    """Random freedoms (some of them bodies of six) and constraints between two or three of them,
    dense and as lists.
    """

    def __init__(self, seed: int, nodes: int, constraints: int) -> None:
        rng = np.random.default_rng(seed)
        kinds = [BODY if rng.random() < 0.3 else FREEDOM for _ in range(nodes)]
        sizes = [6 if kind == BODY else int(rng.integers(1, 4)) for kind in kinds]
        pairs = [
            (k, int(rng.integers(k)))
            for k in range(1, nodes)
            if FREEDOM in (kinds[k],) and rng.random() < 0.7
        ]
        masses = list(pairs)
        for r in range(constraints):
            pairs += [(nodes + r, int(k)) for k in rng.choice(nodes, 2, replace=False)]
        self.kinds, self.sizes = (
            kinds + [ROW] * constraints,
            sizes + [int(m) for m in rng.integers(1, 3, constraints)],
        )
        self.pairs, self.grounded = pairs, range(nodes, nodes + constraints)
        at = np.concatenate([[0], np.cumsum(self.sizes)])
        self.span = [range(a, b) for a, b in zip(at, at[1:])]
        self.nv, self.n = int(at[nodes]), int(at[-1])
        self.K = np.zeros((self.n, self.n))
        for i, j in [
            *masses,
            *((k, k) for k in range(nodes)),
        ]:  # positive definite: more on the diagonal than beside it
            block = 0.1 * rng.normal(size=(len(self.span[i]), len(self.span[j])))
            self.add(
                i, j, block if i != j else np.diag(2.0 + 0.1 * self.n + rng.random(len(block)))
            )
        for i, j in pairs[len(masses) :]:
            self.add(i, j, rng.normal(size=(len(self.span[i]), len(self.span[j]))))
        self.lists = analyse(Pattern(self.sizes, self.kinds, pairs, self.grounded))

    def add(self, i: int, j: int, block: np.ndarray) -> None:
        self.K[np.ix_(self.span[i], self.span[j])] += block
        if i != j:
            self.K[np.ix_(self.span[j], self.span[i])] += block.T

    def packed(self, K: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The lower and the upper half of a matrix with this pattern, in the order of the
        elimination.
        """
        A, B = np.zeros((2, self.lists.size))
        for i, j in [*self.pairs, *((k, k) for k in range(len(self.sizes)))]:
            for a in self.span[i]:
                for b in self.span[j]:
                    low, high = sorted((a, b), key=lambda u: self.lists.place[u])
                    A[self.lists.entry(a, b)], B[self.lists.entry(a, b)] = (
                        K[high, low],
                        K[low, high],
                    )
        return A, B

    def solved(self, b: np.ndarray, use=None, pad=None) -> tuple[np.ndarray, int]:
        n, lists = self.n, self.lists
        A, (L, D, own, x) = self.packed(self.K)[0], (np.zeros(k) for k in (lists.size, n, n, n))
        used, padding = np.ones(n, np.int64), np.zeros(n)
        used[lists.place], padding[lists.place] = (
            1 if use is None else use,
            0.0 if pad is None else pad,
        )
        padded = factor(*lists[1:], used, padding, A, L, D, own)
        x[lists.place] = b
        solve(lists.first, lists.row, L, D, x)
        return x[lists.place], padded


@pytest.mark.parametrize("seed", range(8))
def test_the_factors_solve_what_dense_algebra_solves(seed):
    saddle = Saddle(seed, 12, 4)
    b = np.random.default_rng(seed).normal(size=saddle.n)
    x, padded = saddle.solved(b)
    assert padded == 0
    np.testing.assert_allclose(
        saddle.K @ x, b, atol=1e-11 * np.abs(x).max()
    )  # rounding, and growth without exchanges


@pytest.mark.parametrize("seed", range(4))
def test_a_matrix_that_is_not_symmetric_has_factors_on_the_same_lists(seed):
    saddle, rng = Saddle(seed, 12, 4), np.random.default_rng(seed)
    K = saddle.K * (1.0 + 0.2 * rng.random(saddle.K.shape))
    (A, B), D, x, b = (
        saddle.packed(K),
        np.zeros(saddle.n),
        np.zeros(saddle.n),
        rng.normal(size=saddle.n),
    )
    lists = saddle.lists
    assert factor_lu(*whole(lists[2:]), A, B, D) == -1
    x[lists.place] = b
    solve_lu(*whole((lists.first, lists.row)), A, B, D, x)
    np.testing.assert_allclose(K @ x[lists.place], b, atol=1e-11 * np.abs(x).max())


def test_a_row_that_is_left_out_is_as_if_it_were_not_there():
    saddle = Saddle(3, 10, 3)
    use = np.ones(saddle.n, np.int64)
    use[-1] = 0
    b = np.random.default_rng(0).normal(size=saddle.n)
    x = saddle.solved(b, use)[0]
    assert x[-1] == 0.0
    np.testing.assert_allclose(
        x[:-1], np.linalg.solve(saddle.K[:-1, :-1], b[:-1]), rtol=1e-9, atol=1e-11
    )


def test_a_degree_of_freedom_without_inertia_is_padded_and_counted():
    saddle = Saddle(1, 10, 3)
    saddle.K[0, 0] = 0.0
    assert saddle.solved(np.ones(saddle.n), pad=np.full(saddle.n, 1e-3))[1] == 1


def test_a_row_goes_after_the_freedoms_in_it():
    saddle = Saddle(5, 15, 6)
    for i, j in saddle.pairs:
        if saddle.kinds[i] == ROW and saddle.kinds[j] == FREEDOM:
            assert max(saddle.lists.place[list(saddle.span[j])]) < min(
                saddle.lists.place[list(saddle.span[i])]
            )


def test_a_body_with_many_loops_does_not_couple_them():
    loops = 200
    kinds = [BODY, *[FREEDOM] * loops, *[ROW] * loops]
    pairs = [(1 + k, 0) for k in range(loops)] + [(1 + loops + k, 1 + k) for k in range(loops)]
    lists = analyse(
        Pattern(
            [6] + [1] * loops + [2] * loops,
            kinds,
            pairs + [(1 + loops + k, 0) for k in range(loops)],
        )
    )
    assert (
        len(lists.row) < 40 * loops
    )  # each link with its rows and the body, and no link with another


def test_too_many_multiplications_are_not_begun():
    assert (
        least_degree(
            Pattern([1] * 50, [FREEDOM] * 50, [(i, j) for i in range(50) for j in range(i)]),
            limit=1e3,
        )
        is None
    )


def test_nodes_that_nothing_follows_go_first_and_couple_nothing():
    """Ten bodies in a row, and a state that follows all of them: its column is empty below the
    diagonal.
    """
    sizes, rng = [2] * 10 + [1], np.random.default_rng(3)
    chain, follower = [(k, k + 1) for k in range(9)], [(k, 10) for k in range(10)]
    lists = analyse(Pattern(sizes, [FREEDOM] * 11, [*chain, *follower], alone=[10]))
    assert (
        lists.place[20] == 0 and len(lists.row) == 10 + 9 * 4 + 20
    )  # within the bodies, between them, and the state: no fill
    K = np.diag(5.0 + rng.random(21))
    for i, j in chain:
        K[2 * i : 2 * i + 2, 2 * j : 2 * j + 2], K[2 * j : 2 * j + 2, 2 * i : 2 * i + 2] = (
            rng.normal(size=(2, 2, 2))
        )
    K[20, :20] = rng.normal(size=20)
    A, B = np.zeros((2, lists.size))
    for i, j in np.argwhere(K):
        low, high = sorted((i, j), key=lambda u: lists.place[u])
        A[lists.entry(i, j)], B[lists.entry(i, j)] = K[high, low], K[low, high]
    D, x, b = np.zeros(21), np.zeros(21), rng.normal(size=21)
    assert factor_lu(*whole(lists[2:]), A, B, D) == -1
    x[lists.place] = b
    solve_lu(*whole((lists.first, lists.row)), A, B, D, x)
    np.testing.assert_allclose(x[lists.place], np.linalg.solve(K, b), rtol=1e-12)


def test_what_forces_couple_makes_no_row_wait():
    """A long row of windows: feet on the ground, beams between uprights, and every body coupled
    with its neighbours by forces.

    Were the couplings counted, each row would wait for all bodies of the row of windows.
    """

    def filled(n: int, **counted) -> float:
        uprights, beams, feet = range(n), range(n, 2 * n - 1), range(2 * n - 1, 3 * n - 1)
        joints = [
            (3 * n - 1 + 2 * k + s, (beams[k], uprights[k + s]))
            for k in range(n - 1)
            for s in (0, 1)
        ]
        rigid = [*zip(feet, uprights), *((row, body) for row, both in joints for body in both)]
        kinds = [BODY] * (2 * n - 1) + [ROW] * (n + 2 * (n - 1))
        sizes = [6 if kind == BODY else 5 for kind in kinds]
        coupled = [(u, b) for k, b in enumerate(beams) for u in (uprights[k], uprights[k + 1])]
        found = least_degree(
            Pattern(
                sizes, kinds, [*rigid, *coupled], feet, rigid=rigid if counted["apart"] else None
            )
        )
        assert sorted(found.order) == list(range(len(sizes)))
        return found.flops / n

    assert filled(80, apart=True) < 1.1 * filled(20, apart=True)
    assert filled(80, apart=False) > 4.0 * filled(20, apart=False)


def test_an_elimination_that_ends_in_a_clique_takes_what_it_takes():
    """A hub on fifty rows: everything is one clique as soon as it goes, counted one by one or all
    at once.
    """
    kinds = [FREEDOM] + [ROW] * 50
    found = least_degree(Pattern([3] + [2] * 50, kinds, [(0, 1 + k) for k in range(50)]))
    assert found.order[0] == 0 and found.flops == 3 * 103**2 + sum(
        2 * (2 * k) ** 2 for k in range(1, 51)
    )
    assert [len(later) for later in found.later] == list(range(50, -1, -1))
    assert (
        least_degree(
            Pattern([3] + [2] * 50, kinds, [(0, 1 + k) for k in range(50)]), limit=found.flops - 1.0
        )
        is None
    )
