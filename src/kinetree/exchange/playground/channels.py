"""The quantities that a page plots, each with the place from which it is read.

state     q, v or x by its index
record    an entry of a field of the record of one instant
point     a component of the position of a point of a body
angle     an angle between the two frames of a cut joint, counted from turn to turn
sum       a sum of other quantities
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...description.lowering.compiled import JointPlace, LoweredModel
from ...elements.joints.contract import QUATERNION
from ...errors import ModelError, no_such
from ...results.measured import _ANGLE
from ...results.sources import points_of
from .sliders import PARAMETER, POINTER

if TYPE_CHECKING:
    from .machine import Machine

SHOWN, MOST = 3, 24


def channels_of(compiled: LoweredModel, wanted: tuple[str, ...] | None) -> list[dict[str, Any]]:
    """Name, unit and source of each channel; those that are drawn at first have `shown`."""
    known = {one["name"]: one for one in _all(compiled)}
    if wanted is None:
        names = [name for name in known if _usual(name, compiled)][:MOST]
        return [{**known[name], "shown": k < SHOWN} for k, name in enumerate(names)]
    found: list[dict[str, Any]] = []
    for name in wanted:
        parts = [k for k in known if k == name or (k[:-2] == name and k[-2:] in (".x", ".y", ".z"))]
        if not parts:
            raise no_such("channel", name, tuple(known), " that a page can plot")
        found += [{**known[k], "shown": len(found) < 8} for k in parts]
    return found


def constant_channels(machine: Machine, wanted: tuple[str, ...] | None) -> list[dict[str, Any]]:
    """The channels whose frames and points do not depend on sliders; others are an error if asked for."""
    found = channels_of(machine.compiled, wanted)
    for k, slider in enumerate(machine.sliders.all):
        if machine.finder is None or slider.kind != PARAMETER:
            continue
        for value in (slider.low, slider.high):
            p = np.array([one.value for one in machine.sliders.all])
            p[k] = value
            other = {one["name"]: one for one in _all(machine.finder.lower(p).lowered)}
            moved = [c["name"] for c in found if not _alike(c, other[c["name"]])]
            if moved and wanted is not None:
                raise ModelError(
                    f"a page cannot plot {moved[0]!r}, because its point or frame depends on the slider "
                    f"{slider.name!r}. Plot another channel, such as the position of the body."
                )
            found = [c for c in found if c["name"] not in moved]
    return found


def _alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two channels have the same numbers, up to rounding."""
    return all(
        np.allclose(value, other[key], rtol=0.0, atol=1e-14)
        for key, value in one.items()
        if key in ("p", "R_iF", "R_jM")
    )


def _usual(name: str, compiled: LoweredModel) -> bool:
    """Whether a channel is listed by default: coordinates, readings, energies, rates."""
    owner, _, label = name.rpartition(".")
    if label in QUATERNION:
        return False
    return owner in compiled.joints or owner == "energy" or name.endswith((".length", ".force"))


def _all(compiled: LoweredModel) -> Iterator[dict[str, Any]]:
    model, size = compiled.model, compiled.size
    for name, place in compiled.joints.items():
        yield from _joint(compiled, name, place)
    for n, element in enumerate(model.forces.values()):
        if element.name == POINTER:
            continue
        for k, (what, unit) in enumerate(element.spec.readings):
            yield _named(f"{element.name}.{what}", unit, "record", field="element", at=[n, k])
    stored = [["stored", [n]] for n in range(1, len(model.forces))]
    for what, fields in (
        ("kinetic", ["kinetic"]),
        ("potential", ["potential"]),
        ("total", ["kinetic", "potential"]),
    ):
        more = stored if "potential" in fields else []
        yield _named(f"energy.{what}", "J", "sum", of=[*([f, []] for f in fields), *more])
    for i, body in enumerate(compiled.bodies[1:], 1):
        for what, unit in (("position", "m"), ("velocity", "m/s"), ("angular_velocity", "rad/s")):
            for k, axis in enumerate("xyz"):
                yield _named(f"{body}.{what}.{axis}", unit, "record", field=what, at=[i, k])
        for point, p in points_of(model.bodies[body]).items():
            for k, axis in enumerate("xyz"):
                name = f"{body}.{point}.position.{axis}"
                yield _named(name, "m", "point", body=i, p=list(map(float, p)), axis=k)
    for name, own in compiled.states.items():
        yield _named(name, own.state.unit, "state", index=size["nq"] + size["nv"] + own.ix)


def _joint(compiled: LoweredModel, name: str, place: JointPlace) -> Iterator[dict[str, Any]]:
    """Coordinates of a joint, and rates of those in the tree."""
    joint, nq = place.spec.joint, compiled.size["nq"]
    if place.direct is None:
        for label, unit, kind in zip(joint.labels, joint.coordinate_units(), joint.gauges):
            if kind in _ANGLE:
                yield _named(
                    f"{name}.{label}",
                    unit,
                    "angle",
                    i=place.i,
                    j=place.j,
                    entries=[3 * a + b for a, b in _ANGLE[kind]],
                    **_own_frames(compiled, place),
                )
        return
    link = compiled.tables.links[place.link]
    for k, (label, unit) in enumerate(zip(joint.labels, joint.coordinate_units())):
        yield _named(f"{name}.{label}", unit, "state", index=int(link["iq"]) + place.direct[k])
    if joint.labels == joint.speeds:
        for k, (label, unit) in enumerate(zip(joint.speeds, joint.units)):
            at = place.direct[k] if place.reversed else k
            index = nq + int(link["iv"]) + at
            yield _named(f"{name}.{label}.rate", f"{unit}/s", "state", index=index)


def _own_frames(compiled: LoweredModel, place: JointPlace) -> dict[str, list[float]]:
    """The frames of a cut joint in the user's frames of its bodies, which the record has."""
    R_iF = compiled.X_BK[place.i].R @ place.X_iF.R
    R_jM = compiled.X_BK[place.j].R @ place.X_jM.R
    return {"R_iF": R_iF.ravel().tolist(), "R_jM": R_jM.ravel().tolist()}


def _named(name: str, unit: str, kind: str, **source: Any) -> dict[str, Any]:
    return {"name": name, "unit": unit, "kind": kind, **source}
