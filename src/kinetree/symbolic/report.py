"""The equations of an arm as a text report and as a LaTeX document: terms, zeros and their causes
(structure.py), and the meaning of every symbol.

    P_jk(i) = C_jk(i) of two joints,  Q_jk(i) = 2 C_jk(i) of a joint and a mode,
    R_jk(i) = C_jk(i) of two modes                                     [LeeJoo, (28)-(32)]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .planar import Equations
from .readable import Reader, angle, latex_name
from .structure import Structure

_TOP = r"""\documentclass{article}
\usepackage{amsmath}
\allowdisplaybreaks
\begin{document}
\section*{Equations of motion: %s}
\[ \sum_j M_{ij}\dot v_j + \sum_{jk} C_{jk}(i)\, v_j v_k + \partial U/\partial q_i + \sum_r G_{ri}\lambda_r = \tau_i \]
"""


@dataclass(frozen=True)
class Report(Structure):
    """Structure of the equations of an arm; `print(report)` writes it as text."""

    equations: Equations
    owners: dict[str, str]  # joint of each coordinate

    @cached_property
    def reader(self) -> Reader:
        return Reader(self.equations)

    def read(self, p: Any) -> Any:
        return self.reader(p)

    def blocks(self, i: int) -> tuple[list[list], list[list], list[list]]:
        """P(i), Q(i), R(i) of equation i, counted from zero; Q includes the factor two of the mixed
        products.
        """
        C, r, n = self.equations.relative_C[i], self.equations.rigid, self.count
        return (
            [row[:r] for row in C[:r]],
            [[2 * c for c in row[r:]] for row in C[:r]],
            [C[j][r:] for j in range(r, n)],
        )

    # --- text

    def __str__(self) -> str:
        return "\n".join(
            [
                *self._head(),
                *self._vectors(),
                *self.inertia(),
                *self.velocity(),
                *self._forces(),
                *self._loops(),
                *self._symbols(),
            ]
        )

    def _head(self) -> list[str]:
        e = self.equations
        counts = f"{self.count} coordinates ({e.rigid} joints, {self.count - e.rigid} modes), {len(e.loops)} loop equations"
        rows = [f"Equations of motion of {e.arm.name!r}: {counts}.", "", "Coordinates"]
        return rows + [f"  {k:>3} {name:8} {self.owners[name]}" for k, name in enumerate(e.q, 1)]

    def _vectors(self) -> list[str]:
        """Position vectors as sums of e and n, unit vectors along and across an angle."""
        e, rows = self.equations, ["", "Position vectors (e along, n across the angle in brackets)"]
        for link in e.arm.links:
            parts = []
            for a, (x, y) in e.frames.anywhere(link).items():
                turned = angle(e, a)
                parts += [
                    f"({p.as_expr()}) {letter}({turned})" for p, letter in ((x, "e"), (y, "n")) if p
                ]
            rows.append(f"  r{link.number} {link.name}: " + " + ".join(parts))
        return rows

    def _forces(self) -> list[str]:
        e = self.equations
        rows = ["", "Gravity dU/dq"]
        rows += [
            f"  {name:8} {self.reader(g)}" for name, g in zip(e.q, e.relative_gravity) if g
        ] or ["  none"]
        rows += [
            "",
            "Stiffness between modal coordinates (zero where the modes are orthogonal in curvature)",
        ]
        return rows + (
            [f"  {a} {b}: {k} = {e.numbers[k]:.6g} N/m" for (a, b), k in e.K.items()] or ["  none"]
        )

    def _loops(self) -> list[str]:
        e = self.equations
        rows = []
        for k, closure in enumerate(e.arm.closures):
            rows += [
                "",
                f"Loop closed by {closure.name!r}: the gap across and along {closure.first.name!r}",
            ]
            rows += [f"  0 = {self.reader(g)}" for g in e.loops[2 * k : 2 * k + 2]]
        return rows

    def _symbols(self) -> list[str]:
        e, rows = self.equations, ["", "Symbols (SI units)"]
        return rows + [f"  {name:10} {value:.10g}" for name, value in e.numbers.items()]


def latex(report: Report) -> str:
    """The equations as a complete LaTeX document, with the symbols of the report."""
    e = report.equations
    parts = [
        _TOP % _plain(e.arm.name),
        _coordinates(report),
        r"\subsection*{Mass matrix}",
        _entries(report),
    ]
    parts += [
        r"\subsection*{Velocity terms}",
        _velocity(report),
        r"\subsection*{Gravity and stiffness}",
        _forces(report),
    ]
    if e.loops:
        parts += [
            r"\subsection*{Loops}",
            _aligned([rf"0 &= {report.reader.latex(g)}" for g in e.loops]),
        ]
    return "\n".join([*parts, r"\end{document}", ""])


def _plain(text: str) -> str:
    """Text with the special characters of LaTeX escaped."""
    for character in "\\{}$&#^_~%":
        text = text.replace(character, f"\\{character}" if character in "{}$&#_%" else " ")
    return text


def _coordinates(report: Report) -> str:
    items = [
        rf"\item ${latex_name(name)}$: {_plain(report.owners[name])}" for name in report.equations.q
    ]
    return "\n".join([r"\begin{enumerate}", *items, r"\end{enumerate}"])


def _aligned(rows: list[str]) -> str:
    return r"\begin{align*}" + "\n" + " \\\\\n".join(rows or ["0 &= 0"]) + "\n" + r"\end{align*}"


def _entries(report: Report) -> str:
    M = report.equations.relative_M
    return _aligned(
        [
            rf"M_{{{i + 1},{j + 1}}} &= {report.reader.latex(M[i][j])}"
            for i, j in report.depends
            if i <= j
        ]
    )


def _velocity(report: Report) -> str:
    rows, C, more = [], report.equations.relative_C, r" = \dots"
    for p, places in report.distinct.items():
        left = " = ".join(
            ("" if C[i - 1][j - 1][k - 1] == p else "-") + f"C_{{{j},{k}}}({i})"
            for i, j, k in places[:4]
        )
        rows.append(rf"{left}{more if len(places) > 4 else ''} &= {report.reader.latex(p)}")
    return _aligned(rows)


def _forces(report: Report) -> str:
    e = report.equations
    weights = [(latex_name(name), g) for name, g in zip(e.q, e.relative_gravity) if g]
    rows = [rf"\partial U_g/\partial {name} &= {report.reader.latex(g)}" for name, g in weights]
    rows += [
        rf"K({latex_name(a)}, {latex_name(b)}) &= {latex_name(k)}" for (a, b), k in e.K.items()
    ]
    return _aligned(rows)
