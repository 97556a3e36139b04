"""An assembled state in nodal coordinates: beams are undeformed and move like the rigid bodies
they were assembled as.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..description.lowering.compiled import CompiledModel
from ..description.lowering.flexible import COORDINATES, beams_of
from ..description.lowering.modal import refuse_flexible
from ..description.lowering.resolve import resolve
from ..description.topology.loops import loops
from ..description.topology.tree import Tree
from ..engine.beams.jacobian import row_blocks
from ..engine.beams.layout import with_layout
from ..engine.dynamics.kinematics import positions
from ..errors import ModelError
from ..kernel.frames import IDENTITY, matrix_quaternion
from ..kernel.linalg import product, singular_values
from ..kernel.linalg import rank as matrix_rank
from ..kernel.tables.workspace import NODES
from .accelerations import refuse_accelerations
from .build import build_nodes
from .change_points import SMALL
from .convert import named_coordinates, nearest_turn
from .measure import body_pose, joint_coordinates
from .result import AS_GIVEN, Assembly
from .singular import Singularity, singularity_at
from .start import initial_states
from .system import System

_DEPENDENT = 1e-9  # singular values, relative to the largest, that count as zero


def in_nodes(rigid: Assembly, regular: bool = False) -> Assembly:
    """The same state in nodal coordinates; `regular` refuses positions that are singular even with
    flexible beams.
    """
    if rigid.compiled.coordinates == COORDINATES:
        return rigid
    model = rigid.compiled.model
    refuse_flexible(model.origin or model, "an analysis in nodal coordinates", "")
    compiled = resolve(build_nodes(model), rigid.compiled.initial_values, rigid.absorbed)
    settings = compiled.tables.settings.copy()
    # the size of the whole model; nodes are small
    settings["length"] = rigid.compiled.tables.settings[0]["length"]
    compiled = replace(compiled, tables=with_layout(compiled.tables._replace(settings=settings)))
    q, v = _motion(rigid, compiled)
    system = System(compiled, compiled.workspace(NODES))
    positions(system.tables, system.work, q)
    x = initial_states(compiled, system.work)
    for name, own in compiled.states.items():
        if name in rigid.compiled.states:
            x[own.ix] = rigid.x[rigid.compiled.states[name].ix]
    for name, place in compiled.joints.items():
        for label, ix in place.turns.items():
            x[ix] = nearest_turn(x[ix], rigid.coordinates.get(f"{name}.{label}", x[ix]))
    violation = float(np.abs(system.values(rigid.t, q, x)).max(initial=0.0))
    rank, redundant, is_regular = _rank(compiled, system)
    found = replace(
        rigid,
        compiled=compiled,
        q=q,
        v=v,
        x=x,
        coordinates=named_coordinates(system, q, x),
        violation=violation,
        rank=rank,
        redundant=redundant,
        vdot=None,
        lam=None,
    )
    if regular and not is_regular and beams_of(model):
        _refuse_irregular(found, rigid.compiled.tree)
    return found


def singularity_in_nodes(found: Assembly, tree: Tree) -> Singularity:
    """Distance from a change point with flexible beams; loops are named as in the tree of rigid
    bodies.
    """
    system = System(found.compiled, found.compiled.workspace(("G",)))
    singular = singularity_at(system, found.q, found.x)
    whole = {
        loop.cut.name: joints
        for loop in loops(tree)
        if set(joints := tuple(j.name for j in loop.joints)) <= set(singular.loops)
    }
    in_loops = {name for joints in whole.values() for name in joints}
    others = {name: () for name in singular.loops if name not in in_loops}
    return replace(singular, loops={**whole, **others})


def _refuse_irregular(found: Assembly, tree: Tree) -> None:
    """Raise an error at a change point, or if constraints contradict each other."""
    if (singular := singularity_in_nodes(found, tree)).singular:
        raise ModelError(str(singular))
    system = System(found.compiled, found.compiled.workspace(("G",)))
    refuse_accelerations(system, found.t, found.q, found.v)


def deformed(fresh: Assembly, state: Assembly) -> Assembly:
    """Copy a state in nodal coordinates to this compiled model: bodies, nodes and states by name."""
    compiled, here = fresh.compiled, state.compiled
    q, v, x = fresh.q.copy(), fresh.v.copy(), fresh.x.copy()
    for name, link in zip(compiled.bodies[1:], compiled.tables.links[1:]):
        other = here.tables.links[here.bodies.index(name)]
        for own, first, count in ((q, "iq", 7), (v, "iv", 6)):
            source = state.q if own is q else state.v
            own[int(link[first]) : int(link[first]) + count] = source[
                int(other[first]) : int(other[first]) + count
            ]
    for name, place in compiled.states.items():
        if name in here.states:
            x[place.ix] = state.x[here.states[name].ix]
    for name, joint in compiled.joints.items():
        for label, ix in joint.turns.items():
            if label in here.joints[name].turns:
                x[ix] = state.x[here.joints[name].turns[label]]
    system = System(compiled, compiled.workspace(NODES))
    positions(system.tables, system.work, q)
    for joint in compiled.joints.values():  # measured angles, on the turns of the state
        measured = joint_coordinates(joint, system.work)
        for label, ix in joint.turns.items():
            angle = float(measured[joint.spec.joint.labels.index(label)])
            x[ix] = joint.spec.joint.on_turn(label, angle, x[ix])
    return replace(
        fresh,
        t=state.t,
        q=q,
        v=v,
        x=x,
        coordinates=named_coordinates(system, q, x),
        moved={},
        **AS_GIVEN,
        violation=float(np.abs(system.values(state.t, q, x)).max(initial=0.0)),
    )


def _motion(rigid: Assembly, compiled: CompiledModel) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and velocities of all bodies and nodes."""
    source = System(rigid.compiled)
    positions(source.tables, source.work, rigid.q)
    beams = {beam.name: beam for beam in beams_of(rigid.compiled.model)}
    q, v = np.zeros(compiled.size["nq"]), np.zeros(compiled.size["nv"])
    for i, name in enumerate(rigid.compiled.bodies[1:], 1):
        X_WB = body_pose(source.work, i) @ rigid.compiled.X_BK[i].inverse
        parts = (
            {f"{name}.{k}": X for k, X in enumerate(beams[name].nodes)}
            if name in beams
            else {name: IDENTITY}
        )
        for part, X_BN in parts.items():
            X, link = X_WB @ X_BN, compiled.tables.links[compiled.bodies.index(part)]
            V = product(source.body_jacobian(i, X.p), rigid.v)
            iq, iv = int(link["iq"]), int(link["iv"])
            q[iq : iq + 3], q[iq + 3 : iq + 7] = X.p, matrix_quaternion(X.R)
            v[iv : iv + 3], v[iv + 3 : iv + 6] = V[3:], product(X.R.T, V[:3])
    return q, v


def _rank(compiled: CompiledModel, system: System) -> tuple[int, tuple[tuple[str, int], ...], bool]:
    """Rank of the rows, the number of redundant rows per owner, and whether no change point can be
    near.
    """
    G = row_blocks(compiled.tables, system.work) * system.scale[:, None]
    if not len(G):
        return 0, (), True
    size = singular_values(G)
    rank = int((size > max(_DEPENDENT, system.rounding) * size[0]).sum())
    if rank == len(G):
        return rank, (), bool(size[-1] > SMALL * size[0])
    kept: list[int] = []
    spare: dict[str, int] = {}
    for k, owner in enumerate(compiled.row_owner):
        if matrix_rank(G[[*kept, k]], _DEPENDENT * size[0]) > len(kept):
            kept.append(k)
        else:
            spare[owner] = spare.get(owner, 0) + 1
    return rank, tuple(spare.items()), False
