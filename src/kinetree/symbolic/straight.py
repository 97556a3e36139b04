"""Polynomials as straight-line code: few operations, common subexpressions once, expressions of
parameters alone computed in advance.

A statement is (target, expression of SymPy); a target is a name, or an array with indices. Python
and C print the same list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .field import GROUND
from .planar import Equations


@dataclass(frozen=True)
class Place:
    """An element of an array that a function writes; `adds`: the value is added to the present
    one.
    """

    array: str
    index: tuple[int, ...]
    adds: bool = False


@dataclass
class Function:
    """A function of arrays: it reads parameters p, coordinates q and velocities v, and writes the
    others.
    """

    name: str
    arguments: tuple[str, ...]
    about: str
    statements: list[tuple[str | Place, Any]] = field(default_factory=list)
    answer: str = ""  # name of the returned number


class Parameters:
    """The array p: symbols with a value, and the products of them that the code needs."""

    def __init__(self, symbols: Iterable[str]) -> None:
        self.symbols, self.names, self.products = frozenset(symbols), list[str](), dict[str, Any]()

    def index(self, name: str) -> int:
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def values(self, numbers: Mapping[str, float]) -> list[float]:
        """The array for these numbers."""
        import sympy

        known = dict(numbers)
        for name, expression in self.products.items():  # each may use those before it
            used = sorted(expression.free_symbols, key=str)
            known[name] = float(
                sympy.lambdify(used, expression, "math")(*(known[s.name] for s in used))
            )
        return [known[name] for name in self.names]


class Writer:
    """Writes functions of the equations of an arm; `order` has the degree of freedom of each
    coordinate.
    """

    def __init__(self, equations: Equations, order: Mapping[str, int]) -> None:
        self.equations, self.field, self.order = equations, equations.field, dict(order)
        self.parameters = Parameters(equations.numbers)
        self._factored: dict[Any, Any] = {}
        self._symbols = list(equations.field.ring.symbols)
        self._zeros = [
            self.field.place[name] for name in equations.zeros if name in self.field.place
        ]

    # --- expressions

    def factored(self, p):
        """A polynomial in Horner form, cached."""
        import sympy

        if not p:
            return sympy.Integer(0)
        if -p in self._factored:
            return -self._factored[-p]
        if p not in self._factored:
            order = [
                self.field.place[name]
                for name in (*self.field.trigs, *self.field.lengths, *self.field.speeds)
            ]
            terms = {m: c for m, c in p.terms() if not any(m[i] for i in self._zeros)}
            self._factored[p] = nested(terms, order, self._symbols)
        return self._factored[p]

    def velocity_terms(self, i: int):
        """sum C_jk(i) v_j v_k, with equal symbols combined and C not expanded."""
        import sympy

        v, C = [sympy.Symbol(name) for name in self.field.speeds], self.equations.C[i]
        weights: dict[Any, Any] = {}
        for j in range(len(v)):
            for k in range(j, len(v)):
                if C[j][k]:
                    c, sign = (
                        (C[j][k], 1)
                        if C[j][k] in weights or -C[j][k] not in weights
                        else (-C[j][k], -1)
                    )
                    weights[c] = weights.get(c, 0) + sign * v[j] * v[k] * (1 if j == k else 2)
        return sympy.Add(*(self.factored(c) * weight for c, weight in weights.items()))

    def stiffness_terms(self, name: str):
        """(K xi) of a modal coordinate."""
        import sympy

        found = sympy.Integer(0)
        for (a, b), k in self.equations.K.items():
            if name in (a, b) and self.equations.numbers[k]:
                found += sympy.Symbol(k) * sympy.Symbol(b if name == a else a)
        return found

    def forces(self) -> dict[str, Any]:
        """-(C v v + dU/dq) per coordinate of the field."""
        out = {}
        for i, name in enumerate(self.field.coordinates):
            out[f"f_{i}"] = -(
                self.velocity_terms(i)
                + self.factored(self.equations.gravity[i])
                + self.stiffness_terms(name)
            )
        return out

    # --- functions

    def function(
        self,
        name: str,
        arguments: Iterable[str],
        about: str,
        expressions: Mapping[str, Any],
        finish: Callable[[Mapping[str, Any]], list[tuple[str | Place, Any]]],
        answer: str = "",
    ) -> Function:
        """Statements for named expressions; `finish` converts the results to the last
        statements.
        """
        import sympy

        keys = list(expressions)
        temporaries = (sympy.Symbol(f"{name[0]}w{k}") for k in range(10**6))
        common, reduced = sympy.cse(
            [expressions[k] for k in keys], symbols=temporaries, order="none"
        )
        fixed, moving = self._hoisted(common)
        ends = finish(dict(zip(keys, reduced)))
        body = needed([*((s.name, e) for s, e in moving), *ends], answer)
        used = {s.name for _, e in body for s in e.free_symbols}
        self.parameters.products.update({s.name: e for s, e in fixed})
        head = self._read(used, "v" in arguments)
        return Function(name, tuple(arguments), about, needed([*head, *body], answer), answer)

    def _hoisted(self, common) -> tuple[list, list]:
        """Split common subexpressions into those of parameters alone and the others."""
        known, fixed, moving = set(self.parameters.symbols), [], []
        for symbol, expression in common:
            names = {s.name for s in expression.free_symbols}
            if names <= known:
                known.add(symbol.name)
                fixed.append((symbol, expression))
            else:
                moving.append((symbol, expression))
        return fixed, moving

    def _read(self, used: set[str], speeds: bool) -> list[tuple[str | Place, Any]]:
        """Statements that read parameters, coordinates of the field, and cosines and sines."""
        trigs, field = [name for name in self.field.trigs if name in used], self.field
        angles = sorted(
            {a for name in trigs for a in name[1:].split("_") if a != GROUND},
            key=field.angles.index,
        )
        rows = {name: row for name, row in zip(field.coordinates, self.equations.T)}
        moving = [
            name for name, speed in zip(field.coordinates, field.speeds) if speeds and speed in used
        ]
        lengths = [name for name in field.lengths if name in used]
        out: list[tuple[str | Place, Any]] = []
        inside = {
            s.name
            for name in (*(f"phi{a}" for a in angles), *lengths, *moving)
            for value in rows[name]
            if value
            for s in value.as_expr().free_symbols
        }
        offsets = {a: self.equations.frames.offsets[a].as_expr() for a in angles}
        inside |= {s.name for offset in offsets.values() for s in offset.free_symbols}
        fixed = {*self.parameters.symbols, *self.parameters.products}
        for name in sorted((used | inside) & fixed):
            out.append((name, _element("p", self.parameters.index(name))))
        for a in angles:
            out.append((f"phi{a}", self._sum(rows[f"phi{a}"], "q") + offsets[a]))
            out += self._cosine_and_sine(a)
        for name in trigs:
            a, b = name[1:].split("_")
            if a != GROUND:
                out.append((name, _difference(name[0], a, b)))
        out += [(name, self._sum(rows[name], "q")) for name in lengths]
        return out + [(f"d{name}", self._sum(rows[name], "v")) for name in moving]

    def _sum(self, row, array: str):
        """sum T_k q_k."""
        import sympy

        return sympy.Add(
            *(
                value.as_expr() * _element(array, self.order[name])
                for name, value in zip(self.equations.q, row)
                if value
            )
        )

    def _cosine_and_sine(self, a: str) -> list[tuple[str | Place, Any]]:
        import sympy

        angle = sympy.Symbol(f"phi{a}")
        return [(f"c{GROUND}_{a}", sympy.cos(angle)), (f"s{GROUND}_{a}", sympy.sin(angle))]


def nested(terms: dict[tuple[int, ...], Any], order: list[int], symbols: list[Any]) -> Any:
    """A polynomial in Horner form along these generators:  p = x a + b,  and a and b likewise."""
    import sympy

    for k, i in enumerate(order):
        inside = {(*m[:i], m[i] - 1, *m[i + 1 :]): c for m, c in terms.items() if m[i]}
        if inside:
            rest = {m: c for m, c in terms.items() if not m[i]}
            return symbols[i] * nested(inside, order[k:], symbols) + (
                nested(rest, order[k + 1 :], symbols) if rest else 0
            )
    return sympy.Add(
        *(
            sympy.Rational(c.numerator, c.denominator)
            * sympy.Mul(*(symbols[i] ** e for i, e in enumerate(m) if e))
            for m, c in terms.items()
        )
    )


def needed(
    statements: list[tuple[str | Place, Any]], answer: str = ""
) -> list[tuple[str | Place, Any]]:
    """The statements without those whose result is not used."""
    read, kept = {answer}, []
    for target, expression in reversed(statements):
        if isinstance(target, Place) or target in read:
            kept.append((target, expression))
            read |= {s.name for s in expression.free_symbols}
    return kept[::-1]


def _difference(kind: str, a: str, b: str):
    """cos or sin of phi_b - phi_a."""
    import sympy

    ca, sa, cb, sb = (sympy.Symbol(f"{f}{GROUND}_{x}") for x in (a, b) for f in "cs")
    return ca * cb + sa * sb if kind == "c" else ca * sb - sa * cb


def _element(array: str, k: int):
    """An element of an input array, as a symbol that prints itself."""
    import sympy

    return sympy.Symbol(f"{array}[{k}]")
