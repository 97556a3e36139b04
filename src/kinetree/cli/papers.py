"""`kinetree papers [NAME]`: published systems recomputed, claim by claim."""

from __future__ import annotations

from typing import Annotated

import typer


def papers(
    name: Annotated[str | None, typer.Argument(help="One example; all of them if left out. See `kinetree list papers`.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON only.")] = False,
) -> None:
    """Recompute published examples and print paper, ours and verdict; exit code 0 only if every claim holds."""
    from ..papers.catalogue import PAPERS, paper_entry

    entries = PAPERS if name is None else (paper_entry(name),)
    if as_json:
        results = [{"name": e.name, "claims": [c.to_dict() for c in e.check()]} for e in entries]
        _print_json(results if name is None else results[0])
        held = all(c["holds"] for r in results for c in r["claims"])
    else:
        held = all([_report(e) for e in entries])
    raise typer.Exit(0 if held else 1)


def _print_json(value) -> None:
    import json

    print(json.dumps(value, indent=2, ensure_ascii=False))


def _report(entry) -> bool:
    """Print the claims of one example as a table; True if all hold."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    claims = entry.check()
    held = sum(c.holds for c in claims)
    table = Table("", "claim", "paper", "ours", "note", box=box.SIMPLE_HEAD, pad_edge=False,
                  title=f"{entry.name}: {entry.summary} ({entry.source})", title_justify="left", title_style="bold")
    table.columns[4].ratio = 1
    for c in claims:
        table.add_row("yes" if c.holds else "NO", c.claim, _show(c.paper), _show(c.ours), c.note,
                      style=None if c.holds else "bold red")
    console = Console(markup=False, highlight=False)
    console.print(table)
    console.print(f"{held} of {len(claims)} claims hold.\n")
    return held == len(claims)


def _show(value) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.16g}" if abs(value) >= 1e-3 else f"{value:.3g}"
    if isinstance(value, list):
        return "\n".join(_show(v) for v in value)
    return str(value)
