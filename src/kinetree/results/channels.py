"""Channels: every time history of a run by its name, with its unit.

    <joint>.<label>, <joint>.<label>.rate, <joint>.<label>.acceleration, <joint>.force,
    <joint>.torque <body>.position .velocity .acceleration .angular_velocity .angular_acceleration
    .quaternion
    <body>.<point>.position .velocity .acceleration                 named points, and "end-" and
                                                                    "end+"
    <force>.length .angle .rate .force .torque .energy .power       as far as the element has them
    <beam>.element<k>.strain .curvature .force .moment .energy      of a beam between nodes k and k
                                                                    + 1, in its own axes
    <force>.<state> <controller>.<state> <controller>.<output>      states of elements, and what
                                                                    controllers say
    <constraint>.force                                              along a driven coordinate;
                                                                    pushing the ends of a rod apart
    energy.* momentum.* constraint.* step.*                         of the whole machine; step.* at
                                                                    sol.steps.t

A vector channel also has components: "crank.position.z", "crank.quaternion.w". Vectors are in world
axes; "tip.velocity.x in hull" is in those of a body, a position counted from its origin, velocities
against the ground all the same, as controllers measure them.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..errors import NameNotFound, no_such


class Channel(NamedTuple):
    """A time history of a run; one value of ``sol.channels``.

    Attributes
    ----------
    unit : str
        Unit, such as "rad/s".
    about : str
        Description.
    values : callable
        Function that computes the values, or those of one component.
    components : tuple of str
        Components of a vector, such as ("x", "y", "z"); empty for a scalar.
    at_steps : bool
        Whether the values are those at the steps, not at the samples.
    parts : bool
        Whether a component can be computed alone.
    """

    unit: str
    about: str
    values: Callable[..., np.ndarray]
    components: tuple[str, ...] = ()
    at_steps: bool = False
    parts: bool = False


class Channels(Mapping[str, Channel]):
    """The channels of a run by name, made on demand.

    A lookup makes the channels of one element; iteration makes all of them.
    """

    def __init__(
        self, of: Callable[[str | None], Iterable[dict[str, Channel]]], whole: dict[str, Channel]
    ) -> None:
        self._of, self._whole = of, whole  # those of the elements with one name, or of all

    @cached_property
    def _all(self) -> dict[str, Channel]:
        found: dict[str, Channel] = {}
        for part in self._of(None):
            found.update(part)
        return found | self._whole

    def __getitem__(self, name: str) -> Channel:
        if "_all" in vars(self):
            return self._all[name]
        if name not in self._whole:
            owners = [name[:k] for k, letter in enumerate(name) if letter == "."]
            for part in [part for owner in owners for part in self._of(owner)][::-1]:
                if name in part:
                    return part[name]
        return self._whole[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


def find(channels: Mapping[str, Channel], name: str, model: str) -> tuple[Channel, int | None]:
    """The channel and the component of a name; an error with the nearest names if there is none."""
    if not isinstance(name, str):
        raise no_such(
            "channel",
            name,
            (),
            f" in this run of {model!r}; give its name as text, as sol.names() lists them",
        )
    found = known(channels, name)
    if found is not None:
        return found
    if f"{str(name).partition(' in ')[2]}.quaternion" in channels:
        return _turned(channels, str(name), model)
    raise _unknown(channels, name, model)


def known(channels: Mapping[str, Channel], name: object) -> tuple[Channel, int | None] | None:
    """The channel and the component of a name, or None."""
    if not isinstance(name, str):
        return None
    if (whole := channels.get(name)) is not None:
        return whole, None
    head, _, last = name.rpartition(".")
    vector = channels.get(head)
    return (
        (vector, vector.components.index(last))
        if vector is not None and last in vector.components
        else None
    )


def _turned(channels: Mapping[str, Channel], name: str, model: str) -> tuple[Channel, int | None]:
    """A vector in the axes of a body:  R^T a = a - 2 w (u x a) + 2 u x (u x a)  with its quaternion
    (w, u).
    """
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

    return Channel(
        channel.unit,
        f"{channel.about} in axes of {frame}",
        values,
        channel.components,
        channel.at_steps,
    ), component


def values(channel: Channel, component: int | None) -> np.ndarray:
    """Values of a channel, shape (nt,) or (nt, 3)."""
    if component is not None and channel.parts:
        return channel.values(component)
    found = channel.values()
    return found if component is None else found[:, component]


def expanded(channels: Mapping[str, Channel]) -> dict[str, str]:
    """Names and units of all channels, with the components of vectors."""
    return {
        full: c.unit
        for name, c in channels.items()
        for full in (name, *(f"{name}.{k}" for k in c.components))
    }


def _unknown(channels: Mapping[str, Channel], name: object, model: str) -> NameNotFound:
    """Part of an error message: suggestions among the channels of the element, or among all
    elements.
    """
    if own := [known for known in channels if known.startswith(f"{name}.")]:
        return NameNotFound(
            f"no channel named {name!r} in this run of {model!r}: {name!r} has {len(own)} "
            "channels, name one of "
            f"them: {', '.join(own)}."
        )
    start = str(name).split(".")[0]
    own = [known for known in expanded(channels) if known.split(".")[0] == start]
    starts = list(dict.fromkeys(known.split(".")[0] for known in channels))
    close = difflib.get_close_matches(str(name), own, 1) or difflib.get_close_matches(
        start, starts, 1
    )
    hint = f" Did you mean {close[0]!r}?" if close else ""
    listed = [known for known in channels if known in own] or starts
    what = f"Channels of {start!r}" if own else "Channels begin with"
    return NameNotFound(
        f"no channel named {name!r} in this run of {model!r}.{hint} {what}: {', '.join(listed)}. "
        "All channels: sol.names()."
    )
