"""The scene of a model or of solutions.

`bodies`, `joint_looks` and `element_looks` draw bodies, joints and elements; a painter only uses
the parts of a scene.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..description.body import Body
from ..description.flexible_body import FlexibleBody, FrameBody, ModesBody
from ..description.model import Model
from . import chosen
from .bodies import attached, painted, reach, shapes
from .colours import POST, body_colour, run_colour
from .contact_looks import contact_outlines
from .drawing_context import DrawingContext
from .element_looks import element_look
from .ground import Posts, anchors, floor_under
from .joint_looks import joint_look
from .labels import Label, Place, Scene, Solid, Span, Strip, rotated
from .motion import Motion, of_model, of_solution
from .road_looks import road_floor, road_looks
from .skins import checked_color, skins_of
from .views import default_view, hull, must_follow

# lengths of a median body: a model of many short bodies is drawn with smaller parts than its size
# suggests
SHORT = 2.2


def scene_of_model(model: Model) -> Scene:
    """The assembled model; the title reports if it could not be assembled."""
    motion = of_model(model)
    return scene_of_motions(
        [motion], model.name if motion.closed else f"{model.name} (as drawn: it does not close)"
    )


def scene_of(
    solutions: Sequence,
    title: str | None = None,
    channels=None,
    traces=None,
    forces=None,
    frames: int | None = None,
    color: str | None = "stress",
    scale: float = 1.0,
) -> Scene:
    """One run, or several over each other at the times of the first."""
    motions = [of_solution(sol, frames) for sol in solutions]
    first = motions[0]
    motions[1:] = [motion.at(first.t) for motion in motions[1:]]
    scene = scene_of_motions(motions, title or first.model.name, checked_color(color), scale)
    scene.traces = chosen.traces(motions, traces)
    scene.arrows, scene.arrows_shown = chosen.arrows(first, forces, scene.size, scene.poses)
    scene.curves = chosen.curves(motions, channels)
    if scene.arrows_shown:
        scene.hull = hull(scene)
    return scene


def scene_of_motions(
    motions: list[Motion], title: str, color: str | None = None, scale: float = 1.0
) -> Scene:
    """The models alone: bodies, joints, elements, the floor, and the view."""
    poses: list[np.ndarray] = []
    first = 1
    for motion in motions:
        motion.first = first
        poses += motion.poses.values()
        first += len(motion.poses)
    size = _size(motions[0])
    scene = Scene(title, motions[0].t, size, poses)
    for run, motion in enumerate(motions):
        if run:
            scene.ghosts.append(len(scene.things))
        _add_machine(
            scene, DrawingContext(motion, min(size, SHORT * _link_length(motion.model))), run
        )
        _add_skins(scene, motion, run, color, scale)
    scene.view = default_view(motions[0])
    scene.follow = must_follow(motions[0], size)
    scene.hull = hull(scene)
    return scene


def _add_machine(scene: Scene, stage: DrawingContext, run: int) -> None:
    """Add bodies and elements of a run; for the first run also joints, surroundings and the
    floor.
    """
    model, points = stage.motion.model, attached(stage.motion.model)
    first = len(scene.things)
    nodes = {
        m.body.name
        for e in model.forces.values()
        if e.name in stage.motion.bends
        for m in e.markers
    }
    for k, body in enumerate(model.bodies.values()):
        if _has_skin(model, body):
            continue
        hidden = body.name in nodes or (body.name in stage.motion.bends and not body.look)
        solids = [
            Solid(shape, stage.motion.frame(body.name), painted(shape, body_colour(k)))
            for shape in (
                ()
                if hidden
                else shapes(
                    body,
                    points[body.name],
                    stage.size,
                    k,
                    contact_outlines(model, body.name, stage.size),
                )
            )
        ]
        _add(scene, body.name, f"{body.properties.mass:.4g} kg", solids, run)
    _add_bends(scene, stage.motion, run, first)
    if not run:
        roads = road_looks(stage.motion)
        still = (*model.surroundings, *contact_outlines(model, "ground", scene.size))
        fixed = [*(Solid(shape, 0, painted(shape, POST)) for shape in still), *roads]
        grounded = np.array([*points["ground"]]).reshape(-1, 3)
        floor = road_floor(stage.motion, roads)
        if floor is None:
            floor = floor_under([*scene.solids, *fixed], grounded, scene.poses, scene.size, reach)
        scene.floor = floor
        _add_joints(scene, stage, floor)
        if fixed:
            _add(scene, "ground", "", fixed, run)
    _add_elements(scene, stage, run)


def _has_skin(model: Model, body: Body) -> bool:
    """Whether a body is drawn as a surface with modes, or is a frame of one."""
    if isinstance(body, FlexibleBody):
        return len(body.part.triangles) > 0
    if not isinstance(body, FrameBody):
        return False
    carrier = model.bodies.get(f"{body.name.split('.')[0]}.modes")
    return isinstance(carrier, ModesBody) and len(carrier.part.triangles) > 0


def _add_bends(scene: Scene, motion: Motion, run: int, first: int) -> None:
    """Add beams and flexible links, colored by strain in the first run.

    A strip belongs to the thing of the same name, if there is one.
    """
    known = {thing.name: k for k, thing in enumerate(scene.things) if k >= first}
    for k, (name, bend) in enumerate(motion.bends.items()):
        round_one = bend.across is None or bend.sides[0] == bend.sides[1]
        scene.strips.append(
            Strip(
                bend.points,
                bend.sides,
                None if round_one else bend.across,
                None if run else bend.strain,
                run_colour(run) if run else body_colour(k),
                known.get(name, len(scene.things)),
            )
        )
        if name in known:
            continue
        middle = bend.points.shape[1] // 2
        held = name if name in motion.poses else f"{name}.{middle}"
        at = (
            Place(motion.frame(held), np.zeros(3))
            if held in motion.poses
            else Place(0, bend.points[0, middle])
        )
        scene.things.append(Label(name, "bends", at))


def _add_skins(scene: Scene, motion: Motion, run: int, color: str | None, scale: float) -> None:
    """Add the surfaces of flexible bodies, colored in the first run."""
    first = len(scene.things)
    skins = skins_of(
        motion,
        None if run else color,
        scale,
        {},
        (lambda k: run_colour(run)) if run else body_colour,
    )
    for k, skin in enumerate(skins):
        scene.skins.append(skin._replace(of=first + k))
        names = [body for body in motion.poses if motion.frame(body) == skin.on]
        at = Place(skin.on, skin.nodes.mean(axis=0))
        scene.things.append(Label(names[0].removesuffix(".modes"), "flexible", at))


def _add_joints(scene: Scene, stage: DrawingContext, floor: float) -> None:
    model = stage.motion.model
    middle = (
        np.mean([pose[0, :3] for pose in stage.motion.poses.values()], axis=0)
        if scene.poses
        else np.zeros(3)
    )
    posts = Posts(floor, middle)
    for joint in model.joints.values():
        parts = joint_look(joint, stage)
        if not model.surroundings:
            parts = [*parts, *posts.under(joint, parts, stage)]
        _add(scene, joint.name, joint.joint.kind, parts, 0)


def _add_elements(scene: Scene, stage: DrawingContext, run: int) -> None:
    model = stage.motion.model
    for element in model.with_markers:
        parts = element_look(element, stage)
        if parts and not run and not model.surroundings and scene.floor is not None:
            parts = [*parts, *anchors(element, scene.floor, stage.r)]
        _add(scene, element.name, element.spec.kind, parts, run)


def _add(
    scene: Scene, name: str, note: str, parts: Sequence[Solid | Span | Strip], run: int
) -> None:
    """Add a thing and its parts; those of a further run in the color of that run."""
    if not parts:
        return
    k = len(scene.things)
    scene.things.append(Label(name, note, _label_at(parts[0])))
    for part in parts:
        paint = run_colour(run) if run else part.paint
        if isinstance(part, Solid):
            scene.solids.append(part._replace(of=k, paint=paint))
        elif isinstance(part, Span):
            scene.spans.append(part._replace(of=k, paint=paint))
        else:
            scene.strips.append(part._replace(of=k, paint=paint))


def _label_at(part: Solid | Span | Strip) -> Place:
    if isinstance(part, Span):
        return part.a
    if isinstance(part, Strip):
        return Place(0, part.points[0, 0])
    return Place(part.on, reach(part.shape)[:, :3].mean(axis=0))


def _link_length(model: Model) -> float:
    """Median length of the bodies, which limits the size of drawn joints."""
    lengths = [
        float(np.linalg.norm(np.ptp(points, axis=0)))
        for name, points in attached(model).items()
        if name != "ground" and len(points) > 1
    ]
    return float(np.median([l for l in lengths if l > 0.0] or [np.inf]))


def _size(motion: Motion) -> float:
    """Typical length of a model: a third of the diagonal of its extent at the start."""
    points = [
        p for name, held in attached(motion.model).items() for p in _at_start(motion, name, held)
    ]
    for name, body in motion.model.bodies.items():
        known = body.look or ((body.properties.outline,) if body.properties.outline else ())
        points += [
            p
            for shape in known
            if getattr(shape, "radius", 0.0) is not None
            for p in _at_start(motion, name, reach(shape)[:, :3])
        ]
        points += _at_start(motion, name, [body.properties.com])
    return 0.35 * float(np.linalg.norm(np.ptp(np.array(points), axis=0))) or 1.0


def _at_start(motion: Motion, name: str, points) -> list[np.ndarray]:
    if name == "ground":
        return list(points)
    pose = motion.poses[name][0]
    return list(pose[:3] + rotated(pose[3:], np.asarray(points, float).reshape(-1, 3)))
