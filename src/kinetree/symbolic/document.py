"""The equations of an arm as a complete LaTeX document, with the symbols of the report."""

from __future__ import annotations

from .readable import latex_name
from .report import Report

_TOP = r"""\documentclass{article}
\usepackage{amsmath}
\allowdisplaybreaks
\begin{document}
\section*{Equations of motion: %s}
\[ \sum_j M_{ij}\dot v_j + \sum_{jk} C_{jk}(i)\, v_j v_k + \partial U/\partial q_i + \sum_r G_{ri}\lambda_r = \tau_i \]
"""


def latex(report: Report) -> str:
    """The document."""
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
