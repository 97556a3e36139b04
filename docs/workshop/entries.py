"""One entry of the reference: how it is called, what it says of itself, arguments, channels, and
the equations of its module.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Iterable

from . import channels, docstrings
from .arguments import argument_table, signature


def entry(name: str, thing, *parts: str, level: int = 2, equations: bool = True) -> str:
    """A class or function; `parts` are tables that follow its arguments."""
    said = docstrings.read(thing)
    call = "" if _is_error(thing) else f"```text\n{_wrapped(signature(name, thing))}\n```"
    module = docstrings.markdown(module_says(thing)) if equations and not _is_error(thing) else ""
    return _joined(
        f"{'#' * level} {name}",
        docstrings.markdown(said.summary),
        call,
        docstrings.markdown(said.prose),
        "" if _is_error(thing) else argument_table(thing),
        *parts,
        module and f"**How it works.** {module}",
    )


def _wrapped(call: str) -> str:
    """A call in lines that fit on the page, arguments below each other."""
    return textwrap.fill(
        call,
        105,
        subsequent_indent=" " * (call.index("(") + 1),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _is_error(thing) -> bool:
    return isinstance(thing, type) and issubclass(thing, Exception)


def module_says(thing) -> str:
    """The head of the module of a thing: equations and sources."""
    module = sys.modules.get(getattr(thing, "__module__", ""))
    return (module.__doc__ or "").strip() if module else ""


def members(cls: type, name: str, leave_out: Iterable[str] = ()) -> str:
    """Methods and properties of a class, each with its call and what it says."""
    found = []
    for label, member in inspect.getmembers(cls):
        if (
            label.startswith("_")
            or label in leave_out
            or not (inspect.getdoc(member) or "").strip()
        ):
            continue
        if isinstance(member, property):
            found.append((f"`{name}.{label}`", _short(member)))
        elif callable(member) and not isinstance(member, type):
            found.append((f"`{signature(f'{name}.{label}', member)}`", _short(member)))
    return docstrings.table(("to write", "what it is"), found)


def _short(member) -> str:
    said = docstrings.read(member)
    rows = "; ".join(f"`{label}`: {text}" for label, text in said.arguments.items())
    return " ".join(part for part in (said.summary, " ".join(said.prose.split()), rows) if part)


def joint_entry(joint) -> str:
    """A joint: freedoms, channels, equations when it is cut."""
    counts = (
        f"Freedoms: {joint.nv}. Equations where a loop is cut at it: {6 - joint.nv}. Coordinates: "
        f"{', '.join(joint.labels) or 'none'}; velocities: {', '.join(joint.speeds) or 'none'}. "
        "They are positive from the "
        "parent (named first) to the child."
    )
    return entry(
        f"kt.{joint.__name__}",
        joint,
        counts,
        "Channels of a joint named A:",
        channels.channel_table("A", channels.channels_of_joint(joint)),
    )


def force_entry(force: type) -> str:
    """A force element: how many markers, channels."""
    from kinetree.description.names import how_many

    return entry(
        f"kt.{force.__name__}",
        force,
        f"Markers: {how_many(force.markers)}. Channels of an element named F:",
        channels.channel_table("F", channels.channels_of_force(force)),
    )


def constraint_entry(constraint: type) -> str:
    """A constraint: markers, the meaning of its multiplier."""
    from kinetree.description.names import how_many

    return entry(
        f"kt.{constraint.__name__}",
        constraint,
        f"Markers: {how_many(constraint.markers)}. Channels of one named C:",
        channels.channel_table("C", channels.channels_of_constraint(constraint)),
    )


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"
