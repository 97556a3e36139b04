"""All functions that have been compiled so far, and modules of LLVM made of them."""

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
    """Functions by their types. A kernel has one signature; a second one is refused."""

    def __init__(
        self, writer: Callable[[Unit, Function, tuple[Type, ...]], Writer] = Writer
    ) -> None:
        self._writer = writer
        self._known: dict[tuple[Function, tuple[Type, ...]], Compiled] = {}
        self._kernels: dict[Function, Compiled] = {}
        self._open: list[Function] = []  # functions being written

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
        """The function for these types, written if it has not been yet."""
        found = self._known.get((function, args))
        if found is None:
            if function in self._open:
                reason = (
                    f"{function.name} calls itself, which functions of the kernel language may not"
                )
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
        """A kernel has one signature."""
        if (other := self._kernels.get(function)) is None:
            return
        both = [f"({', '.join(map(str, a))})" for a in (other.args, args)]
        reason = f"the kernel {function.name} has the signature {both[0]} and cannot be called with {both[1]}"
        raise caller.error(node, reason) if caller else KernelError(reason)

    def symbol(self, function: Function, args: tuple[Type, ...], content: str) -> str:
        """The same in every process, whatever was compiled before. What may have the name of
        another is named by its content.
        """
        kind = "p" if function.inline else "kt"
        return f"{kind}.{function.name}" + (
            f"~{digest(content)}" if function.named_by_content else ""
        )

    def name_of_data(self, content: str) -> str:
        return f'@"data.{digest(content)}"'

    def module(self, kernels: Iterable[Compiled], fused: bool = True) -> str:
        """One module with these kernels and all pieces in them; other kernels are declared.

        fused   does the processor have a fused multiply-add? Where not, products are rounded before
                they are added.
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
