"""The topology report of a model: the tree of `topology` with the rank, redundancy and idle freedoms of its mechanics."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ..assembly.prepare import prepare
from ..assembly.redundancy import lasting_redundancy
from ..assembly.system import System
from ..compile.build import tree_of
from ..compile.lower import lower
from ..dynamics.kinematics import positions
from ..dynamics.measure import joint_frames
from ..errors import AssemblyError
from ..model.model import Model
from ..topology.loops import loops
from ..topology.report import TopologyReport

_SMALL = 1e-8


def topology_report(model: Model, method: str = "auto") -> TopologyReport:
    """Tree and counts; with the figures that need a position if the model can be assembled."""
    tree = tree_of(model, "relative", method)
    rows = Counter(lower(model, tree, "relative").row_owner)
    extra = tuple((name, rows[name]) for name in model.constraints)
    try:
        assembly = prepare(model, "relative", method)
    except AssemblyError:
        return TopologyReport(model.name, tree, extra)
    system = System(assembly.compiled)
    nearby, redundant, change_point = lasting_redundancy(system, assembly.q, assembly.x)
    positions(system.tables, system.work, assembly.q)
    return TopologyReport(model.name, tree, extra, rank=assembly.rank, redundant=redundant, nearby=nearby,
                          planar=_planar_loops(system, tree), idle=_idle(system), change_point=change_point)


def _planar_loops(system: System, tree) -> tuple[str, ...]:
    """Cut joints whose loop has only revolute axes and slides of one plane."""
    return tuple(loop.cut.name for loop in loops(tree) if _is_planar(system, [j.name for j in loop.joints]))


def _is_planar(system: System, joints: list[str]) -> bool:
    turning: list[np.ndarray] = []
    sliding: list[np.ndarray] = []
    for name in joints:
        place = system.compiled.joints[name]
        axis = joint_frames(place, system.work)[0].R[:, 2]
        kind = place.spec.joint.kind
        if kind not in ("revolute", "translational", "fixed"):
            return False
        (turning if kind == "revolute" else sliding if kind == "translational" else []).append(axis)
    if not turning:
        return False
    return (all(np.linalg.norm(np.cross(turning[0], a)) < _SMALL for a in turning)
            and all(abs(turning[0] @ a) < _SMALL for a in sliding))


def _idle(system: System) -> tuple[str, ...]:
    """Bodies with two or more joints that can turn while everything else stands still."""
    names, joined = system.compiled.bodies, Counter[str]()
    for spec in system.compiled.model.joints.values():
        for body in (spec.F.body.name, spec.M.body.name):
            joined[body] += 1
    jacobians = [system.body_jacobian(i) for i in range(len(names))]
    G = system.jacobian()
    idle = []
    for i in range(1, len(names)):
        if joined[names[i]] >= 2:
            rest = np.vstack([G, *(J for k, J in enumerate(jacobians) if k != i)])
            if _rank(rest) < _rank(np.vstack([rest, jacobians[i][:3]])):
                idle.append(names[i])
    return tuple(idle)


def _rank(A: np.ndarray) -> int:
    return int(np.linalg.matrix_rank(A, tol=_SMALL * max(float(np.linalg.norm(A, 2)), 1e-300)))
