"""Parse the text of a model file into dicts and lists with line numbers.

YAML 1.2 without tags, anchors and aliases, with unique keys, and with limits on bytes, depth and
number of values, so that no small file can expand without bounds. Events come from the compiled
parser of ruamel.yaml where it is installed (the other one is thirty times slower); the tree and its
numbers (scalars.py) are built here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from ...core.regular_files import read_regular
from ...errors import ModelError, short
from .scalars import plain_scalar

MOST_BYTES = 64 * 1024 * 1024
MOST_VALUES = 5_000_000
DEEPEST = 40


class Mapping(dict):
    """A mapping with the line number of every key."""

    __slots__ = ("file", "line", "lines")

    def __init__(self, file: str, line: int) -> None:
        super().__init__()
        self.file, self.line, self.lines = file, line, dict[str, int]()


class Sequence(list):
    """A list with the line number of every item."""

    __slots__ = ("file", "line", "lines")

    def __init__(self, file: str, line: int) -> None:
        super().__init__()
        self.file, self.line, self.lines = file, line, list[int]()


def read_text(path: str | os.PathLike) -> str:
    """Read a text file; raise an error if it is missing, too large, or not text."""
    name = os.fspath(path)
    try:
        return read_regular(path, MOST_BYTES, f"{name}: the file").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        hint = (
            " It looks like a result: kt.open_solution reads it."
            if bytes(error.object[1:4]) == b"HDF"
            else ""
        )
        raise ModelError(
            f"{name}: the file is not text in UTF-8 (byte {error.start}).{hint}"
        ) from None


class Count:
    """Number of bytes and values of all files of a model."""

    def __init__(self) -> None:
        self.bytes, self.values = 0, 0


def parse(text: str, file: str, count: Count | None = None) -> Mapping:
    """Parse a document, which must be a mapping; `file` is its name in errors, `count` the total of
    files read before.
    """
    count = count or Count()
    count.bytes += len(text)
    if count.bytes > MOST_BYTES:
        raise ModelError(
            f"{file}: the files of this model have {count.bytes} characters; all together may "
            f"have at most {MOST_BYTES}."
        )
    found = Builder(file, count).document(_events(text, file))
    if not isinstance(found, Mapping):
        raise ModelError(
            f"{file}:1: a model file is a mapping with keys such as model, bodies and joints, got "
            f"{short(found)}."
        )
    return found


def _events(text: str, file: str) -> Iterator[Any]:
    """Events of the parser; its errors become sentences with a line number."""
    from ruamel.yaml.error import YAMLError

    try:
        yield from _parsed(text)
    except YAMLError as error:
        where = f":{_line_of(error, text)}"
        message = " ".join(
            str(getattr(error, "problem", None) or getattr(error, "reason", None) or error).split()
        )
        hint = (
            " Put texts with colons, braces or brackets into quotes."
            if "unexpected" in message or "expected" in message
            else ""
        )
        raise ModelError(f"{file}{where}: this is not YAML: {message}.{hint}") from None
    except (RecursionError, UnicodeError, ValueError, OverflowError) as error:
        raise ModelError(f"{file}: this is not YAML: {error}.") from None


def _line_of(error: Any, text: str) -> int:
    """The line on which an unterminated text, list or mapping begins, or at which the parser
    failed.
    """
    mark, begin = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    if begin is not None and any(
        word in str(error.context) for word in ("flow", "quoted", "block scalar")
    ):
        mark = begin
    if mark is not None:
        return mark.line + 1
    return text.encode()[: getattr(error, "position", 0) or 0].count(b"\n") + 1


def _parsed(text: str) -> Iterator[Any]:
    from ruamel.yaml.events import StreamEndEvent

    try:
        from _ruamel_yaml import CParser
    except ImportError:
        from ruamel.yaml import YAML

        yield from YAML(typ="safe", pure=True).parse(text)
        return
    parser = CParser(text.encode())
    while True:
        event = parser.get_event()
        yield event
        if isinstance(event, StreamEndEvent):
            return


class Builder:
    """Builds the tree event by event, on a stack, so that depth costs nothing but the limit."""

    def __init__(self, file: str, count: Count) -> None:
        self.file, self.count = file, count
        self.stack: list[tuple[Mapping | Sequence, str | None]] = []
        self.root: Any = None
        self.documents = 0

    def document(self, events: Iterator[Any]) -> Any:
        handlers: dict[str, Callable] = {
            "ScalarEvent": self._scalar,
            "MappingStartEvent": self._open,
            "SequenceStartEvent": self._open,
            "MappingEndEvent": self._close,
            "SequenceEndEvent": self._close,
            "AliasEvent": self._alias,
            "DocumentStartEvent": self._document,
        }
        for event in events:
            handler = handlers.get(type(event).__name__)
            if handler is not None:
                handler(event)
        return self.root

    def _document(self, event) -> None:
        self.documents += 1
        if self.documents > 1:
            raise self._refusal(event, "a second document begins here; a model file holds one")

    def _alias(self, event) -> None:
        raise self._refusal(
            event,
            f"aliases like *{event.anchor} are not taken; write ${{name}} and give the name among "
            "the "
            "parameters",
        )

    def _scalar(self, event) -> None:
        self._check(event)
        if self.stack:
            holder, key = self.stack[-1]
            if key is None and type(holder) is Mapping:
                self._key(holder, event)
                return
        try:
            value = (
                event.value if event.style in ("'", '"', "|", ">") else plain_scalar(event.value)
            )
        except ModelError as error:
            raise self._refusal(event, str(error)) from None
        self._put(value, event.start_mark.line + 1)

    def _key(self, holder: Mapping, event) -> None:
        name = event.value
        if name in holder.lines:
            raise self._refusal(
                event,
                f"the key {short(name)} is given twice; the first time on line {holder.lines[name]}",
            )
        holder.lines[name] = event.start_mark.line + 1
        self.stack[-1] = holder, name

    def _open(self, event) -> None:
        self._check(event)
        if len(self.stack) >= DEEPEST:
            raise self._refusal(event, f"the file is nested more than {DEEPEST} levels deep")
        if self.stack and self.stack[-1][1] is None and type(self.stack[-1][0]) is Mapping:
            raise self._refusal(event, "a key must be a name, not a list or a mapping")
        kind = Mapping if type(event).__name__ == "MappingStartEvent" else Sequence
        made = kind(self.file, event.start_mark.line + 1)
        self._put(made, made.line)
        self.stack.append((made, None))

    def _close(self, event) -> None:
        self.stack.pop()

    def _put(self, value: Any, line: int) -> None:
        if not self.stack:
            self.root = value
            return
        holder, key = self.stack[-1]
        if isinstance(holder, Mapping):
            holder[key] = value
            self.stack[-1] = holder, None
        else:
            holder.append(value)
            holder.lines.append(line)

    def _check(self, event) -> None:
        self.count.values += 1
        if self.count.values > MOST_VALUES:
            raise self._refusal(event, f"the file has more than {MOST_VALUES} values")
        if event.tag is not None and event.tag != "!":
            raise self._refusal(
                event, f"tags like {short(str(event.tag))} are not taken; leave it out"
            )
        if event.anchor is not None:
            raise self._refusal(
                event,
                f"anchors like &{event.anchor} are not taken; write ${{name}} and give the name "
                "among the "
                "parameters",
            )

    def _refusal(self, event, sentence: str) -> ModelError:
        return ModelError(f"{self.file}:{event.start_mark.line + 1}: {sentence}.")
