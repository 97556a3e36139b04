"""What assembly asks of a compiled model: constraint values, Jacobians and body velocities as NumPy
arrays.
"""

from __future__ import annotations

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
from ..kernel.tables.workspace import EQUATIONS, Work, workspace
from .measure import joint_coordinates, joint_frames, joint_map


class System:
    """A compiled model at one position, with the scratch space it needs."""

    tables: Tables
    work: Work
    large = False  # are questions answered by sparse algebra (large.py)?

    def __init__(
        self, compiled: CompiledModel, work: Work | None = None, storage: Sequence[str] = EQUATIONS
    ) -> None:
        self.compiled, self.t = compiled, 0.0
        self._prepared(work, storage)
        self.length, self.absorbed = (
            float(self.tables.settings[0][what]) for what in ("length", "absorbed")
        )
        self.scale = np.where(
            self.tables.row_scale > 0.0, 1.0, self.length
        )  # angles at the size of the machine

    def _prepared(self, work: Work | None, storage: Sequence[str]) -> None:
        """Tables, and scratch space made for them; M and G are dense here, whatever solves the
        equations in a run.
        """
        self.tables = self.compiled.tables
        if self.tables.settings[0]["sparse"]:
            settings = self.tables.settings.copy()
            settings["sparse"] = 0
            self.tables = frozen(self.tables._replace(settings=settings))
        self.work = workspace(self.tables, storage) if work is None else work

    @property
    def rounding(self) -> float:
        """Singular values of G in natural units that count as none: rounding, or what redundant
        directions have absorbed.
        """
        return max(1e-9, 20.0 * self.absorbed / self.length)

    @cached_property
    def travels(self) -> np.ndarray:
        """Per freedom, whether it is a travel (m) and not an angle (rad)."""
        units = [
            unit
            for i in range(1, len(self.compiled.bodies))
            for unit in self.compiled.joint_class(i).units
        ]
        return np.array([unit == "m" for unit in units], bool)

    @cached_property
    def natural(self) -> np.ndarray:
        """Per freedom, one over its natural unit: angles in radians, travel in units of the
        machine.
        """
        return np.where(self.travels, 1.0 / self.length, 1.0)

    @cached_property
    def alignments(self) -> tuple[list[str], np.ndarray, np.ndarray]:
        """Axes of cut joints that must point the same way: whose, on which two bodies, and their
        directions on these.
        """
        found = [
            (name, (place.i, place.j), (place.X_iF.R[:, k], place.X_jM.R[:, k]))
            for name, place in self.compiled.joints.items()
            if place.rows
            for k in place.spec.joint.parallel
        ]
        bodies, axes = (
            np.array([one[1] for one in found], int),
            np.array([one[2] for one in found], float),
        )
        return (
            [one[0] for one in found],
            bodies.reshape(-1, 2).T,
            axes.reshape(-1, 2, 3).swapaxes(0, 1),
        )

    def values(self, t: float, q: np.ndarray, x: np.ndarray) -> np.ndarray:
        """g, rows that are angles multiplied by the size of the machine: all in metres."""
        self.t = t
        positions(self.tables, self.work, q)
        constraint_values(self.tables, self.work, t, q, x)
        return self.work.g * self.scale

    def jacobian(self) -> np.ndarray:
        """G at the present position, rows scaled like the values."""
        constraint_jacobian(self.tables, self.work)
        return self.work.G * self.scale[:, None]

    def entries(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Equation, freedom and number of all of G that is not zero at the present position."""
        G = self.jacobian()
        row, column = np.nonzero(G)
        return row, column, G[row, column]

    def row_rates(self, v: np.ndarray) -> np.ndarray:
        """G v at the present position, rows scaled like the values."""
        return product(self.jacobian(), v)

    def least_step(self, g: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """The smallest step in the metric of the weights that removes g, to first order."""
        root = 1.0 / np.sqrt(weights)
        return -root * product(pinv(self.jacobian() * root, rcond=1e-9), g)

    def rates(self, t: float) -> np.ndarray:
        """nu = -g_t, scaled."""
        constraint_velocities(self.tables, self.work, t)
        return self.work.nu * self.scale

    def shift(
        self, q: np.ndarray, x: np.ndarray, step: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """q (+) step; angles measured at cuts follow to the nearest turn."""
        moved = q.copy()
        shift_coordinates(self.tables, moved, step)
        positions(self.tables, self.work, moved)
        return moved, self.follow_turns(x)

    def follow_turns(self, x: np.ndarray) -> np.ndarray:
        """The counted angles at the present position, on the turn nearest to x."""
        x = x.copy()
        for place in self.compiled.joints.values():
            if place.turns:
                values = joint_coordinates(place, self.work)
                for label, ix in place.turns.items():
                    raw = values[place.spec.joint.labels.index(label)]
                    x[ix] = place.spec.joint.on_turn(label, raw, x[ix])
        return x

    def body_jacobian(self, i: int, point: np.ndarray | None = None) -> np.ndarray:
        """(6, nv): angular velocity of body i and velocity of its point (world position), both in
        world axes.
        """
        J = np.zeros((6, self.compiled.size["nv"]))
        body, k = self.work.bodies[i], i
        while k > 0:
            link = self.tables.links[k]
            for n in range(link["iv"], link["iv"] + link["nv"]):
                J[:, n] = self.work.dofs[n]["h"]
            k = int(link["parent"])
        arm = (body["p"] if point is None else point) - body["O"]
        J[3:] += np.cross(J[:3].T, arm).T
        return J

    def velocity(self, i: int, v: np.ndarray, point: np.ndarray) -> np.ndarray:
        """(6,): angular velocity of body i and velocity of its point (world position) at speeds v,
        in world axes.
        """
        body, V, k = self.work.bodies[i], np.zeros(6), i
        while k > 0:
            link = self.tables.links[k]
            first, count = int(link["iv"]), int(link["nv"])
            V += product(v[first : first + count], self.work.dofs["h"][first : first + count])
            k = int(link["parent"])
        V[3:] += np.cross(V[:3], point - body["O"])
        return V

    def origin(self, i: int) -> np.ndarray:
        """Origin of the user's frame of body i in the world."""
        return self.work.bodies[i]["p"] + product(
            self.work.bodies[i]["R"].reshape(3, 3), self.compiled.X_BK[i].inverse.p
        )

    def centre(self, i: int) -> np.ndarray:
        """Mass centre of body i in the world."""
        return self.work.bodies[i]["p"] + product(
            self.work.bodies[i]["R"].reshape(3, 3), self.tables.links[i]["com"]
        )

    def inertias(self) -> np.ndarray:
        """(nb, 3, 3) of the bodies about their mass centres, in their axes."""
        return np.array(self.tables.links["I_com"][1:])[:, [[0, 1, 2], [1, 3, 4], [2, 4, 5]]]

    def inertia(self, i: int) -> np.ndarray:
        """Inertia of body i about its centre, world axes."""
        xx, xy, xz, yy, yz, zz = self.tables.links[i]["I_com"]
        R = self.work.bodies[i]["R"].reshape(3, 3)
        return product(R, np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), R.T)

    def freedom(self, place: JointPlace, label: str) -> int:
        """The freedom that a joint speed of that label is, of a joint in the tree."""
        at = place.spec.joint.speeds.index(label)
        direct = place.direct
        return int(self.tables.links[place.link]["iv"]) + (
            direct[at] if place.reversed and direct else at
        )

    def speed_row(self, place: JointPlace, label: str) -> np.ndarray:
        """Row S with S v = the joint speed of that label."""
        if place.direct is not None:
            row = np.zeros(self.compiled.size["nv"])
            row[self.freedom(place, label)] = 1.0
            return row
        at = place.spec.joint.speeds.index(label)
        X_WF, X_WM = joint_frames(place, self.work)
        H = joint_map(place.spec.joint, joint_coordinates(place, self.work))[1]
        slip = self.body_jacobian(place.j, X_WM.p) - self.body_jacobian(
            place.i, X_WM.p
        )  # V_FM = H_FM v
        return product(
            pinv(H)[at], np.vstack([product(X_WF.R.T, slip[:3]), product(X_WF.R.T, slip[3:])])
        )
