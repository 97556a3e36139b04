"""The code of models and examples as it is shown on their pages, and as notebooks."""

from __future__ import annotations

import ast
import re

from ..notebooks import notebook_from_script
from .things import Thing

RELATIVE = re.compile(r"^(\s*)from (\.+)([\w.]*) import", re.MULTILINE)


def shown_code(thing: Thing) -> str:
    """Return the source of a model or example, without its docstring and with absolute imports, so
    that a copy runs.
    """
    text = thing.path.read_text(encoding="utf-8")
    first = ast.parse(text).body[0]
    return absolute("\n".join(text.splitlines()[first.end_lineno :]).strip("\n") + "\n")


def script(thing: Thing) -> str:
    """Return a script that runs anywhere: an example, or a model with a run of it."""
    if not thing.is_model:
        return shown_code(thing)
    call = f"{thing.build.__name__}()"
    return (
        f"{with_kt(shown_code(thing))}\n\n"
        f"# Build the model.\nmodel = {call}\nprint(model.topology())\n\n"
        f"# Simulate it.\nsol = kt.simulate(model, until={thing.until:g})\nprint(sol)\n\n"
        "# Show the motion.\nsol.animate()\n"
    )


def absolute(code: str) -> str:
    """Return code of a module of `kinetree.models` with absolute imports."""

    def full(match: re.Match) -> str:
        package = ["kinetree", "models"][: 3 - len(match[2])]
        return f"{match[1]}from {'.'.join([*package, *filter(None, [match[3]])])} import"

    return RELATIVE.sub(full, code)


def with_kt(code: str) -> str:
    """Return code that imports `kt`."""
    future = "from __future__ import annotations\n"
    head = future if future in code else ""
    if "import kinetree as kt\n" not in code:
        code = "import kinetree as kt\n\n" + code.replace(future, "").lstrip("\n")
        return head + "\n" + code if head else code
    return code


def notebook(thing: Thing) -> dict:
    """Return the notebook of a model or example: its text, then its code by sections."""
    return notebook_from_script(f'"""# {thing.title}\n\n{thing.text}\n"""\n\n{script(thing)}')
