"""Sentences of a page, for tests of their length.

Headings, tables, code, figures and displayed formulas are not prose. A code span, a formula in a
line and a link each count as the words that a reader sees: one for code and formulas, all for links.
"""

from __future__ import annotations

import re

LONGEST = 30  # words of a sentence in tutorial, tasks and recipes


def sentences(text: str) -> list[str]:
    """Return the sentences of a page in their order."""
    return [
        sentence
        for paragraph in paragraphs(text)
        for sentence in re.split(r"(?<=[.!?])[)*\"]*\s+(?=[A-Z0-9`*(\[])", paragraph)
        if re.search(r"[A-Za-z]", sentence)
    ]


def words(sentence: str) -> int:
    """Count what is separated by blanks and has a letter or a digit."""
    return sum(bool(re.search(r"\w", word)) for word in sentence.split())


def long_sentences(text: str, longest: int = LONGEST) -> list[str]:
    """Return the sentences with more than `longest` words, each with its number of words."""
    return [f"{words(s)} words: {s}" for s in sentences(text) if words(s) > longest]


def paragraphs(text: str) -> list[str]:
    """Return paragraphs and list items as one line each, without marks."""
    text = re.sub(r"^(```+).*?^\1 *$", "\n\n", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^\$\$.*?\$\$", "\n\n", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`+[^`]+`+", "Code", text)
    text = re.sub(r"\$[^$\n]+\$", "Formula", text)
    text = re.sub(r"<[^>\n]+>", "", text)
    text = re.sub(r"^(#|\||\(\w[\w-]*\)=$).*$", "\n", text, flags=re.MULTILINE)
    text = re.sub(r"^ *([-*+]|\d+\.) +", "\n\n", text, flags=re.MULTILINE)
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip()]
