"""Standard output: letters that the terminal does not have are replaced by plain ones."""

from __future__ import annotations

import codecs
import os
import sys
import unicodedata
from contextlib import suppress

_PLAIN = {
    "└": "`",
    "├": "|",
    "│": "|",
    "─": "-",
    "━": "-",
    "╳": "x",
    "…": "...",
    "–": "-",
    "—": "-",
    "·": ".",
    "×": "x",
    "≤": "<=",
    "≥": ">=",
    "²": "^2",
    "³": "^3",
    "°": " deg",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
}


def plain(error: UnicodeError) -> tuple[str, int]:
    """Replace letters that an encoding lacks by their plain shape, or by a question mark."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_plain_letter, error.object[error.start : error.end])), error.end


def _plain_letter(letter: str) -> str:
    base = (
        _PLAIN.get(letter)
        or unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    )
    return base or "?"


def use_plain_letters() -> None:
    """Print plain letters if the encoding of the terminal lacks the original ones."""
    codecs.register_error("kinetree-plain", plain)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="kinetree-plain")


def close_output() -> None:
    """Flush the output, so that an OSError is raised here and not at the exit of Python."""
    sys.stdout.flush()


def drop_output() -> None:
    """Discard unwritten output, so that Python exits without a message."""
    with suppress(OSError, ValueError):  # not a file of the system, as in a test
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
