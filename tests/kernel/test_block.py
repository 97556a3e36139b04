"""Named tuples of arrays enter kernels as one pointer, and read there as in Python."""

import copy
from typing import NamedTuple

import numpy as np
import pytest

from kinetree.kernel.array_block import block
from kinetree.kernel.decorators import JIT, kernel

PAIR = np.dtype([("a", "f8"), ("k", "i8", 2)], align=True)


@block
class Things(NamedTuple):
    """Arrays of one, two and three dimensions, and of records."""

    x: np.ndarray
    A: np.ndarray
    T: np.ndarray
    pairs: np.ndarray


def things() -> Things:
    pairs = np.zeros(3, PAIR)
    pairs["a"], pairs["k"] = [0.5, 1.5, 2.5], [[1, 2], [3, 4], [5, 6]]
    return Things(
        np.arange(4.0),
        np.arange(6.0).reshape(2, 3),
        np.arange(24.0).reshape(2, 3, 4),
        pairs if JIT else pairs.view(np.recarray),
    )


@kernel
def read(some, i, j, k):
    return (
        some.x[i],
        some.A[i, j],
        some.T[i, j, k],
        some.pairs[k].a,
        some.pairs[k].k[i],
        some.T.shape[2],
        some.A[i].shape[0],
    )


@kernel
def write(some):
    for i in range(some.x.shape[0]):
        some.x[i] *= 2.0
    some.T[1, 2, 3] = -1.0
    some.pairs[1].a = 7.0


def test_a_kernel_reads_every_field():
    some = things()
    assert read(some, 1, 2, 0) == (1.0, 5.0, 20.0, 0.5, 2, 4, 3)


def test_a_kernel_writes_into_the_arrays():
    some = things()
    write(some)
    assert (
        some.x.tolist() == [0.0, 2.0, 4.0, 6.0]
        and some.T[1, 2, 3] == -1.0
        and some.pairs["a"][1] == 7.0
    )


def test_a_replaced_array_is_seen_and_the_old_tuple_keeps_its_own():
    some = things()
    read(some, 0, 0, 0)
    other = some._replace(x=np.array([9.0, 8.0]))
    assert read(other, 1, 0, 0)[0] == 8.0 and read(some, 1, 0, 0)[0] == 1.0


@pytest.mark.skipif(not JIT, reason="plain Python knows strides")
def test_an_array_that_is_not_contiguous_is_refused():
    some = things()._replace(A=np.zeros((6, 4))[:, ::2])
    with pytest.raises(ValueError, match="C-contiguous"):
        read(some, 0, 0, 0)


@pytest.mark.skipif(not JIT, reason="plain Python takes what it gets")
def test_an_array_of_another_kind_is_refused():
    read(things(), 0, 0, 0)
    for wrong in (np.zeros(6), np.zeros((2, 3), PAIR)):
        with pytest.raises(TypeError, match=r"A: .* dimensions"):
            read(things()._replace(A=wrong), 0, 0, 0)


def test_a_block_reads_as_a_named_tuple_and_keeps_its_arrays():
    some = things()
    assert (
        [*some._asdict()] == list(Things._fields)
        and len(some) == 4
        and repr(some) == "<Things: x, A, T, pairs>"
    )
    assert all(a is b for a, b in zip(some, some._asdict().values()))
    with pytest.raises(AttributeError, match="_replace"):
        some.x = np.zeros(1)
    for wrong in (
        lambda: Things(np.zeros(1)),
        lambda: Things(*some, x=np.zeros(1)),
        lambda: some._replace(y=np.zeros(1)),
    ):
        with pytest.raises(TypeError, match="has the arrays x, A, T, pairs"):
            wrong()


def test_a_copy_has_an_address_of_its_own():
    some = things()
    read(some, 0, 0, 0)
    other = copy.deepcopy(some)
    other.x[1] = 42.0
    assert read(other, 1, 0, 0)[0] == 42.0 and read(some, 1, 0, 0)[0] == 1.0
