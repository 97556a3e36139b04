"""The instructions written for kernels do what Python does: each kernel here is run compiled and as
the function in the file.
"""

import math

import numpy as np
import pytest

from kinetree.kernel.compiler.values import KernelError
from kinetree.kernel.decorators import JIT, inline, kernel
from kinetree.kernel.intrinsics import loader, storer

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")
load3, store3, add_to3 = loader(3), storer(3), storer(3, add=True)


@inline
def swapped(pair, scale):
    """A tuple in, a nested tuple out."""
    a, b = pair
    return (b * scale, a), 7


@inline
def total(x):
    s = 0.0
    for k in range(x.shape[0]):
        s += x[k]
    return s


@inline
def widest(x, y, a, b):
    """Inline functions return arrays."""
    if a > b:
        return x
    return y


def subscripts(x, A, out):
    n = x.shape[0]
    out[0], out[1], out[2] = x[-1], x[n - 1], A[-1, -2]
    k = -2
    out[k] = A[1][2] + A[k, 1]
    out[3] += x[0] * 2
    out[4] = total(A[1]) - total(x)


def slices(x, A, out):
    n = x.shape[0]
    bounds = (-9, -2, 0, 1, n, n + 3)
    k = 0
    for a in bounds:
        for b in bounds:
            out[k] = total(x[a:b]) + 100.0 * x[a:b].shape[0]
            k += 1
        out[k], out[k + 1] = total(x[a:]), total(x[:a])
        k += 2
    out[k] = total(x[:])
    A[1:, 0] = 4.0
    out[k + 1], out[k + 2], out[k + 3] = A[1, 0], total(A[0, 1:3]), total(A[:, 2])


def ranges(x, A, out):
    k = 0
    for step in (1, 2, -1, -3):
        for i in range(5 if step < 0 else -2, -4 if step < 0 else 6, step):
            out[k] += i
        k += 1
    for i in range(3, 3):
        out[9] = i
    for i in range(10):
        if i == 2:
            continue
        if i == 5:
            break
        out[10] += 2.0**i
    else:
        out[11] = 1.0
    for i in range(4):
        for j in range(i):
            out[12] += i * j
    out[13] = i
    for i in range(5, -4, -2):
        out[14] += 10.0**i


def variables(x, A, out):
    a, b = 1.0, 2.0
    for k in range(6):
        a, b = b, a + b
        if k % 2:
            c = a
        else:
            c = -b
        out[k] = c
    while a > 3.0:
        a *= 0.5
        last = a
    out[6], out[7] = last, a if x[0] > 0.0 else b
    first, second = x, A[0]
    if x[1] > 0.0:
        first, second = second, first
    out[8], out[9] = first[0], second[1]


def numbers(x, A, out):
    n, i = x.shape[0], 7
    out[0], out[1], out[2], out[3] = n / 2, i // 2, i % 4, -i // 2
    out[4], out[5], out[6] = i - 0.5, 2**n, x[1] ** 2
    for k in range(n):
        y = x[k] if k else math.nan
        out[7] += (
            (y < 1.0)
            + 10 * (y <= 1.0)
            + 100 * (y > 1.0)
            + 1000 * (y >= 1.0)
            + 1e4 * (y == y)
            + 1e5 * (y != y)
        )
    out[8] = (i < n) + 2 * (i >= 7) + 4 * (i != 7)
    out[9] = x[0] / 0.0 if n > 1 else 0.0
    i += True
    out[10] = i


def tuples(x, A, out):
    (a, b), c = swapped((x[0], x[1]), 3)
    out[0], out[1], out[2] = a, b, c
    v = load3(x)
    store3(out[3:6], v)
    add_to3(out[3:6], (1.0, v[0], v[-1]))
    shape = A.shape
    out[6], out[7] = shape[0], shape[1] * len(v)
    for k in range(3):
        out[8] += v[k] * k
    out[9] = widest(A[0], A[1], x[0], x[1])[1]
    row = widest(A[0], A[1], x[1], x[0])
    row[0] = 5.0


CASES = [subscripts, slices, ranges, variables, numbers, tuples]


@pytest.mark.parametrize("x1", [2.0, -2.0])
@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_a_compiled_kernel_gives_the_results_of_its_source(function, x1):
    results = []
    for run in (kernel(function), plain(function)):
        x, A, out = (
            np.array([1.5, x1, 0.25, 8.0]),
            np.arange(12.0).reshape(3, 4) + 0.5,
            np.zeros(64),
        )
        with np.errstate(divide="ignore"):
            run(x, A, out)
        results.append((x, A, out))
    for compiled, python in zip(*results):
        assert np.array_equal(compiled, python, equal_nan=True)
    assert np.any(results[0][2] != 0.0)


def plain(function):
    """The function with its inline functions as Python functions."""
    own = {name: getattr(value, "py_func", value) for name, value in function.__globals__.items()}
    own |= {
        "load3": lambda x: tuple(x[:3]),
        "store3": lambda x, a: x.__setitem__(slice(3), a),
        "add_to3": lambda x, a: x.__setitem__(slice(3), x[:3] + np.array(a)),
    }
    return type(function)(function.__code__, own)


def test_a_kernel_that_would_raise_is_not_compiled():
    def raising(x):
        if x[0] < 0.0:
            raise ValueError
        return x[0]

    with pytest.raises(KernelError, match=r"test_lowering\.py, line \d+, .*kernels raise nothing"):
        kernel(raising)(np.ones(1))


def test_inline_functions_receive_all_their_arguments():
    def missing(x):
        return swapped(pair=(x[0], x[1]), scale=2.0)[1]

    with pytest.raises(KernelError, match=r"test_lowering\.py, line \d+, .*by position"):
        kernel(missing)(np.ones(2))
