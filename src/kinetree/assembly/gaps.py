"""Joints that stay open, in words: by how much, in which direction, and which joint would take it."""

from __future__ import annotations

import numpy as np

from .initial import span
from .measure import joint_frames
from .positions import Closed, turned_over
from .system import System

_SHARE = 0.05  # of the largest gap: what is worth naming


def open_sentence(system: System, found: Closed) -> str:
    """Which joints stay open, by how much, and what to do."""
    system.values(found.t, found.q, found.x)
    over = turned_over(system)
    if over and found.error < 1e-9 * system.length:
        return (
            f"model {system.compiled.model.name!r}: the loop closes only with the axis of joint "
            f"{', '.join(map(repr, over))} turned over. Reverse one of its axes, or start nearer "
            "to the right assembly."
        )
    return (
        f"model {system.compiled.model.name!r} cannot be assembled: "
        f"{_remain(open_joints(system, found))}. "
        "Check the lengths and points around that loop and the start values, or draw it nearer to "
        "closed."
    )


def _remain(gaps: dict[str, float]) -> str:
    """`a gap of 0.05 m remains at 'C'`."""
    each = [f"{gap:.3g} m at {name!r}" for name, gap in gaps.items()]
    if not each:
        return "its constraints have no finite value there; a function of a driver may fail or return NaN"
    if len(each) == 1:
        size, place = each[0].split(" at ", 1)
        return f"a gap of {size} remains at {place}"
    return f"gaps of {', '.join(each[:-1])} and {each[-1]} remain"


def redundant_sentence(system: System, found: Closed, slack: float) -> str:
    """The loops close but for a gap in a redundant direction that is too wide: where, and what
    would take it.
    """
    gaps = gaps_taken(system, found)
    remain = _remain({name: gap for name, (gap, _) in gaps.items()})
    takers = [f"{joint} in place of {name!r}" for name, (_, joint) in gaps.items() if joint]
    advice = f"Use {takers[0]}, which takes it, correct" if takers else "Correct"
    return (
        f"model {system.compiled.model.name!r} cannot be assembled: {remain}, in a direction in "
        "which the other joints "
        f"of the loop hold already (a redundant one). {advice} the points and axes there, or allow "
        "the gap: "
        f"slack={slack:g} of the machine's size ({system.length:.3g} m) is less."
    )


def open_joints(system: System, found: Closed) -> dict[str, float]:
    """Joints and constraints that are open at the present position, and by how much (m)."""
    size = _in_metres(system, found)
    worst: dict[str, float] = {}
    for r in np.flatnonzero(size > _SHARE * size.max(initial=0.0)):
        owner = system.compiled.row_owner[r]
        worst[owner] = max(worst.get(owner, 0.0), float(size[r]))
    return worst


def _in_metres(system: System, found: Closed) -> np.ndarray:
    """How far each row is open (m); rows of constraints between markers need not be lengths, and
    say so themselves.
    """
    size = np.abs(found.values)
    for row in system.tables.primitives:
        element = system.compiled.model.constraints.get(system.compiled.row_owner[row["ig"]])
        if element is not None and len(element.markers) == 2:
            g = found.values[row["ig"]] / system.scale[row["ig"]]
            size[row["ig"]] = element.spec.gap(
                float(g), span(system.work, row), float(row["length"])
            )
    return size


def gaps_taken(system: System, found: Closed) -> dict[str, tuple[float, str]]:
    """The same with the joint that would take the gap."""
    system.values(found.t, found.q, found.x)
    return {name: (gap, taken_by(system, name)) for name, gap in open_joints(system, found).items()}


def taken_by(system: System, name: str) -> str:
    """Which joint in place of an open one would take its gap, at the present position; empty if
    none is known to.
    """
    place = system.compiled.joints.get(name)
    if place is None:
        return ""
    X_WF, X_WM = joint_frames(place, system.work)
    return place.spec.joint.suggested_joint(X_WF.inverse @ X_WM, system.length)
