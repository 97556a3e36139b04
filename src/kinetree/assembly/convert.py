"""Convert a state of one compiled model to another one with the same bodies: in other coordinates,
or with other elements.

Poses and velocities of bodies, turns of angles, and states of elements and controllers (by name)
are preserved.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..core.display import NameDict
from ..description.lowering.compiled import CompiledModel
from ..engine.dynamics.kinematics import positions
from .early_rows import checked_rows
from .measure import body_pose, joint_coordinates
from .result import AS_GIVEN, Assembly
from .sparse_system import system_of
from .start import drawn_position, initial_states
from .system import System
from .velocities import Speed, consistent_velocities


def named_coordinates(system: System, q: np.ndarray, x: np.ndarray) -> dict[str, float]:
    """All joint coordinates at a position, by name."""
    positions(system.tables, system.work, q)
    values: dict[str, float] = NameDict("coordinate", f" in model {system.compiled.model.name!r}")
    for name, place in system.compiled.joints.items():
        labels = place.spec.joint.labels
        if place.direct is not None:
            first = int(system.tables.links[place.link]["iq"])
            found = [float(q[first + at]) for at in place.direct]
        else:
            found = [float(c) for c in joint_coordinates(place, system.work)]
            for label, ix in place.turns.items():
                found[labels.index(label)] = float(x[ix])
        values.update({f"{name}.{label}": c for label, c in zip(labels, found)})
    return values


def at_state(
    assembly: Assembly, t: float, q: np.ndarray, v: np.ndarray, x: np.ndarray, **more
) -> Assembly:
    """The assembly result for another state of the same compiled model, without the unmet start
    values.
    """
    system = system_of(assembly.compiled)
    violation = float(np.abs(system.values(t, q, x)).max(initial=0.0))
    rates = np.abs(system.row_rates(v) - system.rates(t)).max(initial=0.0)
    rank, redundant = system.redundant_rows()
    found = named_coordinates(system, q, x)
    moved = {k: (a, found[k]) for k, a in assembly.coordinates.items() if abs(found[k] - a) > 1e-9}
    return replace(
        assembly,
        t=t,
        q=q,
        v=v,
        x=x,
        coordinates=found,
        moved=moved,
        violation=violation,
        velocity_violation=float(rates),
        rank=rank,
        redundant=redundant,
        **{**AS_GIVEN, "happened": (), **more},
    )


def convert_state(state: Assembly, compiled: CompiledModel) -> Assembly:
    """The same state of another compiled model with the same bodies."""
    source, target = system_of(state.compiled), system_of(compiled)
    index = {name: i for i, name in enumerate(compiled.bodies)}
    positions(source.tables, source.work, state.q)
    poses, moving = {}, {}
    for i, name in enumerate(state.compiled.bodies[1:], 1):
        pose = body_pose(source.work, i) @ state.compiled.X_BK[i].inverse
        poses[name] = pose
        moving[index[name]] = source.velocity(i, state.v, pose.p)
    q = drawn_position(compiled, target.work, poses, state.coordinates)
    _set_turns(q, state.coordinates, compiled)
    checked = checked_rows(compiled, q)
    if checked is not compiled:
        return convert_state(state, checked)
    positions(target.tables, target.work, q)
    x = initial_states(compiled, target.work)
    for name, own in compiled.states.items():
        x[own.ix] = (
            state.x[state.compiled.states[name].ix] if name in state.compiled.states else x[own.ix]
        )
    for name, place in compiled.joints.items():
        for label, ix in place.turns.items():
            near = state.coordinates.get(f"{name}.{label}", x[ix])
            x[ix] = place.spec.joint.on_turn(label, float(x[ix]), near)
    error = float(np.abs(target.values(state.t, q, x)).max(initial=0.0))
    rates = consistent_velocities(target, state.t, moving, _modal_speeds(source, target, state.v))
    rank, redundant = target.redundant_rows()
    return replace(
        state,
        compiled=compiled,
        q=q,
        v=rates.v,
        x=x,
        violation=error,
        velocity_violation=rates.error,
        velocity_missed=rates.missed,
        rank=rank,
        redundant=redundant,
        vdot=None,
        lam=None,
    )


def _modal_speeds(source: System, target: System, v: np.ndarray) -> list[Speed]:
    """The speeds of the modes of flexible bodies, which those of the bodies do not give."""
    return [
        Speed(place, label, float(v[source.dof(source.compiled.joints[name], label)]))
        for name, place in target.compiled.joints.items()
        if place.spec.joint.inner and name in source.compiled.joints
        for label in place.spec.joint.speeds
    ]


def _set_turns(q: np.ndarray, coordinates: dict[str, float], compiled: CompiledModel) -> None:
    """Put the angles among the tree coordinates on the turns of `coordinates`."""
    for name, place in compiled.joints.items():
        joint, first = place.spec.joint, int(compiled.tables.links[place.link]["iq"])
        if place.direct is None or joint.labels != joint.speeds:
            continue
        for k, label in enumerate(joint.labels):
            if joint.units[k] == "rad" and f"{name}.{label}" in coordinates:
                at = first + place.direct[k]
                q[at] = nearest_turn(q[at], coordinates[f"{name}.{label}"])


def nearest_turn(angle: float, wanted: float) -> float:
    """The angle plus full turns, nearest to the wanted one."""
    return float(angle + 2 * np.pi * np.round((wanted - angle) / (2 * np.pi)))
