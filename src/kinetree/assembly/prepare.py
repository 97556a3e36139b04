"""Consistent initial conditions as one call: draw, close positions, fit velocities, and say what was done."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..compile.build import build
from ..compile.compiled import CompiledModel
from ..constraints.driver import Driver
from ..dynamics.initial import drawn_position, initial_states, settle_pending
from ..dynamics.kinematics import positions
from ..dynamics.measure import body_pose, joint_coordinates
from ..errors import AssemblyError, ModelError
from ..frames import word
from ..model.model import Element, Model
from ..shown import Named
from ..usercode.guard import attending
from .positions import Closed, close, is_closed, turned_over
from .receipt import Assembly
from .singular import refuse_change_point
from .strokes import check_strokes
from .system import System
from .velocities import consistent_velocities
from .weightless import refuse_weightless

_HELD = (1e6, 1e3, 30.0, 1.0)  # weights of a coordinate the user gave, tried in turn where it cannot be held exactly


@attending
def prepare(model: Model, coordinates: str = "relative", method: str = "auto", t: float = 0.0,
            weights: dict[str, float] | None = None, regular: bool = False) -> Assembly:
    """Assemble a model; in Cartesian coordinates, from the assembly in relative ones.

    `weights` say how unwilling a coordinate like "A.angle" is to move, against 1 of the others; `regular` refuses
    positions where the motion can go on along several branches, or where something can move without inertia.
    """
    if not isinstance(model, Model):
        raise ModelError(f"model: give a kt.Model, got {model!r}.")
    relative = _assemble(model, build(model, "relative", word(method, "topology")), t, weights or {})
    if regular:
        system = System(relative.compiled)
        refuse_change_point(system, relative.q, relative.x)
        refuse_weightless(system, relative.q, relative.x)
    return relative if word(coordinates, "coordinates") == "relative" else _carry_over(relative, build(model, coordinates))


def _assemble(model: Model, compiled: CompiledModel, t: float, weights: dict[str, float]) -> Assembly:
    system = System(compiled)
    q = drawn_position(compiled, system.work)
    x = initial_states(compiled, system.work)
    settle_pending(compiled, system.work, q, x)
    drawn = labelled(system, q, x)
    before = float(np.abs(system.values(t, q, x)).max(initial=0.0))
    found = _closed_with_starts(model, system, t, q, x, weights) or _closed_nearby(system, t, q, x, weights)
    if not is_closed(system, found):
        raise AssemblyError(_open_sentence(system, found))
    rates = _velocities(model, system, t, found.q, found.x)
    after = labelled(system, found.q, found.x)
    check_strokes(system)
    rank, redundant = redundancy(system)
    moved = {k: (drawn[k], after[k]) for k in after if abs(after[k] - drawn[k]) > 1e-9}
    return Assembly(compiled, t, found.q, rates.v, found.x, after, moved, before, found.error, rates.error, rates.missed,
                    found.iterations, rank, redundant)


def _closed_with_starts(model: Model, system: System, t: float, q, x, weights) -> Closed | None:
    """Try to keep the coordinates the user gave exactly, as if they were driven; None if that cannot be done."""
    held = {f"{s.name}.{label}": value for s in model.joints.values() for label, value in s.start.items() if s.joint.sensors}
    if not held or not system.compiled.size["ng"]:
        return None
    drivers = {f"hold {k}": Element(f"hold {k}", Driver(k, v), ()) for k, v in held.items()}
    driven = model.variant(constraints={**model.constraints, **drivers})
    tighter = System(build(driven, "relative", system.compiled.tree.method))
    if tighter.compiled.tree.order != system.compiled.tree.order:
        return None
    _copy_pending(system, tighter)
    found = close(tighter, t, q, _states(tighter, q), _metric(tighter, weights, 1.0))
    if not is_closed(tighter, found):
        return None
    system.values(t, found.q, x)
    x = system.follow_turns(x)
    values = system.values(t, found.q, x)
    return Closed(found.q, x, float(np.abs(values).max(initial=0.0)), found.iterations, values)


def _states(system: System, q: np.ndarray) -> np.ndarray:
    """States x at a position, angles counted there."""
    positions(system.tables.links, q, system.work.bodies, system.work.dofs)
    return initial_states(system.compiled, system.work)


def _copy_pending(source: System, target: System) -> None:
    for what, k in source.compiled.pending:
        table = "forces" if what == "rest" else "primitives"
        row = getattr(target.tables, table)[k] = getattr(source.tables, table)[k]
        if what == "length":
            target.tables.signals[row["signal"]] = source.tables.signals[row["signal"]]


def _closed_nearby(system: System, t: float, q, x, weights) -> Closed:
    """The closed position nearest to the start, the coordinates the user gave moving as little as can be."""
    given = any(spec.start for spec in system.compiled.model.joints.values())
    for held in _HELD if given else _HELD[-1:]:
        found = close(system, t, q, x, _metric(system, weights, held))
        if is_closed(system, found):
            break
    return found


def _metric(system: System, weights: dict[str, float], held: float) -> np.ndarray:
    """Metric of the position change: angles count one, travel in units of the machine, given coordinates heavily."""
    metric = system.natural**2
    for k, (joint, label) in enumerate(system.compiled.freedom_owner):
        spec = system.compiled.model.joints.get(joint)
        if spec is not None and spec.start:
            metric[k] *= held
        metric[k] *= weights.get(f"{joint}.{label}", weights.get(joint, 1.0))
    return metric


def _velocities(model: Model, system: System, t: float, q, x):
    positions(system.tables.links, q, system.work.bodies, system.work.dofs)
    targets = {}
    for i, name in enumerate(system.compiled.bodies[1:], 1):
        body = model.bodies[name]
        if body.velocity is not None or body.angular_velocity is not None:
            none = np.full(3, np.nan)
            targets[i] = np.concatenate([none if u is None else u for u in (body.angular_velocity, body.velocity)])
    speeds = [(place, label, value) for place in system.compiled.joints.values()
              for label, value in place.spec.speed.items()]
    return consistent_velocities(system, t, targets, speeds)


def labelled(system: System, q: np.ndarray, x: np.ndarray) -> dict[str, float]:
    """Every labelled joint coordinate at a position, by name."""
    positions(system.tables.links, q, system.work.bodies, system.work.dofs)
    values: dict[str, float] = Named("coordinate", f" in model {system.compiled.model.name!r}")
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


def redundancy(system: System) -> tuple[int, tuple[tuple[str, int], ...]]:
    """Rank of G at the present position and, per joint or constraint, how many of its equations are redundant."""
    G = system.jacobian()
    if not len(G):
        return 0, ()
    basis: list[np.ndarray] = []
    spare: dict[str, int] = {}
    G = G / system.natural  # every entry a length; the machine's size is what rounding is measured against
    for row, owner in zip(G, system.compiled.row_owner):  # in order, so the last joint of a loop carries the excess
        left = row.copy()
        for _ in range(2):
            for b in basis:
                left -= (b @ left) * b
        if np.linalg.norm(left) > 1e-8 * max(np.linalg.norm(row), 1e-3 * system.length):
            basis.append(left / np.linalg.norm(left))
        else:
            spare[owner] = spare.get(owner, 0) + 1
    return len(basis), tuple(spare.items())


def _carry_over(relative: Assembly, compiled: CompiledModel) -> Assembly:
    """The same state in Cartesian coordinates: poses, velocities, turns and other states as they are."""
    source, target = System(relative.compiled), System(compiled)
    positions(source.tables.links, relative.q, source.work.bodies, source.work.dofs)
    poses, moving = {}, {}
    for i, name in enumerate(relative.compiled.bodies[1:], 1):
        pose = body_pose(source.work, i) @ relative.compiled.X_BK[i].inverse
        poses[name] = pose
        moving[compiled.body_index(name)] = source.body_jacobian(i, pose.p) @ relative.v
    q = drawn_position(compiled, target.work, poses)
    x = initial_states(compiled, target.work)
    for name, place in compiled.states.items():
        x[place.ix] = relative.x[relative.compiled.states[name].ix]
    for name, place in compiled.joints.items():
        for label, ix in place.turns.items():
            x[ix] += 2 * np.pi * np.round((relative.coordinates[f"{name}.{label}"] - x[ix]) / (2 * np.pi))
    for (what, k), (_, n) in zip(relative.compiled.pending, compiled.pending):
        if what == "rest":
            target.tables.forces[n]["rest"] = source.tables.forces[k]["rest"]
            continue
        old, new = source.tables.primitives[k], target.tables.primitives[n]
        new["offset"], new["length"] = old["offset"], old["length"]
        target.tables.signals[new["signal"]] = source.tables.signals[old["signal"]]
    error = float(np.abs(target.values(relative.t, q, x)).max(initial=0.0))
    rates = consistent_velocities(target, relative.t, moving, [])
    rank, redundant = redundancy(target)
    return replace(relative, compiled=compiled, q=q, v=rates.v, x=x, violation=error, velocity_violation=rates.error,
                   velocity_missed=rates.missed, rank=rank, redundant=redundant)


def _open_sentence(system: System, found: Closed) -> str:
    """Which joints stay open, by how much, and what to do."""
    system.values(0.0, found.q, found.x)
    over = turned_over(system)
    if over and found.error < 1e-9 * system.length:
        return (f"model {system.compiled.model.name!r}: the loop closes only with the axis of joint "
                f"{', '.join(map(repr, over))} turned over. Reverse one of its axes, or start nearer to the right assembly.")
    size = np.abs(found.values)
    worst: dict[str, float] = {}
    for r in np.flatnonzero(size > 0.05 * size.max()):
        owner = system.compiled.row_owner[r]
        worst[owner] = max(worst.get(owner, 0.0), float(size[r]))
    names = ", ".join(f"{name!r} by {gap:.3g} m" for name, gap in worst.items())
    return (f"model {system.compiled.model.name!r} cannot be assembled: {names} stay(s) open. "
            "Check the lengths and points around that loop and the start values, or draw it nearer to closed.")

