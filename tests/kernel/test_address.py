"""Kernels called by an address in a table."""

import numpy as np
import pytest

from kinetree.kernel import types
from kinetree.kernel.decorators import JIT, kernel
from kinetree.kernel.intrinsics import address_of, by_address

SIGNATURE = types.float64(types.float64, types.float64[::1]) if JIT else None
call = by_address("a, x", lambda: SIGNATURE)


@kernel
def times(a, x):
    return a * x[0]


@kernel
def plus(a, x):
    return a + x[0]


@kernel
def each(addresses, a, x, out):
    for k in range(addresses.shape[0]):
        out[k] = call(addresses[k], a, x)


def test_what_lies_at_the_address_is_called():
    out, where = np.zeros(3), np.array([address_of(f, SIGNATURE) for f in (times, plus, times)])
    each(where, 3.0, np.array([4.0]), out)
    assert out.tolist() == [12.0, 7.0, 12.0]


@pytest.mark.skipif(not JIT, reason="nothing is typed")
def test_other_arguments_than_those_of_the_signature_are_refused():
    @kernel
    def wrong(address, x):
        return call(address, 1, x)

    with pytest.raises(Exception, match=r"does not match"):
        wrong(address_of(times, SIGNATURE), np.zeros(1))
