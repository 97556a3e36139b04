"""Reading and writing short vectors in one go: `load3(x)` is (x[0], x[1], x[2]), `store3(x, a)` the
reverse.
"""

from __future__ import annotations

from typing import Any

from .decorators import JIT
from .language import Loader, Storer


def loader(n: int) -> Any:
    """(x[0], .., x[n - 1])."""
    return Loader(n) if JIT else lambda x: tuple(x[k] for k in range(n))


def storer(n: int, add: bool = False) -> Any:
    """x[k] = a[k], or x[k] += a[k], for k < n."""

    def plain(x, a) -> None:
        for k in range(n):
            x[k] = x[k] + a[k] if add else a[k]

    return Storer(n, add) if JIT else plain
