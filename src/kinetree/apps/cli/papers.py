"""`kinetree papers [NAME]`: published systems recomputed, claim by claim."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ..papers.claim import Claim


def papers(
    name: Annotated[
        str | None, typer.Argument(help="Example; by default all. See `kinetree list papers`.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON only.")] = False,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", help="Folder for the figures of the example: fig-06.png, ..."),
    ] = None,
) -> None:
    """Recompute published examples and print the verdict on each claim.

    The exit code is 0 only if every claim holds.
    """
    from ..papers.catalogue import PAPERS, paper_entry

    entries = PAPERS if name is None else (paper_entry(name),)
    if plot is not None:
        _draw(entries, plot)
    found = {}
    for entry in entries:
        found[entry.name] = entry.check()
        if not as_json:
            _print_claims(entry, found[entry.name])
    if as_json:
        _print_json(found, single=name is not None)
    elif name is None:
        _print_table(entries, found)
    raise typer.Exit(0 if all(c.holds for claims in found.values() for c in claims) else 1)


def _draw(entries, folder: Path) -> None:
    """Write figures and drawings as fig-06.png, tables as table-04.csv, or the main figure."""
    from ...errors import ModelError
    from ..papers.items.catalogue import items_of
    from .output import make_folder

    if len(entries) != 1:
        raise ModelError(
            "papers: --plot needs the name of one example; `kinetree report` draws all of them."
        )
    entry, items = entries[0], items_of(entries[0].name)
    if not items and entry.figure is None:
        raise ModelError(f"papers: {entry.name!r} has no figure.")
    make_folder(folder)
    for item in items:
        if item.draw is not None:
            item.draw(folder / f"{item.name}.png")
        if item.tabulate is not None:
            _write_table(item.tabulate(), folder / f"{item.name}.csv")
    if not items:
        entry.figure(folder / f"{entry.name}.png")


def _write_table(table, path: Path) -> None:
    import csv
    import io

    from ...core.atomic_write import write

    text = io.StringIO()
    csv.writer(text).writerows([table.columns, *table.rows])
    write(path, text.getvalue().encode(), overwrite=True)


def _print_json(found: dict[str, list[Claim]], single: bool) -> None:
    import json

    results = [
        {"name": name, "claims": [c.to_dict() for c in claims]} for name, claims in found.items()
    ]
    print(json.dumps(results[0] if single else results, indent=2, ensure_ascii=False))


def _print_claims(entry, claims: list[Claim]) -> None:
    """Verdict, claim, paper and ours, and the note below."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from ..papers.shown import shown

    grid = Table.grid(padding=(0, 2))
    for c in claims:
        lines = Text.assemble(
            (c.claim, "bold"), f"\npaper {shown(c.paper)}   ours ", (shown(c.ours), "bold")
        )
        if c.note:
            lines.append(f"\n{c.note}", "dim")
        grid.add_row(Text("yes", "green") if c.holds else Text("NO", "bold red"), lines)
    console = Console(highlight=False)
    console.print(f"\n{entry.name}: {entry.summary} ({entry.source})\n", style="bold", markup=False)
    console.print(grid)
    console.print(f"\n{sum(c.holds for c in claims)} of {len(claims)} claims hold.")


def _print_table(entries, found: dict[str, list[Claim]]) -> None:
    from .listing import print_table

    held = {
        name: f"{sum(c.holds for c in claims)} of {len(claims)}" for name, claims in found.items()
    }
    rows: list[tuple[str, ...]] = [(e.name, e.source, e.summary, held[e.name]) for e in entries]
    print_table(("paper", "source", "description", "claims that hold"), rows)
