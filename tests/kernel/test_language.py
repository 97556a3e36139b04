"""Every construct of the kernel language does compiled what it does in plain Python, also at its
edges.
"""

import math
from collections import namedtuple

import numpy as np
import pytest

from kinetree.kernel.decorators import JIT, inline, kernel

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")
Pair = namedtuple("Pair", "left right")
WEIGHTS, LIMIT, TABLE = (0.5, 2, True), 3, np.array([[1, 2, 3], [4, 5, 6]])
ROW = np.dtype([("n", "i8"), ("v", "f8", 3)], align=True)


@inline
def noted(log, x):
    """x, written down as one more digit."""
    log[0] = 10 * log[0] + x
    return x


@inline
def early(x):
    if x < 0:
        return -1.0
    for k in range(10):
        if k > x:
            return k + 0.5
    return 99.0


@inline
def swapped(pair):
    return Pair(pair.right, pair.left)


@inline
def with_default(x, y=2.5):
    return x + y


def plain(function):
    """The function and its inline functions as plain Python."""
    scope = {name: getattr(value, "py_func", value) for name, value in function.__globals__.items()}
    for value in scope.values():
        if getattr(value, "__module__", None) == __name__ and hasattr(value, "__code__"):
            scope[value.__name__] = type(value)(
                value.__code__, scope, value.__name__, value.__defaults__
            )
    return type(function)(function.__code__, scope)


def comparisons(a, k, x, rows, out):
    out[0] = (0 < k < 3) + 2 * (k < a <= 2.5 < 9) + 4 * (k != 2 == 2)
    out[1] = (k in (1, 2.0, 3)) + 2 * (k not in (1, 5))
    out[2] = (True == 1) + 2 * (a == a) + 4 * (math.nan == math.nan) + 8 * (math.nan != math.nan)


def order_of_evaluation(a, k, x, rows, out):
    """Later operands of a chain, of `and`, `or` and of a conditional are not evaluated where they
    do not count.
    """
    log = x
    log[0] = 0.0
    b = noted(log, 3) < noted(log, 1) < noted(log, 2)
    c = noted(log, 4) and noted(log, 0) and noted(log, 5)
    d = noted(log, 0) or noted(log, 6) or noted(log, 7)
    e = noted(log, 8) if k > 100 else noted(log, 9)
    out[0], out[1], out[2], out[3], out[4] = log[0], b, c, d, e


def truth(a, k, x, rows, out):
    out[0] = (not a) + 2 * (not k) + 4 * (not 0.0) + 8 * bool(a) + 16 * bool(k)
    out[1] = (a and 7) + (0.0 or k)
    if k and a:
        out[2] = 1
    if not (k and a) or k > 1:
        out[3] = 1


def booleans(a, k, x, rows, out):
    yes, no = k == k, k != k
    out[0], out[1], out[2], out[3] = yes + yes, yes * 3, -yes, yes - no
    out[4], out[5], out[6], out[7] = yes / 2, yes // 1, yes & no, (yes | no) ^ yes
    out[8], out[9], out[10] = max(yes, no), float(yes), int(no) + abs(-yes)
    out[11] = x[int(yes)] + (3, 4)[yes]


def whole_numbers(a, k, x, rows, out):
    n = -7
    out[0], out[1], out[2], out[3] = n // 2, n % 2, n // -2, n % -2
    out[4], out[5], out[6], out[7] = 7 // -2, 7 % -3, (n + k) // 3, (n + k) % 3
    out[8], out[9], out[10], out[11] = n & 5, n | 5, n ^ 5, -n
    out[12], out[13], out[14] = n / 2, abs(n), +n


def powers(a, k, x, rows, out):
    n, two = k - 3, 2
    out[0], out[1], out[2], out[3] = two**3, two**0, two**-1, two**n
    out[4], out[5], out[6] = two ** (-n), 0.5**n, two**0.5
    out[7], out[8] = (-2) ** 3, (-2.0) ** n


def ranges(a, k, x, rows, out):
    total = 0
    for i in range(5, -4, -2):
        total = 10 * total + i
    for i in range(3, 3):
        total = -i
    for i in range(2, -5):
        total = -i
    for i in range(0, 7, k + 1):
        total += i
    for i in range(k, -k, -k):
        total += 100 * i
    last = i
    for i in range(3):
        i = 10 * i
        total += i
    out[0], out[1], out[2] = total, last, i


def loops(a, k, x, rows, out):
    n = 0
    while n < 10:
        n += 1
        if n == 3:
            continue
        if n == 7:
            break
    else:
        out[0] = 1
    while n > 0:
        n -= 1
    else:
        out[1] = 2
    for i in range(4):
        if i == 9:
            break
    else:
        out[2] = 3
    for i in range(4):
        for j in range(4):
            if j > i:
                break
            if j == 1:
                continue
            out[3] += 10 * i + j
    while True:
        n += 1
        if n > 4:
            break
    out[4] = n


def loops_over_values(a, k, x, rows, out):
    for value in x:
        out[0] += value
    for w in WEIGHTS:
        out[1] += w
    for p, (q, r) in ((1, (2.5, 3)), (4, (5, 6))):
        out[2] = 10 * out[2] + p * q - r
    for row in TABLE:
        out[3] = 100 * out[3] + row[-1]
    for item in ():
        out[4] = item
    for r in rows:
        out[5] += r.n * r.v[1]
    for item in (1, 2.5, (3, 4)):
        out[6] += len((item, item))
    else:
        out[7] = 1


def tuples(a, k, x, rows, out):
    t = (1, (2.0, (3, a)), k > 1)
    _, (b, (c, d)), e = t
    out[0], out[1], out[2], out[3] = b, c, d, e
    s = t[1][1] + (5, 6.5) + t[:1]
    out[4], out[5], out[6], out[7] = len(s), s[-1], s[2:][0], s[::2][1]
    out[8] = (1, 2.5, 4)[k - 1] + (1, 2, 4)[-k]


def named_tuples(a, k, x, rows, out):
    p = Pair(a, (k, 2))
    q = swapped(p)
    out[0], out[1], out[2] = q.right, q.left[0], p[1][1]
    r = Pair(1, 2) if k > 1 else Pair(3.5, 4)
    out[3], out[4] = r.left + r[1], len(p)


def returns(a, k, x, rows, out):
    out[0], out[1], out[2], out[3] = early(-1), early(3.5), early(20), early(0)
    out[4], out[5] = with_default(1), with_default(1, 1)


def mixed_types(a, k, x, rows, out):
    """An integer here, a float there; they meet in a loop and after a branch."""
    v = 0
    for i in range(5):
        v = v + (0.5 if i == 3 else 1)
    if k > 100:
        w = 2
    else:
        w = 1.5
    i = 1
    out[0] = TABLE[i, i]
    u = 3
    if k > 1:
        u = u / 2
    out[1], out[2], out[3] = v, w, u
    i = 2.5
    out[4] = i
    i = 3
    out[5] = x[i]


def arrays(a, k, x, rows, out):
    out[0], out[1], out[2], out[3] = x[-1], x[-4], x[k - 4], TABLE[-1, -2]
    y = x[1:3]
    y[:] = 9.0
    y[0] += 1
    x[-1:] = (4.5,)
    A = x.reshape(2, 2)
    A[1] = A[0]
    A[0, :] = (a, k)
    out[4], out[5], out[6] = A.shape[0] * 10 + A.ndim, A.size, len(x[5:2])
    out[7], out[8] = x[::3].shape[0], x[::3][1]
    B = A.T
    B[1, 0] = -1.0
    out[9], out[10] = x[1:-1].shape[0], x[-100:100].size


def records(a, k, x, rows, out):
    r = rows[-1]
    r.n += 2
    r.v[0] = r.v[-1] + 1
    r.v[1:] = 5.0
    rows[0].n = r.n // 2
    out[0], out[1], out[2] = r.v[0], len(rows), rows[0].v.shape[0]


def constants(a, k, x, rows, out):
    out[0], out[1], out[2], out[3] = LIMIT, WEIGHTS[1], TABLE[k - 1, 0], math.pi
    out[4], out[5], out[6] = -0.0, 1e-320, math.inf


CASES = [
    comparisons,
    order_of_evaluation,
    truth,
    booleans,
    whole_numbers,
    powers,
    ranges,
    loops,
    loops_over_values,
    tuples,
    named_tuples,
    returns,
    mixed_types,
    arrays,
    records,
    constants,
]


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_compiled_and_plain_agree_to_the_last_bit(function):
    results = []
    for run, seen in ((kernel(function), np.ndarray), (plain(function), np.recarray)):
        x, out, rows = np.array([0.5, 1.5, -2.0, 3.25]), np.zeros(16), np.zeros(2, ROW)
        rows["n"], rows["v"] = [3, 4], np.arange(6.0).reshape(2, 3)
        with np.errstate(all="ignore"):
            run(2.25, 2, x, rows.view(seen), out)
        results.append([x.tobytes(), rows.tobytes(), out.tolist()])
    assert results[0] == results[1] and any(results[1][2])


def test_whole_numbers_wrap_around_at_64_bits():
    def wrapped(k, out):
        out[0], out[1], out[2] = k + 1, k * 2, -(k + 1)

    out = np.zeros(3, np.int64)
    kernel(wrapped)(2**63 - 1, out)
    with np.errstate(over="ignore"):
        k = np.int64(2**63 - 1)
        assert out.tolist() == [int(k + 1), int(k * 2), int(-(k + 1))] == [-(2**63), -2, -(2**63)]


def test_a_variable_that_no_way_has_set_is_zero():
    """Plain Python raises; kernels have no exceptions, and user functions fail (tests/kernel/usercode)."""

    def unset(k):
        for i in range(k):
            y = i + 0.5
        return y

    assert kernel(unset)(0) == 0.0 and unset(2) == 1.5
