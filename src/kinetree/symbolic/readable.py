"""Readable polynomials: cosines and sines of joint angles in place of the symbols of the field, and
LaTeX names.
"""

from __future__ import annotations

import re
from typing import Any

from .planar import Equations

_GREEK = {
    "th": r"\theta",
    "xi": r"\xi",
    "ze": r"\zeta",
    "al": r"\alpha",
    "psi": r"\psi",
    "phi": r"\varphi",
    "grav": "g",
}
_NAME = re.compile(r"([A-Za-z]+)(.*)")


def angle(equations: Equations, a: str) -> Any:
    """phi_a as a sum of joint coordinates and constant angles."""
    import sympy

    turned = (
        value.as_expr() * sympy.Symbol(name) for name, value in equations.frames.rows[a].items()
    )
    return sympy.Add(*turned, equations.frames.offsets[a].as_expr())


class Reader:
    """Converts polynomials of one derivation to expressions in its joint and modal coordinates."""

    def __init__(self, equations: Equations) -> None:
        import sympy

        self.equations, self.meanings = equations, {}
        for a, b in equations.field.pairs:
            between = angle(equations, b) - angle(equations, a)
            self.meanings[sympy.Symbol(f"c{a}_{b}")] = sympy.cos(between)
            self.meanings[sympy.Symbol(f"s{a}_{b}")] = sympy.sin(between)
        for length in equations.field.lengths:
            row = equations.frames.rows.get(length, {})
            if row:
                self.meanings[sympy.Symbol(length)] = sympy.Add(
                    *(v.as_expr() * sympy.Symbol(n) for n, v in row.items())
                )

    def __call__(self, p) -> Any:
        """An expression, with common symbols factored out if that is shorter."""
        import sympy

        if not p:
            return sympy.Integer(0)
        found = p.as_expr()
        trigs = [
            s for s in map(sympy.Symbol, self.equations.field.trigs) if s in found.free_symbols
        ]
        return (sympy.collect(found, trigs) if trigs else found).xreplace(self.meanings)

    def latex(self, p) -> str:
        import sympy

        expression = self(p) if not isinstance(p, sympy.Basic) else p
        return sympy.latex(
            expression, symbol_names={s: latex_name(s.name) for s in expression.free_symbols}
        )


def latex_name(name: str) -> str:
    """th1 -> \\theta_{1}, xi2_1 -> \\xi_{21}, n1_1_2 -> n_{1,12}."""
    found = _NAME.fullmatch(name)
    if found is None:
        return name
    head, tail = found.groups()
    parts = tail.split("_")
    below = parts[0] + ("," if len(parts) > 2 else "") + "".join(parts[1:])
    letter = _GREEK.get(head, head if len(head) == 1 else rf"\mathrm{{{head}}}")
    return f"{letter}_{{{below}}}" if below else letter
