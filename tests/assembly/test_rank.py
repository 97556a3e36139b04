"""Fast rank tests of many equations agree with singular values, or are inconclusive."""

from types import SimpleNamespace

import numpy as np
import pytest

import kinetree as kt
from kinetree.assembly import singular, sparse_system
from kinetree.assembly.components import Blocks
from kinetree.assembly.rank import MANY, has_full_rank


def matrix(smallest: float, rows: int = MANY + 20, columns: int = MANY + 60) -> np.ndarray:
    """A random matrix with singular values from one down to the smallest."""
    rng = np.random.default_rng(0)
    U, V = (np.linalg.qr(rng.normal(size=(n, rows)))[0] for n in (rows, columns))
    return (U * np.geomspace(1.0, smallest, rows)) @ V.T


def test_full_rank_is_reported_only_if_the_singular_values_are_large():
    assert has_full_rank(matrix(0.1))
    assert not has_full_rank(matrix(1e-5))
    assert not has_full_rank(matrix(0.1), least=1e4)  # of what smaller ones are not to be trusted
    repeated = matrix(0.1)
    repeated[-1] = repeated[0]
    assert not has_full_rank(repeated)
    assert not has_full_rank(matrix(0.1)[: MANY - 1]) and not has_full_rank(matrix(0.1).T)


def test_entries_outside_the_blocks_are_ignored_as_rounding():
    """An entry that vanishes everywhere, except for rounding at one position, does not connect
    blocks.
    """
    blocks = Blocks((np.array([0]), np.array([1])), (np.array([0]), np.array([1, 2])))
    row, column, value = np.array([0, 1, 0]), np.array([0, 2, 2]), np.array([3.0, 5.0, 1e-17])
    first, second = blocks._cut(
        row, column, value, SimpleNamespace(scale=np.ones(2), natural=np.ones(3))
    )
    assert first.tolist() == [[3.0]] and second.tolist() == [[0.0, 5.0]]


def legs(n: int) -> kt.Model:
    """A free plate that carries another one on n legs, each with a ball at both ends and a slide
    between them.
    """
    m, rng = kt.Model("legs"), np.random.default_rng(1)
    low, high = (
        m.body(name, kt.box(10.0, (1.0, 1.0, 0.1)), position=(0.0, 0.0, z))
        for name, z in (("low", 0.0), ("high", 2.0))
    )
    m.float(low)
    for k in range(n):
        a, b = np.array([*rng.uniform(-1, 1, 2), 0.0]), np.array([*rng.uniform(-1, 1, 2), 2.0])
        tube, rod = (
            m.body(f"{name}{k}", kt.box(1.0, (0.1, 0.1, 0.1)), position=tuple(a + s * (b - a)))
            for name, s in (("tube", 0.25), ("rod", 0.75))
        )
        m.joint(f"foot{k}", kt.Spherical(), low, tube, at=tuple(a))
        m.joint(
            f"slide{k}", kt.Translational(), tube, rod, at=tuple((a + b) / 2), axis=tuple(b - a)
        )
        m.joint(f"head{k}", kt.Spherical(), rod, high, at=tuple(b))
    return m


@pytest.mark.parametrize("filled", [sparse_system.DENSE_FROM, 0.0], ids=["sparse", "dense"])
def test_two_plates_with_many_legs_between_them(filled, monkeypatch):
    """Each leg may spin about its line, and the plates move freely; the rank needs no singular
    values.
    """
    monkeypatch.setattr(sparse_system, "DENSE_FROM", filled)
    monkeypatch.setattr(singular, "block_ranks", None)
    report = legs(75).topology()
    assert (report.rank, report.mobility, report.redundant, report.change_point) == (
        3 * 74,
        75 + 12,
        (),
        "",
    )
