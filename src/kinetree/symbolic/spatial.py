"""Symbolic equations of motion of a tree of rigid bodies in space, by the recursive Newton-Euler
algorithm.

    M e_k = newton_euler(q, v = 0, vdot = e_k, no gravity)
    f = -newton_euler(q, v, vdot = 0, gravity)

All vectors of a body are in its own axes, so that its parameters are constant. A joint consists of
translations along axes of F, then rotations about x, y or z one after the other, then a unit
quaternion (see elements/joints/contract.py). Sums are not expanded: the result is a list of small
statements, from which code is printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..elements.joints.catalogue import JOINTS
from ..errors import ModelError
from ..kernel.linalg import product
from .straight import Function, Place, needed
from .tape import Tape, Triple

ZERO: Triple = (0, 0, 0)
UNIT: tuple[Triple, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
_AXES = "xyz"


@dataclass
class Body:
    """One body: parameters in its own axes, its joint, and quantities of the outward recursion."""

    parent: int
    R_PF: Sequence[Triple]
    d_F: Triple  # from the origin of the parent to F, in axes of F
    mass: Any
    com: Triple
    inertia: Sequence[Triple]
    slides: list[tuple[int, int]]  # (axis, degree of freedom)
    turns: list[tuple[int, int, Sequence[Triple]]]  # (axis, degree of freedom, rotation)
    ball: tuple[int, Sequence[Triple]] | None  # (first degree of freedom, rotation)
    pitch: Any
    s_F: Triple = ZERO
    state: dict[str, Any] = field(default_factory=dict)


class Spatial:
    """The equations of a lowered tree; `links` is its table of links."""

    def __init__(self, links: np.ndarray, gravity: np.ndarray, tape: Tape | None = None) -> None:
        self.tape = tape or Tape()
        self.gravity = tuple(self.tape.number(f"grav{a}", g) for a, g in zip(_AXES, gravity))
        self.bodies = [self._body(i, links[i]) for i in range(1, len(links))]
        self.nv = int(links["nv"].sum())
        self.chains = [self._inboard(i) for i in range(len(self.bodies))]

    # --- joints

    def _body(self, i: int, link: np.void) -> Body:
        tape, R, p = self.tape, np.array(link["R_PF"]).reshape(3, 3), np.array(link["p_PF"])
        joint, xx = JOINTS[int(link["kind"])].joint, link["I_com"]
        if link["varying"]:
            raise ModelError(
                f"symbolic equations are not available for a {joint.kind} joint, whose axes depend "
                "on its coordinate; kt.simulate supports it."
            )
        order = ((0, 1, 2), (1, 3, 4), (2, 4, 5))
        iq, iv, kinds = int(link["iq"]), int(link["iv"]), list(joint.coordinates.values())
        body = Body(
            int(link["parent"]),
            [tuple(tape.number(f"R{i}_{r}{c}", R[r, c]) for c in range(3)) for r in range(3)],
            tuple(tape.number(f"d{i}{a}", value) for a, value in zip(_AXES, product(R.T, p))),
            tape.number(f"m{i}", float(link["mass"])),
            tuple(tape.number(f"c{i}{a}", value) for a, value in zip(_AXES, link["com"])),
            [tuple(tape.number(f"I{i}_{k}", float(xx[k])) for k in row) for row in order],
            [
                ("xyz".index(kind[-1]), iv + k)
                for k, kind in enumerate(kinds)
                if kind.startswith("slide")
            ],
            [
                ("xyz".index(kind[-1]), iv + k, self._turn("xyz".index(kind[-1]), iq + k))
                for k, kind in enumerate(kinds)
                if kind.startswith("turn")
            ],
            (iv + len(kinds), self._quaternion(iq + len(kinds))) if joint.ball else None,
            tape.number(f"h{i}", float(link["advance"])),
        )
        body.s_F = tape.add(
            ZERO, *(tape.scale(tape.coordinate(iq + k - iv), UNIT[axis]) for axis, k in body.slides)
        )
        if body.pitch != 0:
            body.s_F = tape.add(body.s_F, tape.scale(body.pitch * tape.coordinate(iq), UNIT[2]))
        return body

    def _turn(self, axis: int, k: int) -> Sequence[Triple]:
        """Rotation about an axis by a coordinate."""
        c, s = self.tape.cosine_and_sine(k)
        a, b = (axis + 1) % 3, (axis + 2) % 3
        R: list[list[Any]] = [[0] * 3 for _ in range(3)]
        R[axis][axis], R[a][a], R[b][b], R[a][b], R[b][a] = 1, c, c, -s, s
        return [(x, y, z) for x, y, z in R]

    def _quaternion(self, k: int) -> Sequence[Triple]:
        w, x, y, z = self.tape.quaternion(k)
        rows = (
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )
        return [tuple(self.tape.keep(entry) for entry in row) for row in rows]

    def _inboard(self, i: int) -> set[int]:
        """Degrees of freedom between the ground and body i."""
        body, found = self.bodies[i], self.freedoms(i)
        return found | (self._inboard(body.parent - 1) if body.parent else set())

    def freedoms(self, i: int) -> set[int]:
        body = self.bodies[i]
        own = {k for _, k in body.slides} | {k for _, k, _ in body.turns}
        return own | (set(range(body.ball[0], body.ball[0] + 3)) if body.ball else set())

    # --- Newton-Euler recursion

    def efforts(self, v: Sequence[Any], vdot: Sequence[Any], gravity: Triple) -> list[Any]:
        """Generalized forces tau for a motion."""
        motion: list[tuple[Triple, Triple, Triple]] = []
        for body in self.bodies:
            before = (
                motion[body.parent - 1] if body.parent else (ZERO, ZERO, tuple(-g for g in gravity))
            )
            motion.append(self._outward(body, before, v, vdot))
        loads = [self._load(body, *moved) for body, moved in zip(self.bodies, motion)]
        tau: list[Any] = [0] * self.nv
        for i in range(len(self.bodies) - 1, -1, -1):
            F_P, N_P = self._inward(self.bodies[i], *loads[i], tau)
            if self.bodies[i].parent:
                F, N = loads[self.bodies[i].parent - 1]
                loads[self.bodies[i].parent - 1] = (self.tape.add(F, F_P), self.tape.add(N, N_P))
        return tau

    def _outward(
        self, body: Body, before: tuple[Triple, Triple, Triple], v, vdot
    ) -> tuple[Triple, Triple, Triple]:
        """Angular velocity, angular acceleration and acceleration of the origin of a body, from
        those of its parent.
        """
        tape = self.tape
        w, al, a = (tape.back(body.R_PF, u) for u in before)
        d, rates, more = tape.add(body.d_F, body.s_F), ZERO, ZERO
        moving = [(UNIT[axis], v[k], vdot[k]) for axis, k in body.slides]
        if body.pitch != 0:
            k = body.turns[0][1]
            moving.append(((0, 0, body.pitch), v[k], vdot[k]))
        for axis, speed, change in moving:
            rates = tape.add(rates, tape.scale(speed, axis))
            more = tape.add(more, tape.scale(change, axis))
        a = tape.add(
            a,
            tape.cross(al, d),
            tape.cross(w, tape.cross(w, d)),
            tape.scale(2, tape.cross(w, rates)),
            more,
        )
        spins = [
            (tape.scale(v[k], UNIT[axis]), tape.scale(vdot[k], UNIT[axis]), R)
            for axis, k, R in body.turns
        ]
        if body.ball is not None:
            first, R = body.ball
            spins.append((tuple(v[first : first + 3]), tuple(vdot[first : first + 3]), R))
        for spin, change, R in spins:
            w, al, a = tape.back(R, w), tape.back(R, al), tape.back(R, a)
            al = tape.add(al, change, tape.cross(w, spin))
            w = tape.add(w, spin)
        return w, al, a

    def _load(self, body: Body, w: Triple, al: Triple, a: Triple) -> tuple[Triple, Triple]:
        """Inertia force, and torque about the origin, of a body."""
        tape = self.tape
        centre = tape.add(a, tape.cross(al, body.com), tape.cross(w, tape.cross(w, body.com)))
        F = tape.scale(body.mass, centre)
        spin = tape.cross(w, tape.times(body.inertia, w))
        return F, tape.add(tape.times(body.inertia, al), spin, tape.cross(body.com, F))

    def _inward(self, body: Body, F: Triple, N: Triple, tau: list[Any]) -> tuple[Triple, Triple]:
        """Generalized forces of the joint, and the load on the parent about its origin."""
        tape = self.tape
        if body.ball is not None:
            first, R = body.ball
            tau[first : first + 3] = N
            F, N = tape.times(R, F), tape.times(R, N)
        for axis, k, R in reversed(body.turns):
            tau[k] = N[axis]
            F, N = tape.times(R, F), tape.times(R, N)
        if body.pitch != 0:
            k = body.turns[0][1]
            tau[k] = tape.keep(tau[k] + body.pitch * F[2])
        for axis, k in body.slides:
            tau[k] = F[axis]
        N = tape.add(N, tape.cross(tape.add(body.d_F, body.s_F), F))
        return tape.times(body.R_PF, F), tape.times(body.R_PF, N)

    # --- the function

    def motion(self) -> Function:
        """M, and the forces of inertia and weight on top of f."""
        none: list[Any] = [0] * self.nv
        ends: list[tuple[str | Place, Any]] = []
        for i in range(len(self.bodies)):
            for k in sorted(self.freedoms(i)):
                tau = self.efforts(none, [int(n == k) for n in range(self.nv)], ZERO)
                for n in sorted(self.chains[i]):
                    if n <= k and tau[n] != 0:
                        ends += [
                            (Place("M", place), tau[n]) for place in dict.fromkeys([(k, n), (n, k)])
                        ]
        speeds = [self.tape.speed(k) for k in range(self.nv)]
        forces = self.efforts(speeds, none, self.gravity)
        ends += [(Place("f", (k,), adds=True), -tau) for k, tau in enumerate(forces) if tau != 0]
        names = sorted(self.tape.numbers)
        head: list[tuple[str | Place, Any]] = [
            (name, self.tape.sympy.Symbol(f"p[{k}]")) for k, name in enumerate(names)
        ]
        return Function(
            "motion",
            ("p", "q", "v", "M", "f"),
            "M, and the forces of inertia and weight on top of f.",
            needed([*head, *self.tape.statements, *ends]),
        )

    @property
    def parameters(self) -> list[float]:
        return [self.tape.numbers[name] for name in sorted(self.tape.numbers)]
