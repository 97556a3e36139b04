"""What is not in the kernel language is refused with the file, the line and a sentence."""

import math
import re

import numpy as np
import pytest

from kinetree.kernel.compiler.values import KernelError
from kinetree.num.jit import JIT, inline, kernel

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")


def helper(x):
    return x


@inline
def endless(x):
    return endless(x)


@inline
def halves(x):
    return 0.5 * x[0], 0.5 * x[1]


def a_list(x):
    return [x[0]][0]


def a_comprehension(x):
    return max(v for v in x)


def a_dict(x):
    return {0: x[0]}[0]


def a_lambda(x):
    return (lambda v: v)(x[0])


def an_inner_function(x):
    def f(v):
        return v
    return f(x[0])


def a_try(x):
    try:
        return x[0]
    except ValueError:
        return 0.0


def a_raise(x):
    if x[0] < 0.0:
        raise ValueError
    return x[0]


def an_assertion(x):
    assert x[0] > 0.0
    return x[0]


def a_keyword(x):
    return math.atan2(x[0], x=x[1])


def a_plain_function(x):
    return helper(x[0])


def a_recursion(x):
    return endless(x)


def a_float_index(x):
    return x[0.5]


def too_many_indices(x):
    return x[0, 0]


def an_array_sum(x):
    return (x + x)[0]


def an_unknown_name(x):
    return nowhere  # noqa: F821


def an_unknown_function(x):
    return math.gamma(x[0])


def an_unset_variable(x):
    for k in range(3):
        if k > 0:
            return last  # noqa: F821
        last = x[k]  # noqa: F841
    return 0.0


def two_results(x):
    if x[0] > 0.0:
        return 1.0
    return x


def no_result_on_one_way(x):
    if x[0] > 0.0:
        return 1.0


def two_types(x):
    y = x
    if x[0] > 0.0:
        y = 1.0
    return y


def a_wrong_unpacking(x):
    a, b, c = halves(x)
    return a + b + c


def a_text(x):
    s = "a"
    return s + s


def nothing_at_all(x):
    y = None
    return y


def a_variable_step(x):
    n = 2
    return x[::n][0]


def a_global_statement(x):
    global helper
    helper = x
    return 0.0


REFUSED = [
    (a_list, "a list is not in the kernel language"), (a_comprehension, "a generator is not in the kernel language"),
    (a_dict, "a dict is not in the kernel language"), (a_lambda, "a lambda is not in the kernel language"),
    (an_inner_function, "a function inside a function is not in the kernel language"),
    (a_try, "try is not in the kernel language"), (a_raise, "kernels raise nothing"), (an_assertion, "kernels raise nothing"),
    (a_keyword, "by position"), (a_plain_function, "mark it with @inline or @kernel"), (a_recursion, "calls itself"),
    (a_float_index, "float64 is no index"), (too_many_indices, "2 indices for array of float64, 1-dimensional"),
    (an_array_sum, "write a loop over the elements"), (an_unknown_name, "'nowhere' is not defined"),
    (an_unknown_function, "math.gamma is not in the kernel language"), (an_unset_variable, "'last' is read before it is set"),
    (two_results, "elsewhere"), (no_result_on_one_way, "end without a value"), (two_types, "on one way"),
    (a_wrong_unpacking, "cannot be unpacked into 3 names"), (a_text, "a text is not a value"),
    (nothing_at_all, "None is not a value"),
    (a_variable_step, "must be a positive constant"), (a_global_statement, "global is not in the kernel language")]


@pytest.mark.parametrize("function, sentence", REFUSED, ids=[f.__name__ for f, _ in REFUSED])
def test_it_is_refused_with_its_place_and_a_sentence(function, sentence):
    with pytest.raises(KernelError, match=re.escape(sentence)) as caught:
        kernel(function)(np.ones(3))
    first = function.__code__.co_firstlineno
    if function is not a_recursion:
        assert first <= caught.value.line <= first + 6
    assert caught.value.path == __file__ and str(caught.value).startswith(f"{__file__}, line {caught.value.line}, in ")


def test_a_second_signature_is_refused():
    def first(x):
        return x[0]

    f = kernel(first)
    assert f(np.ones(2)) == 1.0
    with pytest.raises(TypeError, match=r"takes array of float64, 1-dimensional as argument 1, not int64 of shape \(2,\)"):
        f(np.ones(2, np.int64))

    def calls(k):
        return f(k)

    with pytest.raises(KernelError, match=r"has the signature \(array of float64, 1-dimensional\) and cannot be called with"):
        kernel(calls)(np.ones(2, np.int64))


def test_arrays_that_are_not_contiguous_are_refused():
    def first(x):
        return x[0]

    with pytest.raises(TypeError, match="C-contiguous"):
        kernel(first)(np.ones(4)[::2])


def test_a_file_that_was_edited_after_its_import_is_not_compiled(tmp_path, monkeypatch):
    path = tmp_path / "edited_module.py"
    path.write_text("from kinetree.num.jit import kernel\n\n\n@kernel\ndef f(x):\n    return x[0]\n")
    monkeypatch.syspath_prepend(tmp_path)
    import edited_module

    path.write_text("from kinetree.num.jit import kernel\n\n\n# a line more\n@kernel\ndef f(x):\n    return x[0]\n")
    with pytest.raises(KernelError, match="the file is not the one that 'f' was imported from"):
        edited_module.f(np.ones(1))
