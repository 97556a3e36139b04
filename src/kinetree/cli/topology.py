"""`kinetree topology MODEL`: the tree, the cut joints, the counts and the mobility of a built-in model."""

from __future__ import annotations

from typing import Annotated

import typer


def topology(
    model: Annotated[str, typer.Argument(help="A built-in model; see `kinetree list models`.")],
    method: Annotated[str, typer.Option(help="How the tree is chosen: auto, dijkstra, minimum or shallow.")] = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON only.")] = False,
) -> None:
    """Print the topology of a built-in model."""
    from ..models.catalogue import model_entry

    report = model_entry(model).build().topology(method)
    if as_json:
        import json

        print(json.dumps(report.to_dict(), indent=2))
    else:
        print(report)
