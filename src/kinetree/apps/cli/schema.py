"""`kinetree schema`: the JSON Schema of model files, for completion and checks in editors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def schema(
    out: Annotated[
        Path | None, typer.Option(help="File to write; by default it is printed.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
) -> None:
    """Print the JSON Schema of model files."""
    import json

    from ...core.atomic_write import write
    from ...description.files.schema import json_schema

    text = json.dumps(json_schema(), indent=1)
    if out is None:
        print(text)
    else:
        write(out, text + "\n", overwrite=force)
        print(out)
