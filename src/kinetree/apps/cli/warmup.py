"""`kinetree warmup`: there is nothing to compile any more; kept for one release."""

from __future__ import annotations

from typing import Annotated

import typer


def warmup(
    everything: Annotated[bool, typer.Option("--all", help="Has no effect.")] = False,
) -> None:
    """Nothing to do: kernels are compiled when the package is built. The next release will not have
    this command.
    """
    print(
        "Nothing to do: kernels are compiled when Kinetree is built, not when it runs. You can "
        "drop this command."
    )
