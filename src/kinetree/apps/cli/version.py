"""`kinetree version` and `kinetree --version`: the versions of Kinetree and its libraries."""

from __future__ import annotations

import typer


def version() -> None:
    """Print the version of Kinetree and of the packages that affect its results."""
    import platform
    from importlib.metadata import version as installed

    print(f"kinetree {installed('kinetree')}")
    others = ", ".join(f"{name} {installed(name)}" for name in ("numpy", "llvmlite", "scipy"))
    print(f"python {platform.python_version()}, {others}")


def asked_for(wanted: bool) -> None:
    """`kinetree --version`."""
    if wanted:
        version()
        raise typer.Exit
