"""One entry of the reference: call, docstring, parameters, results."""

from __future__ import annotations

import inspect
import re
import textwrap
from functools import cached_property

from . import attributes, docstrings
from .arguments import argument_list, options_of, signature

PROPERTIES = (property, cached_property)


def entry(name: str, thing, *parts: str, level: int = 1, title: str = "") -> str:
    """Return the entry of a class or function; `parts` follow its attributes.

    At level 1 it is a page, whose parts have headings; below, they have bold titles.
    """
    text = docstrings.read(thing)
    arguments = argument_list(thing)
    head = _Head(level)
    return joined(
        *_opening(name, thing, arguments, "#" * level, title),
        head("Parameters", arguments),
        head("Options", options_of(thing)),
        head("Returns", _returned(thing, text)),
        head("Raises", _raised(text)),
        head("Attributes", attributes.listed(thing)),
        *parts,
        head("Notes", docstrings.markdown(text.notes)),
        head("Examples", docstrings.example(text.examples)),
        head("See also", _links(text.see_also)),
    )


def element_entry(name: str, cls: type, figure: str, channels: str) -> str:
    """Return the page of an element of a model."""
    text = docstrings.read(cls)
    arguments = argument_list(cls)
    summary, *rest = _opening(name, cls, arguments, "#", "")
    head = _Head(1)
    return joined(
        summary,
        figure,
        *rest,
        head("Parameters", arguments),
        head("Equation and signs", docstrings.markdown(text.notes)),
        channels,
        head("Example", docstrings.example(text.examples)),
        head("See also", _links(text.see_also)),
    )


def _opening(name: str, thing, arguments: str, marks: str, title: str) -> list[str]:
    """Return title, summary, call and description."""
    text = docstrings.read(thing)
    return [
        f"{marks} {title or name}\n\n{declared(name, thing)}",
        docstrings.markdown(text.summary),
        _call(title or name, thing, arguments),
        docstrings.markdown(_calling(text.prose)),
    ]


class _Head:
    """Puts a title over a text if there is one."""

    def __init__(self, level: int) -> None:
        self.level = level

    def __call__(self, title: str, text: str) -> str:
        if not text:
            return ""
        return f"## {title}\n\n{text}" if self.level == 1 else f"**{title}**\n\n{text}"


def declared(name: str, thing) -> str:
    """Return the directive by which the name is linked and indexed, see links.py."""
    kind = "class" if isinstance(thing, type) else "function"
    if isinstance(thing, PROPERTIES):
        kind = "attribute"
    if inspect.ismodule(thing):
        kind = "module"
    return f"```{{api}} {name} {kind}\n```"


def _call(name: str, thing, arguments: str) -> str:
    if not _is_called(thing, arguments):
        return ""
    call = signature(re.sub(r"^kt\.(Model|Solution|Arm|Body|Beam)\.", _variable, name), thing)
    fence = "python" if _short(call) else "text"
    return f"```{fence}\n{_wrapped(call)}\n```"


def _variable(match: re.Match) -> str:
    """The variable by which the pages call an object of a class."""
    return "sol." if match[1] == "Solution" else f"{match[1].lower()}."


def _short(call: str) -> bool:
    """Whether the call can be highlighted as Python."""
    try:
        compile(f"def f{call[call.index('(') :]}: pass", "call", "exec")
    except SyntaxError:
        return False
    return True


def _returned(thing, text: docstrings.Docstring) -> str:
    """What a function returns, with the attributes of the object."""
    rows = [(n or t, (t if n else "",), about) for n, t, about in text.returns]
    found = attributes.returned_class(thing)
    shown = docstrings.definitions(
        (f"kt.{n}" if attributes.is_public(n) else n, kind, about) for n, kind, about in rows
    )
    if found is None or not rows:
        return shown
    return f"{shown}\n\n{attributes.summary(found)}"


def _raised(text: docstrings.Docstring) -> str:
    """Errors with their reasons; numpydoc has the class as the type, without a name."""
    rows = [(name or kind, about) for name, kind, about in text.raises]
    return docstrings.definitions(
        (f"kt.{kind}" if attributes.is_public(kind) else kind, (), about) for kind, about in rows
    )


def _calling(prose: str) -> str:
    """Functions that docstrings of results name get their prefix."""
    return re.sub(
        r"(?:Returned|Made) by .*?\.",
        lambda m: re.sub(r"`(\w+)`", lambda n: _public(n[1]), m[0]),
        prose,
        count=1,
        flags=re.DOTALL,
    )


def _public(name: str) -> str:
    return f"`kt.{name}`" if attributes.is_public(name) else f"`{name}`"


def _links(see_also: list[tuple[str, str]]) -> str:
    return "\n".join(
        f"- {linkable(name)}: {docstrings.markdown(about)}" for name, about in see_also
    )


def linkable(name: str) -> str:
    """Return a name of a See Also section with the prefix of public names."""
    return f"`kt.{name}`" if attributes.is_public(name.partition(".")[0]) else f"`{name}`"


def _wrapped(call: str) -> str:
    """Return a call in lines that fit on the page."""
    if len(call) <= 80:
        return call
    inner = textwrap.fill(
        call[call.index("(") + 1 : -1],
        84,
        initial_indent="    ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return f"{call[: call.index('(') + 1]}\n{inner}\n)"


def _is_called(thing, arguments: str) -> bool:
    """Whether users call it: not properties, errors, and classes without documented parameters."""
    if isinstance(thing, PROPERTIES) or (isinstance(thing, type) and issubclass(thing, Exception)):
        return False
    return not isinstance(thing, type) or bool(arguments)


def joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"
