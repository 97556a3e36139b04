"""The topology report of a model: its tree, with the rank, redundancy and idle degrees of freedom
of its mechanics; and its singular positions.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from ..assembly.measure import joint_coordinates, joint_frames, joint_map
from ..assembly.nodal import in_nodes, singularity_in_nodes
from ..assembly.prepare import prepare
from ..assembly.singular import Singularity, lasting_redundancy, singularity_at
from ..assembly.sparse_system import system_of
from ..assembly.system import System
from ..description.lowering.compiled import LoweredModel
from ..description.lowering.flexible import beams_of
from ..description.lowering.lower import lower
from ..description.lowering.trees import tree_of
from ..description.model import Model
from ..description.topology.loops import loops
from ..description.topology.report import TopologyReport
from ..description.topology.tree import Tree
from ..engine.dynamics.kinematics import positions
from ..engine.sparsity.paths import ends_of
from ..errors import AssemblyError
from ..kernel.linalg import lstsq, norm, product, svd, triangle

_SMALL = 1e-8


def topology_report(model: Model, method: str = "auto") -> TopologyReport:
    """Tree and counts, with the figures that need a position if the model can be assembled."""
    try:
        assembly = prepare(model, "relative", method)
    except AssemblyError:
        tree = tree_of(model, "relative", method)
        return TopologyReport(model.name, tree, _extra(model, lower(model, tree, "relative")))
    tree, extra = assembly.compiled.tree, _extra(model, assembly.compiled)
    system = system_of(assembly.compiled)
    nearby, redundant, change_point = lasting_redundancy(
        system, assembly.q, assembly.x, assembly.rank, assembly.redundant
    )
    positions(system.tables, system.work, assembly.q)
    motions = {name: _motion(system, name) for name in system.compiled.joints}
    return TopologyReport(
        model.name,
        tree,
        extra,
        rank=assembly.rank,
        position_rank=None if system.holonomic.all() else system.position_rank(),
        redundant=redundant,
        nearby=nearby,
        planar=_planar_loops(tree, motions),
        idle=_idle(system, motions),
        change_point=change_point,
        displaced=assembly.told_first,
        beams=tuple(beam.name for beam in beams_of(model)),
    )


def singularity(model: Model) -> Singularity:
    """Whether the assembled position of a model is a change point or close to one, and which loops
    are affected.

    Beams are flexible.
    """
    assembly = prepare(model)
    if beams_of(model):
        return singularity_in_nodes(in_nodes(assembly), assembly.compiled.tree)
    return singularity_at(system_of(assembly.compiled), assembly.q, assembly.x)


def _extra(model: Model, lowered: LoweredModel) -> tuple[tuple[str, int], ...]:
    """Constraints and the number of their equations."""
    rows = Counter(lowered.row_owner)
    return tuple((name, rows[name]) for name in model.constraints)


def _planar_loops(tree: Tree, motions: dict[str, np.ndarray]) -> tuple[str, ...]:
    """Cut joints whose loop rotates about one direction only and translates across it."""
    number = {name: n for n, name in enumerate(motions)}
    all_motions = np.zeros((2, len(motions), 6, 3))
    for n, motion in enumerate(motions.values()):
        all_motions[:, n, : motion.shape[2]] = motion.swapaxes(1, 2)
    return tuple(
        loop.cut.name
        for loop in loops(tree)
        if _is_planar(*all_motions[:, [number[j.name] for j in loop.joints]].reshape(2, -1, 3))
    )


def _is_planar(turns: np.ndarray, slides: np.ndarray) -> bool:
    about = turns[np.abs(turns).max(axis=1) > _SMALL]
    if not about.size:
        return False
    normal = about[0] / norm(about[0])
    across = about - np.outer(product(about, normal), normal)
    return bool(
        (np.abs(across) < _SMALL).all() and (np.abs(product(slides, normal)) < _SMALL).all()
    )


def _motion(system: System, name: str) -> np.ndarray:
    """Motion of a joint, shape (2, 3, degrees of freedom): rotation, and translation at its point,
    in world axes.
    """
    place = system.compiled.joints[name]
    H_FM = joint_map(place.spec.joint, joint_coordinates(place, system.work))[1]
    return product(joint_frames(place, system.work)[0].R, H_FM.reshape(2, 3, -1))


def _idle(system: System, motions: dict[str, np.ndarray]) -> tuple[str, ...]:
    """Bodies with two or more joints that can rotate while everything else is at rest.

    First each joint is checked alone, which excludes most bodies. Other constraints are evaluated
    for the remaining ones.
    """
    compiled, held = system.compiled, dict[int, list[np.ndarray]]()
    for name, place in compiled.joints.items():
        constrained = _constrained(system, name, motions[name])
        for i in (place.i, place.j):
            held.setdefault(i, []).append(constrained)
    allowed = {
        i: _allowed(np.vstack(held[i]))
        for i in range(1, len(compiled.bodies))
        if len(held.get(i, ())) >= 2
    }
    loose = {i: twists for i, twists in allowed.items() if _turns(twists)}
    rates = _constraint_rates(system, loose)
    return tuple(
        compiled.bodies[i]
        for i, twists in loose.items()
        if i not in rates or _turns(product(twists, _null(rates[i])))
    )


def _constrained(system: System, name: str, motion: np.ndarray) -> np.ndarray:
    """Twists (about the world's origin, in model sizes) that a joint does not allow."""
    turns, slides = motion
    point = joint_frames(system.compiled.joints[name], system.work)[1].p / system.length
    slides = slides / system.length + np.cross(point, turns.T).T
    U, s, _ = svd(np.vstack([turns, slides]))
    return U[:, int(np.sum(s > _SMALL)) :].T


def _allowed(constrained: np.ndarray) -> np.ndarray:
    """Motions (6, n) that all constraints allow."""
    # a body with a thousand joints has thousands of rows
    return _null(np.asarray(triangle(constrained)))


def _null(A: np.ndarray) -> np.ndarray:
    _, s, Vt = svd(A)
    return Vt[int(np.sum(s > _SMALL)) :].T


def _turns(twists: np.ndarray) -> bool:
    return bool(np.abs(twists[:3]).max(initial=0.0) > _SMALL)


def _constraint_rates(system: System, loose: dict[int, np.ndarray]) -> dict[int, np.ndarray]:
    """Rates of the constraints that are not joints when each of these bodies moves alone, in model
    sizes.

    Bodies that share no constraint are moved at the same time.
    """
    rows = _constraint_rows(system) if loose else {}
    tested = {i: twists for i, twists in loose.items() if i in rows}
    rates = {i: np.zeros((len(rows[i]), twists.shape[1])) for i, twists in tested.items()}
    for independent in _disjoint_sets(list(tested), rows):
        for n in range(max(tested[i].shape[1] for i in independent)):
            moved = [i for i in independent if n < tested[i].shape[1]]
            v = np.zeros(len(system.natural))
            for i in moved:
                _add_speeds(system, i, tested[i][:, n], v)
            felt = system.row_rates(v) / system.length
            for i in moved:
                rates[i][:, n] = felt[rows[i]]
    return rates


def _constraint_rows(system: System) -> dict[int, list[int]]:
    """For each body, the equations of constraints that act on it and are not joints."""
    owners = system.compiled.row_owner
    joints = system.compiled.joints
    found = dict[int, list[int]]()
    for p in system.tables.primitives.view(np.ndarray):
        if owners[p["ig"]] not in joints:
            for i in {i for ends in ends_of(system.tables, p) for i in ends}:
                found.setdefault(i, []).extend(range(p["ig"], p["ig"] + p["ng"]))
    return found


def _disjoint_sets(bodies: list[int], rows: dict[int, list[int]]) -> list[list[int]]:
    """Partition the bodies into sets that share no equation."""
    sets: list[tuple[list[int], set[int]]] = []
    for i in bodies:
        place = next((one for one in sets if one[1].isdisjoint(rows[i])), None)
        if place is None:
            sets.append(place := ([], set()))
        place[0].append(i)
        place[1].update(rows[i])
    return [members for members, _ in sets]


def _add_speeds(system: System, i: int, twist: np.ndarray, v: np.ndarray) -> None:
    """Add the joint velocities with which body i alone has this twist (about the world's origin, in
    model sizes).
    """
    links, hinges = system.tables.links, np.asarray(system.work.dofs["h"])
    O = np.asarray(system.work.bodies[i]["O"])
    about_O = np.concatenate([twist[:3], system.length * twist[3:] + np.cross(twist[:3], O)])
    for k in (i, *(np.flatnonzero(links["parent"][1:] == i) + 1).tolist()):
        own = slice(links[k]["iv"], links[k]["iv"] + links[k]["nv"])
        v[own] += (1.0 if k == i else -1.0) * lstsq(hinges[own].T, about_O, rcond=None)
