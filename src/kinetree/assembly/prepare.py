"""Consistent initial conditions as one call: draw, close positions, fit velocities, and say what
was done.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..description.lowering.compiled import CompiledModel, Description
from ..description.lowering.flexible import beams_of
from ..description.lowering.resolve import resolve
from ..description.model import Element, Model
from ..elements.constraints.driver import Driver
from ..engine.dynamics.kinematics import positions
from ..errors import AssemblyError, ModelError, short
from ..kernel.frames import word
from ..kernel.usercode.capture import with_user_errors
from .absorb import SLACK, WIDEST, absorbed, loosely
from .accelerations import refuse_accelerations
from .build import build
from .convert import convert_state, labelled
from .gaps import gaps_taken, open_sentence, redundant_sentence
from .initial import check_lengths, drawn_position, initial_states, read_off
from .massless import refuse_weightless
from .positions import Closed, close, is_closed
from .redundancy import redundancy
from .result import Assembly
from .singular import refuse_change_point
from .start_checks import check_starts
from .start_values import closed_elsewhere, misplaced, not_met
from .system import System
from .systems import system_of
from .velocities import Speed, consistent_velocities

_HELD = (
    1e6,
    1e3,
    30.0,
    1.0,
)  # weights of a coordinate the user gave, tried in turn where it cannot be held exactly


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
    """Assemble a model; in Cartesian coordinates, from the assembly in relative ones.

    `weights` say how unwilling a coordinate like "A.angle" is to move, against 1 of the others;
    `regular` refuses states from which the motion can go on along several branches or not at all
    (where there are beams, `nodes.py` does so), or where something can move without inertia;
    `found` are values of open lengths and offsets that are not to be read off here; `slack` is the
    gap, in sizes of the machine, that may stay in redundant directions.
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
        relative, resolve(build(model, coordinates), relative.compiled.found, relative.absorbed)
    )


def _refuse_irregular(found: Assembly) -> None:
    """Refuse a state from which a motion of rigid bodies cannot go on, or in several ways."""
    system = system_of(found.compiled)
    refuse_weightless(system, found.q, found.x)
    if not beams_of(found.compiled.model):
        refuse_change_point(system, found.q, found.x)
        refuse_accelerations(system, found.t, found.q, found.v)


def _assemble(
    description: Description,
    t: float,
    weights: dict[str, float],
    found: Mapping[str, float] | None,
    slack: float,
) -> Assembly:
    """Rods and couplings left open fit the position as drawn, free lengths of forces the position
    as assembled.
    """
    model, work = description.model, description.workspace(())
    q = drawn_position(description, work)
    x = initial_states(description, work)
    system = system_of(
        resolve(description, read_off(description, work, q, x, t) if found is None else found)
    )
    if found is not None:
        positions(system.tables, work, q)
        check_lengths(system.compiled, work, t)
    del work  # of large machines it is large
    drawn, (apart, turned) = labelled(system, q, x), misplaced(system)
    before = float(np.abs(system.values(t, q, x)).max(initial=0.0))
    closed, gap = _closed(model, system, t, q, x, weights, slack)
    if gap:
        system = system_of(resolve(description, system.compiled.found, gap))
        system.values(t, closed.q, closed.x)
    rates = _velocities(model, system, t, closed.q, closed.x)
    after = labelled(system, closed.q, closed.x)
    apart, turned = (
        {**drawn_so, **now} for drawn_so, now in zip((apart, turned), closed_elsewhere(system))
    )
    check_starts(system)
    rank, redundant = redundancy(system)
    moved = {k: (drawn[k], after[k]) for k in after if abs(after[k] - drawn[k]) > 1e-9}
    changed = {**not_met(model, after, system.length), **rates.changed}
    compiled = system.compiled if found is not None else _at_start(description, system, closed, gap)
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
        misplaced=apart,
        turned=turned,
        absorbed=gap,
        gaps=gaps_taken(system, closed) if gap else {},
    )


def _closed(
    model: Model, system: System, t: float, q, x, weights, slack: float
) -> tuple[Closed, float]:
    """The closed position and the gap that was absorbed (m): nothing wherever everything can be
    closed.
    """
    found = _closed_with_starts(model, system, t, q, x, weights) or _closed_nearby(
        system, t, q, x, weights
    )
    if is_closed(system, found):
        return found, 0.0
    nearly, gap = _closed_loosely(model, system, t, q, x, weights, slack)
    if np.isfinite(gap) and slack > 0.0:
        return nearly, gap

    def why() -> str:
        """With a wider slack, to tell a gap in a redundant direction from one that cannot be
        closed: as long as the search.
        """
        wider, gap = _closed_loosely(model, system, t, q, x, weights, WIDEST)
        return (
            redundant_sentence(system, wider, slack)
            if np.isfinite(gap)
            else open_sentence(system, found)
        )

    raise AssemblyError(why)


def _closed_loosely(
    model: Model, system: System, t: float, q, x, weights, allowed: float
) -> tuple[Closed, float]:
    """The position closed but for gaps in redundant directions, and the widest of these (m);
    infinite where it is open.
    """
    nearly = _closed_with_starts(model, system, t, q, x, weights, loosely(allowed))
    nearly = nearly or _closed_nearby(system, t, q, x, weights, loosely(allowed))
    return nearly, absorbed(system, nearly, allowed) if is_closed(system, nearly) else np.inf


def _at_start(
    description: Description, system: System, closed: Closed, gap: float
) -> CompiledModel:
    """The final model: the lengths of constraints as they are, those of forces as assembled."""
    free = read_off(description, system.work, closed.q, closed.x, closed.t)
    constrained = {
        one.name: system.compiled.found[one.name]
        for one in description.open
        if one.table != "forces"
    }
    return resolve(description, {**free, **constrained}, gap)


def _closed_with_starts(
    model: Model, system: System, t: float, q, x, weights, search=None
) -> Closed | None:
    """Try to keep the coordinates the user gave exactly, as if they were driven; None if that
    cannot be done.
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
        resolve(build(driven, "relative", system.compiled.tree.method), system.compiled.found)
    )
    if tighter.compiled.tree.order != system.compiled.tree.order:
        return None
    found = close(tighter, t, q, _states(tighter, q), _metric(tighter, weights, 1.0), search)
    if not is_closed(tighter, found):
        return None
    system.values(t, found.q, x)
    x = system.follow_turns(x)
    if (
        search is not None
    ):  # what is left open must be so in the machine itself, not between it and the starts
        return search(system, t, found.q, x, _metric(system, weights, 1.0))
    values = system.values(t, found.q, x)
    return Closed(
        found.q, x, float(np.abs(values).max(initial=0.0)), found.iterations, values, t=found.t
    )


def _states(system: System, q: np.ndarray) -> np.ndarray:
    """States x at a position, angles counted there."""
    positions(system.tables, system.work, q)
    return initial_states(system.compiled, system.work)


def _closed_nearby(system: System, t: float, q, x, weights, search=None) -> Closed:
    """The closed position nearest to the start, the coordinates the user gave moving as little as
    can be.
    """
    given = any(spec.start for spec in system.compiled.model.joints.values())
    for held in _HELD if given else _HELD[-1:]:
        found = close(system, t, q, x, _metric(system, weights, held), search)
        if is_closed(system, found):
            break
    return found


def _metric(system: System, weights: dict[str, float], held: float) -> np.ndarray:
    """Metric of the position change: angles count one, travel in units of the machine, given
    coordinates heavily.
    """
    metric = system.natural**2
    for k, (joint, label) in enumerate(system.compiled.freedom_owner):
        spec = system.compiled.model.joints.get(joint)
        if spec is not None and spec.start:
            metric[k] *= held
        metric[k] *= weights.get(f"{joint}.{label}", weights.get(joint, 1.0))
    return metric


def _velocities(model: Model, system: System, t: float, q, x):
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
