"""Channels: every time history of a run by its name, with its unit.

    <joint>.<label>, <joint>.<label>.rate, <joint>.<label>.acceleration, <joint>.force, <joint>.torque
    <body>.position .velocity .acceleration .angular_velocity .angular_acceleration .quaternion
    <body>.<point>.position .velocity .acceleration                 named points, and "end-" and "end+"
    <force>.length .angle .rate .force .torque .energy .power       as far as the element has them
    <beam>.element<k>.strain .curvature .force .moment .energy      of a beam between nodes k and k + 1, in its own axes
    <force>.<state> <controller>.<state> <controller>.<output>      states of elements, and what controllers say
    <constraint>.force                                              along a driven coordinate; the pull in a rod
    energy.* momentum.* constraint.* step.*                         of the whole machine; step.* at sol.steps.t

A vector channel also has components: "crank.position.z", "crank.quaternion.w". Vectors are in world axes;
"tip.velocity.x in hull" is in those of a body, a position counted from its origin, velocities against the ground all the same,
as controllers measure them.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..errors import NameNotFound


class Channel(NamedTuple):
    """One time history: its unit, what it is, how to get it, and its components if it is a vector."""

    unit: str
    about: str
    values: Callable[..., np.ndarray]  # called without arguments, or with a component if it can be had alone
    components: tuple[str, ...] = ()
    at_steps: bool = False
    parts: bool = False  # whether it can


def find(channels: dict[str, Channel], name: str, model: str) -> tuple[Channel, int | None]:
    """The channel and the component asked for; an unknown name gets a sentence with the nearest ones."""
    if name in channels:
        return channels[name], None
    head, _, last = str(name).rpartition(".")
    if head in channels and last in channels[head].components:
        return channels[head], channels[head].components.index(last)
    if f"{str(name).partition(' in ')[2]}.quaternion" in channels:
        return _turned(channels, str(name), model)
    raise _unknown(channels, name, model)


def _turned(channels: dict[str, Channel], name: str, model: str) -> tuple[Channel, int | None]:
    """A vector in the axes of a body:  R^T a = a - 2 w (u x a) + 2 u x (u x a)  with its quaternion (w, u)."""
    said, _, frame = name.partition(" in ")
    channel, component = find(channels, said, model)
    if channel.components != ("x", "y", "z"):
        raise _unknown(channels, name, model)

    def values() -> np.ndarray:
        q, a = channels[f"{frame}.quaternion"].values(), channel.values()
        if ".position" in said:
            a = a - channels[f"{frame}.position"].values()
        across = np.cross(q[:, 1:], a)
        return a - 2.0 * q[:, :1] * across + 2.0 * np.cross(q[:, 1:], across)

    return Channel(channel.unit, f"{channel.about} in axes of {frame}", values, channel.components, channel.at_steps), component


def values(channel: Channel, component: int | None) -> np.ndarray:
    """The numbers, (nt,) or (nt, 3)."""
    if component is not None and channel.parts:
        return channel.values(component)
    found = channel.values()
    return found if component is None else found[:, component]


def expanded(channels: dict[str, Channel]) -> dict[str, str]:
    """Name and unit of every channel, vectors followed by their components."""
    return {full: c.unit for name, c in channels.items() for full in (name, *(f"{name}.{k}" for k in c.components))}


def _unknown(channels: dict[str, Channel], name: object, model: str) -> NameNotFound:
    """If the element is right, suggest among its channels and list them; else suggest and list the elements."""
    start = str(name).split(".")[0]
    own = [known for known in expanded(channels) if known.split(".")[0] == start]
    starts = list(dict.fromkeys(known.split(".")[0] for known in channels))
    close = difflib.get_close_matches(str(name), own, 1) or difflib.get_close_matches(start, starts, 1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    listed = [known for known in channels if known in own] or starts
    what = f"Channels of {start!r}" if own else "Channels begin with"
    return NameNotFound(f"no channel named {name!r} in this run of {model!r}.{hint} {what}: {', '.join(listed)}. "
                        "All channels: sol.names().")
