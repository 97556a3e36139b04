"""Record of a calculation: every intermediate result gets a name once; zeros and ones are
eliminated.

    tape = Tape()
    y = tape.keep(tape.number("m1", 2.0) * x + y)        a symbol; the statement is on the tape

A subclass with another `keep` and `number` evaluates the same recursion to polynomials
(`expanded.Ring`) or to numbers (`sampled.Floats`). Planar arms use `field` instead, whose
derivatives and zeros are exact without simplification.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .straight import Place

Triple = tuple[Any, Any, Any]
_NEAR = 1e-15  # numbers this close to 0, 1 or -1 are rounded to them


class Tape:
    """Statements in order, and the named numbers they read."""

    def __init__(self) -> None:
        import sympy

        self.sympy = sympy
        self.statements: list[tuple[str | Place, Any]] = []
        self.numbers: dict[str, float] = {}
        # coordinates that are used directly, by cosine and sine, and as a quaternion
        self.slides: set[int] = set()
        self.turns: set[int] = set()
        self.balls: set[int] = set()
        self._known: dict[Any, Any] = {}

    def number(self, name: str, value: float) -> Any:
        """A parameter, or 0, 1 or -1 if it has that value."""
        for simple in (0, 1, -1):
            if abs(value - simple) <= _NEAR:
                return self.sympy.Integer(simple)
        self.numbers[name] = float(value)
        return self.sympy.Symbol(name)

    def keep(self, expression) -> Any:
        """A symbol for a result, the same for equal results; a symbol or number is returned
        unchanged.
        """
        expression = self.sympy.sympify(expression)
        if expression.is_Atom or (-expression).is_Atom:
            return expression
        for known, sign in ((expression, 1), (-expression, -1)):
            if known in self._known:
                return sign * self._known[known]
        found = self._known[expression] = self.sympy.Symbol(f"t{len(self._known)}")
        self.statements.append((found.name, expression))
        return found

    # --- coordinates

    def coordinate(self, k: int) -> Any:
        self.slides.add(k)
        return self.sympy.Symbol(f"q[{k}]")

    def speed(self, k: int) -> Any:
        return self.sympy.Symbol(f"v[{k}]")

    def cosine_and_sine(self, k: int) -> tuple[Any, Any]:
        self.turns.add(k)
        q = self.sympy.Symbol(f"q[{k}]")
        return self.keep(self.sympy.cos(q)), self.keep(self.sympy.sin(q))

    def quaternion(self, k: int) -> tuple[Any, Any, Any, Any]:
        """(w, x, y, z) of a ball joint whose first coordinate is k."""
        self.balls.add(k)
        w, x, y, z = (self.sympy.Symbol(f"q[{k + n}]") for n in range(4))
        return w, x, y, z

    # --- vectors

    def add(self, *vectors: Triple) -> Triple:
        return tuple(self.keep(sum(parts)) for parts in zip(*vectors))

    def scale(self, a, u: Triple) -> Triple:
        return tuple(self.keep(a * c) for c in u)

    def cross(self, u: Triple, w: Triple) -> Triple:
        return (
            self.keep(u[1] * w[2] - u[2] * w[1]),
            self.keep(u[2] * w[0] - u[0] * w[2]),
            self.keep(u[0] * w[1] - u[1] * w[0]),
        )

    def dot(self, u: Triple, w: Triple) -> Any:
        return self.keep(sum(a * b for a, b in zip(u, w)))

    def times(self, R: Sequence[Triple], u: Triple) -> Triple:
        """Product R u."""
        return tuple(self.dot(row, u) for row in R)

    def back(self, R: Sequence[Triple], u: Triple) -> Triple:
        """Product R^T u."""
        return tuple(self.dot(column, u) for column in zip(*R))
