"""`kinetree papers [NAME]`: published systems recomputed, claim by claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ..papers.claim import Claim


def papers(
    name: Annotated[str | None, typer.Argument(help="One example, else all. See `kinetree list papers`.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON only.")] = False,
    plot: Annotated[str | None, typer.Option("--plot", help="Write the main figure of the example to this file.")] = None,
) -> None:
    """Recompute published examples and print paper, ours and verdict; exit code 0 only if every claim holds."""
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


def _draw(entries, path: str) -> None:
    """The main figure of one example; refused where there is none, before anything is computed."""
    from ..errors import ModelError
    from ..papers.catalogue import PAPERS

    if len(entries) != 1 or entries[0].figure is None:
        drawn = ", ".join(entry.name for entry in PAPERS if entry.figure is not None)
        raise ModelError(f"papers: --plot needs the name of one example with a figure of its own: {drawn}.")
    entries[0].figure(path)


def _print_json(found: dict[str, list[Claim]], single: bool) -> None:
    import json

    results = [{"name": name, "claims": [c.to_dict() for c in claims]} for name, claims in found.items()]
    print(json.dumps(results[0] if single else results, indent=2, ensure_ascii=False))


def _print_claims(entry, claims: list[Claim]) -> None:
    """Verdict, claim, paper and ours, and the note below."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from ..papers.shown import shown

    grid = Table.grid(padding=(0, 2))
    for c in claims:
        lines = Text.assemble((c.claim, "bold"), f"\npaper {shown(c.paper)}   ours ", (shown(c.ours), "bold"))
        if c.note:
            lines.append(f"\n{c.note}", "dim")
        grid.add_row(Text("yes", "green") if c.holds else Text("NO", "bold red"), lines)
    console = Console(highlight=False)
    console.print(f"\n{entry.name}: {entry.summary} ({entry.source})\n", style="bold", markup=False)
    console.print(grid)
    console.print(f"\n{sum(c.holds for c in claims)} of {len(claims)} claims hold.")


def _print_table(entries, found: dict[str, list[Claim]]) -> None:
    from .listing import print_table

    held = {name: f"{sum(c.holds for c in claims)} of {len(claims)}" for name, claims in found.items()}
    rows: list[tuple[str, ...]] = [(e.name, e.source, e.summary, held[e.name]) for e in entries]
    print_table(("paper", "source", "what it is", "claims that hold"), rows)
