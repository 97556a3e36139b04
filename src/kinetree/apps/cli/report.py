"""`kinetree report`: one page with every figure, table and drawing of the five papers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    out: Annotated[
        Path, typer.Option(help="Folder for index.html, items.json and claims.json.")
    ] = Path("report"),
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Examples to include; by default all. See `kinetree list papers`."),
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print the verdict and reason of every item as JSON, and write no file.",
        ),
    ] = False,
) -> None:
    """Write one HTML page with each figure, table and drawing of the papers, and a verdict."""
    from ..papers.catalogue import PAPERS, paper_entry
    from ..papers.items.catalogue import ITEMS
    from ..papers.report import as_json as encoded
    from ..papers.report import verdicts, write_report
    from .output import make_folder

    examples = [paper_entry(name) for name in names] if names else PAPERS
    items = [item for item in ITEMS if item.system in {entry.name for entry in examples}]
    if as_json:
        print(encoded([one.to_dict() for one in verdicts(items)]))
        return
    for path in write_report(make_folder(out), items, examples, print):
        print(f"  {path}")
