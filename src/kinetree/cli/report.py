"""`kinetree report`: one page with every claim about the five papers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    out: Annotated[Path, typer.Option(help="Folder for index.html and claims.json.")] = Path("report"),
    names: Annotated[list[str] | None, typer.Argument(help="Some examples only; see `kinetree list papers`.")] = None,
) -> None:
    """Recompute the papers and write one HTML page: claim, printed value, ours, verdict, reason, picture."""
    from ..papers.catalogue import PAPERS, paper_entry
    from ..papers.report import write_report

    entries = [paper_entry(name) for name in names] if names else PAPERS
    for path in write_report(out, entries, print):
        print(f"  {path}")
