"""The topology report of a model: the tree of `topology` with the rank, redundancy and idle freedoms of its mechanics."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ..assembly.large import system_of
from ..assembly.measure import joint_coordinates, joint_frames, joint_map
from ..assembly.prepare import prepare
from ..assembly.redundancy import lasting_redundancy
from ..assembly.system import System
from ..compile.build import tree_of
from ..compile.lower import lower
from ..dynamics.kinematics import positions
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
    system = system_of(assembly.compiled)
    nearby, redundant, change_point = lasting_redundancy(system, assembly.q, assembly.x)
    positions(system.tables, system.work, assembly.q)
    return TopologyReport(model.name, tree, extra, rank=assembly.rank, redundant=redundant, nearby=nearby,
                          planar=_planar_loops(system, tree), idle=_idle(system), change_point=change_point)


def _planar_loops(system: System, tree) -> tuple[str, ...]:
    """Cut joints whose loop turns about one direction only and slides across it."""
    return tuple(loop.cut.name for loop in loops(tree) if _is_planar(system, [j.name for j in loop.joints]))


def _is_planar(system: System, joints: list[str]) -> bool:
    turns, slides = np.concatenate([_motion(system, name) for name in joints], axis=2)
    about = turns[:, np.linalg.norm(turns, axis=0) > _SMALL]
    if not about.size:
        return False
    normal = about[:, 0] / np.linalg.norm(about[:, 0])
    return bool((np.abs(np.cross(normal, turns.T)) < _SMALL).all() and (np.abs(normal @ slides) < _SMALL).all())


def _motion(system: System, name: str) -> np.ndarray:
    """(2, 3, freedoms): how a joint turns, and slides at its point, in world axes."""
    place = system.compiled.joints[name]
    H_FM = joint_map(place.spec.joint, joint_coordinates(place, system.work))[1]
    return joint_frames(place, system.work)[0].R @ H_FM.reshape(2, 3, -1)


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
