"""A comparison as text: one block per choice of coordinates, aligned columns, and the reasons of
combinations that cannot run.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .compare import Comparison, Row

WIDTH = 112
DISAGREEMENT = 1e-4  # model sizes between two references


def _power(value: float | None) -> str:
    return "-" if value is None else "0" if value == 0.0 else f"{value:.1e}"


# two lines of heading, and the function that formats a cell
COLUMNS: tuple[tuple[str, str, Callable[[Row], str]], ...] = (
    ("", "formulation", lambda r: r.formulation),
    ("", "integrator", lambda r: r.integrator),
    ("r.h.", "sides", lambda r: str(r.evaluations)),
    ("factori-", "sations", lambda r: str(r.factorisations)),
    ("", "steps", lambda r: str(r.accepted)),
    ("re-", "jected", lambda r: str(r.rejected)),
    ("CPU", "[ms]", lambda r: f"{1e3 * (r.seconds or 0.0):.2f}"),
    ("CPU", "ratio", lambda r: f"{r.ratio:.2f}"),
    ("constr.", "[m]", lambda r: _power(r.position_error)),
    ("constr.", "[m/s]", lambda r: _power(r.velocity_error)),
    ("energy", "error", lambda r: _power(r.energy_error)),
    ("differs", "[size]", lambda r: _power(r.difference)),
    ("differs", "[rad]", lambda r: _power(r.angle)),
)
_WORDS = ("formulation", "integrator")


def text(comparison: Comparison) -> str:
    """The whole table."""
    several = len({row.integrator for row in comparison.rows}) > 1
    blocks = [_heading(comparison, several)]
    for coordinates in dict.fromkeys(row.coordinates for row in comparison.rows):
        rows = [row for row in comparison.rows if row.coordinates == coordinates]
        blocks.append(_block(coordinates, rows, several))
    return "\n\n".join(blocks)


def _heading(comparison: Comparison, several: bool) -> str:
    first, reference = comparison.rows[0], comparison.reference
    by = "" if several else f" by {first.integrator}"
    control = [
        f"rtol {row.rtol:g}" if row.rtol else f"step {row.step:g} s"
        for row in comparison.rows
        if row.rtol or row.step
    ]
    lines = [", ".join([f"{comparison.model}: {comparison.until:g} s{by}", *sorted(control)[:1]])]
    if reference.solution is None:
        return _wrapped(f"{lines[0]}. No reference: {reference.refusal}")
    doubt = (
        ""
        if reference.doubt is None
        else f", from which one in Cartesian coordinates differs by {reference.doubt:.1e}"
    )
    lines[0] += f"; reference: relative coordinates, rtol {reference.rtol:g}{doubt}."
    if reference.doubt is not None and reference.doubt > DISAGREEMENT:
        lines.append(
            "The two references disagree: the motion is too sensitive to be predicted for this "
            "time, or one of them is wrong; do not trust the differences."
        )
    lines.append(
        "Differs: the largest distance of a body from the reference, in model sizes (longest arm, "
        f"{comparison.size:.4g} m) and in angle. Constraint errors: the largest after any accepted "
        f"step. Energy error: {_measure(comparison)}, relative to the exchanged energy."
    )
    return _wrapped(" ".join(lines))


def _measure(comparison: Comparison) -> str:
    imbalance = any(row.energy_measure == "imbalance" for row in comparison.rows)
    return "total energy minus work, by the samples" if imbalance else "drift of the total energy"


def _block(coordinates: str, rows: list[Row], several: bool) -> str:
    working = [row for row in rows if row.refusal is None]
    lines = []
    if working:
        r = working[0]
        lines.append(
            f"{coordinates} coordinates: {_plural(r.velocities, 'velocity', 'velocities')}, "
            f"{_plural(r.equations, 'equation', 'equations')} of rank {r.rank}, "
            f"{_plural(r.dof, 'degree', 'degrees')} of freedom"
        )
        lines += _aligned(working, [c for c in COLUMNS if several or c[1] != "integrator"])
    else:
        lines.append(f"{coordinates} coordinates")
    return "\n".join(lines + _refusals([row for row in rows if row.refusal], several))


def _plural(count: int | None, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _aligned(rows: list[Row], columns: list[tuple]) -> list[str]:
    cells = [
        [top for top, _, _ in columns],
        [below for _, below, _ in columns],
        *([show(row) for _, _, show in columns] for row in rows),
    ]
    widths = [max(map(len, column)) for column in zip(*cells)]
    left = [below in _WORDS for _, below, _ in columns]
    lines = [
        "  ".join(c.ljust(w) if l else c.rjust(w) for c, w, l in zip(line, widths, left))
        for line in cells
    ]
    rule = "  ".join("-" * width for width in widths)
    return ["  " + line.rstrip() for line in (*lines[:2], rule, *lines[2:])]


def _refusals(rows: list[Row], several: bool) -> list[str]:
    """One line per reason, after the names of the combinations it concerns."""
    stopped: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        stopped.setdefault((row.formulation, row.refusal or ""), []).append(row.integrator)
    lines = []
    for (formulation, refusal), integrators in stopped.items():
        name = f"{formulation} ({', '.join(integrators)})" if several else formulation
        lines += textwrap.wrap(
            f"{name} - refused: {refusal}", WIDTH, initial_indent="  ", subsequent_indent="    "
        )
    return lines


def _wrapped(sentence: str) -> str:
    return "\n".join(textwrap.wrap(sentence, WIDTH))
