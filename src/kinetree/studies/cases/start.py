"""The start of a case: loops closed, velocities consistent, all as in `assembly/prepare.py`.

The kernels of `closing.py` do what an assembly usually comes to. Where a case is unusual (it does not
close at the first attempt, it is near a change point, its rank differs), `Unusual` is raised, and
the case is assembled in the general way.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from ...assembly.closing import (
    CLOSED,
    check_closed,
    check_regular,
    close_position,
    consistent_speeds,
    count_turns,
    initial_turns,
)
from ...assembly.start import check_lengths, check_starts, measure_unresolved
from ...engine.dynamics.kinematics import positions, shift_coordinates
from ...kernel.linalg import eigvalsh
from ...kernel.tables.records import Tables
from ...kernel.tables.rows import position_rows
from ...kernel.tables.workspace import workspace
from ..parameters.blueprint import speeds
from .patched import PatchedModel
from .search import MOST, RESTARTS, Infeasible, nearest_gap

RCOND = 1e-9
TRIES = 2  # motions along which the rank is compared
UPPER = [0, 1, 2, 1, 3, 4, 2, 4, 5]  # of a packed symmetric matrix
ROUNDING = 1e-14  # of a principal moment that is zero
REASONS = {
    1: "its loops do not close at the first attempt",
    2: "an axis is turned over",
    3: "its constraints have another rank than those of the other cases, or nearly so",
    4: "it starts at a change point, or nearly so",
    5: "its velocities do not satisfy all constraints and given speeds",
    6: "its constraints contradict each other",
}


class Unusual(Exception):
    """A case that must be assembled in the general way; the text says why."""


class _Equations:
    """Scales and storage for the constraints of one set of tables."""

    def __init__(self, tables: Tables, natural: np.ndarray) -> None:
        self.tables, self.work = tables, workspace(tables, ("G",))
        ng, nv = int(tables.settings[0]["ng"]), len(natural)
        nq, nx = int(tables.settings[0]["nq"]), int(tables.settings[0]["nx"])
        self.ng, self.natural, self.length = ng, natural, np.nan
        self._lengths, self._positions = tables.row_scale > 0.0, position_rows(tables)
        self.A, self.W, self.s = np.zeros((ng, nv)), np.zeros((ng, ng)), np.zeros(ng)
        self.g, self.step = np.zeros(ng), np.zeros(nv)
        self.q, self.x = np.zeros(nq), np.zeros(nx)

    def rescale(self, length: float, travels: np.ndarray) -> None:
        """Set all scales for a model of that size."""
        if length == self.length:
            return
        self.length = length
        self.scale = np.where(self._lengths, 1.0, length)
        self.holonomic = np.where(self._positions, self.scale, 0.0)
        self.natural = np.where(travels, 1.0 / length, 1.0)
        self.root = 1.0 / self.natural

    def close(
        self,
        t: float,
        q: np.ndarray,
        x: np.ndarray,
        root: np.ndarray | None = None,
        rcond: float = RCOND,
    ) -> float:
        """Close the loops in place; returns the violation (m)."""
        return close_position(
            self.tables, self.work, t, q, x, self.scale, self.holonomic,
            self.root if root is None else root, self.natural,
            self.A, self.W, self.s, self.g, self.step, self.q, self.x, rcond,
        )[0]  # fmt: skip

    def close_from(
        self,
        t: float,
        q: np.ndarray,
        x: np.ndarray,
        push: np.ndarray,
        root: np.ndarray,
        rcond: float,
    ) -> float:
        """The same from another position."""
        shift_coordinates(self.tables, q, push)
        count_turns(self.tables, self.work, q, x)
        return self.close(t, q, x, root, rcond)


class StartFinder:
    """Finds the starts of the cases of a patched model; one thread at a time may use it."""

    def __init__(self, patched: PatchedModel, t: float, rank: int, masses: bool = True) -> None:
        self.patched, self.t, self.rank = patched, t, rank
        self._masses = masses  # whether masses or moments of inertia change
        base, tables = patched.base, patched.run.tables
        lowered = base.lowered
        self.travels = np.array(
            [u == "m" for i in range(1, len(lowered.bodies)) for u in lowered.joint_class(i).units],
            bool,
        )
        none = np.ones(len(self.travels))
        self.free = _Equations(tables, none)
        held = patched.held
        self.held = None if held is None else _Equations(held.tables, none)
        self.pairs, self.axes_at = _alignments(lowered.joints.values())
        size = lowered.size
        self.q, self.v, self.x = (np.zeros(size[k]) for k in ("nq", "nv", "nx"))
        given = speeds(lowered)
        self.given = np.array(
            [
                joint in lowered.model.joints and bool(lowered.model.joints[joint].start)
                for joint, _ in lowered.dof_owner
            ],
            bool,
        )
        self.dofs = np.array([_dof(tables, one) for one in given], np.int64)
        self.is_length = np.array([one.unit == "m" for one in given], bool)
        count = size["ng"] + len(given)
        self.stacked = (
            np.zeros((count, size["nv"])), np.zeros((count, count)), np.zeros(count),
            np.zeros(count),
        )  # fmt: skip
        self.ways = np.random.default_rng(0).normal(size=(TRIES, size["nv"]))
        self.tried = self.ways.copy()
        self.T = np.zeros((2, size["ng"], size["nv"]))
        self._pattern = inertia_pattern(tables.links[1:])
        self._shape = inertia_shape(tables.links[1:])
        self._checks = bool(lowered.model.forces) or any(
            len(one.markers) == 2 for one in lowered.model.constraints.values()
        )

    def find(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """q, v, x of the case that is written in the patched model."""
        patched, free = self.patched, self.free
        if not self._same_pattern():
            raise Unusual("other masses or moments of inertia are zero")
        self._rescale()
        q = self.q
        q[:] = patched.others["drawn position"]
        self._open_values(q)
        self.x[:] = patched.others["initial states"]
        initial_turns(free.tables, free.work, q, patched.others["turns"], self.x)
        if free.ng:
            self._close(q)
        elif self._checks:
            positions(free.tables, free.work, q)
        self._open_lengths(q)
        if self._checks:
            check_starts(self._system())  # type: ignore[arg-type]
        self._speeds()
        if free.ng:
            self._check_regular(q)
        return q, self.v, self.x

    def same_patterns(self, links: np.ndarray) -> np.ndarray:
        """Per model, whether the same masses and moments of inertia are zero as in the base model;
        links: (models, bodies).
        """
        same = (np.abs(inertia_shape(links) - self._shape) < 1e-12).all(axis=(1, 2))  # only scaled
        if not same.all():
            patterns = inertia_pattern(links[~same])
            same[~same] = (patterns == self._pattern).all(axis=(1, 2))
        return same

    def _same_pattern(self) -> bool:
        links = self.patched.run.tables.links[1:]
        return not self._masses or bool(self.same_patterns(links[None])[0])

    def _rescale(self) -> None:
        for one in (self.free,) if self.held is None else (self.free, self.held):
            one.rescale(float(one.tables.settings[0]["length"]), self.travels)

    def _close(self, q: np.ndarray) -> None:
        """Close the loops, with the given start values held if there are any."""
        equations = self.free if self.held is None else self.held
        x = self.x if equations is self.free else self.x_of(equations, q)
        status = self._closed(equations, q, x)
        if status != CLOSED and len(q) <= MOST:
            status = self._restarted(equations, q, x, status)
        if status != CLOSED:
            self._search(status)
        if equations is not self.free:
            count_turns(self.free.tables, self.free.work, q, self.x)

    def _closed(self, on: _Equations, q: np.ndarray, x: np.ndarray) -> int:
        error = on.close(self.t, q, x)
        return check_closed(on.tables, on.work, error, self.pairs, self._axes())

    def _restarted(self, on: _Equations, q: np.ndarray, x: np.ndarray, status: int) -> int:
        """Start again from the drawn position with a small fixed perturbation, as in
        `assembly/positions.py`.
        """
        rng, drawn = np.random.default_rng(0), self.patched.others["drawn position"]
        for attempt in range(1, RESTARTS):
            if status == CLOSED:
                break
            push = rng.normal(size=len(on.root)) * 0.02 * 2.0**attempt * on.root
            q[:] = drawn
            x[:] = self.x_of(on, q)
            shift_coordinates(on.tables, q, push)
            count_turns(on.tables, on.work, q, x)
            status = self._closed(on, q, x)
        return status

    def _search(self, status: int) -> None:
        """Raise the error of a case that does not close at the first attempt."""
        gap = nearest_gap(self)
        if gap > 0.0:
            raise Infeasible(f"no position closes all loops: a gap of {gap:.2g} m remains")
        raise Unusual(REASONS[status])

    def x_of(self, equations: _Equations, q: np.ndarray) -> np.ndarray:
        """The initial states of the equations, with or without drivers, at a position."""
        others, tail = self.patched.others, " with drivers" if equations is self.held else ""
        x = others[f"initial states{tail}"].copy()
        initial_turns(equations.tables, equations.work, q, others[f"turns{tail}"], x)
        return x

    def _open_values(self, q: np.ndarray) -> None:
        """Values that the model leaves open, measured at the drawn position."""
        lowered = self.patched.base.lowered
        if lowered.unresolved:
            for words in self.patched._words:
                for one in lowered.unresolved:
                    getattr(words.tables, one.table)[one.row][one.field] = np.nan
            self.patched.write_open(
                measure_unresolved(self.patched.lowered, self.free.work, q, self.x, self.t)
            )
        elif self._checks:
            positions(self.free.tables, self.free.work, q)
            check_lengths(self.patched.common, self.free.work, self.t)

    def _open_lengths(self, q: np.ndarray) -> None:
        """Free lengths of forces that are left open, measured at the closed position."""
        lowered = self.patched.base.lowered
        names = {one.name for one in lowered.unresolved if one.table == "forces"}
        if names:
            found = measure_unresolved(self.patched.lowered, self.free.work, q, self.x, self.t)
            self.patched.write_open({name: found[name] for name in names})
            positions(self.free.tables, self.free.work, q)

    def _speeds(self) -> None:
        free = self.free
        length = float(free.tables.settings[0]["length"])
        status = consistent_speeds(
            free.tables, free.work, self.t, self.v, free.scale / length, free.natural, self.dofs,
            self.patched.others["speeds"], np.where(self.is_length, length, 1.0), *self.stacked,
        )  # fmt: skip
        self._refuse(status)

    def _check_regular(self, q: np.ndarray) -> None:
        free = self.free
        length = float(free.tables.settings[0]["length"])
        self.tried[:] = self.ways
        status = check_regular(
            free.tables, free.work, self.t, q, self.x, self.v, self.rank, free.scale / length,
            free.natural, self.tried, free.A, free.W, free.s, free.g, free.step, free.q,
            self.T[0], self.T[1],
        )  # fmt: skip
        self._refuse(status)

    def _axes(self) -> np.ndarray:
        return self.patched.others["frames of joints"][self.axes_at]

    def _system(self) -> Any:
        length = float(self.free.tables.settings[0]["length"])
        return SimpleNamespace(compiled=self.patched.common, work=self.free.work, length=length)

    def _refuse(self, status: int) -> None:
        if status != CLOSED:
            raise Unusual(REASONS[status])


def inertia_shape(links: np.ndarray) -> np.ndarray:
    """Inertias relative to their traces, and whether bodies have mass; (.., bodies, 8)."""
    inertia = links["I_com"]
    trace = inertia[..., 0] + inertia[..., 3] + inertia[..., 5]
    relative = inertia / np.where(trace > 0.0, trace, 1.0)[..., None]
    signs = np.stack([links["mass"] > 0.0, trace > 0.0], axis=-1)
    return np.concatenate([signs, relative], axis=-1)


def inertia_pattern(links: np.ndarray) -> np.ndarray:
    """Which bodies have mass, and which of their principal moments are not zero; (.., bodies, 4)."""
    inertia = links["I_com"][..., UPPER].reshape(-1, 3, 3)
    moments = eigvalsh(inertia).reshape(*links.shape, 3)
    turns = moments > ROUNDING * moments[..., 2:]
    return np.concatenate([(links["mass"] > 0.0)[..., None], turns], axis=-1)


def _alignments(places: Any) -> tuple[np.ndarray, np.ndarray]:
    """Bodies of the axes of cut joints that must point the same way, and the places of these axes
    among the frames of joints.
    """
    pairs, at = list[int](), list[list[int]]()
    for n, place in enumerate(places):
        for k in place.spec.joint.parallel if place.rows else ():
            pairs += [place.i, place.j]
            first = 24 * n + np.array([k, 3 + k, 6 + k])
            at.append([*first, *(first + 12)])
    return np.array(pairs, np.int64), np.array(at, int).reshape(-1, 6)


def _dof(tables: Tables, speed: Any) -> int:
    """Index in v of a given speed of a tree joint; -1 for others."""
    place = speed.place
    if place.direct is None:
        return -1
    at = place.spec.joint.speeds.index(speed.label)
    at = place.direct[at] if place.reversed and place.direct else at
    return int(tables.links[place.link]["iv"]) + at
