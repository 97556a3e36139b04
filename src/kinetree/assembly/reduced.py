"""The model with which the time loop computes instead of the assembled one: fewer unknowns and rows,
the same motion.

In Cartesian coordinates a body that joints keep in a plane (planes.py) has three degrees of freedom
instead of six, and rows that only keep it there are left out. The motion is the same, because these
rows act on the other three alone:

    [ M_11  M_12  G_11^T   0     ] [ a_1    ]   [ f_1 ]      1: in the planes, 2: out of them
    [ M_21  M_22  G_12^T  G_22^T ] [ a_2 = 0]   [ f_2 ]
    [ G_11  G_12   0       0     ] [ lam_1  ] = [ gamma_1 ]
    [  0    G_22   0       0     ] [ lam_2  ]   [  0  ]      G_22 has full column rank

The first and the third line determine a_1 and lam_1. Samples of a run are completed in space, so
that accelerations, all reactions and the report of redundant equations are those of the whole model.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..description.lowering.compiled import CompiledModel
from ..description.lowering.links import BodyPlane
from ..description.lowering.lower import lower
from ..description.lowering.resolve import resolve
from ..engine.dynamics.kinematics import coordinate_rates, positions
from ..engine.kkt.sparse_row_selection import with_solver
from ..engine.sparsity.choice import is_large, with_structure
from ..engine.sparsity.rows_in_use import with_used_rows
from ..kernel.decorators import table
from ..kernel.frames import Pose, matrix_quaternion
from ..kernel.linalg import product
from ..kernel.tables.records import Tables, frozen
from ..kernel.tables.sparsity import empty_structure
from .build import with_equations
from .early_rows import checked_rows
from .measure import body_pose
from .plane_states import FRAME, to_planes, to_space
from .planes import planes_of
from .result import Assembly
from .sparse_system import system_of

CLOSE = 1e-10  # relative difference of states in space and in planes that is rounding


@dataclass(frozen=True)
class Reduction:
    """A model with fewer rows, and in Cartesian coordinates with bodies in planes."""

    compiled: CompiledModel
    whole: Tables
    frames: (
        np.ndarray
    )  # one FRAME per body; none in relative coordinates, whose states are the same
    rows: np.ndarray  # the row of the whole model for each row of this one

    @cached_property
    def space(self) -> np.ndarray:
        """(nq, nv) of the whole model."""
        return _sizes(self.whole)

    @cached_property
    def plane(self) -> np.ndarray:
        """(nq, nv) of this model."""
        return _sizes(self.compiled.tables)

    @property
    def removed(self) -> int:
        """Number of degrees of freedom that are left out."""
        return int(self.space[1] - self.plane[1])

    def to_planes(self, y: np.ndarray) -> np.ndarray:
        """States (.., n) of this model."""
        return self._converted(to_planes, y, int((self.plane - self.space).sum()))

    def to_space(self, y: np.ndarray) -> np.ndarray:
        """States (.., n) of the whole model."""
        return self._converted(to_space, y, int((self.space - self.plane).sum()))

    def _converted(self, kernel, y: np.ndarray, more: int) -> np.ndarray:
        if not len(self.frames):
            return y
        rows = np.ascontiguousarray(y, float).reshape(-1, y.shape[-1])
        out = np.zeros((len(rows), rows.shape[1] + more))
        kernel(self.frames, self.space, self.plane, rows, out)
        return out.reshape(*y.shape[:-1], out.shape[1])

    def rates_to_space(self, y: np.ndarray, ydot: np.ndarray) -> np.ndarray:
        """Rate of a state (n,) of the whole model, from the state and its rate in this model."""
        if not len(self.frames):
            return ydot
        whole, rates, (nq, nv) = self.to_space(y), self.to_space(ydot), self.space
        coordinate_rates(self.whole, whole[:nq].copy(), whole[nq : nq + nv].copy(), rates[:nq])
        return rates

    def velocity_in_space(self, k: int) -> int:
        """A velocity of the whole model of the same body as velocity k of this one."""
        if not len(self.frames):
            return k
        first = np.asarray(self.frames["jv"])
        return int(self.frames["iv"][np.searchsorted(first, k, "right") - 1])

    def of(self, assembly: Assembly) -> Assembly | None:
        """The state in this model; None if it is not in the planes."""
        y = assembly.y
        reduced = self.to_planes(y)
        if np.abs(self.to_space(reduced) - y).max() > CLOSE * (1.0 + np.abs(y).max()):
            return None
        q, v, x = self.compiled.split(reduced)
        rank = assembly.rank - self.removed
        return replace(
            assembly,
            compiled=self.compiled,
            q=q,
            v=v,
            x=x,
            rank=rank,
            redundant=(),
            vdot=None,
            lam=None,
        )


def reduced(assembly: Assembly) -> tuple[Assembly, Reduction] | None:
    """The state in the model of the time loop, and that model; None if it is the model itself."""
    compiled = assembly.compiled
    if compiled.coordinates not in _FIND or compiled.model.generated is not None:
        return None
    kept = compiled.reductions.get("planes")
    if kept is None:
        kept = (_FIND[compiled.coordinates](assembly),)
        compiled.reductions.keep("planes", kept)
    found = kept[0] and kept[0].of(assembly)
    return None if found is None else (found, kept[0])


def _with_fewer_rows(assembly: Assembly) -> Reduction | None:
    """The model without the rows that its tree satisfies; None if it has none or is not large then."""
    whole = assembly.compiled
    if not len(whole.tables.kind):
        return None
    tables, rows = with_used_rows(whole.tables._replace(**empty_structure()._asdict()), assembly.q)
    if len(rows) == whole.size["ng"] or not is_large(tables):
        return None
    tables = with_solver(with_structure(tables, early=True))
    compiled = _with_rows(whole, tables, rows, assembly.q)
    return Reduction(compiled, whole.tables, table(FRAME, 0), rows)


def _with_planes(assembly: Assembly) -> Reduction | None:
    """The model with the bodies in planes; None unless joints keep all bodies in planes."""
    whole, work = assembly.compiled, assembly.compiled.workspace(())
    positions(whole.tables, work, assembly.q)
    poses = {name: body_pose(work, i) for i, name in enumerate(whole.bodies)}
    planes = planes_of(whole, poses)
    if len(planes) + 1 < len(whole.bodies):
        return None
    described = with_equations(lower(whole.model, whole.tree, whole.coordinates, planes))
    compiled = resolve(described, whole.initial_values, assembly.absorbed)
    frames = _frames(whole, compiled, planes, poses)
    found = Reduction(compiled, whole.tables, frames, np.arange(whole.size["ng"]))
    q = found.to_planes(assembly.y)[: compiled.size["nq"]]
    tables, rows = with_used_rows(compiled.tables, q)
    if is_large(whole.tables):
        tables = with_solver(with_structure(tables, early=True))
    found = replace(found, compiled=_with_rows(compiled, tables, rows, q), rows=rows)
    return found if _rank_at(found.compiled, assembly, q) == assembly.rank - found.removed else None


_FIND = {"relative": _with_fewer_rows, "cartesian": _with_planes}


def _sizes(tables: Tables) -> np.ndarray:
    size = tables.settings[0]
    return np.array([size["nq"], size["nv"]])


def _rank_at(compiled: CompiledModel, assembly: Assembly, q: np.ndarray) -> int:
    """Rank of G at the position q."""
    system = system_of(compiled)
    positions(system.tables, system.work, q)
    system.values(assembly.t, q, assembly.x)
    return system.redundant_rows()[0]


def _with_rows(
    compiled: CompiledModel, tables: Tables, rows: np.ndarray, q: np.ndarray
) -> CompiledModel:
    """The compiled model with tables of the rows in use."""
    number = {old: new for new, old in enumerate(rows.tolist())}
    joints = {
        name: replace(place, rows=tuple(number[r] for r in place.rows if r in number))
        for name, place in compiled.joints.items()
    }
    owners = tuple(compiled.row_owner[r] for r in rows)
    found = replace(compiled, tables=frozen(tables), joints=joints, row_owner=owners, unresolved=())
    return checked_rows(found, q)


def _frames(
    whole: CompiledModel,
    compiled: CompiledModel,
    planes: dict[str, BodyPlane],
    poses: dict[str, Pose],
) -> np.ndarray:
    """Records for the conversion of states."""
    frames = table(FRAME, len(whole.bodies) - 1)
    for k, name in enumerate(whole.bodies[1:]):
        frame, link, own = frames[k], whole.tables.links[k + 1], compiled.tables.links[k + 1]
        frame["iq"], frame["iv"], frame["jq"], frame["jv"] = (
            link["iq"],
            link["iv"],
            own["iq"],
            own["iv"],
        )
        frame["plane"] = name in planes
        if name in planes:
            X_WF, R_0 = planes[name].X_WF, poses[name].R
            frame["e_1"], frame["e_2"], frame["n"] = X_WF.R.T
            frame["n_B"] = product(R_0.T, X_WF.R[:, 2])
            frame["height"] = product(X_WF.R[:, 2], X_WF.p)
            frame["Q_0"] = matrix_quaternion(R_0)
    return frames
