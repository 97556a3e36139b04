"""What is not in the kernel language is refused with the file, the line and a sentence."""

import math
import re
from collections import namedtuple

import numpy as np
import pytest

from kinetree.elements.forces import catalogue
from kinetree.elements.forces.contract import ends
from kinetree.kernel.algebra.vec3 import load3, scale
from kinetree.kernel.compiler.values import KernelError
from kinetree.kernel.decorators import JIT, inline, kernel
from kinetree.kernel.intrinsics import address_of

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")


Pair = namedtuple("Pair", "left right")
TABLE, COMPLEX = np.ones((2, 2)), np.ones(2, complex)


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


def a_walrus(x):
    return (y := x[0]) + y


def an_f_string(x):
    return len(f"{x[0]}")


def a_starred_array(x):
    return max(*x)


def a_starred_name(x):
    first, *rest = (x[0], x[1])
    return first + rest[0]


def a_negative_step(x):
    return x[::-1][0]


@inline
def sum_of(n, step):
    total = 0
    for k in range(0, n, 0):
        total += k
    return total


def a_range_by_name(x):
    s = 0.0
    for k in range(0, stop=3):
        s += x[k]
    return s


def a_sliced_tuple(x):
    n = int(x[0])
    return (1, 2, 3)[n:][0]


def a_truth_value_as_index(x):
    return x[x[0] > 0.0]


def a_wide_integer(x):
    return 2**70 % 3


def too_few_arguments(x):
    return math.atan2(x[0])


def too_few_arguments_of_an_inline_function(x):
    return sum_of(3)


def an_unknown_attribute(x):
    return x.sum()


def an_unknown_field(x):
    return Pair(x[0], x[1]).middle


def a_missing_field(x):
    return Pair(x[0])


def a_function_as_result(x):
    return math.sin


def nothing_as_a_value(x):
    return 1.0 + fills(x)


@inline
def fills(x):
    x[0] = 1.0


def an_array_of_another_shape(x):
    x[:] = TABLE
    return 0.0


def an_array_of_complex_numbers(x):
    return COMPLEX[0]


def a_constant_array_that_is_set(x):
    TABLE[0, 0] = 1.0
    return 0.0


def a_shift(x):
    return 1 << 3


def a_matrix_product(x):
    return x @ x


def a_with(x):
    with x:
        return x[0]


def a_class(x):
    class A:
        pass

    return x[0]


def a_match(x):
    match x[0]:
        case 1.0:
            return 1.0
    return 0.0


def an_import(x):
    import cmath

    return cmath.pi


def a_deletion(x):
    y = x[0]
    del y
    return 0.0


def a_yield(x):
    yield x[0]


def sorted_values(x):
    return sorted(x)[0]


def compared_arrays(x):
    return x == x


def a_field_by_its_name(x):
    return x["mass"]


def an_ellipsis(x):
    return x[..., 0]


REFUSED = [
    (a_walrus, "the operator := is not"),
    (an_f_string, "an f-string is not"),
    (a_starred_array, "only tuples can have a star"),
    (a_starred_name, "this cannot be set"),
    (a_negative_step, "must be a positive constant"),
    (a_range_by_name, "by position"),
    (a_sliced_tuple, "tuples are sliced by constants"),
    (a_truth_value_as_index, "a truth value is no index"),
    (a_wide_integer, "more than 64 bits"),
    (too_few_arguments, "atan2 takes 2 arguments here, not 1"),
    (an_unknown_attribute, "but no 'sum'"),
    (an_unknown_field, "has no 'middle'"),
    (a_missing_field, "Pair has the fields left, right"),
    (a_function_as_result, "sin cannot be returned"),
    (nothing_as_a_value, "the function returns nothing"),
    (an_array_of_another_shape, "cannot be copied into"),
    (an_array_of_complex_numbers, "no numbers of type complex128"),
    (a_constant_array_that_is_set, "read-only"),
    (a_shift, "there is no int64 << int64"),
    (a_matrix_product, "write a loop over the elements"),
    (a_with, "with is not"),
    (a_class, "a class is not"),
    (a_match, "match is not"),
    (an_import, "an import is not"),
    (a_deletion, "del is not"),
    (a_yield, "yield is not"),
    (sorted_values, "sorted is not in the kernel language"),
    (compared_arrays, "compare numbers"),
    (a_field_by_its_name, "fields of records are attributes"),
    (an_ellipsis, "is not a value of the kernel language"),
    (a_list, "a list is not in the kernel language"),
    (a_comprehension, "a generator is not in the kernel language"),
    (a_dict, "a dict is not in the kernel language"),
    (a_lambda, "a lambda is not in the kernel language"),
    (an_inner_function, "a function inside a function is not in the kernel language"),
    (a_try, "try is not in the kernel language"),
    (a_raise, "kernels raise nothing"),
    (an_assertion, "kernels raise nothing"),
    (a_keyword, "by position"),
    (a_plain_function, "decorate it with @inline or @kernel"),
    (a_recursion, "calls itself"),
    (a_float_index, "float64 is no index"),
    (too_many_indices, "2 indices for array of float64, 1-dimensional"),
    (an_array_sum, "write a loop over the elements"),
    (an_unknown_name, "'nowhere' is not defined"),
    (an_unknown_function, "math.gamma is not in the kernel language"),
    (an_unset_variable, "'last' is read before it is set"),
    (two_results, "elsewhere"),
    (no_result_on_one_way, "end without a value"),
    (two_types, "on one path"),
    (a_wrong_unpacking, "cannot be unpacked into 3 names"),
    (a_text, "a text is not a value"),
    (nothing_at_all, "None is not a value"),
    (a_variable_step, "must be a positive constant"),
    (a_global_statement, "global is not in the kernel language"),
]


@pytest.mark.parametrize("function, sentence", REFUSED, ids=[f.__name__ for f, _ in REFUSED])
def test_it_is_refused_with_its_place_and_a_sentence(function, sentence):
    with pytest.raises(KernelError, match=re.escape(sentence)) as caught:
        kernel(function)(np.ones(3))
    first = function.__code__.co_firstlineno
    if function is not a_recursion:
        assert first <= caught.value.line <= first + 6
    assert caught.value.path == __file__ and str(caught.value).startswith(
        f"{__file__}, line {caught.value.line}, in "
    )


def test_mistakes_in_an_inline_function_are_reported_with_its_line():
    def calls(x):
        return sum_of(3, 0)

    with pytest.raises(KernelError, match="the step of range is 0") as caught:
        kernel(calls)(np.ones(3))
    assert caught.value.line == sum_of.py_func.__code__.co_firstlineno + 3

    with pytest.raises(KernelError, match="sum_of takes 2 arguments, not 1") as caught:
        kernel(too_few_arguments_of_an_inline_function)(np.ones(3))
    assert (
        caught.value.line == too_few_arguments_of_an_inline_function.__code__.co_firstlineno + 1
    )  # of the call


def test_a_variable_of_the_function_around_must_have_been_set():
    def reads(x):
        return x[0] + later

    f = kernel(reads)
    with pytest.raises(KernelError, match="'later' is not defined"):
        f(np.ones(1))
    later = 1.0
    assert f(np.ones(1)) == 2.0 == x_plus(later)


def x_plus(y):
    return 1.0 + y


@pytest.mark.parametrize(
    "argument, said",
    [
        ("a", "take numbers, arrays and blocks, not str"),
        (np.array(1.0), "an array without dimensions"),
        (np.ones(2, np.float32), "no numbers of type float32"),
        ([1.0], "not list"),
    ],
)
def test_arguments_that_kernels_do_not_take(argument, said):
    def first(x):
        return x[0]

    with pytest.raises(TypeError, match=said):
        kernel(first)(argument)


def test_numbers_are_not_cut_to_fit_a_signature():
    def total(k, a):
        return k + a

    f = kernel(total)
    assert f(1, 2.5) == 3.5 == f(np.int64(1), np.float64(2.5))
    for wrong, said in (
        ((1.5, 2.5), "takes int64 as argument 1, not float"),
        ((1, "a"), "takes float64 as argument 2, not str"),
    ):
        with pytest.raises(TypeError, match=said):
            f(*wrong)
    with pytest.raises(TypeError, match=r"total\(\) missing 1 required"):
        f(1)


def test_results_that_python_cannot_receive_are_refused():
    def row(x):
        return x

    with pytest.raises(
        KernelError, match="returns array of float64, 1-dimensional, which Python cannot receive"
    ):
        kernel(row)(np.ones(2))


def test_a_second_signature_is_refused():
    def first(x):
        return x[0]

    f = kernel(first)
    assert f(np.ones(2)) == 1.0
    with pytest.raises(
        TypeError,
        match=r"takes array of float64, 1-dimensional as argument 1, not int64 of shape \(2,\)",
    ):
        f(np.ones(2, np.int64))

    def calls(k):
        return f(k)

    with pytest.raises(
        KernelError,
        match=r"has the signature \(array of float64, 1-dimensional\) and cannot be called with",
    ):
        kernel(calls)(np.ones(2, np.int64))


def test_arrays_that_are_not_contiguous_are_refused():
    def first(x):
        return x[0]

    with pytest.raises(TypeError, match="C-contiguous"):
        kernel(first)(np.ones(4)[::2])


def test_a_file_that_was_edited_after_its_import_is_not_compiled(tmp_path, monkeypatch):
    path = tmp_path / "edited_module.py"
    path.write_text(
        "from kinetree.kernel.decorators import kernel\n\n\n@kernel\ndef f(x):\n    return x[0]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import edited_module

    path.write_text(
        "from kinetree.kernel.decorators import kernel\n\n\n# a line more\n@kernel\ndef f(x):\n    return "
        "x[0]\n"
    )
    with pytest.raises(KernelError, match="the file is not the one that 'f' was imported from"):
        edited_module.f(np.ones(1))


# --- mistakes of a contributor, in a force element
# ---------------------------------------------------------------------------------


def exchanged_in_a_call(tables, work, force, t, q, v, x):
    work.f[0] = ends(force, tables)[0].p[0]


def parameters_in_another_order(force, t, q, v, x, tables, work):
    work.f[0] = tables.pool[force.first]


def one_parameter_less(tables, work, force, t, q, v):
    work.f[0] = t


def one_argument_less(tables, work, force, t, q, v, x):
    work.f[0] = ends(tables)[0].p[0]


def an_unknown_field(tables, work, force, t, q, v, x):
    work.f[0] = force.strength


def an_unknown_table(tables, work, force, t, q, v, x):
    work.f[0] = tables.marker[0].p[0]


def a_tuple_for_an_array(tables, work, force, t, q, v, x):
    work.f[0] = load3((1.0, 2.0, 3.0))[0]


def a_tuple_into_a_field(tables, work, force, t, q, v, x):
    work.bodies[0].p = (1.0, 2.0, 3.0)


def a_vector_scaled_the_wrong_way(tables, work, force, t, q, v, x):
    work.f[0] = scale(load3(work.bodies[0].p), 2.0)[0]


MISTAKES = [
    (
        exchanged_in_a_call,
        "(tables.markers): the record has no field 'markers'; it has kind, im, nm, sensor, ix, mode, "
        "input, address, first, count, rest; called as ends(tables: record(kind, im, ..), force: "
        "Tables) in FILE, line LINE.",
    ),
    (
        parameters_in_another_order,
        "no 'pool'; it is called as parameters_in_another_order(force: Tables, t: Work, q: "
        "record(kind, im, ..), v: float64,",
    ),
    (one_parameter_less, "takes 6 arguments, not 7; it is called as one_parameter_less(tables: "),
    (
        one_argument_less,
        "FILE, line LINE, in FUNCTION (ends(tables)): ends takes 2 arguments, not 1.",
    ),
    (
        an_unknown_field,
        "FILE, line LINE, in FUNCTION (force.strength): the record has no field 'strength'; it has kind",
    ),
    (
        an_unknown_table,
        "FILE, line LINE, in FUNCTION (tables.marker): Tables has no array 'marker'; did you mean "
        "markers",
    ),
    (
        a_tuple_for_an_array,
        "FILE, line LINE, in FUNCTION (load3((1.0, 2.0, 3.0))): (float64, float64, float64) where a "
        "contiguous array of floats is needed.",
    ),
    (
        a_tuple_into_a_field,
        "FILE, line LINE, in FUNCTION (work.bodies[0].p): this is an array; write "
        "work.bodies[0].p[:] to set its elements.",
    ),
    (
        a_vector_scaled_the_wrong_way,
        "float64 has no elements; called as scale(s: tuple of 3, a: float64) in FILE, line LINE.",
    ),
]


@pytest.mark.parametrize("function, sentence", MISTAKES, ids=lambda x: getattr(x, "__name__", ""))
def test_a_mistake_in_a_force_is_one_sentence_with_kernel_argument_file_and_line(
    function, sentence
):
    with pytest.raises(TypeError) as error:
        address_of(kernel(function), catalogue._signatures()[catalogue.APPLY])
    said = str(error.value)
    line = str(function.__code__.co_firstlineno + 1)
    for name, value in (("FILE", __file__), ("LINE", line)):
        sentence = sentence.replace(name, value)
    assert sentence.replace("FUNCTION", kernel(function).name) in said
    assert "\n" not in said and said.endswith(".")


def nothing(tables, work, force, t, q, x):
    pass


def an_integer(tables, work, force, t, q, x):
    return 0


def a_tuple(tables, work, force, t, q, x):
    return 0.0, 0.0


@pytest.mark.parametrize("energy", [nothing, an_integer, a_tuple])
def test_an_energy_that_is_not_a_float_is_refused(energy):
    with pytest.raises(TypeError, match=r"returns .*, but its caller needs float64\."):
        address_of(kernel(energy), catalogue._signatures()[catalogue.ENERGY])
