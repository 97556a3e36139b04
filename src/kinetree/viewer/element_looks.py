"""Shapes of forces and constraints between their points. Each element names its shape, as joints
do.

    look(element, stage) -> parts      elements without a shape are not drawn; their arrows are
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..description.look import PAINTS, Sphere, wheel
from ..description.model import Element
from ..elements.constraints.rolling import Rolling
from ..elements.forces.hydraulic_cylinder import HydraulicCylinder
from ..elements.forces.laws import pulls_only
from ..elements.forces.spring_damper import SpringDamper
from ..elements.forces.tyre import Tyre
from ..elements.forces.wheel import Wheel
from ..kernel.frames import unit_vector
from ..kernel.linalg import product
from .colours import CHROME, COIL, DARK, STEEL
from .drawing_context import DrawingContext
from .labels import Place, Solid, Span, Strip, rotated

# tracks, relative to the radius of a wheel with belt: thickness and width of the belt, radius of
# the end wheels
THICK = 0.2
WIDE = 1.5
END = 0.85
# angles of the belt points on the idler, from top to bottom
ROUND = np.radians([90.0, 55.0, 20.0, -15.0, -50.0])


def spring(element: Element[SpringDamper], stage: DrawingContext) -> list[Solid | Span]:
    """A coil between two small eyes; on the ground it stands on the floor. An element without
    stiffness is drawn as a damper, or as a rope if it only pulls.
    """
    if element.spec.law is None and element.spec.stiffness == 0.0:
        return damper(element, stage)
    if pulls_only(element.spec.law, 4.0 * float(stage.lengths(element).max())):
        return rope(element, stage)
    a, b, r = *_ends(element, stage), stage.coil_radius(element)
    coil = Span("coil", a, b, COIL, r, thin=0.17 * r, long=float(np.mean(stage.lengths(element))))
    return [coil, *(Solid(Sphere(0.34 * r, place.p), place.on, STEEL) for place in (a, b))]


def damper(element: Element, stage: DrawingContext) -> list[Solid | Span]:
    """Cylinder and rod of a damper, or of an actuator without a spring."""
    r = stage.coil_radius(element)
    return _barrel_and_rod(element, stage, 0.5 * r, 0.2 * r)


def telescope(element: Element[HydraulicCylinder], stage: DrawingContext) -> list[Solid | Span]:
    """A hydraulic cylinder: barrel on the first marker, rod on the second."""
    spec, size = element.spec, stage.size
    return _barrel_and_rod(
        element, stage, max(0.62 * spec.bore, 0.02 * size), max(0.5 * spec.rod, 0.011 * size)
    )


def _barrel_and_rod(
    element: Element, stage: DrawingContext, radius: float, thin: float
) -> list[Solid | Span]:
    a, b = _ends(element, stage)
    lengths = stage.lengths(element)
    long = 0.92 * float(lengths.min())
    out = max(long, 1.03 * float(lengths.max()) - long)  # the rod never leaves the barrel
    return [
        Span("telescope", a, b, DARK, radius, thin, long, out),
        Solid(Sphere(radius, a.p), a.on, STEEL, 0.35),
        Solid(Sphere(1.5 * thin, b.p), b.on, CHROME, 0.9),
    ]


def rubber(element: Element, stage: DrawingContext) -> list[Solid | Span]:
    """A block of rubber."""
    a, b = _ends(element, stage)
    return [
        Solid(Sphere(1.3 * stage.r, a.p), a.on, DARK, 0.05),
        Span("bar", a, b, DARK, 0.9 * stage.r),
    ]


def rod(element: Element, stage: DrawingContext) -> list[Solid | Span]:
    """A massless rod."""
    a, b = _ends(element, stage)
    return [Span("bar", a, b, STEEL, 0.4 * stage.r)]


def rope(element: Element, stage: DrawingContext) -> list[Solid | Span]:
    """A rope between two eyes."""
    places = [stage.motion.place(marker) for marker in element.markers]
    return [Span("bar", a, b, STEEL, 0.2 * stage.r) for a, b in zip(places, places[1:])]


def links(element: Element, stage: DrawingContext) -> list[Solid | Span]:
    """Two rods side by side."""
    a, b, c, d = (stage.motion.place(marker) for marker in element.markers)
    return [Span("bar", a, b, STEEL, 0.3 * stage.r), Span("bar", c, d, STEEL, 0.3 * stage.r)]


def roller(element: Element[Wheel] | Element[Tyre], stage: DrawingContext) -> list[Solid | Span]:
    """A wheel, if its body has no shape of its own."""
    (marker,) = element.markers
    if marker.body.look:
        return []
    radius, on = element.spec.radius, stage.motion.frame(marker.body.name)
    outlines = wheel(radius, 0.5 * radius, axis=tuple(marker.X_Bm.R[:, 1]), at=tuple(marker.X_Bm.p))
    return [Solid(outline, on, PAINTS[outline.paint or "rubber"]) for outline in outlines]


def tread(element: Element[Rolling], stage: DrawingContext) -> list[Solid | Span]:
    """A rolling wheel or ball, if its body has no shape of its own."""
    marker, spec = element.markers[1], element.spec
    if marker.body.look:
        return []
    on, at = stage.motion.frame(marker.body.name), tuple(marker.X_Bm.p)
    if spec.crown == spec.radius:
        return [Solid(Sphere(spec.radius, at), on, STEEL)]
    axis = tuple(product(marker.X_Bm.R, unit_vector(spec.axis, "Rolling")))
    outlines = wheel(spec.radius, max(2.0 * spec.crown, 0.12 * spec.radius), axis=axis, at=at)
    return [Solid(outline, on, PAINTS[outline.paint or "rubber"]) for outline in outlines]


def track(element: Element, stage: DrawingContext) -> list[Solid | Strip]:
    """Shape of a track; its markers are the idler, the wheels from front to rear, and the
    sprocket.
    """
    radius = _radius(element, stage)
    paths = np.array([stage.motion.path(marker) for marker in element.markers])
    forward = paths[0] - paths[-1]
    forward /= np.linalg.norm(forward, axis=1, keepdims=True)
    aside = np.cross((0.0, 0.0, 1.0), forward)
    aside /= np.linalg.norm(aside, axis=1, keepdims=True)
    line = _line(
        paths, forward, np.cross(forward, aside), radius * (1.0 - 0.5 * THICK), radius * END
    )
    across = np.broadcast_to(aside[:, None], line.shape)
    belt = Strip(line, (WIDE * radius, THICK * radius), across, None, DARK)
    return [*(part for k in (0, -1) for part in _end(element, k, aside[0], stage, radius)), belt]


LOOKS = {
    look.__name__: look
    for look in (spring, telescope, rubber, rod, rope, links, roller, tread, track)
}


def element_look(element: Element, stage: DrawingContext) -> Sequence[Solid | Span | Strip]:
    """The shape that the element names."""
    return LOOKS[element.spec.look](element, stage) if element.spec.look else []


def _ends(element: Element, stage: DrawingContext) -> tuple[Place, Place]:
    first, second = element.markers
    return stage.motion.place(first), stage.motion.place(second)


def _line(
    paths: np.ndarray, forward: np.ndarray, up: np.ndarray, low: float, end: float
) -> np.ndarray:
    """Center line (nt, n, 3): from the middle of the upper run over the idler, under the wheels,
    around the sprocket, and back.
    """
    front = [paths[0] + end * (np.cos(a) * forward + np.sin(a) * up) for a in ROUND]
    rear = [paths[-1] + end * (-np.cos(a) * forward + np.sin(a) * up) for a in ROUND[::-1]]
    middle = 0.5 * (front[0] + rear[-1])
    return np.stack(
        [middle, *front, *(path - low * up for path in paths[1:-1]), *rear, middle], axis=1
    )


def _radius(element: Element, stage: DrawingContext) -> float:
    """Radius of the road wheels; without wheels, such that they nearly touch."""
    bodies = {marker.body.name for marker in element.markers[1:-1]}
    known = [
        e.spec.radius
        for e in stage.motion.model.forces.values()
        if isinstance(e.spec, Wheel) and e.markers[0].body.name in bodies
    ]
    places = np.array([stage.motion.path(marker)[0] for marker in element.markers[1:-1]])
    return (
        known[0] if known else 0.45 * float(np.linalg.norm(np.diff(places, axis=0), axis=1).min())
    )


def _end(
    element: Element, k: int, aside: np.ndarray, stage: DrawingContext, radius: float
) -> list[Solid]:
    """The idler, or the sprocket."""
    marker = element.markers[k]
    q = (
        np.array([1.0, 0, 0, 0])
        if marker.body.is_ground
        else stage.motion.poses[marker.body.name][0, 3:]
    )
    axis = rotated(q * (1.0, -1.0, -1.0, -1.0), aside)
    outlines = wheel(
        (END - 0.5 * THICK) * radius, WIDE * radius, axis=tuple(axis), at=tuple(marker.X_Bm.p)
    )
    return [
        Solid(outline, stage.motion.frame(marker.body.name), PAINTS[outline.paint or "rubber"])
        for outline in outlines
    ]
