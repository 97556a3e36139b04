"""Kernels compiled in this process, when they are first needed: in editable installs, and code that is made at run time."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path

import llvmlite.binding as llvm

from .compiler.unit import Unit
from .compiler.writer import Compiled, digest
from .engine import COMPILING
from .kept import keep, kept
from .language import Function
from .machine import empty_engine, has_fma, host, llvm_version, object_code, target_machine
from .types import Signature, Type


class OnDemand:
    """Compiles kernels together with the kernels they call, and finds them.

    there   symbols that a library, which must be given then, has already
    """

    def __init__(self, library: Path | None = None, there: Collection[str] = ()) -> None:
        self.unit, self.compilations = Unit(), 0
        self._placed, self._engine = set(there), empty_engine()
        if library is not None:
            llvm.load_library_permanently(str(library))

    def find(self, function: Function, args: tuple[Type, ...]) -> tuple[int, Signature]:
        """Address and signature of a kernel for these types of arguments."""
        with COMPILING:
            compiled = self.unit.get(function, args)
            missing = [c for c in self._with_callees(compiled) if c.symbol not in self._placed]
            for c in missing:  # all of them before the first is looked for: symbols are resolved then
                code = llvm.ObjectFileRef.from_data(self._object(self.unit.module([c], fused())))
                self._engine.add_object_file(code)
                self._placed.add(c.symbol)
            if missing:
                self._engine.finalize_object()
            return self._engine.get_function_address(compiled.symbol), Signature(compiled.result, compiled.args)

    def _with_callees(self, compiled: Compiled) -> list[Compiled]:
        """A kernel and all kernels it calls, through pieces and other kernels."""
        seen, todo = {compiled.symbol: compiled}, [compiled]
        while todo:
            for other in todo.pop().called:
                if other.symbol not in seen:
                    seen[other.symbol] = other
                    todo.append(other)
        return [c for c in seen.values() if not c.function.inline]

    def _object(self, text: str) -> bytes:
        code, fresh = compiled_object(text)
        self.compilations += fresh
        return code


class Loaded:
    """A module of its own, which lives as long as this object: code of a user."""

    def __init__(self, text: str, symbol: str) -> None:
        with COMPILING:
            self._engine = empty_engine()
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(compiled_object(text)[0]))
            self._engine.finalize_object()
            self.address = self._engine.get_function_address(symbol)


def compiled_object(text: str) -> tuple[bytes, bool]:
    """The machine code of a text for this machine, kept by its hash, and whether it had to be compiled."""
    key = digest(_about() + text, 40)
    code = kept(key)
    if code is not None:
        return code, False
    code = object_code(text, _target())
    keep(key, code)
    return code, True


@cache
def _target() -> llvm.TargetMachine:
    return target_machine(*host(), jit=True)


@cache
def fused() -> bool:
    return has_fma(*host())


@cache
def _about() -> str:
    """What machine code depends on beside its text."""
    return f"{llvm_version()} {' '.join(host())}\n"
