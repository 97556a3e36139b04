"""A page is run as it stands: its blocks in order, in one namespace, in a folder of its own, what
it shows compared.

    ```python     is executed
    ```text       right behind such a block is what it prints; elsewhere it is a text
    ```console    lines with a dollar sign are commands of kinetree, which are run; the lines
                  between are what they print
    ```yaml       a file, named in the comment of its first line

Three dots stand for anything, as in a doctest. A block without a language, or in another one, is
refused.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import re
import shlex
import sys
from pathlib import Path
from typing import NamedTuple
from unittest import mock

DOCS = Path(__file__).resolve().parents[1]
FENCE = re.compile(
    r"^(?P<fence>```+)(?P<language>[^\n`]*)\n(?P<body>.*?)^(?P=fence) *$", re.DOTALL | re.MULTILINE
)


class Block(NamedTuple):
    """One block of a page: its language, its text, its first line, and whether it stands right
    behind the one before.
    """

    language: str
    body: str
    line: int
    follows: bool


def all_pages() -> list[Path]:
    """The front page and every page below docs, those that are made at the build apart."""
    return [
        DOCS.parent / "README.md",
        *sorted(p for p in DOCS.rglob("*.md") if not p.relative_to(DOCS).parts[0].startswith("_")),
    ]


def blocks_of(text: str) -> list[Block]:
    """The blocks of a page in order; directives like {toctree} are Sphinx's own."""
    found, end = [], -1
    for match in FENCE.finditer(text):
        language = match["language"].strip()
        if not language.startswith("{"):
            follows = end >= 0 and not text[end : match.start()].strip()
            found.append(
                Block(language, match["body"], text.count("\n", 0, match.start()) + 2, follows)
            )
        end = match.end()
    return found


def run_page(page: Path) -> dict:
    """Run all blocks of a page in the present folder; return the namespace they leave."""
    scope: dict = {"__name__": "__main__"}
    printed = None
    linecache.cache.pop(page.name, None)
    with mock.patch("webbrowser.open"), _importing_from_here():
        for block in blocks_of(page.read_text(encoding="utf-8")):
            printed = _run(block, f"{page.name}, line {block.line}", scope, printed)
    return scope


def _run(block: Block, where: str, scope: dict, printed: str | None) -> str | None:
    """Run one block; return what it printed if it is Python."""
    if block.language == "python":
        with contextlib.redirect_stdout(io.StringIO()) as out:
            text, name = "\n" * (block.line - 1) + block.body, where.partition(",")[0]
            before = linecache.cache.get(name, (0, None, [], name))[2]
            lines = before + text.splitlines(keepends=True)[len(before) :]
            linecache.cache[name] = (
                len(text),
                None,
                lines,
                name,
            )  # user functions are compiled from their lines
            exec(compile(text, name, "exec"), scope)
        return out.getvalue()
    if block.language == "text":
        if block.follows and printed is not None:
            compare(block.body, printed, where)
    elif block.language == "console":
        _run_commands(block.body, where)
    elif block.language == "yaml":
        Path(block.body.split()[1]).write_text(block.body, encoding="utf-8")
    else:
        raise ValueError(
            f"{where}: a block in {block.language or 'no language'!r}; allowed are python, text, "
            "console, yaml."
        )
    return None


def _run_commands(body: str, where: str) -> None:
    """Every line with a dollar sign, and what stands below it."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        said, code = run_command(shlex.split(line, comments=True), where)
        if shown.strip():
            compare(shown, said, where)
        elif code:
            raise AssertionError(f"{where}: {line!r} ended with {code}:\n{said}")


def run_command(words: list[str], where: str) -> tuple[str, int]:
    """Run a command of kinetree in this process; return what it printed and its exit code."""
    from kinetree.apps.cli.main import ending

    if words[:1] != ["kinetree"]:
        raise ValueError(
            f"{where}: only commands of kinetree are run, not {words}; mark others as text."
        )
    out, errors = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(errors),
        mock.patch.object(sys, "argv", words),
        mock.patch("kinetree.apps.cli.main.close_output"),
    ):
        code = ending()
    return out.getvalue() + (
        errors.getvalue() if code else ""
    ), code  # otherwise a word about compiling, or nothing


@contextlib.contextmanager
def _importing_from_here():
    with mock.patch.object(sys, "path", ["", *sys.path]):
        yield


def compare(shown: str, printed: str, where: str) -> None:
    """Refuse what is shown if something else was printed."""
    pattern = ".*?".join(map(re.escape, _tidy(shown).split("...")))
    if not re.fullmatch(pattern, _tidy(printed), re.DOTALL):
        raise AssertionError(f"{where}: the page shows\n{shown}\nbut printed was\n{printed}")


def _tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
