"""The command line, from its declarations."""

from __future__ import annotations

from . import docstrings


def command_pages() -> str:
    """Return all commands with their arguments and options."""
    import typer

    from kinetree.apps.cli.main import EPILOG, app

    group = typer.main.get_command(app)
    lead = (
        "`kinetree COMMAND --help` prints the same text. A model is the name of a built-in model or the "
        "path of a "
        "[model file](../../files.md)."
    )
    entries = [_command(name, command) for name, command in group.commands.items()]
    return (
        "\n\n".join(
            ["# Command line", lead, *entries, "## Exit codes", docstrings.markdown(EPILOG)]
        )
        + "\n"
    )


def _command(name: str, command) -> str:
    rows = [(_written(p), p.help or "", _default(p)) for p in command.params if p.name != "help"]
    return "\n\n".join(
        part
        for part in (
            f"## kinetree {name}",
            docstrings.markdown(_paragraphs(command.help or "")),
            docstrings.table(("argument", "description", "default"), rows),
        )
        if part
    )


def _paragraphs(text: str) -> str:
    return text.replace("\x08", "").replace("\f", "").strip()


def _written(p) -> str:
    if p.param_type_name == "argument":
        return f"`{p.name.upper()}`"
    return ", ".join(f"`{flag}`" for flag in (*p.opts, *p.secondary_opts))


def _default(p) -> str:
    value = p.default
    if callable(value) or value is None or value == ():
        return "required" if p.required else ""
    return (
        {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
    )
