"""Kernels compiled in this process at their first use: in editable installs, and generated code."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path

import llvmlite.binding as llvm

from ..compiler.unit import Unit
from ..compiler.writer import digest, with_callees
from ..language import Function
from ..types import Signature, Type
from .llvm import empty_engine, host, llvm_version, machine_here, object_code
from .lookup import COMPILING, engine
from .object_files import load_object, read_objects, store_object, unlinked
from .targets import Target


class OnDemand:
    """Compiles kernels together with the kernels they call, and finds them.

    target    family of processors, that of the library if there is one
    library   file of a library, linked or not, that has the symbols in `there`
    """

    def __init__(
        self, target: Target | None = None, library: Path | None = None, there: Collection[str] = ()
    ) -> None:
        self.unit, self.target, self.compilations = Unit(), target or host(), 0
        self._placed, self._engine = set(there), empty_engine(self.target)
        if library is not None and unlinked(library):
            for code in read_objects(library):
                self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
            self._engine.finalize_object()
        elif library is not None:
            llvm.load_library_permanently(str(library))

    def find(self, function: Function, args: tuple[Type, ...]) -> tuple[int, Signature]:
        """Address and signature of a kernel for these types of arguments."""
        with COMPILING:
            compiled = self.unit.get(function, args)
            missing = [c for c in with_callees(compiled) if c.symbol not in self._placed]
            for c in missing:  # all of them before the first lookup, which resolves symbols
                code = llvm.ObjectFileRef.from_data(
                    self._object(self.unit.module([c], self.target.fused))
                )
                self._engine.add_object_file(code)
                self._placed.add(c.symbol)
            if missing:
                self._engine.finalize_object()
            return self.address(compiled.symbol), Signature(compiled.result, compiled.args)

    def address(self, symbol: str) -> int:
        return self._engine.get_function_address(symbol)

    def _object(self, text: str) -> bytes:
        code, fresh = compiled_object(text, self.target)
        self.compilations += fresh
        return code


class Loaded:
    """A separate module that lives as long as this object: user code, for the same processors as the
    kernels.
    """

    def __init__(self, text: str, symbol: str) -> None:
        with COMPILING:
            target = engine().target
            self._engine = empty_engine(target)
            self._engine.add_object_file(
                llvm.ObjectFileRef.from_data(compiled_object(text, target)[0])
            )
            self._engine.finalize_object()
            self.address = self._engine.get_function_address(symbol)


def compiled_object(text: str, target: Target) -> tuple[bytes, bool]:
    """Machine code of a text, from the cache if it is there, and whether it was compiled."""
    key = digest(_about(target) + text, 40)
    code = load_object(key)
    if code is not None:
        return code, False
    code = object_code(text, _machine(target))
    store_object(key, code)
    return code, True


@cache
def _machine(target: Target) -> llvm.TargetMachine:
    return machine_here(target)


@cache
def _about(target: Target) -> str:
    """Text of what machine code depends on besides its LLVM text."""
    return f"{llvm_version()} {llvm.get_process_triple()} {target.cpu}\n"
