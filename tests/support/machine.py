"""A model at one state, evaluated kernel by kernel and, beside that, by dense NumPy: what
identities compare.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from kinetree.assembly.build import build
from kinetree.assembly.measure import body_pose, joint_coordinates
from kinetree.assembly.start import drawn_position, initial_states, measure_unresolved
from kinetree.description.lowering.compiled import CompiledModel
from kinetree.description.lowering.resolve import resolve
from kinetree.description.model import Model
from kinetree.engine.dynamics.bias import bias_forces
from kinetree.engine.dynamics.constraint import (
    constraint_accelerations,
    constraint_jacobian,
    constraint_values,
    constraint_velocities,
)
from kinetree.engine.dynamics.forward import forward_dynamics
from kinetree.engine.dynamics.kinematics import (
    bias_accelerations,
    coordinate_rates,
    kinematics,
    positions,
    shift_coordinates,
)
from kinetree.engine.dynamics.loads import load_energy, loads
from kinetree.engine.dynamics.mass_matrix import mass_matrix
from kinetree.engine.formulations.catalogue import formulation
from kinetree.kernel.frames import Pose, matrix_quaternion
from kinetree.kernel.tables.state import Start
from kinetree.results.completion import complete


class Machine:
    """A compiled model at (t, q, v). Everything is computed when asked for and kept; change states
    with `at`.
    """

    def __init__(
        self, compiled: CompiledModel, q: np.ndarray, v: np.ndarray, x: np.ndarray, t: float = 0.0
    ) -> None:
        self.compiled, self.tables, self.work = compiled, compiled.tables, compiled.workspace()
        self.q, self.v, self.x, self.t = q, v, x, t
        kinematics(self.tables, self.work, q, v)
        bias_accelerations(self.tables, self.work)

    def at(self, q=None, v=None, t=None, x=None) -> Machine:
        """The same model at another state; angles at cuts stay on the nearest turn."""
        q, v, t = self.q if q is None else q, self.v if v is None else v, self.t if t is None else t
        other = Machine(self.compiled, q, v, self.x if x is None else x, t)
        if x is None:
            raw, own = (
                initial_states(self.compiled, other.work),
                [p.ix for p in self.compiled.states.values()],
            )
            other.x = raw + 2 * np.pi * np.round((self.x - raw) / (2 * np.pi))
            other.x[own] = self.x[own]
        return other

    def moved(self, delta: np.ndarray, v=None, t=None) -> Machine:
        """After a finite step along velocity coordinates."""
        q = self.q.copy()
        shift_coordinates(self.tables, q, delta)
        return self.at(q, v, t)

    # --- sizes and bodies
    # ---------------------------------------------------------------------------------------

    @property
    def nv(self) -> int:
        return self.compiled.size["nv"]

    @property
    def y(self) -> np.ndarray:
        return np.concatenate([self.q, self.v, self.x])

    @property
    def names(self) -> tuple[str, ...]:
        return self.compiled.bodies[1:]

    def index(self, body: str) -> int:
        return self.compiled.bodies.index(body)

    def pose(self, body: str) -> Pose:
        """Pose of the user's body frame."""
        i = self.index(body)
        return body_pose(self.work, i) @ self.compiled.X_BK[i].inverse

    def jacobian(self, body: str, point: np.ndarray | None = None) -> np.ndarray:
        """(6, nv): angular velocity of the body and velocity of a point on it (default: the user's
        origin).
        """
        J, k = np.zeros((6, self.nv)), self.index(body)
        arm = (self.pose(body).p if point is None else point) - self.work.bodies[k]["O"]
        while k > 0:
            link = self.tables.links[k]
            for n in range(link["iv"], link["iv"] + link["nv"]):
                J[:, n] = self.work.dofs[n]["h"]
            k = int(link["parent"])
        J[3:] += np.cross(J[:3].T, arm).T
        return J

    def twist(self, body: str) -> np.ndarray:
        """Angular velocity and velocity of the user's origin, from the recursion."""
        b = self.work.bodies[self.index(body)]
        w = np.array(b["V"][:3])
        return np.concatenate([w, b["V"][3:] + np.cross(w, self.pose(body).p - b["O"])])

    def acceleration(self, body: str, vdot: np.ndarray) -> np.ndarray:
        """Angular acceleration and (material) acceleration of the user's origin."""
        b = self.work.bodies[self.index(body)]
        r, (w, u) = self.pose(body).p - b["O"], np.split(self.twist(body), 2)
        coast = np.concatenate([b["A"][:3], b["A"][3:] + np.cross(b["A"][:3], r) + np.cross(w, u)])
        return coast + self.jacobian(body) @ vdot

    def accelerations(self, vdot: np.ndarray) -> np.ndarray:
        """(bodies, 6) in the order of the model, so that trees and coordinates can be compared."""
        return np.array([self.acceleration(name, vdot) for name in self.compiled.model.bodies])

    # --- the equations
    # ------------------------------------------------------------------------------------------

    @cached_property
    def qdot(self) -> np.ndarray:
        qdot = np.zeros(len(self.q))
        coordinate_rates(self.tables, self.q, self.v, qdot)
        return qdot

    def _scratch(self):
        work = self.compiled.workspace()
        kinematics(self.tables, work, self.q, self.v)
        bias_accelerations(self.tables, work)
        return work

    @cached_property
    def M(self) -> np.ndarray:
        work = self._scratch()
        mass_matrix(self.tables, work)
        return work.M

    def _bias(self, with_loads: bool, gravity) -> np.ndarray:
        work = self._scratch()
        if with_loads:
            loads(self.tables, work, self.t, self.q, self.v, self.x)
        settings = self.tables.settings.copy()
        settings["gravity"] = gravity
        bias_forces(self.tables._replace(settings=settings), work)
        return work.f

    @cached_property
    def f(self) -> np.ndarray:
        return self._bias(True, self.tables.settings[0]["gravity"])

    @cached_property
    def applied(self) -> np.ndarray:
        """Generalised forces of the force elements alone."""
        gravity = self.tables.settings[0]["gravity"]
        return self.f - self._bias(False, gravity)

    @cached_property
    def wrenches(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(body wrenches about O, body velocities about O, joint torques) of the force elements."""
        work = self._scratch()
        loads(self.tables, work, self.t, self.q, self.v, self.x)
        return np.array(work.bodies["F"]), np.array(work.bodies["V"]), work.f

    @property
    def energy(self) -> float:
        """Potential energy stored in the force elements."""
        return load_energy(self.tables, self.work, self.t, self.q, self.x)

    @cached_property
    def vdot_tree(self) -> np.ndarray:
        """Accelerations without constraints, by the articulated-body algorithm."""
        work, vdot = self._scratch(), np.zeros(self.nv)
        loads(self.tables, work, self.t, self.q, self.v, self.x)
        bad = forward_dynamics(self.tables, work, self.q, self.v, work.f, vdot)
        assert bad == -1
        return vdot

    @cached_property
    def g(self) -> np.ndarray:
        constraint_values(self.tables, self.work, self.t, self.q, self.x)
        return self.work.g.copy()

    @cached_property
    def G(self) -> np.ndarray:
        constraint_values(
            self.tables, self.work, self.t, self.q, self.x
        )  # G is that of the time asked for last
        constraint_jacobian(self.tables, self.work)
        return self.work.G.copy()

    @cached_property
    def nu(self) -> np.ndarray:
        constraint_velocities(self.tables, self.work, self.t)
        return self.work.nu.copy()

    @cached_property
    def gamma(self) -> np.ndarray:
        constraint_accelerations(self.tables, self.work, self.t)
        return self.work.gamma.copy()

    # --- dense answers
    # ------------------------------------------------------------------------------------------

    def dense(self) -> tuple[np.ndarray, np.ndarray]:
        """(vdot, G^T lam) of  M vdot + G^T lam = f,  G vdot = gamma  by Cholesky and a
        pseudo-inverse.

                With M = C^T C, y = C vdot, W = G C^-1: the point nearest to C^-T f on the plane W y =
                gamma.
        """
        C = cholesky(self.M)
        free = solve_triangular(C, self.f, trans="T")
        if not len(self.G):
            return solve_triangular(C, free), np.zeros(self.nv)
        W = solve_triangular(C, self.G.T, trans="T").T
        scale = row_sizes(W)
        push = np.linalg.lstsq(W / scale[:, None], (self.gamma - W @ free) / scale, rcond=1e-9)[0]
        return solve_triangular(C, free + push), -C.T @ push

    def formulated(self, name: str, **options) -> tuple[np.ndarray, np.ndarray]:
        """(vdot, G^T lam) of a formulation at this state, which must be consistent."""
        vdot, lam, _ = self.settled(name, **options)
        return vdot, self.G.T @ lam

    def settled(
        self, name: str, coming_from: Machine | None = None, **options
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(vdot, lam, y) of a formulation after it has restored the state y, as a run would that
        comes from another.
        """
        method, states = formulation(name), [self] if coming_from is None else [coming_from, self]
        tables = method.configure(
            self.tables, options or None, start=Start(states[0].t, states[0].y)
        )
        compiled = replace(self.compiled, tables=tables)
        y = np.array([s.y for s in states])
        vdot, lam, done, *_ = complete(
            method, compiled, compiled.workspace(), np.array([s.t for s in states]), y
        )
        assert done == len(states), f"formulation {name} refused the state"
        return vdot[-1], lam[-1], y[-1]

    def consistent(self, v: np.ndarray) -> np.ndarray:
        """The velocity nearest to v that satisfies G v = nu."""
        if not len(self.G):
            return v
        scale = row_sizes(self.G)
        return (
            v
            + np.linalg.lstsq(self.G / scale[:, None], (self.nu - self.G @ v) / scale, rcond=1e-9)[
                0
            ]
        )


def row_sizes(G: np.ndarray) -> np.ndarray:
    """Lengths of the rows, for scaling; infinite for rows that are rounding noise (between bodies
    locked together).
    """
    sizes = np.linalg.norm(G, axis=1)
    return np.where(sizes > 1e-11 * max(sizes.max(initial=0.0), 1e-3), sizes, np.inf)


def machine(
    model: Model, coordinates: str = "relative", q=None, v=None, t: float = 0.0, found=None
) -> Machine:
    """A model as drawn, or at the given tree coordinates; lengths left open are read off that
    position unless found.
    """
    description = build(model, coordinates)
    work = description.workspace()
    q = drawn_position(description, work) if q is None else np.asarray(q, float)
    positions(description.tables, work, q)
    x = initial_states(description, work)
    compiled = resolve(
        description, measure_unresolved(description, work, q, x) if found is None else found
    )
    return Machine(
        compiled, q, np.zeros(compiled.size["nv"]) if v is None else np.asarray(v, float), x, t
    )


def cartesian(other: Machine) -> Machine:
    """The same state in Cartesian coordinates, written down body by body."""
    compiled = build(other.compiled.model, "cartesian")
    q, v = [], []
    for name in compiled.bodies[1:]:
        X, twist = other.pose(name), other.twist(name)
        q += [*X.p, *matrix_quaternion(X.R)]
        v += [*twist[3:], *(X.R.T @ twist[:3])]
    found = machine(other.compiled.model, "cartesian", q, v, other.t, other.compiled.initial_values)
    for name, place in found.compiled.states.items():
        found.x[place.ix] = other.x[other.compiled.states[name].ix]
    for name, place in found.compiled.joints.items():  # whole turns of angles as there
        for label, ix in place.turns.items():
            found.x[ix] += (
                2 * np.pi * np.round((_angle(other, name, label) - found.x[ix]) / (2 * np.pi))
            )
    return found


def _angle(other: Machine, joint: str, label: str) -> float:
    place = other.compiled.joints[joint]
    if label in place.turns:
        return other.x[place.turns[label]]
    at = place.spec.joint.labels.index(label)
    if place.direct is None:  # a planar joint against the tree's direction: measured, without turns
        return joint_coordinates(place, other.work)[at]
    at = place.direct[at]
    return other.q[int(other.tables.links[place.link]["iq"]) + at]
