"""`rhs` and `settle` called from Python: `@asked` in place of `@kernel`.

Numba needs 0.6 us to find out what a block is, more than half of what a small machine needs for its accelerations; of an array
it knows it at once. So the rows of `tables` and `work` are handed over, which are arrays, and one kernel for all formulations
calls theirs by its address.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial

from ..num.address import address_of, by_address
from ..num.block import opened
from ..num.jit import CACHE, Behind, kernel, without_wrapper
from .signatures import signatures

_tables, _work = opened(lambda: signatures()[0]), opened(lambda: signatures()[1])
_rhs = by_address("tables, work, t, y, ydot", lambda: signatures()[2])
_settle = by_address("tables, work, t, y", lambda: signatures()[3])


@kernel
def ask_rhs(address, tables, work, t, y, ydot):
    return _rhs(address, _tables(tables), _work(work), t, y, ydot)


@kernel
def ask_settle(address, tables, work, t, y):
    return _settle(address, _tables(tables), _work(work), t, y)


class Asked(Behind):
    """A kernel with a door for Python that opens quickly."""

    @cached_property
    def address(self) -> int:
        return address_of(self, signatures()[2 if self._takes_rates else 3])

    @cached_property
    def _takes_rates(self) -> bool:
        return self.py_func.__code__.co_argcount == 5

    @cached_property
    def _door(self) -> Callable:
        return ask_rhs if self._takes_rates else ask_settle

    def __call__(self, tables, work, *rest):  # type: ignore[override]  # a door, where there was none
        return self._door(self.address, tables._row, work._row, *rest)


def asked(function: Callable) -> Callable:
    """A kernel `rhs(tables, work, t, y, ydot)` or `settle(tables, work, t, y)`."""
    return function if CACHE is None else Asked(function, partial(without_wrapper, function, CACHE))
