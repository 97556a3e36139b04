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
    """Draw the difference of each value, and the allowed one; labels are above the bars, so that they
    can be read on a phone.
    """
    import matplotlib.pyplot as plt

    from ..figures.drawing import BODY, FAINT, INK

    problems = len({row.problem.name for row in rows})
    bottom = 2 * len(rows) + 1.2 * problems
    figure, axes = plt.subplots(figsize=(4.6, 0.16 * bottom + 0.7), layout="constrained")
    text = axes.get_yaxis_transform()  # x in widths of the axes
    y = -1.0
    for problem, group in groupby(rows, key=lambda row: row.problem):
        y += 1.2
        axes.text(0.0, y, _short(problem.name), transform=text, fontsize=9.5, weight="bold")
        for result in group:
            scale = max(abs(float(result.case.published)), 1e-300)
            label = f"{result.case.quantity}, {result.case.by}"
            axes.text(0.01, y + 1.0, label, transform=text, fontsize=9)
            y += 2.0
            allowed = result.case.within / scale
            axes.barh(y - 0.4, allowed, left=TINY, color=FAINT, height=0.7, alpha=0.55)
            axes.plot(max(result.difference / scale, TINY), y - 0.4, "o", color=BODY, ms=5)
    axes.set_xscale("log")
    axes.set_xlim(TINY, 1.0)
    axes.set_yticks([])
    axes.set_ylim(bottom - 0.4, -1.2)
    axes.set_xlabel("difference / published value (dot); gray: allowed", fontsize=9.5)
    axes.grid(axis="x", color=FAINT, lw=0.4)
    axes.tick_params(colors=INK, labelsize=9)
    return figure


def _short(name: str) -> str:
    return name.partition(" (")[0]
