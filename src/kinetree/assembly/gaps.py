"""Gaps in loops: those absorbed in redundant directions, and error messages about the others.

A planar loop of spatial hinges, one of them 1e-9 m out of the plane, does not close exactly
anywhere, yet moves like one that does. With D G = U S V^T in natural units, where D divides the
rows of each joint by the largest of them, the directions U1 with S > slack are closed by
Gauss-Newton,

    V1 S1^-1 U1^T g -> 0,      and      |g - U1 U1^T g| <= slack L      is the gap that remains

The gap is harmless if the dropped equations U2 are redundant wherever the model moves:
U2^T g_qq[n] V2 is then as small as the gap. It is not small where a rod is merely too short (see
`singular.py`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..kernel.linalg import product, svd
from .change_points import directions
from .components import Components
from .measure import joint_frames
from .positions import Closed, Linearize, turned_over
from .singular import jacobian_derivative, natural_jacobian
from .start import span
from .system import System

# relative to the model size: coarser than the micrometers of a drawing, finer than any play
SLACK = 1e-5
WIDEST = 1e-2  # relative to the model size: gaps up to this are explained, not accepted
_ROUNDING = 1e-8  # singular values below this are redundant in any case
_BENT = 1e-5  # error of the difference quotient in `jacobian_derivative`
# gaps, relative to the model size, by which redundant directions may turn in one radian
_GROWTH = 100.0
_SHARE = 0.05  # of the largest gap: smaller gaps are not listed


class Split(NamedTuple):
    """Directions of g that can be closed (1) and those that cannot (2)."""

    U1: np.ndarray
    s1: np.ndarray
    V1: np.ndarray
    U2: np.ndarray
    s2: np.ndarray
    V2: np.ndarray


def split(G: np.ndarray, slack: float) -> Split:
    """Split G, without units and with rows relative to the size of their joints."""
    U, s, Vt = svd(G)
    rank = int(np.sum(s > max(slack, _ROUNDING)))
    return Split(U[:, :rank], s[:rank], Vt[:rank].T, U[:, rank:], s[rank:], Vt[rank:].T)


def joint_sizes(system: System, G: np.ndarray) -> np.ndarray:
    """Per row, the largest row of the same joint or constraint, but not less than rounding."""
    rows = np.linalg.norm(G, axis=1)
    owners = np.array(system.compiled.row_owner)
    return np.array([max(rows[owners == owner].max(), _ROUNDING) for owner in owners])


class ClosableRows:
    """Linearization (see `positions.py`) that closes all but the redundant directions."""

    def __init__(self, system: System, weights: np.ndarray, slack: float) -> None:
        self.length, self.root = system.length, 1.0 / np.sqrt(weights)
        G = system.position_jacobian() * self.root / system.length
        self.size = joint_sizes(system, G)
        self.split = split(G / self.size[:, None], slack)

    def error(self, g: np.ndarray) -> np.ndarray:
        """The violation in the directions that can be closed (m)."""
        size = self.size.max() if len(self.size) else 1.0
        return np.abs(product(self.split.U1.T, g / self.size) * size).max(
            initial=0.0, keepdims=True
        )

    def step(self, g: np.ndarray, moving: np.ndarray) -> np.ndarray:
        """The smallest step that closes these directions to first order."""
        part = self.split
        b = product(part.U1.T, g / self.size / self.length)
        return -self.root * product(part.V1, b / part.s1)

    def left(self, g: np.ndarray) -> float:
        """The largest gap that remains (m)."""
        return float(np.abs(g).max(initial=0.0))


def allowing_gaps(slack: float) -> Linearize:
    """Linearization for Gauss-Newton that leaves gaps in redundant directions."""

    def linearize(system: System, weights: np.ndarray, parts: Components) -> ClosableRows:
        return ClosableRows(system, weights, slack)

    return linearize


def absorbed_gap(system: System, found: Closed, slack: float) -> float:
    """The gap (m) that redundant directions keep as the model moves; infinite if they are not
    redundant.
    """
    G = natural_jacobian(system, found.q, found.x)
    size = joint_sizes(system, G)
    parts = split(G / size[:, None], slack)
    near = float(parts.s2.max(initial=0.0))
    gap = max(found.left / system.length, near * size.max(initial=0.0))
    bend = 0.0
    for n in directions(parts.V2) if parts.V2.shape[1] else ():
        T = jacobian_derivative(system, found.q, found.x, n) / size[:, None]
        bend = max(bend, float(np.abs(product(parts.U2.T, T, parts.V2)).max(initial=0.0)))
    harmless = found.left <= slack * system.length and bend <= _BENT + _GROWTH * gap
    return gap * system.length if harmless else np.inf


def open_sentence(system: System, found: Closed) -> str:
    """Error message: which joints stay open, by how much, and what to do."""
    system.values(found.t, found.q, found.x)
    over = turned_over(system)
    if over and found.error < 1e-9 * system.length:
        return (
            f"model {system.compiled.model.name!r}: the loop closes only with the axis of joint "
            f"{', '.join(map(repr, over))} turned over. Reverse one of its axes, or start nearer "
            "to the right assembly."
        )
    return (
        f"{_not_assembled(system, open_joints(system, found))}. Check the lengths and points "
        "around that loop and the start values, or draw it nearer to closed."
    )


def _not_assembled(system: System, gaps: dict[str, float]) -> str:
    """Begin of a message: "model 'm' cannot be assembled because the loop does not close: a gap of
    0.05 m remains at joint 'C'".
    """
    joints, what = (
        system.compiled.joints,
        f"model {system.compiled.model.name!r} cannot be assembled",
    )
    if not gaps:
        return (
            f"{what}: its constraints have no finite value there; a function of a driver may fail "
            "or return NaN"
        )
    if any(name in joints for name in gaps):
        what += " because the loop does not close"
    each = [
        (f"{gap:.3g} m", f"at {'joint' if name in joints else 'constraint'} {name!r}")
        for name, gap in gaps.items()
    ]
    if len(each) == 1:
        return f"{what}: a gap of {each[0][0]} remains {each[0][1]}"
    words = [f"{size} {place}" for size, place in each]
    return f"{what}: gaps of {', '.join(words[:-1])} and {words[-1]} remain"


def redundant_sentence(system: System, found: Closed, slack: float) -> str:
    """Error message for a gap in a redundant direction that is too wide: where, and which joint
    would close it.
    """
    gaps = suggestions(system, found)
    what = _not_assembled(system, {name: gap for name, (gap, _) in gaps.items()})
    others = [f"{joint} in place of {name!r}" for name, (_, joint) in gaps.items() if joint]
    advice = f"Use {others[0]}, which allows the gap, correct" if others else "Correct"
    return (
        f"{what}, in a direction in which the other joints of the loop constrain the motion already "
        f"(a redundant one). {advice} the points and axes there, or accept the gap: slack={slack:g} of the size of "
        f"the model ({system.length:.3g} m) is less."
    )


def open_joints(system: System, found: Closed) -> dict[str, float]:
    """Joints and constraints that are open at the present position, and by how much (m)."""
    size = _in_meters(system, found)
    worst: dict[str, float] = {}
    for r in np.flatnonzero(size > _SHARE * size.max(initial=0.0)):
        owner = system.compiled.row_owner[r]
        worst[owner] = max(worst.get(owner, 0.0), float(size[r]))
    return worst


def _in_meters(system: System, found: Closed) -> np.ndarray:
    """Gap of each row (m); rows of constraints between markers need not be lengths, so their
    classes convert them.
    """
    size = np.abs(found.values)
    for row in system.tables.primitives:
        element = system.compiled.model.constraints.get(system.compiled.row_owner[row["ig"]])
        if element is not None and len(element.markers) == 2:
            g = found.values[row["ig"]] / system.scale[row["ig"]]
            distance = span(system.work, row)
            size[row["ig"]] = element.spec.gap(float(g), distance, float(row["length"]))
    return size


def suggestions(system: System, found: Closed) -> dict[str, tuple[float, str]]:
    """Open joints: the gap (m) and the joint that would allow it ("" if none is known)."""
    system.values(found.t, found.q, found.x)
    return {
        name: (gap, _suggested_joint(system, name))
        for name, gap in open_joints(system, found).items()
    }


def _suggested_joint(system: System, name: str) -> str:
    place = system.compiled.joints.get(name)
    if place is None:
        return ""
    X_WF, X_WM = joint_frames(place, system.work)
    return place.spec.joint.suggested_joint(X_WF.inverse @ X_WM, system.length)
