"""Random programs of the kernel language do compiled what they do as plain Python.

Floats are small multiples of 1/8 and only added, subtracted, compared and multiplied by small
integers, so that nothing is rounded and both must agree to the last bit. Programs have loops,
branches, tuples, slices, records and calls of inline functions.
"""

import linecache

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kinetree.kernel.decorators import JIT, inline, kernel

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")
WHOLE, FLOAT = ("i", "j", "n"), ("a", "b", "c")
ROW = np.dtype([("n", "i8"), ("v", "f8", 3)], align=True)


def total(x):
    s = 0.0
    for value in x:
        s += value
    return s


def turned(t, k):
    """A tuple in, another one out, on several ways."""
    if k < 0:
        return t[1], t[0], 1.5
    for i in range(k):
        if i == 2:
            return t[2], 0.25, t[0]
    return t[2], t[1], t[0]


def counted(r, k):
    """Changes a record."""
    r.n = (r.n + k) % 5
    r.v[r.n % 3] += 0.5
    return r.n


PIECES = {"total": total, "turned": turned, "counted": counted}


@st.composite
def whole(draw, depth=2):
    kind = draw(st.integers(0, 8 if depth else 1))
    if kind == 6:
        return f"{draw(st.sampled_from(['r', 'rows[0]', 'rows[-1]']))}.n"
    if kind == 7:
        return f"counted(rows[({draw(whole(0))}) % 2], {draw(whole(0))})"
    if kind == 8:
        return f"(2, -1, 3)[({draw(whole(depth - 1))}) % 3]"
    if kind == 0:
        return str(draw(st.integers(-3, 3)))
    if kind == 1:
        return draw(st.sampled_from(WHOLE))
    x, y = draw(whole(depth - 1)), draw(whole(depth - 1))
    if kind == 2:
        return f"({x} {draw(st.sampled_from(['+', '-']))} {y})"
    if kind == 3:
        return (
            f"({x} {draw(st.sampled_from(['//', '%']))} {draw(st.sampled_from([-3, -2, 2, 3, 5]))})"
        )
    if kind == 4:
        return f"{draw(st.sampled_from(['min', 'max']))}({x}, {y})"
    return f"({x} if {draw(condition(depth - 1))} else {y})"


@st.composite
def real(draw, depth=2):
    kind = draw(st.integers(0, 10 if depth else 2))
    if kind == 7:
        return f"t[{draw(st.sampled_from(['0', '1', '-1', '(' + draw(whole(0)) + ') % 3']))}]"
    if kind == 8:
        return f"r.v[({draw(whole(0))}) % 3]"
    if kind == 9:
        return f"total(x[{draw(st.one_of(st.just(''), whole(0)))}:{draw(st.one_of(st.just(''), whole(0)))}])"
    if kind == 10:
        return f"turned(t, {draw(whole(depth - 1))})[{draw(st.integers(-3, 2))}]"
    if kind == 0:
        return repr(draw(st.integers(-16, 16)) / 8.0)
    if kind == 1:
        return draw(st.sampled_from(FLOAT))
    if kind == 2:
        return f"x[({draw(whole(0))}) % 4]"
    x, y = draw(real(depth - 1)), draw(real(depth - 1))
    if kind == 3:
        return f"({x} {draw(st.sampled_from(['+', '-']))} {y})"
    if kind == 4:
        return f"({x} {draw(st.sampled_from(['+', '-']))} {draw(st.integers(-2, 2))} * {y})"
    if kind == 5:
        return f"abs({x})"
    return f"({x} if {draw(condition(depth - 1))} else {y})"


@st.composite
def condition(draw, depth=1):
    kind = draw(st.integers(0, 3 if depth else 1))
    numbers = whole(0) if kind == 0 else real(0)
    if kind < 2:
        return f"{draw(numbers)} {draw(st.sampled_from(['<', '<=', '==', '!=', '>', '>=']))} {draw(numbers)}"
    x, y = draw(condition(depth - 1)), draw(condition(depth - 1))
    return f"({x} {draw(st.sampled_from(['and', 'or']))} {y})" if kind == 2 else f"not ({x})"


@st.composite
def statements(draw, depth=2, loop=False):
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.integers(-5, 9 if depth else 4))
        if kind == -1:
            lines.append(f"t = ({draw(real(1))}, {draw(real(1))}, {draw(real(1))})")
        elif kind == -2:
            lines.append(f"r = rows[({draw(whole(1))}) % 2]")
        elif kind == -3:
            lines.append(f"r.v[({draw(whole(0))}) % 3] = {draw(real(1))}")
        elif kind == -4:
            lines.append(f"t = turned(t, {draw(whole(1))})")
        elif kind == -5:
            lines.append(
                f"x[{draw(st.integers(-4, 4))}:{draw(st.integers(-4, 4))}] = {draw(real(1))}"
            )
        elif kind == 0:
            lines.append(f"{draw(st.sampled_from(WHOLE[:2]))} = {draw(whole())}")
        elif kind == 1:  # an integer now and then, where a float was
            lines.append(f"{draw(st.sampled_from(FLOAT))} = {draw(st.one_of(real(), whole()))}")
        elif kind == 2:
            lines.append(f"x[({draw(whole(1))}) % 4] = {draw(real())}")
        elif kind == 3:
            lines.append(f"{draw(st.sampled_from(FLOAT))} += {draw(real(1))}")
        elif kind == 4:
            p, q = draw(st.permutations(FLOAT))[:2]
            lines.append(f"{p}, {q} = {q}, {draw(real(1))}")
        else:
            inner = ["    " + line for line in draw(statements(depth - 1, loop or kind > 6))]
            if kind < 7:
                lines += [f"if {draw(condition())}:", *inner]
                if kind == 6:
                    lines += [
                        "else:",
                        *("    " + line for line in draw(statements(depth - 1, loop))),
                    ]
            elif kind == 9:
                lines += [f"for {draw(st.sampled_from(FLOAT))} in x:", *inner]
            elif kind == 7:
                lines += [f"for k in range({draw(st.integers(0, 3))}):", *inner]
            else:
                leave = draw(st.sampled_from(["break", "continue"]))
                lines += [
                    f"for i in range({draw(st.integers(-2, 0))}, {draw(st.integers(1, 4))}, "
                    f"{draw(st.integers(1, 2))}):",
                    *inner,
                    f"    if {draw(condition())}:",
                    f"        {leave}",
                    f"    b = {draw(whole(1))}",
                ]
    return lines


@settings(
    max_examples=120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
@given(statements(), st.integers(-3, 3), st.integers(-16, 16))
def test_compiled_and_plain_agree_to_the_last_bit(lines, n, a):
    ends = [
        f"out[{k}] = {value}"
        for k, value in enumerate(("a", "b", "c", "t[0]", "t[1]", "t[2]", "r.n"))
    ]
    body = "\n    ".join(
        [
            "i, j, b, c, t, r = 1, -2, 0.5, 3, (1.5, 2.25, -3.0), rows[1]",
            *lines,
            *ends,
            "return i + 10 * j",
        ]
    )
    source = f"def program(n, a, x, rows, out):\n    {body}\n"
    path = f"<program {hash(source)}>"
    linecache.cache[path] = len(source), None, source.splitlines(keepends=True), path
    results = []
    for compiled in (False, True):
        scope: dict = {"__name__": "programs"} | {
            name: inline(f) if compiled else f for name, f in PIECES.items()
        }
        exec(compile(source, path, "exec"), scope)
        x, rows, out = np.array([0.5, -1.25, 2.0, 0.125]), np.zeros(2, ROW), np.zeros(7)
        rows["n"], rows["v"] = [1, 2], [[0.5, 0.25, -1.0], [2.0, -0.125, 1.5]]
        run = kernel(scope["program"]) if compiled else scope["program"]
        results.append(
            (
                run(n, a / 8.0, x, rows.view(np.ndarray if compiled else np.recarray), out),
                x.tobytes(),
                rows.tobytes(),
                out.tobytes(),
            )
        )
    assert results[0] == results[1], source
