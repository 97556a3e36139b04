"""A compiled model at one position, as assembly uses it: constraint values, Jacobians and body
velocities as NumPy arrays, and the linear problems of assembly by dense algebra.

`sparse_system.py` has the same interface for large models; `system_of` there selects one of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ..description.lowering.compiled import CompiledModel, JointPlace
from ..engine.dynamics.constraint import (
    constraint_jacobian,
    constraint_values,
    constraint_velocities,
)
from ..engine.dynamics.kinematics import positions, shift_coordinates
from ..kernel.linalg import pinv, product
from ..kernel.tables.records import Tables, frozen
from ..kernel.tables.rows import position_rows
from ..kernel.tables.workspace import EQUATIONS, Work, workspace
from .measure import joint_coordinates, joint_frames, joint_map
from .rank import new_rows

# joints and constraints with the number of their redundant equations
Redundant = tuple[tuple[str, int], ...]


class System:
    """A compiled model at one position with its workspace."""

    tables: Tables
    work: Work
    sparse = False  # see sparse_system.py

    def __init__(
        self, compiled: CompiledModel, work: Work | None = None, storage: Sequence[str] = EQUATIONS
    ) -> None:
        self.compiled, self.t = compiled, 0.0
        self._allocate(work, storage)
        settings = self.tables.settings[0]
        self.length, self.absorbed = float(settings["length"]), float(settings["absorbed"])
        # angles are multiplied by the model size
        self.scale = np.where(self.tables.row_scale > 0.0, 1.0, self.length)
        # per row, whether it has a g: rows of velocities alone do not restrict positions
        self.holonomic = position_rows(self.tables)

    def _allocate(self, work: Work | None, storage: Sequence[str]) -> None:
        """Set tables and workspace for dense M and G, even if a run uses sparse algebra."""
        self.tables = self.compiled.tables
        if self.tables.settings[0]["sparse"]:
            settings = self.tables.settings.copy()
            settings["sparse"] = 0
            self.tables = frozen(self.tables._replace(settings=settings))
        self.work = workspace(self.tables, storage) if work is None else work

    @property
    def rounding(self) -> float:
        """Singular values of G in natural units up to this count as zero: rounding errors, or gaps
        absorbed in redundant directions.
        """
        return max(1e-9, 20.0 * self.absorbed / self.length)

    @cached_property
    def travels(self) -> np.ndarray:
        """Per degree of freedom, whether it is a translation (m) and not an angle (rad)."""
        units = [
            unit
            for i in range(1, len(self.compiled.bodies))
            for unit in self.compiled.joint_class(i).units
        ]
        return np.array([unit == "m" for unit in units], bool)

    @cached_property
    def natural(self) -> np.ndarray:
        """Per degree of freedom, one over its natural unit: 1 rad, or the model size."""
        return np.where(self.travels, 1.0 / self.length, 1.0)

    @cached_property
    def alignments(self) -> tuple[list[str], np.ndarray, np.ndarray]:
        """Axes of cut joints that must point the same way: joint names, the two bodies, and the
        directions fixed on these.
        """
        found = [
            (name, (place.i, place.j), (place.X_iF.R[:, k], place.X_jM.R[:, k]))
            for name, place in self.compiled.joints.items()
            if place.rows
            for k in place.spec.joint.parallel
        ]
        bodies = np.array([one[1] for one in found], int).reshape(-1, 2).T
        axes = np.array([one[2] for one in found], float).reshape(-1, 2, 3).swapaxes(0, 1)
        return [one[0] for one in found], bodies, axes

    def values(self, t: float, q: np.ndarray, x: np.ndarray) -> np.ndarray:
        """g in meters; rows that are angles are multiplied by the model size."""
        self.t = t
        positions(self.tables, self.work, q)
        constraint_values(self.tables, self.work, t, q, x)
        return self.work.g * self.scale

    def jacobian(self) -> np.ndarray:
        """G at the present position, rows scaled like the values."""
        constraint_jacobian(self.tables, self.work)
        return self.work.G * self.scale[:, None]

    def position_jacobian(self) -> np.ndarray:
        """G at the present position with zeros in the rows of velocities alone: those that
        positions need not satisfy.
        """
        G = self.jacobian()
        return G if self.holonomic.all() else G * self.holonomic[:, None]

    def entries(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Row, column and value of the nonzeros of G at the present position."""
        G = self.jacobian()
        row, column = np.nonzero(G)
        return row, column, G[row, column]

    def row_rates(self, v: np.ndarray) -> np.ndarray:
        """G v at the present position, rows scaled like the values."""
        return product(self.jacobian(), v)

    def least_step(self, g: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """The smallest step in the metric of the weights that removes g to first order."""
        root = 1.0 / np.sqrt(weights)
        return -root * product(pinv(self.position_jacobian() * root, rcond=1e-9), g)

    def redundant_rows(self) -> tuple[int, Redundant]:
        """Rank of G at the present position and the number of redundant rows per joint or
        constraint: rows that depend on the rows before them.
        """
        new = self._new_rows(self.jacobian())
        found = Counter(owner for owner, is_new in zip(self.compiled.row_owner, new) if not is_new)
        return int(new.sum()), tuple(found.items())

    def position_rank(self) -> int:
        """Rank of the rows that have a g, at the present position."""
        return int(self._new_rows(self.jacobian()[self.holonomic]).sum())

    def _new_rows(self, G: np.ndarray) -> np.ndarray:
        """Per row of G, whether it is independent of the rows before it."""
        G = G / self.natural  # all entries are lengths
        sizes = np.maximum(np.linalg.norm(G, axis=1), 1e-3 * self.length)
        return new_rows(G, np.maximum(1e-8 * sizes, 20.0 * self.absorbed))

    def unreachable(self, gamma: np.ndarray) -> np.ndarray:
        """|G a - gamma| per row for the accelerations a of least squares."""
        G = self.jacobian() / self.natural / self.length
        b = gamma / self.length
        residual = product(G, product(pinv(G, rcond=self.rounding), b)) - b
        return np.abs(residual) * self.length

    def rates(self, t: float) -> np.ndarray:
        """nu = -g_t, scaled."""
        constraint_velocities(self.tables, self.work, t)
        return self.work.nu * self.scale

    def shift(
        self, q: np.ndarray, x: np.ndarray, step: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """q (+) step; angles measured at cut joints follow to the nearest turn."""
        moved = q.copy()
        shift_coordinates(self.tables, moved, step)
        positions(self.tables, self.work, moved)
        return moved, self.follow_turns(x)

    def follow_turns(self, x: np.ndarray) -> np.ndarray:
        """Angles with counted turns at the present position, on the turn nearest to x."""
        x = x.copy()
        for place in self.compiled.joints.values():
            if place.turns:
                values = joint_coordinates(place, self.work)
                for label, ix in place.turns.items():
                    raw = values[place.spec.joint.labels.index(label)]
                    x[ix] = place.spec.joint.on_turn(label, raw, x[ix])
        return x

    def body_jacobian(self, i: int, point: np.ndarray | None = None) -> np.ndarray:
        """(6, nv) Jacobian of the angular velocity of body i and of the velocity of its point
        (world position), both in world axes.
        """
        J = np.zeros((6, self.compiled.size["nv"]))
        body, k = self.work.bodies[i], i
        while k > 0:
            link = self.tables.links[k]
            for n in range(link["iv"], link["iv"] + link["nv"]):
                J[:, n] = self.work.dofs[n]["h"]
            for n in range(link["modes"]):
                J[:, link["mode_iv"] + n] = self.work.dofs[link["column"] + n]["h"]
            k = int(link["parent"])
        arm = (body["p"] if point is None else point) - body["O"]
        J[3:] += np.cross(J[:3].T, arm).T
        return J

    def velocity(self, i: int, v: np.ndarray, point: np.ndarray) -> np.ndarray:
        """Angular velocity of body i and velocity of its point (world position), in world axes."""
        body, V, k = self.work.bodies[i], np.zeros(6), i
        while k > 0:
            link = self.tables.links[k]
            first, count = int(link["iv"]), int(link["nv"])
            V += product(v[first : first + count], self.work.dofs["h"][first : first + count])
            first, column, count = (int(link[name]) for name in ("mode_iv", "column", "modes"))
            if count:
                h = self.work.dofs["h"][column : column + count]
                V += product(v[first : first + count], h)
            k = int(link["parent"])
        V[3:] += np.cross(V[:3], point - body["O"])
        return V

    def origin(self, i: int) -> np.ndarray:
        """Origin of the user's frame of body i in the world."""
        return self.work.bodies[i]["p"] + product(
            self.work.bodies[i]["R"].reshape(3, 3), self.compiled.X_BK[i].inverse.p
        )

    def centre(self, i: int) -> np.ndarray:
        """Center of mass of body i in the world."""
        return self.work.bodies[i]["p"] + product(
            self.work.bodies[i]["R"].reshape(3, 3), self.tables.links[i]["com"]
        )

    def inertias(self) -> np.ndarray:
        """(nb, 3, 3) inertias of the bodies about their centers of mass, in body axes."""
        return np.array(self.tables.links["I_com"][1:])[:, [[0, 1, 2], [1, 3, 4], [2, 4, 5]]]

    def inertia(self, i: int) -> np.ndarray:
        """Inertia of body i about its center of mass, in world axes."""
        xx, xy, xz, yy, yz, zz = self.tables.links[i]["I_com"]
        R = self.work.bodies[i]["R"].reshape(3, 3)
        return product(R, np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), R.T)

    def dof(self, place: JointPlace, label: str) -> int:
        """Index in v of the speed with this label, for a tree joint."""
        at = place.spec.joint.speeds.index(label)
        direct = place.direct
        return int(self.tables.links[place.link]["iv"]) + (
            direct[at] if place.reversed and direct else at
        )

    def speed_row(self, place: JointPlace, label: str) -> np.ndarray:
        """Row S with S v = the joint speed of that label."""
        if place.direct is not None:
            row = np.zeros(self.compiled.size["nv"])
            row[self.dof(place, label)] = 1.0
            return row
        at = place.spec.joint.speeds.index(label)
        X_WF, X_WM = joint_frames(place, self.work)
        H = joint_map(place.spec.joint, joint_coordinates(place, self.work))[1]
        # V_FM = H_FM v
        J_FM = self.body_jacobian(place.j, X_WM.p) - self.body_jacobian(place.i, X_WM.p)
        J_FM_F = np.vstack([product(X_WF.R.T, J_FM[:3]), product(X_WF.R.T, J_FM[3:])])
        return product(pinv(H)[at], J_FM_F)
