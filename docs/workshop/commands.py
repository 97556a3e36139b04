"""The command line, from its declarations: a page that lists the commands, and one for each."""

from __future__ import annotations

from . import docstrings
from .entries import joined
from .groups import Item, Pages, group


def command_pages() -> Pages:
    """Return all commands with their arguments and options."""
    import typer

    from kinetree.apps.cli.main import EPILOG, app

    commands = typer.main.get_command(app).commands
    items = [_item(name, command) for name, command in commands.items()]
    lead = (
        "`kinetree COMMAND --help` prints the same text. A model is the name of a built-in model or "
        "the path of a [model file](../../files.md)."
    )
    codes = joined("## Exit codes", docstrings.markdown(EPILOG))
    return group("command-line", "Command line", lead, items, (), codes)


def _item(name: str, command) -> Item:
    about = _paragraphs(command.help or "")
    rows = [(_written(p), (_default(p),), p.help or "") for p in command.params if p.name != "help"]
    page = joined(
        f"# kinetree {name}",
        docstrings.markdown(about),
        "## Arguments" if rows else "",
        docstrings.definitions(rows),
    )
    return Item(f"kinetree {name}", {f"command-line/{name}": page}, about.partition("\n\n")[0])


def _paragraphs(text: str) -> str:
    return text.replace("\x08", "").replace("\f", "").strip()


def _written(p) -> str:
    if p.param_type_name == "argument":
        return p.name.upper()
    return ", ".join((*p.opts, *p.secondary_opts))


def _default(p) -> str:
    value = p.default
    if callable(value) or value is None or value == ():
        return "required" if p.required else ""
    shown = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    return f"default `{shown}`"
