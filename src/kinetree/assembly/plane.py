"""Models with beams that stay in a plane normal to x, y or z: three degrees of freedom per node
instead of six.

The plane must be a plane of symmetry: masses, principal axes, sections, gravity and the start lie
in it, every row of a joint acts either in the plane or normal to it, and so do forces, as far as
the start shows. A force that acts out of the plane later ends the run with OUT_OF_PLANE. Rows
normal to the plane are satisfied automatically.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..engine.beams.jacobian import row_blocks
from ..engine.beams.layout import IN_PLANE, with_layout
from ..engine.beams.loads import controllers, mean_wrenches
from ..engine.beams.nodal import ALPHA, EXACT, load_nodes, update_poses
from ..engine.beams.rows import equations, place_attached, row_wrench
from ..engine.dynamics.kinematics import kinematics
from ..errors import ModelError
from ..kernel.linalg import norm, product
from ..kernel.linalg import rank as matrix_rank
from ..kernel.tables.poses import END
from ..kernel.tables.workspace import NODES, Work
from .result import Assembly

_NONE = np.zeros(16)
_SMALL, _ACROSS = 1e-9, 1e-10  # relative tolerances: lengths and directions; forces


def in_plane(assembly: Assembly, asked: bool | None, until: float) -> Assembly:
    """Restrict the model to a plane if it stays in one; `asked` True raises an error if it does
    not, False leaves it.
    """
    tables = assembly.compiled.tables
    in_space = tables.settings[0]["history"] or tables.settings[0]["convected"]
    if asked is False or in_space or not len(tables.elements):
        return assembly
    reasons = {}
    for axis in ("z", "y", "x"):
        found = _PlaneCheck(assembly, axis)
        reasons[axis] = found.obstacle(until)
        if not reasons[axis]:
            return found.restricted()
    if asked:
        words = "; ".join(f"normal to {axis}: {reason}" for axis, reason in reasons.items())
        raise ModelError(
            f"planar: {assembly.compiled.model.name!r} does not stay in a plane normal to an axis "
            f"of the world ({words}). Leave planar= out."
        )
    return assembly


class _PlaneCheck:
    """A model in nodal coordinates, examined for a plane normal to one axis."""

    def __init__(self, assembly: Assembly, axis: str) -> None:
        self.assembly, self.n, self.freedoms = assembly, "xyz".index(axis), list(IN_PLANE[axis])
        self.others = [i for i in range(6) if i not in self.freedoms]
        self.compiled, self.tables = assembly.compiled, assembly.compiled.tables
        self.work: Work = self.compiled.workspace(NODES)
        kinematics(self.tables, self.work, assembly.q, assembly.v)
        load_nodes(self.tables, self.work, assembly.y)
        self.R = self.work.bodies["R"][1:].reshape(-1, 3, 3)
        self.across = self.R[:, self.n]  # the axis in body axes
        self.length = float(self.tables.settings[0]["length"])

    def obstacle(self, until: float) -> str:
        """The reason why the model leaves the plane, or an empty string."""
        checks = (self._gravity, self._bodies, self._motion, self._beams, self._rows)
        return next((reason for check in checks if (reason := check())), "") or self._forces(until)

    def _gravity(self) -> str:
        return (
            "gravity has a component normal to it"
            if self.tables.settings[0]["gravity"][self.n] != 0.0
            else ""
        )

    def _bodies(self) -> str:
        off = (
            np.abs(self.work.poses[0, 1:, self.n] - self.work.poses[0, 1, self.n])
            > _SMALL * self.length
        )
        if off.any():
            return f"the center of mass of {self._name(off)!r} is not in it"
        J = self.work.nodes["J"][1:].reshape(-1, 3, 3)
        turned = np.einsum("bij,bj->bi", J, self.across)
        own = np.einsum("bi,bi->b", turned, self.across)
        skew = np.abs(turned - own[:, None] * self.across).max(1) > _SMALL * np.abs(J).max((1, 2))
        return f"{self._name(skew)!r} has no principal axis normal to it" if skew.any() else ""

    def _name(self, where: np.ndarray) -> str:
        return self.compiled.bodies[1 + int(where.argmax())]

    def _motion(self) -> str:
        v, w = self.work.nodes["v"][1:], np.einsum("bij,bj->bi", self.R, self.work.nodes["w"][1:])
        plane = [i for i in range(3) if i != self.n]
        speed = np.abs(v).max(initial=0.0) / self.length + np.abs(w).max(initial=0.0)
        out = (
            np.maximum(np.abs(v[:, self.n]) / self.length, np.abs(w[:, plane]).max(1))
            > 1e-12 * speed
        )
        return f"{self._name(out)!r} starts with a velocity out of it" if out.any() else ""

    def _sections(self) -> tuple[np.ndarray, np.ndarray]:
        """Directions of the strains in the plane and out of it, per element, as columns: (elements,
        6, 3) each.
        """
        i = self.tables.elements["i"] - 1
        m, x = self.across[i], np.array([1.0, 0.0, 0.0])
        inside, outside = np.zeros((2, len(i), 6, 3))
        inside[:, :3, 0], inside[:, :3, 1], inside[:, 3:, 2] = x, np.cross(m, x), m
        outside[:, :3, 0], outside[:, 3:, 1], outside[:, 3:, 2] = m, x, np.cross(m, x)
        return inside, outside

    def _beams(self) -> str:
        elements = self.tables.elements
        one, two = self.across[elements["i"] - 1], self.across[elements["j"] - 1]
        C, (inside, outside) = elements["C"].reshape(-1, 6, 6), self._sections()
        size = np.sqrt(np.einsum("eii->ei", C))
        mixed = np.einsum(
            "eki,ekl,elj->eij", outside / size[:, :, None], C, inside / size[:, :, None]
        )
        strained = np.einsum("eki,ek->ei", outside, elements["e0"])
        bad = (
            (np.abs(one[:, 0]) > _SMALL)
            | (np.abs(one - two).max(1) > _SMALL)
            | (np.abs(mixed).max((1, 2)) > _SMALL)
            | (np.abs(strained).max(1) > _SMALL)
        )
        if not bad.any():
            return ""
        name = list(self.compiled.model.forces)[int(elements["force"][bad.argmax()])]
        return (
            f"beam {name!r} leaves it, or its section couples bending in it with bending out of it"
        )

    def _rows(self) -> str:
        """Check that every row acts in the plane or normal to it, at the start and at perturbed
        positions in the plane.
        """
        rng, kinds = np.random.default_rng(0), []
        for size in (0.0, 0.2):
            for k, scale in zip(self.freedoms, (self.length, self.length, 1.0)):
                self.work.nodes["d" if k < 3 else "r"][1:, k % 3] = (
                    size * scale * rng.normal(size=len(self.R))
                )
            update_poses(self.tables, self.work, 1.0, EXACT, _NONE)
            place_attached(self.tables, self.work, END)
            equations(self.tables, self.work, self.assembly.t, self.assembly.x)
            kinds.append(
                [
                    self._row(n, k)
                    for n, p in enumerate(self.tables.primitives)
                    for k in range(int(p["ng"]))
                ]
            )
        self.work.nodes["d"], self.work.nodes["r"] = 0.0, 0.0
        bad = [k for k, (one, two) in enumerate(zip(*kinds)) if one != two or not one]
        self.outside = np.array([kind == "out" for kind in kinds[0]], bool)
        return (
            f"{self.compiled.row_owner[bad[0]]!r} acts neither in the plane nor normal to it"
            if bad
            else ""
        )

    def _row(self, n: int, k: int) -> str:
        """Direction in which a row acts: "in" the plane, "out" of it, or "" for neither."""
        row_wrench(self.tables, self.work, n, k, END, 0)
        p, count = self.tables.primitives[n], int(self.tables.spots[self.tables.spots[n]])
        W = np.abs(self.work.wrenches[0, :count])
        inside, outside = W[:, self.freedoms].max(initial=0.0), W[:, self.others].max(initial=0.0)
        if outside <= _SMALL * inside:
            return "in"
        open_by = abs(self.work.unbalanced[6 * len(self.R) + int(p["ig"]) + k])
        return (
            "out"
            if inside <= _SMALL * outside
            and p["signal"] < 0
            and open_by <= _SMALL * (1.0 + self.length)
            else ""
        )

    def _forces(self, until: float) -> str:
        """Check forces at the start and at times of the run; user code is checked during the run."""
        update_poses(self.tables, self.work, 1.0, EXACT, _NONE)
        beams = set(self.tables.elements["force"])
        for t in np.linspace(self.assembly.t, until, 33):
            for k, force in enumerate(self.tables.forces):
                if k in beams or force["address"].any() or len(self.tables.controllers):
                    continue
                controllers(self.tables, self.work, t, self.assembly.x, END)
                mean_wrenches(self.tables, self.work, k, t, 1.0, self.assembly.x, ALPHA, 0)
                W = np.abs(
                    self.work.wrenches[
                        0,
                        : int(
                            self.tables.spots[self.tables.spots[len(self.tables.primitives) + k]]
                        ),
                    ]
                )
                if W[:, self.others].max(initial=0.0) > _ACROSS * (
                    W.max(initial=0.0) + self._force()
                ):
                    return f"force {list(self.compiled.model.forces)[k]!r} acts out of it"
        return ""

    def _force(self) -> float:
        """Scale of the forces of the model, for tolerances."""
        g = norm(self.tables.settings[0]["gravity"])
        return float(self.tables.links["mass"].sum()) * (g or self.length)

    def restricted(self) -> Assembly:
        """The model with degrees of freedom in the plane only; equations normal to it count as
        independent.
        """
        elements, (inside, _) = self.tables.elements.copy(), self._sections()
        across = inside.swapaxes(1, 2)
        C = product(across, elements["C"].reshape(-1, 6, 6), inside)
        elements["C_plane"] = C.reshape(-1, 9)
        elements["e_plane"] = product(across, np.array(elements["e0"])[:, :, None])[:, :, 0]
        settings = self.tables.settings.copy()
        settings["force"] = self._force()
        tables = with_layout(
            self.tables._replace(elements=elements, settings=settings), tuple(self.freedoms)
        )
        rank = int(self.outside.sum())
        if len(self.outside):
            kinematics(self.tables, self.work, self.assembly.q, self.assembly.v)
            G = row_blocks(self.tables, self.work).reshape(len(self.outside), -1, 6)[~self.outside][
                :, :, self.freedoms
            ]
            rank += matrix_rank(G.reshape(len(G), -1), _SMALL) if G.size else 0
        return replace(self.assembly, compiled=replace(self.compiled, tables=tables), rank=rank)
