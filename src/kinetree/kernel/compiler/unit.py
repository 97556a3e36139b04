"""Translated functions, and the LLVM modules made of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from ..language import Function
from ..types import Type
from .functions import declarations
from .text import Text
from .values import KernelError
from .writer import Compiled, Writer, digest

FUSED = "call double @llvm.fma.f64(double %a, double %b, double %c)"
ROUNDED_TWICE = "fadd double %ab, %c"


class Unit:
    """Translated functions by their argument types. A kernel has one signature; others are refused."""

    def __init__(
        self, writer: Callable[[Unit, Function, tuple[Type, ...]], Writer] = Writer
    ) -> None:
        self._writer = writer
        self._known: dict[tuple[Function, tuple[Type, ...]], Compiled] = {}
        self._kernels: dict[Function, Compiled] = {}
        self._open: list[Function] = []  # functions being translated

    @property
    def kernels(self) -> list[Compiled]:
        return list(self._kernels.values())

    def get(
        self,
        function: Function,
        args: tuple[Type, ...],
        caller: Text | None = None,
        node: ast.AST | None = None,
    ) -> Compiled:
        """The function for these types, translated at the first request."""
        found = self._known.get((function, args))
        if found is None:
            if function in self._open:
                reason = f"{function.name} calls itself, which the kernel language does not allow"
                raise caller.error(node, reason) if caller else KernelError(reason)
            self._check(function, args, caller, node)
            self._open.append(function)
            try:
                found = self._writer(self, function, args).compiled()
            except KernelError as error:
                if caller is None:
                    raise
                place = caller.position(node)
                raise error.with_call(f"called as {function.call_text(args)} in {place}") from None
            finally:
                self._open.pop()
            self._known[function, args] = found
            if not function.inline:
                self._kernels[function] = found
        return found

    def _check(
        self, function: Function, args: tuple[Type, ...], caller: Text | None, node: ast.AST | None
    ) -> None:
        """Raise KernelError if a kernel is requested with a second signature."""
        if (other := self._kernels.get(function)) is None:
            return
        both = [f"({', '.join(map(str, a))})" for a in (other.args, args)]
        reason = f"the kernel {function.name} has the signature {both[0]} and cannot be called with {both[1]}"
        raise caller.error(node, reason) if caller else KernelError(reason)

    def symbol(self, function: Function, args: tuple[Type, ...], content: str) -> str:
        """Symbol of a function, the same in every process. It includes a hash of the content where
        several functions may have the same name.
        """
        kind = "p" if function.inline else "kt"
        return f"{kind}.{function.name}" + (
            f"~{digest(content)}" if function.named_by_content else ""
        )

    def name_of_data(self, content: str) -> str:
        return f'@"data.{digest(content)}"'

    def module(self, kernels: Iterable[Compiled], fused: bool = True) -> str:
        """One module with these kernels and all inline functions in them; it declares other kernels.

        fused   whether the processor has a fused multiply-add; otherwise products are rounded
                before they are added
        """
        own = {c.symbol: c for c in kernels}
        inside, outside, data, todo = dict(own), {}, {}, list(own.values())
        while todo:
            c = todo.pop()
            data.update(c.data)
            for other in c.called:
                if not other.function.inline:
                    outside[other.symbol] = other
                elif other.symbol not in inside:
                    inside[other.symbol] = other
                    todo.append(other)
        product = "" if fused else "  %ab = fmul double %a, %b\n"
        lines = [
            "define internal double @fused(double %a, double %b, double %c) alwaysinline nounwind "
            f"{{\n{product}"
            f"  %d = {FUSED if fused else ROUNDED_TWICE}\n  ret double %d\n}}\n",
            "define internal i1 @rounds_once() alwaysinline nounwind "
            f"{{\n  ret i1 {str(fused).lower()}\n}}\n",
        ]
        lines += [data[name] for name in sorted(data)]
        lines += [outside[name].declaration for name in sorted(outside) if name not in own]
        lines += [inside[name].text for name in sorted(inside)]
        return "\n".join(
            [
                *lines,
                *declarations(),
                "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)",
                "!0 = !{}",
                "",
            ]
        )
