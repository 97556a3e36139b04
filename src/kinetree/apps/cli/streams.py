"""What the terminal can take: letters it does not have are replaced by plain ones, and a stream
that fails ends in words.
"""

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
    """What stands for letters that an encoding lacks: their plain shape, else a question mark."""
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
    """Let narrow encodings print what they can."""
    codecs.register_error("kinetree-plain", plain)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="kinetree-plain")


def close_output() -> None:
    """Send off what was printed; raises OSError here and not at the end of Python."""
    sys.stdout.flush()


def drop_output() -> None:
    """Forget what could not be sent off, so that the end of Python is quiet."""
    with suppress(OSError, ValueError):  # not a file of the system, as in a test
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
