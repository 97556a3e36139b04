"""`kinetree topology MODEL`: the tree, the cut joints, the counts and the mobility of a model."""

from __future__ import annotations

from typing import Annotated

import typer

from .models import AllowPython, Name, Parameters, machine


def topology(
    model: Name,
    method: Annotated[
        str, typer.Option(help="Choice of the tree: auto, dijkstra, minimum or shallow.")
    ] = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON only.")] = False,
    parameters: Parameters = None,
    allow_python: AllowPython = False,
) -> None:
    """Print the topology of a model: tree, cut joints, counts, mobility."""
    report = machine(model, allow_python, parameters).build().topology(method)
    if as_json:
        import json

        print(json.dumps(report.to_dict(), indent=2))
    else:
        print(report)
