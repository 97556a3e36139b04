"""Kernels and all kernels that they call, compiled for WebAssembly.

Products are rounded before they are added, as on processors without fused multiply-add: the bits are
those of the library for any x86-64 processor. Objects are kept in the cache of compiled kernels.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from ...kernel.compiler.unit import Unit
from ...kernel.compiler.writer import Compiled, digest
from ...kernel.runtime.llvm import llvm_version, object_code, target_machine
from ...kernel.runtime.object_files import load_object, store_object
from ...kernel.usercode.compiled import ENTRY, module_of
from ...kernel.usercode.registry import Code
from ..image.image import KernelOf
from .objects import ObjectFile, read_object

TRIPLE, CPU = "wasm32-unknown-unknown", "mvp"
# all current browsers have them: copies of memory, conversions that do not trap
FEATURES = "+bulk-memory,+bulk-memory-opt,+nontrapping-fptoint,+sign-ext,+mutable-globals"

Said = Callable[[str], object]


_ENTRY = re.compile(rf'define (\w+) @"{ENTRY}"\(([^)]*)\)')


class WasmUnit:
    """Kernels and user code translated for WebAssembly, by symbol."""

    def __init__(self) -> None:
        self.unit = Unit()
        self.kernels: dict[str, Compiled] = {}
        self.texts: dict[str, str] = {}  # of user code

    def add(self, source: KernelOf | Code) -> str:
        """Symbol of a kernel, which is compiled with all kernels that it calls, or of user code."""
        if isinstance(source, Code):
            symbol = f"user.{source.shape}.{source.digest[:16]}"
            text, _ = module_of(source.function, source.shape, False)
            self.texts[symbol] = entry_for_integers(text, symbol)
            return symbol
        found = self.unit.get(source.function, source.args)
        todo = [found]
        while todo:
            one = todo.pop()
            if one.symbol not in self.kernels:
                self.kernels[one.symbol] = one
                todo += one.called
        return found.symbol

    def files(self, say: Said = lambda text: None) -> list[ObjectFile]:
        """The objects of all kernels and of user code; `say` is called with the progress."""
        kernels = {one.symbol: one for one in self.kernels.values() if not one.function.inline}
        symbols, files = sorted({**kernels, **self.texts}), []
        for k, symbol in enumerate(symbols):
            say(f"compiling kernel {k + 1} of {len(symbols)}")
            text = self.texts.get(symbol) or self.unit.module([kernels[symbol]], fused=False)
            files.append(read_object(wasm_object(text)))
        return files


def entry_for_integers(text: str, symbol: str) -> str:
    """A module of user code whose entry has 64-bit integers for addresses, as kernels pass them.

    On processors with 64-bit addresses both are the same; WebAssembly compares the types of a call.
    """
    found = _ENTRY.search(text)
    assert found is not None, "user code has an entry"
    result, given = found[1], [one.split() for one in found[2].split(", ")]
    outer = ", ".join(f"{'i64' if kind == 'ptr' else kind} {name}" for kind, name in given)
    lines = [f"  {name}.at = inttoptr i64 {name} to ptr\n" for kind, name in given if kind == "ptr"]
    passed = ", ".join(f"{kind} {name}{'.at' * (kind == 'ptr')}" for kind, name in given)
    return (
        text.replace(found[0], found[0].replace("define", "define internal"))
        + f'define {result} @"{symbol}"({outer}) nounwind {{\n{"".join(lines)}'
        + f'  %found = call {result} @"{ENTRY}"({passed})\n  ret {result} %found\n}}\n'
    )


def wasm_object(text: str) -> bytes:
    """The object of a module, from the cache if it is there."""
    key = digest(f"{llvm_version()} {TRIPLE} {CPU} {FEATURES}\n{text}", 40)
    code = load_object(key)
    if code is None:
        code = object_code(text, _machine())
        store_object(key, code)
    return code


@cache
def _machine() -> Any:
    return target_machine(TRIPLE, CPU, FEATURES, "static")
