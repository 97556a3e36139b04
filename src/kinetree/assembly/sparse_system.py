"""Sparse solver of assembly for large models: the interface of `System` without dense algebra.

Each operation solves a saddle point problem with a metric W in place of the mass matrix M,

    min 1/2 dv^T W dv - r1^T dv   s.t.  G dv = r2           [ W  G^T ] [ dv  ]   [ r1 ]
                                                            [ G   0  ] [ lam ] = [ r2 ]

where W has the sparsity of M: a diagonal, plus one 6x6 matrix per body if given. The rows of G
that are independent are found by the factorization that a run uses; SciPy's sparse LU solves the
problem with these rows.

If twists of some bodies are unknowns u of that factorization (anchors, see
engine/sparsity/paths.py), the velocities s of their joints become unknowns too, because assembly
minimizes changes of joint coordinates:

    [ W_u         B^T  G^T ] [ u     ]   [ r_u ]     W_u   metric of bodies and of other dofs
    [      W_s   -S^T      ] [ s     ] = [ r_s ]     W_s   metric of the joints of anchors
    [ B    -S              ] [ sigma ]   [ 0   ]     B u   motion of these joints = S s: (s, 0)
    [ G                    ] [ lam   ]   [ r2  ]

One LU serves models with and without anchors. Without anchors, the packed factors of the engine
would save about 5 % of the time of an assembly, at the price of a second solver.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..description.lowering.compiled import CompiledModel
from ..engine.dynamics.packed import packed_jacobian, packed_mass_matrix
from ..engine.kkt.products import all_rates
from ..engine.kkt.sparse_row_selection import DEPENDENT, select_passing_rows
from ..kernel import types
from ..kernel.decorators import JIT
from ..kernel.decorators import compiled as compile_for
from ..kernel.linalg import product
from ..kernel.tables.records import Tables, frozen
from ..kernel.tables.signatures import signatures
from ..kernel.tables.sparsity import mass_pairs, row_pairs
from ..kernel.tables.workspace import EQUATIONS, ROWS, Work, workspace
from .system import Redundant, System

# Multiplications of one sparse factorization (a third of a second) above which dense algebra is
# faster, if they are also more than a part of those of the dense one: ranks take several.
DENSE_FROM, PART = 5e7, 0.05
# Degrees of freedom times equations above which dense algebra takes more than about 0.1 s in all.
SPARSE_FROM = 4e4
# Relative size of a redundant row after elimination, for inertias about the center of mass; it
# grows with the squared distance from O in radii of gyration. Values up to 1e-15 were observed.
_ROUNDING = 1e-14


def system_of(compiled: CompiledModel) -> System:
    """Return the dense or the sparse solver of assembly for a compiled model."""
    size, tables = compiled.size, compiled.tables
    small = not len(tables.kind) or size["nv"] * size["ng"] <= SPARSE_FROM
    dense = float(size["nv"]) * size["ng"] * min(size["nv"], size["ng"])
    if small or (np.diff(tables.first) ** 2.0).sum() > max(DENSE_FROM, PART * dense):
        return System(compiled, storage=("G",))  # M is not needed
    return SparseSystem(compiled)


def compile_kernels() -> None:
    """Compile or load the kernels that the sparse solver calls."""
    if not JIT:
        return
    (tables, work), none, a = signatures()[:2], types.none, types.float64[::1]
    for function, signature in (
        (packed_jacobian, none(tables, work)),
        (packed_mass_matrix, none(tables, work)),
        (select_passing_rows, types.int64(tables, work, types.float64)),
        (all_rates, none(tables, work, a, a)),
    ):
        compile_for(function, signature)


class Places(NamedTuple):
    """Positions of all entries in the matrix; they depend on the sparsity alone."""

    mass: tuple[np.ndarray, np.ndarray]  # the two unknowns of each entry of packed M
    rows: tuple[np.ndarray, np.ndarray]  # row and unknown of each entry of packed G
    direct: tuple[np.ndarray, np.ndarray]  # dofs that are unknowns, and the unknowns
    joint: tuple[np.ndarray, np.ndarray]  # dofs of the joints of anchors, and their rows of B
    # of the joints of anchors: number, +1 on the anchor or -1 on its parent, column, unknown
    paths: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


class SparseSystem(System):
    """A large compiled model at one position."""

    sparse = True

    def __init__(self, compiled: CompiledModel, work: Work | None = None) -> None:
        super().__init__(compiled, work)
        self._diagonal = self.natural**2
        self._bodies: np.ndarray | None = None
        self._factors: Any = None

    def _allocate(self, work: Work | None, storage: Sequence[str]) -> None:
        settings, tables = self.compiled.tables.settings.copy(), self.compiled.tables
        settings["sparse"], settings["rows"] = 1, -1
        no_padding = {"pad": np.zeros_like(tables.pad), "floor": np.zeros_like(tables.floor)}
        self.tables = frozen(tables._replace(settings=settings, **no_padding))
        self.work = workspace(self.tables, ROWS) if work is None else work

    @property
    def _has_anchors(self) -> bool:
        return bool(len(self.tables.anchor))

    def jacobian(self) -> np.ndarray:
        """G at the present position as a dense matrix, for the rare cases that need all of it."""
        if self._has_anchors:
            dense = System(self.compiled)
            here = {name: getattr(self.work, name) for name in ("bodies", "dofs", "aims")}
            dense.work = workspace(dense.tables, EQUATIONS)._replace(**here)
            return dense.jacobian()
        row, column, value = self.entries()
        G = np.zeros((len(self.scale), self.compiled.size["nv"]))
        G[row, column] = value
        return G

    def entries(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Row, column and value of the structural nonzeros of G, scaled like the values."""
        if self._has_anchors:
            return super().entries()
        packed_jacobian(self.tables, self.work)
        row, column = self._places.rows
        return row, column, self.work.G_packed[: len(row)] * self.scale[row]

    def row_rates(self, v: np.ndarray) -> np.ndarray:
        """G v at the present position, rows scaled like the values."""
        packed_jacobian(self.tables, self.work)
        out = np.zeros(len(self.scale))
        all_rates(self.tables, self.work, np.ascontiguousarray(v, float), out)
        return out * self.scale

    def set_metric(self, diagonal: np.ndarray, bodies: np.ndarray | None = None) -> None:
        """Set W: a diagonal and, if given, a packed symmetric 6x6 matrix per body (about O, world
        axes). The next solve factorizes with it.
        """
        self._diagonal, self._bodies = diagonal, None if bodies is None else bodies.copy()
        self._factors = None

    def select_rows(self, threshold: float = DEPENDENT) -> int:
        """Select the rows whose pivots exceed the threshold at the present position; return their
        number.
        """
        work, noise = self.work, 0.0
        packed_jacobian(self.tables, work)
        if self._has_anchors:  # joint coordinates are no unknowns here: use a metric of bodies
            arms, radius = work.bodies["p"] - work.bodies["O"], self._spacing
            work.bodies["I"] = _unit_inertias(arms, radius)
            packed_mass_matrix(self.tables, work)
            # inertias about O: distant bodies lose digits
            noise = _ROUNDING * float(np.abs(arms).max() / radius) ** 2
        else:
            self._write_metric()
        self._factors = None
        gap = (20.0 * self.absorbed / self.length) ** 2
        return int(select_passing_rows(self.tables, work, max(threshold, noise, gap)))

    def _write_metric(self) -> None:
        """Write W into packed M (no anchors)."""
        work, diagonal = self.work, self.tables.m_first[:-1]
        if self._bodies is None:
            work.M_packed[:] = 0.0
        else:
            work.bodies["I"] = self._bodies
            packed_mass_matrix(self.tables, work)
        work.M_packed[diagonal] += self._diagonal
        work.inertia[:] = work.M_packed[diagonal]

    def solve(self, r1: np.ndarray, r2: np.ndarray) -> np.ndarray:
        """dv with the selected rows; r2 is given for all rows, scaled like the values."""
        if self._factors is None:
            self._factors = self._factorize()
        (dof, unknown), joint, rank = self._places.direct, self._places.joint[0], self._rank
        speeds = slice(len(self.tables.u_dof), len(self.tables.u_dof) + len(joint))
        right, dv = np.zeros(self._factors.shape[0]), np.zeros(len(r1))
        right[unknown], right[speeds] = r1[dof], r1[joint]
        if rank:
            right[-rank:] = (r2 / self.scale)[self.work.selected[:rank]]
        x = self._factors.solve(right)
        dv[dof], dv[joint] = x[unknown], x[speeds]
        return dv

    def _factorize(self) -> Any:
        from scipy import sparse  # slow to import
        from scipy.sparse.linalg import splu

        place, work, nu = self._places, self.work, len(self.tables.u_dof)
        W_u, W_s = np.zeros(nu), self._diagonal[place.joint[0]]
        W_u[place.direct[1]] = self._diagonal[place.direct[0]]
        W = sparse.diags(W_u)
        if self._bodies is not None:
            work.bodies["I"] = self._bodies
            packed_mass_matrix(self.tables, work)
            lower = sparse.coo_matrix((work.M_packed, place.mass), (nu, nu)).tocsc()
            W = W + lower + sparse.tril(lower, -1).T
        values = work.G_packed[: len(place.rows[0])]
        G = sparse.coo_matrix((values, place.rows), (len(self.scale), nu)).tocsr()
        G = G[work.selected[: self._rank]]
        if not self._has_anchors:
            return splu(sparse.bmat([[W, G.T], [G, None]]).tocsc())
        own, (rows, unknown, values) = place.joint[1], self._joint_motions()
        count, number = len(work.joint_wrenches) - 1, np.arange(len(own))
        B = sparse.coo_matrix((values, (rows, unknown)), (count, nu))
        S = sparse.coo_matrix((np.ones(len(own)), (own, number)), (count, len(own)))
        K = [
            [W, None, B.T, G.T],
            [None, sparse.diags(W_s), -S.T, None],
            [B, -S, None, None],
            [G, None, None, None],
        ]
        return splu(sparse.bmat(K).tocsc())

    def least_step(self, g: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """The smallest step in the metric of the weights that removes g to first order.

        Rows of velocities alone are left out by dense algebra, because rows that are eliminated
        early cannot be.
        """
        if not self.holonomic.all():
            return super().least_step(g, weights)
        self.set_metric(weights)
        self.select_rows()
        return self.solve(np.zeros_like(weights), -g)

    def redundant_rows(self) -> tuple[int, Redundant]:
        """Rank of G at the present position and the number of redundant rows per joint or
        constraint.
        """
        self.set_metric(self.natural**2)
        rank = self.select_rows(threshold=1e-11)
        owners, found = self.compiled.row_owner, dict[str, int]()
        for r in np.sort(self.work.selected[rank:]):
            found[owners[r]] = found.get(owners[r], 0) + 1
        return rank, tuple(found.items())

    def unreachable(self, gamma: np.ndarray) -> np.ndarray:
        """|G a - gamma| per row for accelerations a that satisfy the independent rows."""
        self.redundant_rows()
        a = self.solve(np.zeros(len(self.natural)), gamma)
        return np.abs(self.row_rates(a) - gamma)

    def feasible_motions(self, count: int) -> list[np.ndarray]:
        """Motions that the constraints allow, from a fixed seed, scaled to one natural unit; call
        `redundant_rows` before.
        """
        rng, found = np.random.default_rng(0), []
        for _ in range(count):
            push = self.natural**2 * rng.normal(size=len(self.natural)) / self.natural
            n = self.solve(push, np.zeros(len(self.scale)))
            found.append(n / max(np.abs(n * self.natural).max(initial=0.0), 1e-300))
        return found

    @property
    def _rank(self) -> int:
        return int(self.work.report[0]["rank"])

    @property
    def _spacing(self) -> float:
        """Median distance between a body and its parent."""
        p = self.work.bodies["p"]
        apart = np.linalg.norm(p[1:] - p[self.tables.links["parent"][1:]], axis=1)
        return float(np.median(apart)) or self.length

    def _joint_motions(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows, unknowns and values of B at the present position."""
        number, sign, column, unknown = self._places.paths
        basis = self.work.joint_wrenches[:-1].reshape(-1, 6, 6)
        h = np.asarray(self.work.dofs["h"])[column]
        values = sign[:, None] * product(basis[number], h[:, :, None])[:, :, 0]
        return (6 * number[:, None] + np.arange(6)).ravel(), np.repeat(unknown, 6), values.ravel()

    @cached_property
    def _places(self) -> Places:
        t, nv, ng = self.tables, self.compiled.size["nv"], self.compiled.size["ng"]
        row, held = (part[: t.g_first[ng]] for part in row_pairs(t))
        direct = np.flatnonzero(t.u_dof < nv)
        links, anchors = t.links.view(np.ndarray), np.flatnonzero(t.anchor >= 0)
        dofs = [links[i]["iv"] + np.arange(links[i]["nv"]) for i in anchors]
        basis = [6 * t.anchor[i] + np.arange(links[i]["nv"]) for i in anchors]
        none = np.zeros(0, int)
        joint = np.concatenate([none, *dofs]), np.concatenate([none, *basis])
        return Places(mass_pairs(t), (row, held), (t.u_dof[direct], direct), joint, _paths(t))


def _paths(t: Tables) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Paths of the joints of anchors: number, sign, column, unknown."""
    first, groups = int(t.settings[0]["paths"]), len(t.group_first) - 1
    path = np.repeat(np.arange(len(t.path_first) - 1 - first), np.diff(t.path_first[first:]))
    entries = slice(t.path_first[first], None)
    number = path // 2
    unknown = t.support[t.support_first[groups + number] + t.path_to[entries]]
    return number, np.where(path % 2 == 0, 1.0, -1.0), t.path_dof[entries], unknown


def _unit_inertias(r: np.ndarray, radius: float) -> np.ndarray:
    """Packed inertias about O of bodies of mass one with centers at r and this radius of
    gyration.
    """
    x, y, z = r.T
    o, one, own = np.zeros_like(x), np.ones_like(x), radius**2
    turning = [
        own + y * y + z * z,
        -x * y,
        -x * z,
        own + x * x + z * z,
        -y * z,
        own + x * x + y * y,
    ]
    coupling = [o, -z, y, z, o, -x, -y, x, o]
    return np.stack([*turning, *coupling, one, o, o, one, o, one], axis=1)
