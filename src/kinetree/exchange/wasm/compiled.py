"""Kernels and all kernels that they call, compiled for WebAssembly.

Products are rounded before they are added, as on processors without fused multiply-add: the bits are
those of the library for any x86-64 processor. Objects are kept in the cache of compiled kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

import llvmlite.binding as llvm

from ...kernel.compiler.unit import Unit
from ...kernel.compiler.writer import Compiled, digest
from ...kernel.language import Function
from ...kernel.runtime.llvm import llvm_version, object_code
from ...kernel.runtime.object_files import load_object, store_object
from ...kernel.types import Type
from .objects import ObjectFile, read_object

TRIPLE, CPU = "wasm32-unknown-unknown", "mvp"
# all current browsers have them: copies of memory, conversions that do not trap
FEATURES = "+bulk-memory,+bulk-memory-opt,+nontrapping-fptoint,+sign-ext,+mutable-globals"

Said = Callable[[str], object]


class WasmUnit:
    """Kernels translated for WebAssembly, by name."""

    def __init__(self) -> None:
        self.unit = Unit()
        self.kernels: dict[str, Compiled] = {}

    def add(self, function: Function, args: Iterable[Type]) -> str:
        """Symbol of a kernel, which is compiled with all kernels that it calls."""
        found = self.unit.get(function, tuple(args))
        todo = [found]
        while todo:
            one = todo.pop()
            if one.symbol not in self.kernels:
                self.kernels[one.symbol] = one
                todo += one.called
        return found.symbol

    def files(self, say: Said = lambda text: None) -> list[ObjectFile]:
        """The objects of all kernels; `say` is told about the progress if many are compiled."""
        found = [one for one in self.kernels.values() if not one.function.inline]
        files = []
        for k, one in enumerate(sorted(found, key=lambda one: one.symbol)):
            say(f"kernel {k + 1} of {len(found)}")
            files.append(read_object(wasm_object(self.unit.module([one], fused=False))))
        return files


def wasm_object(text: str) -> bytes:
    """The object of a module, from the cache if it is there."""
    key = digest(f"{llvm_version()} {TRIPLE} {CPU} {FEATURES}\n{text}", 40)
    code = load_object(key)
    if code is None:
        code = object_code(text, _machine())
        store_object(key, code)
    return code


@cache
def _machine() -> llvm.TargetMachine:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu=CPU, features=FEATURES, opt=3, reloc="static", codemodel="default"
    )
