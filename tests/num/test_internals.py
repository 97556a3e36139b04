"""What of Numba's private interface the engine leans on: each test names what has changed where a new version breaks it."""

import gc
import inspect
import subprocess
import sys

import numba
import numpy as np
import pytest
from llvmlite.binding import ffi
from numba.core.registry import cpu_target

from kinetree.num import internals, private
from kinetree.num.jit import CACHE, JIT, inline, kernel, stage

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")
ACROSS = """
import sys
from kinetree.num.jit import CACHE
from kinetree.dynamics.state import kinematic_rates
from kinetree.tables.signatures import signatures
from numba import types
tables, work = signatures()[:2]
vector = types.float64[::1]
kinematic_rates.compile((tables, work, vector, vector, vector, vector))
library = kinematic_rates.overloads[(tables, work) + (vector,) * 4].library
print(sum(kinematic_rates.stats.cache_hits.values()), *sorted(library.load))
"""


@inline
def square(x):
    return x * x


@kernel
def inner(x):
    return square(x[0]) + 1.0


@kernel
def outer(x):
    return 2.0 * inner(x) + square(x[1])


@stage
def behind(x):
    return inner(x) + 1.0


@kernel
def front(x):
    return behind(x)


def library(dispatcher):
    return next(iter(dispatcher.overloads.values())).library


def test_the_version_of_numba_is_one_of_those_it_was_written_for():
    assert (0, 68) <= tuple(int(part) for part in numba.__version__.split(".")[:2]) <= (0, 69)


@pytest.mark.parametrize(("owner", "expected"), [(owner, one) for owner, several in private.REPLACED.items() for one in several],
                         ids=lambda given: given if isinstance(given, str) else given.__name__)
def test_functions_of_numba_that_ours_replace_are_there_and_are_handed_the_same(owner, expected):
    name, given = expected.rstrip(")").split("(")
    there = getattr(owner, name, None)
    assert there is not None, f"{owner.__name__}.{name} is gone"
    found = [argument for argument in inspect.signature(there).parameters if argument != "self"]
    assert found == [one for one in given.split(", ") if one], f"{owner.__name__}.{name} is handed other things"


def test_attributes_of_numba_that_are_read_or_set_are_there():
    assert [(owner.__name__, name) for owner, names in private.KNOWN.items() for name in names if not hasattr(owner, name)] == []


def test_everything_of_numba_that_ours_replace_is_among_what_is_expected():
    """A replaced function that nobody watches could vanish unseen."""
    from kinetree.num import kernel_cache, lowering, passes

    ours = [cls for module in (internals, lowering, passes, kernel_cache) for cls in vars(module).values()
            if isinstance(cls, type) and cls.__module__.startswith("kinetree")]
    found = {(base.__name__, name) for cls in ours for line in cls.__mro__ if line.__module__.startswith("kinetree")
             for name, own in vars(line).items() if inspect.isfunction(own)
             for base in cls.__mro__ if base.__module__.startswith("numba") and inspect.isfunction(vars(base).get(name))}
    watched = {(base.__name__, one.partition("(")[0]) for owner, names in private.REPLACED.items() for one in names
               for base in owner.__mro__}
    assert found - watched == set()


def test_a_piece_is_merged_into_kernels_and_a_kernel_is_called_by_its_symbol():
    assert outer(np.array([3.0, 4.0])) == 36.0
    code, symbol = library(outer).get_llvm_str(), next(iter(inner.overloads.values())).fndesc.llvm_func_name
    defined = [line for line in code.splitlines() if line.startswith("define")]
    assert any(symbol in line for line in code.splitlines() if line.startswith("declare")), "kernels are linked into callers"
    assert not any("square" in line for line in defined), "pieces are emitted on their own"


def test_a_piece_has_no_machine_code_of_its_own():
    outer(np.zeros(2))
    assert isinstance(library(square), internals.PieceLibrary)
    assert library(square).get_pointer_to_function(next(iter(square.overloads.values())).fndesc.llvm_func_name) == 0


def test_a_stage_serves_kernels_and_tells_python_that_it_has_no_door():
    x = np.array([3.0, 4.0])
    assert front(x) == 11.0
    for closed in (behind, square):
        with pytest.raises(TypeError, match="has no door to Python"):
            closed(x)


def test_nothing_of_numba_stays_changed_after_a_kernel_was_compiled():
    @kernel
    def product(x):
        return x[0] * x[1] + 2.0 * x[0]

    context, lock, listeners = cpu_target.typing_context, ffi.lib._lock, list(ffi.lib._lock._cblist)
    assert product(np.array([3.0, 4.0])) == 18.0
    assert lock._cblist == listeners and "resolve_function_type" not in vars(context) and gc.isenabled()
    assert internals._resolved, "sums and products are typed anew each time"


def test_flags_are_one_object_per_content():
    first, second = internals._settle(internals.Flags()), internals._settle(internals.Flags())
    assert first is second and hash(first) == id(first)


def test_an_integer_given_as_a_number_compiles_no_second_kernel():
    @kernel
    def at(x, k):
        return x[k]

    @kernel
    def both(x, k):
        return at(x, 0) + at(x, k)

    both(np.ones(3), 1)
    assert len(at.overloads) == 1


def test_kernels_of_others_are_not_kept_and_may_be_defined_anew():
    def made(factor):
        @kernel
        def scaled(x):
            return factor * x[0]

        return scaled

    assert made(2.0)(np.ones(1)) == 2.0 and made(3.0)(np.ones(1)) == 3.0
    assert not list(CACHE.rglob("*scaled*"))


def test_another_process_finds_the_kernels_of_this_one_with_those_they_call():
    for expected in (None, "1"):
        answer = subprocess.run([sys.executable, "-c", ACROSS], capture_output=True, text=True)
        assert answer.returncode == 0, answer.stderr
        hits, *loads = answer.stdout.split(maxsplit=1)
        assert expected in (None, hits) and "kinematic_rates" in loads[0]


def test_a_kernel_that_a_piece_asks_for_first_has_the_same_symbol_as_ever():
    """Numba hands the flags of a piece down to what it calls; a symbol with them in it would not be found by other processes."""
    @kernel
    def called(x):
        return x[0]

    @inline
    def piece(x):
        return called(x)

    @kernel
    def caller(x):
        return piece(x)

    assert caller(np.ones(1)) == 1.0
    (result,) = called.overloads.values()
    assert not result.fndesc.inline


def test_a_kernel_that_takes_records_is_not_called_by_others():
    """Numba numbers record types per process, and the number is part of the symbol."""
    def first(rows):
        return rows[0].a

    first.__module__, first.__qualname__ = "kinetree.posing", "first"  # as one that other processes know
    called = kernel(first)
    called.dispatcher._cache = private.NullCache()

    @kernel
    def caller(rows):
        return called(rows)

    with pytest.raises(Exception, match="first takes records"):
        caller(np.zeros(1, np.dtype([("a", "f8")], align=True)))
