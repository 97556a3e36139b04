"""Statements as text in Python and C: powers as products, no function calls except cos and sin."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from .straight import Function, Place


@cache
def _printers() -> dict[str, Callable[[Any], str]]:
    from sympy.printing.c import C99CodePrinter
    from sympy.printing.pycode import PythonCodePrinter

    class Powers:
        """Print x**3 as x*x*x."""

        def _print_Pow(self, e, **options):
            if e.exp.is_Integer and 0 < e.exp <= 4:
                return "(" + "*".join([self.parenthesize(e.base, 1000)] * int(e.exp)) + ")"
            return super()._print_Pow(e, **options)

    python = type("Python", (Powers, PythonCodePrinter), {})({"fully_qualified_modules": False})
    c = type("C", (Powers, C99CodePrinter), {})()
    return {"python": python.doprint, "c": c.doprint}


def python(function: Function) -> str:
    """A function in the kernel language, without its decorator."""
    code = _printers()["python"]

    def line(target: str | Place, expression) -> str:
        if isinstance(target, str):
            return f"    {target} = {code(expression)}"
        place = ", ".join(map(str, target.index))
        return f"    {target.array}[{place}] {'+=' if target.adds else '='} {code(expression)}"

    lines = [line(*statement) for statement in function.statements]
    end = [f"    return {function.answer}"] if function.answer else []
    return "\n".join(
        [
            f"def {function.name}({', '.join(function.arguments)}):",
            f'    """{function.about}"""',
            *lines,
            *end,
            "",
        ]
    )


def c(function: Function, columns: int) -> str:
    """The same function in C; matrices are stored by rows with `columns` columns."""
    code = _printers()["c"]

    def line(target: str | Place, expression) -> str:
        if isinstance(target, str):
            return f"    const double {target} = {code(expression)};"
        place = (
            target.index[0] * columns + target.index[1]
            if len(target.index) == 2
            else target.index[0]
        )
        return f"    {target.array}[{place}] {'+=' if target.adds else '='} {code(expression)};"

    given = [f"{'const ' if a in 'pqv' else ''}double *restrict {a}" for a in function.arguments]
    lines = [line(*statement) for statement in function.statements]
    end = [f"    return {function.answer};"] if function.answer else []
    head = f"{'double' if function.answer else 'void'} {function.name}({', '.join(given)})"
    return "\n".join([f"/* {function.about} */", head, "{", *lines, *end, "}", ""])
