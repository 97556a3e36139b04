"""One entry of the reference: call, docstring, parameters and channels."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable
from functools import cached_property

from . import channels, docstrings
from .arguments import argument_table, signature

PROPERTIES = (property, cached_property)


def entry(name: str, thing, *parts: str, level: int = 2) -> str:
    """Return the entry of a class or function; `parts` are tables that follow its parameters."""
    text = docstrings.read(thing)
    arguments = argument_table(thing)
    call = (
        f"```text\n{_wrapped(signature(name, thing))}\n```" if _is_called(thing, arguments) else ""
    )
    return _joined(
        f"{'#' * level} {name}",
        docstrings.markdown(text.summary),
        call,
        docstrings.markdown(text.prose),
        arguments,
        _listed("Returns", text.returns),
        _listed("Raises", text.raises),
        _listed("Attributes", text.attributes),
        *parts,
        _headed("Notes", docstrings.markdown(text.notes)),
        _headed("See also", _links(text.see_also)),
        _headed("Examples", docstrings.example(text.examples)),
    )


def _headed(title: str, text: str) -> str:
    return f"**{title}**\n\n{text}" if text else ""


def _listed(title: str, rows: list[tuple[str, str, str]]) -> str:
    """Returns, Raises or Attributes as a list."""
    lines = [
        f"- {', '.join(f'`{part}`' for part in (name, kind) if part)}: {docstrings.markdown(about)}"
        for name, kind, about in rows
    ]
    return _headed(title, "\n".join(lines))


def _links(see_also: list[tuple[str, str]]) -> str:
    return "\n".join(f"- `{name}`: {docstrings.markdown(about)}" for name, about in see_also)


def _wrapped(call: str) -> str:
    """Return a call in lines that fit on the page."""
    return textwrap.fill(
        call,
        105,
        subsequent_indent=" " * (call.index("(") + 1),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _is_called(thing, arguments: str) -> bool:
    """Whether users call it: not properties, errors, and classes without documented parameters."""
    if isinstance(thing, PROPERTIES) or (isinstance(thing, type) and issubclass(thing, Exception)):
        return False
    return not isinstance(thing, type) or bool(arguments) or not inspect.signature(thing).parameters


def members(cls: type, name: str, leave_out: Iterable[str] = ()) -> str:
    """Return the methods and properties of a class: entries of those in the numpydoc form, then a
    table of the others.
    """
    entries, rows = [], []
    for label, member in inspect.getmembers(cls):
        hidden = label.startswith("_") or label in leave_out or isinstance(member, type)
        if hidden or not (callable(member) or isinstance(member, PROPERTIES)):
            continue
        text = docstrings.read(member)
        if text.numpydoc:
            entries.append(entry(f"{name}.{label}", member, level=3))
        elif text.summary:
            call = label if isinstance(member, PROPERTIES) else signature(label, member)
            rows.append((f"`{name}.{call}`", " ".join([text.summary, *text.prose.split()])))
    return "\n".join([*entries, docstrings.table(("name", "description"), rows)])


def joint_entry(joint) -> str:
    """Return the entry of a joint: degrees of freedom, channels, constraint equations."""
    counts = (
        f"Degrees of freedom: {joint.nv}. Constraint equations where a loop is cut at it: "
        f"{6 - joint.nv}. Coordinates: {', '.join(joint.labels) or 'none'}; velocities: "
        f"{', '.join(joint.speeds) or 'none'}. They describe the motion of the child (named "
        "second) relative to the parent (named first)."
    )
    return entry(
        f"kt.{joint.__name__}",
        joint,
        counts,
        "Channels of a joint named A:",
        channels.channel_table("A", channels.channels_of_joint(joint)),
    )


def force_entry(force: type) -> str:
    """Return the entry of a force element: number of markers, channels."""
    from kinetree.description.names import how_many

    return entry(
        f"kt.{force.__name__}",
        force,
        f"Markers: {how_many(force.markers)}. Channels of an element named F:",
        channels.channel_table("F", channels.channels_of_force(force)),
    )


def constraint_entry(constraint: type) -> str:
    """Return the entry of a constraint: number of markers, meaning of its multipliers."""
    from kinetree.description.names import how_many

    return entry(
        f"kt.{constraint.__name__}",
        constraint,
        f"Markers: {how_many(constraint.markers)}. Channels of a constraint named C:",
        channels.channel_table("C", channels.channels_of_constraint(constraint)),
    )


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"
