"""Object files of the kernels of an image, for a target.

Each kernel is compiled by itself, and its object is kept under the hash of its text, as in
`kernel/runtime/on_demand.py`. One more object has the table of the kernels in the order of the image:
C code needs no name but `<name>_kernels`.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ...kernel.compiler.unit import Unit
from ...kernel.compiler.writer import digest, with_callees
from ...kernel.runtime.llvm import llvm_version, object_code, target_machine
from ...kernel.runtime.object_files import load_object, store_object
from ...kernel.runtime.targets import PLATFORMS, Target
from ...kernel.usercode.compiled import ENTRY, module_of
from ...kernel.usercode.registry import Code
from ..image.image import Image


class Objects(NamedTuple):
    """Object files by name, and the symbols that each defines."""

    files: dict[str, bytes]
    symbols: dict[str, tuple[str, ...]]


def objects_of(image: Image, platform: str, target: Target, prefix: str) -> Objects:
    """The object files of an image for a platform; the table of kernels is `<prefix>_kernels`."""
    unit, triple = Unit(), PLATFORMS[platform].triple
    texts, roots = {}, []
    for source in image.sources:
        if isinstance(source, Code):
            symbol = f"user.{source.shape}.{source.digest[:16]}"
            text, _ = module_of(source.function, source.shape, target.fused)
            texts[symbol] = text.replace(f'@"{ENTRY}"', f'@"{symbol}"')
        else:
            compiled = unit.get(source.function, source.args)
            symbol = compiled.symbol
            for one in with_callees(compiled):
                texts[one.symbol] = ""
        roots.append(symbol)
    by_symbol = {one.symbol: one for one in unit.kernels}
    files, symbols = dict[str, bytes](), dict[str, tuple[str, ...]]()
    for k, (symbol, text) in enumerate(sorted(texts.items())):
        text = text or unit.module([by_symbol[symbol]], target.fused)
        files[f"{k}.o"] = _object(text, triple, target.cpu)
        symbols[f"{k}.o"] = (symbol,)
    files["kernels.o"] = _object(_table(f"{prefix}_kernels", roots), triple, target.cpu)
    symbols["kernels.o"] = (f"{prefix}_kernels",)
    return Objects(files, symbols)


def _table(name: str, symbols: list[str]) -> str:
    """LLVM text of a module with an array of the addresses of kernels."""
    lines = [f'declare void @"{symbol}"()' for symbol in sorted(set(symbols))]
    items = ", ".join(f'ptr @"{symbol}"' for symbol in symbols)
    return "\n".join(
        [*lines, f'@"{name}" = constant [{len(symbols)} x ptr] [{items}], align 8', ""]
    )


def _object(text: str, triple: str, cpu: str) -> bytes:
    """Relocatable machine code of a module, from the cache if it is there."""
    key = digest(f"{llvm_version()} {triple} {cpu} pic\n{text}", 40)
    code = load_object(key)
    if code is None:
        code = object_code(text, _machine(triple, cpu))
        store_object(key, code)
    return code


@cache
def _machine(triple: str, cpu: str):
    return target_machine(triple, cpu)
