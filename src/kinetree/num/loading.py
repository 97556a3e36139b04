"""Kernels by name: how a kernel that comes from the cache finds those it calls."""

from __future__ import annotations

import importlib
from typing import NamedTuple

PACKAGE = __name__.partition(".")[0]


def known_again(module: str, name: str) -> bool:
    """Does a function have the same name and the same source in every process? Those of the package do; of others who knows."""
    return module.partition(".")[0] == PACKAGE and name.isidentifier()


class Load(NamedTuple):
    """Loads (or compiles) a kernel for one signature: kept with every kernel that calls it."""

    module: str
    name: str
    arguments: tuple

    def __call__(self) -> None:
        kernel = getattr(importlib.import_module(self.module), self.name)
        if self.arguments not in kernel.overloads:
            kernel.compile(self.arguments)
