"""Consistent initial conditions: draw the position, close the loops, fit the velocities, and
report the changes.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..description.lowering.compiled import CompiledModel, LoweredModel
from ..description.lowering.flexible import beams_of
from ..description.lowering.resolve import resolve
from ..description.model import Element, Model
from ..elements.constraints.driver import Driver
from ..engine.dynamics.kinematics import positions
from ..errors import AssemblyError, ModelError, short
from ..kernel.frames import word
from ..kernel.usercode.capture import with_user_errors
from .accelerations import refuse_accelerations
from .build import build
from .convert import convert_state, named_coordinates
from .displaced import closed_elsewhere, closing_joints, displaced_bodies, overriding_joints
from .early_rows import checked_rows
from .gaps import (
    SLACK,
    WIDEST,
    absorbed_gap,
    allowing_gaps,
    open_sentence,
    redundant_sentence,
    suggestions,
)
from .massless import refuse_massless_motion
from .moved import moved_sentence
from .nearest import nearest
from .positions import Closed, Linearize, close, gauss_newton, is_closed
from .result import Assembly
from .singular import refuse_change_point
from .sparse_system import system_of
from .start import (
    check_lengths,
    check_starts,
    drawn_position,
    initial_states,
    measure_unresolved,
)
from .start_values import unmet_start_values
from .system import System
from .velocities import Rates, Speed, consistent_velocities

# weights of a coordinate the user gave, tried in turn where it cannot be kept exactly
_HELD = (1e6, 1e3, 30.0, 1.0)


@with_user_errors
def prepare(
    model: Model,
    coordinates: str = "relative",
    method: str = "auto",
    t: float = 0.0,
    weights: dict[str, float] | None = None,
    regular: bool = False,
    found: Mapping[str, float] | None = None,
    slack: float = SLACK,
) -> Assembly:
    """Assemble a model; Cartesian coordinates are converted from the assembly in relative ones.

    `weights` penalize changes of coordinates like "A.angle" (default 1); `regular` refuses change
    points (for beams, `nodal.py` does so), contradictory accelerations and motions without inertia;
    `found` are values of unresolved lengths and offsets, instead of measuring them; `slack` is the
    gap, relative to the model size, that may remain in redundant directions.
    """
    if not isinstance(model, Model):
        raise ModelError(f"model: give a kt.Model, got {short(model)}.")
    relative = _assemble(
        build(model, "relative", word(method, "topology")), t, weights or {}, found, slack
    )
    if regular:
        _refuse_irregular(relative)
    if word(coordinates, "coordinates") == "relative":
        return relative
    return convert_state(
        relative,
        resolve(build(model, coordinates), relative.compiled.initial_values, relative.absorbed),
    )


def given_lengths(model: Model, topology: str) -> dict[str, float] | None:
    """Values of unresolved lengths at the model's own start, for use at other positions; None if
    all lengths are given.
    """
    if not build(model, "relative", topology).unresolved:
        return None
    return prepare(model, "relative", topology).compiled.initial_values


def _refuse_irregular(found: Assembly) -> None:
    """Raise an error if the motion of rigid bodies is undetermined or impossible."""
    system = system_of(found.compiled)
    refuse_massless_motion(system, found.q, found.x)
    if not beams_of(found.compiled.model):
        refuse_change_point(system, found.q, found.x)
        refuse_accelerations(system, found.t, found.q, found.v)


def _assemble(
    description: LoweredModel,
    t: float,
    weights: dict[str, float],
    found: Mapping[str, float] | None,
    slack: float,
) -> Assembly:
    """Assemble in relative coordinates.

    Unresolved lengths of constraints are those of the drawn position, unresolved free lengths of
    forces those of the assembled position.
    """
    model, work = description.model, description.workspace(())
    q = drawn_position(description, work)
    x = initial_states(description, work)
    values = measure_unresolved(description, work, q, x, t) if found is None else found
    system = system_of(resolve(description, values))
    if found is not None:
        positions(system.tables, work, q)
        check_lengths(system.compiled, work, t)
    del work  # large for large models
    drawn = named_coordinates(system, q, x)
    apart, turned = displaced_bodies(system)
    moved_by = overriding_joints(system, {*apart, *turned})
    open_rows = np.array(system.values(t, q, x))
    before = float(np.abs(open_rows).max(initial=0.0))
    overridden = moved_sentence(system.compiled, apart, turned, moved_by)
    closed, gap = _closed(model, system, t, q, x, weights, slack, overridden)
    if gap:
        system = system_of(resolve(description, system.compiled.initial_values, gap))
        system.values(t, closed.q, closed.x)
    rates = _velocities(model, system, t, closed.q, closed.x)
    after = named_coordinates(system, closed.q, closed.x)
    apart_now, turned_now = closed_elsewhere(system)
    closing = closing_joints(system, open_rows, {*apart_now, *turned_now}, set(moved_by.values()))
    check_starts(system)
    system = _with_checked_rows(system, closed)
    rank, redundant = system.redundant_rows()
    moved = {k: (drawn[k], after[k]) for k in after if abs(after[k] - drawn[k]) > 1e-9}
    changed = {**unmet_start_values(model, after, system.length), **rates.changed}
    compiled = system.compiled
    if found is None:
        compiled = checked_rows(_at_start(description, system, closed, gap), closed.q)
    return Assembly(
        compiled,
        t,
        closed.q,
        rates.v,
        closed.x,
        after,
        moved,
        before,
        closed.error,
        rates.error,
        rates.missed,
        closed.iterations,
        rank,
        redundant,
        changed=changed,
        misplaced={**apart, **apart_now},
        turned={**turned, **turned_now},
        moved_by={**closing, **moved_by},
        absorbed=gap,
        gaps=suggestions(system, closed) if gap else {},
    )


def _with_checked_rows(system: System, closed: Closed) -> System:
    """The system at the closed position, without early rows if one of them is weak there."""
    compiled = checked_rows(system.compiled, closed.q)
    if compiled is system.compiled:
        return system
    checked = system_of(compiled)
    positions(checked.tables, checked.work, closed.q)
    checked.values(closed.t, closed.q, closed.x)
    return checked


def _closed(
    model: Model, system: System, t: float, q, x, weights, slack: float, overridden: str
) -> tuple[Closed, float]:
    """The closed position and the gap absorbed (m), zero wherever all loops close.

    `overridden` is the sentence about bodies that joints moved from the drawing, for the error.
    """
    found = _closed_with_starts(model, system, t, q, x, weights) or _closed_nearby(
        system, t, q, x, weights
    )
    if is_closed(system, found):
        return found, 0.0
    nearly, gap = _closed_with_gaps(model, system, t, q, x, weights, slack)
    if np.isfinite(gap) and slack > 0.0:
        return nearly, gap

    def why() -> str:
        """Assemble with a wider slack, to distinguish a gap in a redundant direction from others.
        This takes as long as the first search, so it is done only if the text is needed.
        """
        wider, gap = _closed_with_gaps(model, system, t, q, x, weights, WIDEST)
        sentence = (
            redundant_sentence(system, wider, slack)
            if np.isfinite(gap)
            else open_sentence(system, found)
        )
        return f"{overridden} {sentence[0].upper()}{sentence[1:]}" if overridden else sentence

    raise AssemblyError(why)


def _closed_with_gaps(
    model: Model, system: System, t: float, q, x, weights, allowed: float
) -> tuple[Closed, float]:
    """The position closed except for gaps in redundant directions, and the largest gap (m);
    infinite if it is open.
    """
    linearize = allowing_gaps(allowed)
    nearly = _closed_with_starts(model, system, t, q, x, weights, linearize)
    nearly = nearly or _closed_nearby(system, t, q, x, weights, linearize)
    return nearly, absorbed_gap(system, nearly, allowed) if is_closed(system, nearly) else np.inf


def _at_start(
    description: LoweredModel, system: System, closed: Closed, gap: float
) -> CompiledModel:
    """The final model, with free lengths of forces measured at the assembled position."""
    free = measure_unresolved(description, system.work, closed.q, closed.x, closed.t)
    constrained = {
        one.name: system.compiled.initial_values[one.name]
        for one in description.unresolved
        if one.table != "forces"
    }
    return resolve(description, {**free, **constrained}, gap)


def _closed_with_starts(
    model: Model, system: System, t: float, q, x, weights, linearize: Linearize | None = None
) -> Closed | None:
    """The closed position with the given coordinates kept exactly, as if they were driven; None if
    there is none.
    """
    held = {
        f"{s.name}.{label}": value
        for s in model.joints.values()
        for label, value in s.start.items()
        if label in s.joint.scalars
    }
    if not held or not system.compiled.size["ng"]:
        return None
    drivers = {f"hold {k}": Element(f"hold {k}", Driver(k, v), ()) for k, v in held.items()}
    driven = model.variant(constraints={**model.constraints, **drivers})
    tighter = system_of(
        resolve(
            build(driven, "relative", system.compiled.tree.method), system.compiled.initial_values
        )
    )
    if tighter.compiled.tree.order != system.compiled.tree.order:
        return None
    found = close(tighter, t, q, _states(tighter, q), _metric(tighter, weights, 1.0), linearize)
    if not is_closed(tighter, found):
        return None
    system.values(t, found.q, x)
    x = system.follow_turns(x)
    if linearize is not None:
        # the gap must be one of the model itself, not between the model and the given coordinates
        metric = _metric(system, weights, 1.0)
        return gauss_newton(system, t, found.q, x, metric, linearize=linearize)
    values = system.values(t, found.q, x)
    return Closed(
        found.q, x, float(np.abs(values).max(initial=0.0)), found.iterations, values, t=found.t
    )


def _states(system: System, q: np.ndarray) -> np.ndarray:
    """Initial states x at a position."""
    positions(system.tables, system.work, q)
    return initial_states(system.compiled, system.work)


def _closed_nearby(
    system: System, t: float, q, x, weights, linearize: Linearize | None = None
) -> Closed:
    """The closed position nearest to the start, with the smallest changes of given coordinates."""
    given = any(spec.start for spec in system.compiled.model.joints.values())
    for held in _HELD if given else _HELD[-1:]:
        metric = _metric(system, weights, held)
        found = close(system, t, q, x, metric, linearize)
        if is_closed(system, found):
            return nearest(system, found, metric) if given and linearize is None else found
    return found


def _metric(system: System, weights: dict[str, float], held: float) -> np.ndarray:
    """Weights of position changes: angles in radians, translations relative to the model size,
    given coordinates multiplied by `held`.
    """
    metric = system.natural**2
    for k, (joint, label) in enumerate(system.compiled.dof_owner):
        spec = system.compiled.model.joints.get(joint)
        if spec is not None and spec.start:
            metric[k] *= held
        metric[k] *= weights.get(f"{joint}.{label}", weights.get(joint, 1.0))
    return metric


def _velocities(model: Model, system: System, t: float, q, x) -> Rates:
    """Velocities that satisfy the constraints and the given speeds."""
    positions(system.tables, system.work, q)
    targets = {}
    for i, name in enumerate(system.compiled.bodies[1:], 1):
        body = model.bodies[name]
        if body.velocity is not None or body.angular_velocity is not None:
            none = np.full(3, np.nan)
            targets[i] = np.concatenate(
                [none if u is None else u for u in (body.angular_velocity, body.velocity)]
            )
    speeds = [
        Speed(place, label, value)
        for place in system.compiled.joints.values()
        for label, value in place.spec.speed.items()
    ]
    return consistent_velocities(system, t, targets, speeds)
