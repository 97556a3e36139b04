"""`kinetree warmup`: has nothing to compile any more; kept for one release."""

from __future__ import annotations

from typing import Annotated

import typer


def warmup(
    everything: Annotated[bool, typer.Option("--all", help="Has no effect.")] = False,
) -> None:
    """Do nothing: kernels are compiled when the package is built. Removed in the next release."""
    print(
        "Nothing to do: kernels are compiled when Kinetree is built, not when it runs. This command "
        "is no longer needed."
    )
