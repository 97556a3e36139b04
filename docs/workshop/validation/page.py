"""The table and the plots of the validation."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from .results import Result

TINY = 1e-16  # differences below are drawn here
COLUMNS = ("quantity", "published", "by", "Kinetree", "difference", "allowed")


def table(results: list[Result]) -> str:
    """Return the number of values and one table with a heading row per problem."""
    lines = [f"The table has {len(results)} published values.", "", *_row(COLUMNS)]
    lines.append("|---" * len(COLUMNS) + "|")
    for problem, rows in groupby(results, key=lambda result: result.problem):
        heading = f"**{problem.name}**"
        lines += _row((heading, *[""] * (len(COLUMNS) - 1)))
        lines += [line for row in rows for line in _row(_cells(row))]
    sources = [f"- {p.name}: {p.source}" for p, _ in groupby(results, key=lambda r: r.problem)]
    return "\n".join([*lines, "", "Sources:", "", *sources, ""])


def _row(cells) -> list[str]:
    return ["| " + " | ".join(cells) + " |"]


def _cells(result: Result) -> tuple[str, ...]:
    case = result.case
    return (
        case.quantity,
        case.published,
        case.by,
        f"{result.ours:#.{digits(case.published) + 1}g}".rstrip("."),
        f"{result.difference:.1e}",
        f"{case.within:.1e}",
    )


def digits(number: str) -> int:
    """Return the number of significant digits of a printed number."""
    mantissa = number.lower().partition("e")[0].lstrip("+-").replace(".", "")
    return max(1, len(mantissa.lstrip("0")))


def save_plots(results: list[Result], folder: Path) -> None:
    """Draw one figure for each family of problems."""
    import matplotlib

    from ..figures import save

    with matplotlib.rc_context({"svg.hashsalt": "kinetree", "svg.fonttype": "none"}):
        for family in dict.fromkeys(result.problem.family for result in results):
            rows = [result for result in results if result.problem.family == family]
            save(_plot(rows), folder / f"validation-{family}.svg")


def _plot(rows: list[Result]):
    """Draw the difference of each value, and up to where the published number is reliable."""
    import matplotlib.pyplot as plt

    from ..figures.drawing import BODY, FAINT, INK

    figure, axes = plt.subplots(figsize=(7.4, 0.21 * len(rows) + 1.1))
    for y, result in enumerate(rows):
        scale = max(abs(float(result.case.published)), 1e-300)
        axes.barh(y, result.case.within / scale, left=TINY, color=FAINT, height=0.62, alpha=0.55)
        axes.plot(max(result.difference / scale, TINY), y, "o", color=BODY, ms=4.5)
    axes.set_xscale("log")
    axes.set_xlim(TINY, 1.0)
    labels = [f"{_short(row.problem.name)}: {row.case.quantity}, {row.case.by}" for row in rows]
    axes.set_yticks(range(len(rows)), labels, fontsize=7)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel("difference / published value (dot); gray: allowed")
    axes.grid(axis="x", color=FAINT, lw=0.4)
    axes.tick_params(colors=INK)
    figure.tight_layout()
    return figure


def _short(name: str) -> str:
    return name.partition(" (")[0]
