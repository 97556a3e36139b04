"""What assembly asks of a compiled model: constraint values, Jacobians and body velocities as NumPy arrays."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..compile.compiled import CompiledModel, JointPlace
from ..dynamics.constraint import constraint_jacobian, constraint_values, constraint_velocities
from ..dynamics.kinematics import positions, shift_coordinates
from ..tables.work import Work
from .measure import joint_coordinates, joint_frames, joint_map


class System:
    """A compiled model at one position, with the scratch space it needs."""

    def __init__(self, compiled: CompiledModel, work: Work | None = None) -> None:
        self.compiled, self.tables = compiled, compiled.tables
        self.work = work or compiled.workspace()
        self.length, self.absorbed = (float(self.tables.settings[0][what]) for what in ("length", "absorbed"))
        self.scale = np.where(self.tables.row_scale > 0.0, 1.0, self.length)  # angles at the size of the machine

    @property
    def rounding(self) -> float:
        """Singular values of G in natural units that count as none: rounding, or what redundant directions have absorbed."""
        return max(1e-9, 20.0 * self.absorbed / self.length)

    @cached_property
    def travels(self) -> np.ndarray:
        """Per freedom, whether it is a travel (m) and not an angle (rad)."""
        units = [unit for i in range(1, len(self.compiled.bodies)) for unit in self.compiled.joint_class(i).units]
        return np.array([unit == "m" for unit in units], bool)

    @cached_property
    def natural(self) -> np.ndarray:
        """Per freedom, one over its natural unit: angles in radians, travel in units of the machine."""
        return np.where(self.travels, 1.0 / self.length, 1.0)

    def values(self, t: float, q: np.ndarray, x: np.ndarray) -> np.ndarray:
        """g, rows that are angles multiplied by the size of the machine: all in metres."""
        positions(self.tables, self.work, q)
        constraint_values(self.tables, self.work, t, q, x)
        return self.work.g * self.scale

    def jacobian(self) -> np.ndarray:
        """G at the present position, rows scaled like the values."""
        constraint_jacobian(self.tables, self.work)
        return self.work.G * self.scale[:, None]

    def rates(self, t: float) -> np.ndarray:
        """nu = -g_t, scaled."""
        constraint_velocities(self.tables, self.work, t)
        return self.work.nu * self.scale

    def shift(self, q: np.ndarray, x: np.ndarray, step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
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
                    x[ix] = raw + 2 * np.pi * np.round((x[ix] - raw) / (2 * np.pi))
        return x

    def body_jacobian(self, i: int, point: np.ndarray | None = None) -> np.ndarray:
        """(6, nv): angular velocity of body i and velocity of its point (world position), both in world axes."""
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

    def centre(self, i: int) -> np.ndarray:
        """Mass centre of body i in the world."""
        return self.work.bodies[i]["p"] + self.work.bodies[i]["R"].reshape(3, 3) @ self.tables.links[i]["com"]

    def inertia(self, i: int) -> np.ndarray:
        """Inertia of body i about its centre, world axes."""
        xx, xy, xz, yy, yz, zz = self.tables.links[i]["I_com"]
        R = self.work.bodies[i]["R"].reshape(3, 3)
        return R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T

    def speed_row(self, place: JointPlace, label: str) -> np.ndarray:
        """Row S with S v = the joint speed of that label."""
        nv, at = self.compiled.size["nv"], place.spec.joint.speeds.index(label)
        if place.direct is not None:
            row = np.zeros(nv)
            row[int(self.tables.links[place.link]["iv"]) + (place.direct[at] if place.reversed else at)] = 1.0
            return row
        X_WF, X_WM = joint_frames(place, self.work)
        H = joint_map(place.spec.joint, joint_coordinates(place, self.work))[1]
        slip = self.body_jacobian(place.j, X_WM.p) - self.body_jacobian(place.i, X_WM.p)  # V_FM = H_FM v
        return np.linalg.pinv(H)[at] @ np.vstack([X_WF.R.T @ slip[:3], X_WF.R.T @ slip[3:]])

