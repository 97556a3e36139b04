"""Assembly of a long machine some of whose bodies are anchors (engine/sparsity/paths.py).

Which rows are independent is found by the factors of the run, in a metric of bodies. What assembly
minimises, though, are changes of the joint coordinates, which no bodies stand for. So the speeds s
of the joints of anchors are unknowns, too, beside u,

    [ W_u         B^T  G^T ] [ u     ]   [ r_u ]       W_u   metric of bodies, and of the freedoms
                  that are unknowns themselves
    [      W_s   -S^T      ] [ s     ] = [ r_s ]       W_s   metric of the joints of anchors
    [ B    -S              ] [ sigma ]   [ 0   ]       B u   speeds and forbidden motions of these
           joints, which are S s: (s, 0)
    [ G                    ] [ lam   ]   [ r2  ]

and SciPy's sparse LU, which exchanges rows, solves that.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..description.lowering.compiled import CompiledModel
from ..engine.dynamics.packed import packed_mass_matrix
from ..engine.kkt.sparse_row_selection import DEPENDENT, select_passing_rows
from ..kernel.linalg import product
from ..kernel.tables.sparsity import mass_pairs, row_pairs
from ..kernel.tables.workspace import EQUATIONS, Work, workspace
from .large import LargeSystem
from .system import System

# left of a redundant row, of own, by the squared distance from O in radii of gyration: seen up to
# 1e-15
_ROUNDING = 1e-14


class Places(NamedTuple):
    """Where things stand in the matrix, once for a structure."""

    mass: tuple[np.ndarray, np.ndarray]  # unknowns of each number of packed M
    rows: tuple[
        np.ndarray, np.ndarray
    ]  # row and unknown of each number of packed G, of the constraints
    direct: tuple[np.ndarray, np.ndarray]  # freedoms that are unknowns, and which
    joint: tuple[
        np.ndarray, np.ndarray
    ]  # freedoms of joints of anchors, and their rows of the basis
    paths: tuple[
        np.ndarray, np.ndarray, np.ndarray, np.ndarray
    ]  # of anchors: number, sign, column, unknown


class AnchoredSystem(LargeSystem):
    """A long machine at one position."""

    def __init__(self, compiled: CompiledModel, work: Work | None = None) -> None:
        super().__init__(compiled, work)
        self.diagonal = self.natural**2
        self.bodies: np.ndarray | None = None
        self._factors: Any = None

    def jacobian(self) -> np.ndarray:
        """G at the present position, dense, for those rare questions that need all of it."""
        whole = System(self.compiled)
        here = {name: getattr(self.work, name) for name in ("bodies", "dofs", "aims")}
        whole.work = workspace(whole.tables, EQUATIONS)._replace(**here)
        return whole.jacobian()

    def entries(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Equation, freedom and number of all of G that is not zero at the present position."""
        return System.entries(self)

    def measure_by(self, diagonal: np.ndarray, bodies: np.ndarray | None = None) -> None:
        """The metric: of the freedoms and, if given, a packed symmetric 6x6 matrix per body; the
        next factors have it.
        """
        self.diagonal, self.bodies = diagonal, None if bodies is None else bodies.copy()

    def choose(self, bar: float = DEPENDENT) -> int:
        """Factor with the rows that pass the bar at the present position; answers how many do."""
        work, radius = self.work, self._spacing
        arms = work.bodies["p"] - work.bodies["O"]
        work.bodies["I"] = _unit_inertias(arms, radius)
        packed_mass_matrix(self.tables, work)
        noise = (
            _ROUNDING * float(np.abs(arms).max() / radius) ** 2
        )  # inertias about O: what is far away is known less well
        kept = int(
            select_passing_rows(
                self.tables, work, max(bar, noise, (20.0 * self.absorbed / self.length) ** 2)
            )
        )
        self.refactor()
        return kept

    def refactor(self) -> None:
        """The next solve factors in the present metric with the rows chosen before; often there is
        none.
        """
        self._factors = None

    def _factored(self) -> Any:
        from scipy import sparse  # slow to import
        from scipy.sparse.linalg import splu

        place, work, nu = self._places, self.work, len(self.tables.u_dof)
        W_u, W_s = np.zeros(nu), self.diagonal[place.joint[0]]
        W_u[place.direct[1]] = self.diagonal[place.direct[0]]
        M = sparse.diags(W_u)
        if self.bodies is not None:
            work.bodies["I"] = self.bodies
            packed_mass_matrix(self.tables, work)
            lower = sparse.coo_matrix((work.M_packed, place.mass), (nu, nu)).tocsc()
            M = M + lower + sparse.tril(lower, -1).T
        own, (rows, unknown, values) = place.joint[1], self._joints()
        B = sparse.coo_matrix((values, (rows, unknown)), (len(work.joint_wrenches) - 1, nu))
        S = sparse.coo_matrix(
            (np.ones(len(own)), (own, np.arange(len(own)))),
            (len(work.joint_wrenches) - 1, len(own)),
        )
        G = sparse.coo_matrix(
            (work.G_packed[: len(place.rows[0])], place.rows), (len(self.scale), nu)
        ).tocsr()
        G = G[work.selected[: self._rank]]
        K = sparse.bmat(
            [
                [M, None, B.T, G.T],
                [None, sparse.diags(W_s), -S.T, None],
                [B, -S, None, None],
                [G, None, None, None],
            ]
        )
        return splu(K.tocsc())

    def solve(self, r1: np.ndarray, r2: np.ndarray) -> np.ndarray:
        """dv with the rows chosen; r2 is given for all rows, scaled like the values."""
        place, nu, rank = self._places, len(self.tables.u_dof), self._rank
        self._factors = self._factored() if self._factors is None else self._factors
        right = np.zeros(self._factors.shape[0])
        right[place.direct[1]], right[nu : nu + len(place.joint[0])] = (
            r1[place.direct[0]],
            r1[place.joint[0]],
        )
        if rank:
            right[-rank:] = (r2 / self.scale)[self.work.selected[:rank]]
        x, dv = self._factors.solve(right), np.zeros(len(r1))
        dv[place.direct[0]], dv[place.joint[0]] = (
            x[place.direct[1]],
            x[nu : nu + len(place.joint[0])],
        )
        return dv

    @property
    def _rank(self) -> int:
        return int(self.work.report[0]["rank"])

    @property
    def _spacing(self) -> float:
        """How far bodies are from those that carry them."""
        apart = np.linalg.norm(
            self.work.bodies["p"][1:] - self.work.bodies["p"][self.tables.links["parent"][1:]],
            axis=1,
        )
        return float(np.median(apart)) or self.length

    def _joints(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """B at the present position: rows, unknowns and numbers."""
        number, sign, column, unknown = self._places.paths
        basis = self.work.joint_wrenches[:-1].reshape(-1, 6, 6)
        values = (
            sign[:, None]
            * product(basis[number], np.asarray(self.work.dofs["h"])[column][:, :, None])[:, :, 0]
        )
        return (6 * number[:, None] + np.arange(6)).ravel(), np.repeat(unknown, 6), values.ravel()

    @cached_property
    def _places(self) -> Places:
        t, nv, ng = self.tables, self.compiled.size["nv"], self.compiled.size["ng"]
        row, held = (part[: t.g_first[ng]] for part in row_pairs(t))
        direct = np.flatnonzero(t.u_dof < nv)
        links, anchors = t.links.view(np.ndarray), np.flatnonzero(t.anchor >= 0)
        joint = np.concatenate([links[i]["iv"] + np.arange(links[i]["nv"]) for i in anchors])
        basis = np.concatenate([6 * t.anchor[i] + np.arange(links[i]["nv"]) for i in anchors])
        return Places(
            mass_pairs(t), (row, held), (t.u_dof[direct], direct), (joint, basis), _paths(t)
        )


def _paths(t) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The paths of the joints of anchors: number, +1 on the anchor and -1 on what carries it,
    column, unknown.
    """
    first, groups = int(t.settings[0]["paths"]), len(t.group_first) - 1
    path = np.repeat(np.arange(len(t.path_first) - 1 - first), np.diff(t.path_first[first:]))
    entries = slice(t.path_first[first], None)
    number = path // 2
    unknown = t.support[t.support_first[groups + number] + t.path_to[entries]]
    return number, np.where(path % 2 == 0, 1.0, -1.0), t.path_dof[entries], unknown


def _unit_inertias(r: np.ndarray, radius: float) -> np.ndarray:
    """Packed inertias about O of bodies with mass one and that radius of gyration, their centres at
    r.
    """
    x, y, z = r.T
    none, one, own = np.zeros_like(x), np.ones_like(x), radius**2
    return np.stack(
        [
            own + y * y + z * z,
            -x * y,
            -x * z,
            own + x * x + z * z,
            -y * z,
            own + x * x + y * y,
            none,
            -z,
            y,
            z,
            none,
            -x,
            -y,
            x,
            none,
            one,
            none,
            none,
            one,
            none,
            one,
        ],
        axis=1,
    )
