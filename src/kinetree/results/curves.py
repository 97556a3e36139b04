"""Curves of a plot with their units, in degrees if requested, with suitable SI prefixes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import ModelError
from . import channels
from .storage.export import scalars

if TYPE_CHECKING:
    from .solution import Solution

MOST = 6  # curves of a plot that nobody has named channels for
_PREFIXES = {-9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G"}
_PREFIXED = (
    "m",
    "N",
    "Pa",
    "J",
    "W",
)  # units that take a prefix; kg, rad, s and 1 stay as they are
_QUANTITIES = {
    "m": "length",
    "m/s": "velocity",
    "m/s^2": "acceleration",
    "rad": "angle",
    "rad/s": "angular velocity",
    "rad/s^2": "angular acceleration",
    "deg": "angle",
    "deg/s": "angular velocity",
    "deg/s^2": "angular acceleration",
    "N": "force",
    "N m": "torque",
    "Pa": "pressure",
    "J": "energy",
    "W": "power",
    "s": "time",
}


class Curve(NamedTuple):
    """A scalar time history."""

    name: str
    unit: str
    t: np.ndarray
    values: np.ndarray


def curves(sol: Solution, names: Sequence[str], degrees: bool = False) -> list[Curve]:
    """The curves of the given channels, vectors by component, in the given order."""
    found = []
    for name in names or usual(sol):
        channel, component = channels.find(sol.channels, name, sol.model.name)
        if channel.at_steps:
            found.append(
                Curve(name, channel.unit, sol.steps.t, channels.values(channel, component))
            )
        else:
            found += [
                Curve(full, channel.unit, sol.t, values) for full, _, values in scalars(sol, [name])
            ]
    return [_in_degrees(curve) for curve in found] if degrees else found


def usual(sol: Solution) -> list[str]:
    """Default channels of a plot: the joint coordinates that move most, or positions of bodies."""
    names = [
        f"{joint}.{label}"
        for joint in sol.model.joints
        for label in ("angle", "displacement")
        if f"{joint}.{label}" in sol.channels
    ]
    names = names or [f"{body}.position" for body in sol.model.bodies][:2]
    names.sort(key=lambda name: -np.ptp(sol[name], axis=0).max())
    return names[:MOST]


def by_unit(found: list[Curve]) -> dict[str, list[Curve]]:
    """The curves grouped by unit, one group per axis."""
    groups: dict[str, list[Curve]] = {}
    for curve in found:
        groups.setdefault(curve.unit, []).append(curve)
    return groups


def abscissa(sol: Solution, name: str, degrees: bool, ordinates: list[Curve]) -> Curve:
    """The curve on the horizontal axis."""
    found = curves(sol, [name], degrees)
    if len(found) != 1:
        raise ModelError(
            f"plot: x = {name!r} is a vector; name one component, for example x={found[0].name!r}."
        )
    for curve in ordinates:
        if len(curve.t) != len(found[0].t):
            raise ModelError(
                f"plot: {curve.name!r} and x = {name!r} are known at other times: one at samples, "
                "one at steps."
            )
    return found[0]


def readable(group: list[Curve]) -> tuple[str, float]:
    """The unit with an SI prefix and its factor, such that the largest value lies between 1 and
    1000.
    """
    unit, finite = group[0].unit, [np.abs(c.values[np.isfinite(c.values)]) for c in group]
    largest = max((values.max() for values in finite if len(values)), default=0.0)
    if (
        largest == 0.0
        or unit.split("/")[0].split(" ")[0].split("^")[0] not in _PREFIXED
        or "^" in unit.split("/")[0]
    ):
        return unit, 1.0
    power = min(max(3 * math.floor((math.log10(largest) + 1.0) / 3.0), -9), 9)
    if unit.startswith("m"):
        power = min(power, 0)  # no kilometres
    return _PREFIXES[power] + unit, 10.0**-power


def quantity(group: list[Curve]) -> str:
    """Common label of the curves: the last word of their names, or the quantity of their unit."""
    words = {_word(curve.name) for curve in group}
    return words.pop().replace("_", " ") if len(words) == 1 else _QUANTITIES.get(group[0].unit, "")


def label(group: list[Curve], unit: str) -> str:
    """The label of an axis."""
    return quantity(group) if unit == "1" else f"{quantity(group)} [{unit}]".strip()


def _word(name: str) -> str:
    head, _, last = name.rpartition(".")
    return (
        head.rpartition(".")[2]
        if (last in ("w", "x", "y", "z") or last.isdigit()) and "." in head
        else last
    )


def _in_degrees(curve: Curve) -> Curve:
    if not curve.unit.startswith("rad"):
        return curve
    return curve._replace(unit=curve.unit.replace("rad", "deg", 1), values=np.degrees(curve.values))
