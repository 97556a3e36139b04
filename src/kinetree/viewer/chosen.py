"""Traces of points, force arrows and channels shown with the model: as requested, or a default
choice.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.checks import words
from ..description.model import JointSpec
from ..errors import ModelError, no_such
from ..results import channels as named
from ..results.sources import points_of
from .colours import TRACES, run_colour
from .contact_looks import contact_point
from .labels import Arrow, Curve, Place, Trace, rotated
from .motion import Motion

MOST_TRACES, MOST_ARROWS, MOST_CHANNELS, SHOWN_CHANNELS = 3, 12, 32, 3
ARROW = 0.6  # model sizes: length of the arrow of a large force
ROUNDS = 9.0  # path length in extents of the path: a longer path is drawn as a tail
SAME = 1e-3  # relative to the largest path: a point that moves less has no trace


def traces(motions: list[Motion], requested: Sequence[str] | None) -> list[Trace]:
    """Paths of points like "bucket.tip", or of bodies; those of further runs in the color of the
    run.
    """
    found = []
    for run, motion in reversed(list(enumerate(motions))):  # the first run on top
        places = (
            {name: _spot(motion, name) for name in _listed(requested, "traces")}
            if requested is not None
            else _default_points(motion)
        )
        found += [
            Trace(
                name,
                place,
                run_colour(run) if run else TRACES[k % len(TRACES)],
                _tail(_path(motion, place)),
            )
            for k, (name, place) in enumerate(places.items())
        ]
    return found


def _spot(motion: Motion, name: str) -> Place:
    body, _, point = (
        (name, "", "") if name in motion.poses or "." not in name else name.rpartition(".")
    )
    if body not in motion.poses:
        raise no_such(
            "body", body, motion.poses, f" in model {motion.model.name!r} (trace {name!r})"
        )
    known = points_of(motion.model.bodies[body])
    if point and point not in known:
        raise no_such("point", point, known, f" on body {body!r} (trace {name!r})")
    return Place(
        motion.frame(body),
        np.asarray(known.get(point, motion.model.bodies[body].properties.com), float),
    )


def _default_points(motion: Motion) -> dict[str, Place]:
    """Named points, or joints between moving bodies and free ends, that move farthest and are apart
    from each other.
    """
    model = motion.model
    named_points = {
        f"{b.name}.{p}": _spot(motion, f"{b.name}.{p}")
        for b in model.bodies.values()
        for p in b.points
    }
    joints = [j for j in model.joints.values() if j.joint.cut]
    moving = {
        j.name: motion.place(j.M)
        for j in joints
        if not j.F.body.is_ground and not j.M.body.is_ground
    }
    free = {
        f"{b.name}.{p}": _spot(motion, f"{b.name}.{p}")
        for b in model.bodies.values()
        for p in points_of(b)
    }
    centres = {b.name: Place(motion.frame(b.name), b.properties.com) for b in model.bodies.values()}
    candidates = named_points or {**moving, **free} or centres
    paths = {name: _path(motion, place) for name, place in candidates.items()}
    lengths = {
        name: float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
        for name, path in paths.items()
    }
    kept, least = list[str](), 0.05 * max(lengths.values(), default=0.0)
    for name in sorted(lengths, key=lengths.__getitem__, reverse=True):
        apart = all(
            np.abs(paths[name] - paths[other]).max() > SAME * lengths[name] for other in kept
        )
        if apart and lengths[name] > least:
            kept.append(name)
        if len(kept) == MOST_TRACES:
            break
    return {name: candidates[name] for name in kept}


def _tail(path: np.ndarray) -> int:
    """Number of frames shown of a path that goes round many times: about two rounds; 0 shows a
    whole path.
    """
    length = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
    extent = np.linalg.norm(np.ptp(path, axis=0))
    return max(2, int(len(path) * 4.0 * extent / length)) if length > ROUNDS * extent else 0


def _path(motion: Motion, place: Place) -> np.ndarray:
    pose = motion.numbered[place.on - motion.first]
    return pose[:, :3] + rotated(pose[:, 3:], place.p)


def arrows(
    motion: Motion, requested: Sequence[str] | None, size: float, poses: list[np.ndarray]
) -> tuple[list[Arrow], bool]:
    """Forces of joints on their child and of elements on their last marker; without a request they
    are hidden at first. Those of contacts have frames of their own, added to `poses`.
    """
    model, wanted = motion.model, _listed(requested, "forces") if requested is not None else None
    known = {**model.joints, **model.forces}
    for name in wanted or ():
        if name not in known:
            raise no_such("joint or force", name, known, f" in model {model.name!r}")
    exerting = (n for n, spec in known.items() if _exerts(spec) and _has_load(motion, n))
    names = wanted if wanted is not None else list(exerting)[:MOST_ARROWS]
    pairs = [pair for name in names for pair in _loads(motion, name, poses)]
    top = {
        unit: max([_large(values) for _, _, u, values in pairs if u == unit] or [0.0])
        for unit in ("N", "N m")
    }
    return [
        Arrow(name, unit, place, values, ARROW * size / top[unit], unit == "N m")
        for name, place, unit, values in pairs
        if _large(values) > 1e-9 * top[unit]
    ], bool(wanted)


def _has_load(motion: Motion, name: str) -> bool:
    """Whether the run has the reaction of a joint; it is missing inside models with beams."""
    return (
        motion.solution is None
        or name not in motion.model.joints
        or name in motion.solution.reactions
    )


def _exerts(spec) -> bool:
    return bool(spec.joint.cut) if isinstance(spec, JointSpec) else bool(spec.markers)


def _loads(
    motion: Motion, name: str, poses: list[np.ndarray]
) -> list[tuple[str, Place, str, np.ndarray]]:
    """Force of a joint or element at its point, and the torque of an element that has only a
    torque.
    """
    sol, model = motion.solution, motion.model
    if sol is None:
        return []
    if name in model.joints:
        values = sol.reactions[name].force[motion.rows]
        return [(f"{name}.force", motion.place(model.joints[name].M), "N", values)]
    element, n = model.forces[name], list(model.forces).index(name)
    if not element.markers:
        return []
    load, place = sol.record.of("load", n)[motion.rows], motion.place(element.markers[-1])
    frame = None if motion.rows is None else contact_point(sol, name, motion.rows)
    if frame is not None:
        poses.append(frame)
        place = Place(len(poses), np.zeros(3))
    force = (f"{name}.force", place, "N", load[:, 3:])
    torque = (f"{name}.torque", place, "N m", load[:, :3])
    return [torque] if not load[:, 3:].any() else [force]


def _large(values: np.ndarray) -> float:
    """A value that most of the run stays below, so that single peaks do not scale all other arrows
    down.
    """
    return (
        float(np.percentile(np.linalg.norm(np.nan_to_num(values), axis=1), 98.0))
        if len(values)
        else 0.0
    )


def curves(motions: list[Motion], requested: Sequence[str] | None) -> list[Curve]:
    """Scalar channels, and those of the same name of further runs."""
    wanted = _listed(requested, "channels") if requested is not None else None
    found = []
    for run, motion in enumerate(motions):
        sol = motion.solution
        if sol is None:
            continue
        names = wanted if wanted is not None else _default_channels(sol)
        scalars = [
            pair
            for name in names
            if not run or name in sol
            for pair in _scalars(sol, name, motion.rows)
        ]
        tag = f" ({run + 1})" if run else ""
        for k, (name, unit, values) in enumerate(scalars):
            shown = k < (8 if wanted is not None else SHOWN_CHANNELS)
            values = np.interp(motions[0].t, sol.t[motion.rows], values) if run else values
            found.append(Curve(name + tag, unit, values, shown, run))
    return found


def _scalars(sol, name: str, rows) -> list[tuple[str, str, np.ndarray]]:
    """A channel at the frames, vectors by component."""
    channel, component = named.find(sol.channels, name, sol.model.name)
    if channel.at_steps:
        raise ModelError(
            f"channel {name!r} has values at the steps, not at the samples, so it cannot be shown "
            "with the picture."
        )
    values = named.values(channel, component)[rows]
    if values.ndim == 1:
        return [(name, channel.unit, values)]
    return [
        (f"{name}.{part}", channel.unit, values[:, k]) for k, part in enumerate(channel.components)
    ]


def _default_channels(sol) -> list[str]:
    """Default channels: joint coordinates, lengths and forces of elements, energies, positions,
    rates; varying ones first.
    """
    model = sol.model
    simple = [
        (j.name, label)
        for j in model.joints.values()
        if j.joint.labels == j.joint.speeds
        for label in j.joint.labels
    ]
    groups = [
        [f"{name}.{label}" for name, label in simple],
        [
            f"{e.name}.{what}"
            for e in model.forces.values()
            for what, _ in e.spec.readings
            if what in ("length", "force")
        ],
        ["energy.kinetic", "energy.potential", "energy.total"],
        [f"{name}.position.{k}" for name in model.bodies for k in "xyz"],
        [f"{name}.{label}.rate" for name, label in simple],
    ]
    known = named.expanded(sol.channels)
    names = [name for group in groups for name in group if name in known][: 2 * MOST_CHANNELS]
    moving = [name for name in names if np.ptp(sol[name]) > 1e-9 * (1e-3 + np.abs(sol[name]).max())]
    return moving[:MOST_CHANNELS]


def _listed(requested, what: str) -> list[str]:
    return list(words(requested, what))
