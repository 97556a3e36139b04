"""The generated functions of an arm: motion, loops, both together, and the potential energy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .straight import Function, Place, Writer

Statements = list[tuple[str | Place, Any]]


def functions(writer: Writer, alone: bool = True) -> list[Function]:
    """The functions of an arm: all equations with its loops, or motion alone if the tree evaluates
    the constraints.
    """
    if not alone:
        return [motion(writer), potential(writer)]
    loops = [gaps(writer), slopes(writer)] if writer.equations.loops else []
    return [whole(writer), *loops, potential(writer)]


def motion(writer: Writer) -> Function:
    """Function that writes M and adds to f."""
    return writer.function(
        "motion",
        ("p", "q", "v", "M", "f"),
        "M, and the forces of inertia, weight and stiffness on top of f.",
        {**_inertia(writer), **writer.forces()},
        lambda found: [*_masses(writer, found), *_forces(writer, found)],
    )


def whole(writer: Writer) -> Function:
    """Function that writes M, f, G and gamma."""
    expressions = {**_inertia(writer), **writer.forces(), **_rows(writer), **_gamma(writer)}

    def finish(found: Mapping[str, Any]) -> Statements:
        gamma = [
            (Place("gamma", (r,)), found[f"gamma_{r}"]) for r in range(len(writer.equations.loops))
        ]
        return [*_masses(writer, found), *_forces(writer, found), *_jacobian(writer, found), *gamma]

    return writer.function(
        "whole",
        ("p", "q", "v", "M", "f", "G", "gamma"),
        "The same with G and gamma of the loops.",
        expressions,
        finish,
    )


def gaps(writer: Writer) -> Function:
    """Function that writes g."""
    expressions = {f"g_{r}": writer.factored(g) for r, g in enumerate(writer.equations.loops)}
    return writer.function(
        "gaps",
        ("p", "q", "g"),
        "How far the loops are open.",
        expressions,
        lambda found: [(Place("g", (r,)), found[f"g_{r}"]) for r in range(len(expressions))],
    )


def slopes(writer: Writer) -> Function:
    """Function that writes G."""
    return writer.function(
        "slopes",
        ("p", "q", "G"),
        "G = dg/dq.",
        _rows(writer),
        lambda found: _jacobian(writer, found),
    )


def potential(writer: Writer) -> Function:
    """Function that returns U."""
    import sympy

    strain = sympy.Add(
        *(
            sympy.Symbol(k) * sympy.Symbol(a) * sympy.Symbol(b) / (2 if a == b else 1)
            for (a, b), k in writer.equations.K.items()
            if writer.equations.numbers[k]
        )
    )
    return writer.function(
        "potential",
        ("p", "q"),
        "Energy of the weight and of the bent links, J.",
        {"U": writer.factored(writer.equations.potential) + strain},
        lambda found: [("U", found["U"])],
        answer="U",
    )


# --- parts


def _inertia(writer: Writer) -> dict[str, Any]:
    M, n = writer.equations.M, range(len(writer.equations.M))
    return {f"M_{i}_{j}": writer.factored(M[i][j]) for i in n for j in n if i <= j and M[i][j]}


def _rows(writer: Writer) -> dict[str, Any]:
    return {
        f"G_{r}_{k}": writer.factored(entry)
        for r, row in enumerate(writer.equations.jacobian)
        for k, entry in enumerate(row)
        if entry
    }


def _gamma(writer: Writer) -> dict[str, Any]:
    return {f"gamma_{r}": writer.factored(entry) for r, entry in enumerate(writer.equations.gamma)}


def _transformed(writer: Writer, column: Mapping[int, Any], k: int):
    """sum over rows a of T_ak times the entry of row a."""
    import sympy

    T = writer.equations.T
    return sympy.Add(*(T[a][k].as_expr() * value for a, value in column.items() if T[a][k]))


def _named(name: str, expression, out: Statements):
    """The expression if it is a number or a name, otherwise a name for it."""
    import sympy

    if expression.is_Atom:
        return expression
    out.append((name, expression))
    return sympy.Symbol(name)


def _masses(writer: Writer, found: Mapping[str, Any]) -> Statements:
    """T^T M T, both triangles, without zero entries."""
    T = writer.equations.T
    out: Statements = []
    rows, columns = range(len(T)), range(len(T[0]))
    M = {}
    for i in rows:
        for j in range(i, len(T)):
            if f"M_{i}_{j}" in found:
                M[i, j] = M[j, i] = _named(f"M_{i}_{j}", found[f"M_{i}_{j}"], out)
    half = {}
    for a in rows:
        for j in columns:
            entry = _transformed(writer, {b: M[a, b] for b in rows if (a, b) in M}, j)
            if entry != 0:
                half[a, j] = _named(f"H_{a}_{j}", entry, out)
    at = [writer.order[name] for name in writer.equations.q]
    for i in columns:
        for j in range(i, len(T[0])):
            entry = _transformed(writer, {a: half[a, j] for a in rows if (a, j) in half}, i)
            if entry != 0:
                value = _named(f"m_{i}_{j}", entry, out)
                out += [
                    (Place("M", place), value)
                    for place in dict.fromkeys([(at[i], at[j]), (at[j], at[i])])
                ]
    return out


def _forces(writer: Writer, found: Mapping[str, Any]) -> Statements:
    out: Statements = []
    forces = {
        a: _named(f"f_{a}", found[f"f_{a}"], out)
        for a in range(len(writer.equations.T))
        if found[f"f_{a}"] != 0
    }
    for k, name in enumerate(writer.equations.q):
        entry = _transformed(writer, forces, k)
        if entry != 0:
            out.append((Place("f", (writer.order[name],), adds=True), entry))
    return out


def _jacobian(writer: Writer, found: Mapping[str, Any]) -> Statements:
    """G T, without zero entries."""
    out: Statements = []
    for r in range(len(writer.equations.loops)):
        row = {
            a: _named(f"G_{r}_{a}", found[f"G_{r}_{a}"], out)
            for a in range(len(writer.equations.T))
            if f"G_{r}_{a}" in found
        }
        for k, name in enumerate(writer.equations.q):
            entry = _transformed(writer, row, k)
            if entry != 0:
                out.append((Place("G", (r, writer.order[name])), entry))
    return out
