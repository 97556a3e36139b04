"""The topology report of a model: the tree of `topology` with the rank, redundancy and idle freedoms of its mechanics."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ..assembly.measure import joint_coordinates, joint_frames, joint_map
from ..assembly.prepare import prepare
from ..assembly.redundancy import lasting_redundancy
from ..assembly.system import System
from ..assembly.systems import system_of
from ..compile.compiled import Description
from ..compile.lower import lower
from ..compile.trees import tree_of
from ..dynamics.kinematics import positions
from ..errors import AssemblyError
from ..model.model import Model
from ..plants.shape import ends_of
from ..topology.loops import loops
from ..topology.report import TopologyReport
from ..topology.tree import Tree

_SMALL = 1e-8


def topology_report(model: Model, method: str = "auto") -> TopologyReport:
    """Tree and counts; with the figures that need a position if the model can be assembled."""
    try:
        assembly = prepare(model, "relative", method)
    except AssemblyError:
        tree = tree_of(model, "relative", method)
        return TopologyReport(model.name, tree, _extra(model, lower(model, tree, "relative")))
    tree, extra = assembly.compiled.tree, _extra(model, assembly.compiled)
    system = system_of(assembly.compiled)
    nearby, redundant, change_point = lasting_redundancy(system, assembly.q, assembly.x)
    positions(system.tables, system.work, assembly.q)
    motions = {name: _motion(system, name) for name in system.compiled.joints}
    return TopologyReport(model.name, tree, extra, rank=assembly.rank, redundant=redundant, nearby=nearby,
                          planar=_planar_loops(tree, motions), idle=_idle(system, motions), change_point=change_point)


def _extra(model: Model, lowered: Description) -> tuple[tuple[str, int], ...]:
    """Constraints and how many equations they bring."""
    rows = Counter(lowered.row_owner)
    return tuple((name, rows[name]) for name in model.constraints)


def _planar_loops(tree: Tree, motions: dict[str, np.ndarray]) -> tuple[str, ...]:
    """Cut joints whose loop turns about one direction only and slides across it."""
    number, all_motions = {name: n for n, name in enumerate(motions)}, np.zeros((2, len(motions), 6, 3))
    for n, motion in enumerate(motions.values()):
        all_motions[:, n, : motion.shape[2]] = motion.swapaxes(1, 2)
    return tuple(loop.cut.name for loop in loops(tree)
                 if _is_planar(*all_motions[:, [number[j.name] for j in loop.joints]].reshape(2, -1, 3)))


def _is_planar(turns: np.ndarray, slides: np.ndarray) -> bool:
    about = turns[np.abs(turns).max(axis=1) > _SMALL]
    if not about.size:
        return False
    normal = about[0] / np.linalg.norm(about[0])
    across = about - np.outer(about @ normal, normal)
    return bool((np.abs(across) < _SMALL).all() and (np.abs(slides @ normal) < _SMALL).all())


def _motion(system: System, name: str) -> np.ndarray:
    """(2, 3, freedoms): how a joint turns, and slides at its point, in world axes."""
    place = system.compiled.joints[name]
    H_FM = joint_map(place.spec.joint, joint_coordinates(place, system.work))[1]
    return joint_frames(place, system.work)[0].R @ H_FM.reshape(2, 3, -1)


def _idle(system: System, motions: dict[str, np.ndarray]) -> tuple[str, ...]:
    """Bodies with two or more joints that can turn while everything else stands still.

    Its joints must let it, each by itself, which most do not; those left at which other constraints act are looked at with all
    equations.
    """
    compiled, held = system.compiled, dict[int, list[np.ndarray]]()
    for name, place in compiled.joints.items():
        barred = _barred(system, name, motions[name])
        for i in (place.i, place.j):
            held.setdefault(i, []).append(barred)
    loose = [i for i in range(1, len(compiled.bodies)) if len(held.get(i, ())) >= 2 and _may_turn(np.vstack(held[i]))]
    asked = _constrained(system) if loose else set()
    return tuple(compiled.bodies[i] for i in loose if i not in asked or _turns_alone(system, i))


def _constrained(system: System) -> set[int]:
    """Bodies at which constraints act that are no joints."""
    tables, owners, joints = system.tables, system.compiled.row_owner, system.compiled.joints
    found = set[int]()
    for p in tables.primitives.view(np.ndarray):
        if owners[p["ig"]] not in joints:
            for ends in ends_of(tables, p):
                found.update(ends)
    return found


def _barred(system: System, name: str, motion: np.ndarray) -> np.ndarray:
    """Combinations of turning and moving (about the world's origin, in sizes of the machine) that a joint does not allow."""
    turns, slides = motion
    point = joint_frames(system.compiled.joints[name], system.work)[1].p / system.length
    slides = slides / system.length + np.cross(point, turns.T).T
    U, s, _ = np.linalg.svd(np.vstack([turns, slides]))
    return U[:, int(np.sum(s > _SMALL)) :].T


def _may_turn(barred: np.ndarray) -> bool:
    """Is there a motion with a turn that nothing bars?"""
    _, s, Vt = np.linalg.svd(np.linalg.qr(barred, mode="r"))  # a body with a thousand joints has thousands of rows
    null = Vt[int(np.sum(s > _SMALL)) :]
    return bool(np.abs(null[:, :3]).max(initial=0.0) > _SMALL)


def _turns_alone(system: System, i: int) -> bool:
    """Can body i turn while all others stand still? Only the freedoms at its own joints can then be at work."""
    links = system.tables.links
    near = [i, *(k for k in range(1, len(links)) if links[k]["parent"] == i)]
    columns = np.concatenate([np.arange(links[k]["iv"], links[k]["iv"] + links[k]["nv"]) for k in near])
    J = {k: system.body_jacobian(k)[:, columns] for k in near}
    rest = np.vstack([system.columns(columns), *(J[k] for k in near[1:])])
    return _rank(rest) < _rank(np.vstack([rest, J[i][:3]]))


def _rank(A: np.ndarray) -> int:
    return int(np.linalg.matrix_rank(A, tol=_SMALL * max(float(np.linalg.norm(A, 2)), 1e-300))) if A.size else 0
