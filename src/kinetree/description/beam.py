"""Beams of a model: a line of nodes with a section.

In the model a beam is a body: mass properties of the undeformed shape, ends, points, markers. It
is assembled as a rigid body. The structural integrators then use its nodes as separate bodies
(description/lowering/flexible.py), and every marker belongs to the nearest node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..core.checks import points, whole
from ..elements.sections import Section, element_stiffness, shift
from ..engine.beams.strains import strains
from ..errors import ModelError, short
from ..kernel.frames import Pose, number, numbers
from ..kernel.linalg import norm, product, solve
from ..kernel.linalg.splines import cubic_spline
from ..kernel.mathematics import cos, sin
from .body import Body, Marker
from .shapes import MassProperties

MOST = 100_000


class BeamElement(NamedTuple):
    """Between two nodes: length of the line, stiffness for (strain, length times curvature), its
    strain when free of stress, both also at the mass centres; mass and inertia that it shares
    between its nodes (engine/dynamics/shared.py).
    """

    length: float
    stiffness: np.ndarray
    strain: np.ndarray
    damping: float
    mass: float
    inertia: np.ndarray
    stiffness_at_centre: np.ndarray
    strain_at_centre: np.ndarray


@dataclass(frozen=True, eq=False)
class Beam(Body):
    """A flexible beam of a model: a body whose nodes move relative to each other.

    Made by `Model.beam`. It has the attributes and methods of `Body`.

    Attributes
    ----------
    section : Section
        Stiffness and mass per length.
    nodes : tuple of Pose
        Frames of the nodes in body axes, x along the beam.
    elements : tuple
        The elements between neighboring nodes.
    arguments : dict
        Line, number of elements, up, twist and damping, as they were given.

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("cantilever")
    >>> section = kt.Section.circle(radius=0.01, E=2.1e11, density=7850.0)
    >>> m.beam("arm", [(0, 0, 0), (1, 0, 0)], section, elements=4)
    <beam 'arm', 2.46615 kg, 4 elements>
    """

    section: Section = None  # type: ignore[assignment]
    nodes: tuple[Pose, ...] = ()  # in body axes, x along the beam
    elements: tuple[BeamElement, ...] = ()
    arguments: dict[str, Any] = field(
        default_factory=dict
    )  # line, elements, up, twist and damping, as the user gave them

    def node(self, k: int) -> Marker:
        """Return a marker at a node.

        Parameters
        ----------
        k : int
            Index of the node, counted from 0; -1 is the last one.

        Returns
        -------
        Marker
            The marker.

        Raises
        ------
        ModelError
            If there is no such node.
        """
        if (
            not isinstance(k, (int, np.integer))
            or isinstance(k, (bool, np.timedelta64))
            or not (-len(self.nodes) <= k < len(self.nodes))
        ):
            raise ModelError(
                f"beam {self.name!r} has no node {short(k)}; its nodes are 0 to "
                f"{len(self.nodes) - 1} "
                f"({len(self.elements)} elements)."
            )
        return self.at(*self.nodes[k].p)

    def nearest(self, p: np.ndarray) -> int:
        """Return the index of the node nearest to a point.

        Parameters
        ----------
        p : ndarray, shape (3,)
            Point in body axes (m).

        Returns
        -------
        int
            Index of the node.
        """
        return int(np.argmin([norm(X.p - p) for X in self.nodes]))

    @cached_property
    def length(self) -> float:
        """Length of the undeformed line (m)."""
        return sum(e.length for e in self.elements)

    def __repr__(self) -> str:
        return f"<beam {self.name!r}, {self.properties.mass:g} kg, {len(self.elements)} elements>"


def make_beam(
    name: str, line: Any, section: Any, elements: Any, up: Any, twist: Any, damping: Any
) -> dict[str, Any]:
    """Nodes, elements and mass properties of a beam along a line of points or a curve."""
    what = f"beam {name!r}"
    if not isinstance(section, Section):
        raise ModelError(
            f"{what}: give a section such as kt.Section.circle(radius=0.01, E=2.1e11, "
            "density=7850), got "
            f"{short(section)}."
        )
    elements = whole(elements, f"{what}: elements", 1, MOST)
    beta = number(damping, f"{what}: damping", at_least_zero=True)
    points, tangents = _along(line, elements, what)
    _check_line(points, what)
    nodes = _frames(
        points, tangents, _direction(up, tangents[0], what), number(twist, f"{what}: twist")
    )
    made = tuple(_element(a, b, section, beta) for a, b in zip(nodes, nodes[1:]))
    arguments = {"line": line, "elements": elements, "up": up, "twist": twist, "damping": damping}
    return {
        "section": section,
        "nodes": nodes,
        "elements": made,
        "properties": _mass(nodes, made, section),
        "arguments": arguments,
    }


def _along(line: Any, n: int, what: str) -> tuple[np.ndarray, np.ndarray]:
    """n + 1 points along a curve (a function of 0 .. 1) or through given points, and the tangents
    there.
    """
    s = np.linspace(0.0, 1.0, n + 1)
    if callable(line):
        return _of_curve(line, s, what)
    given = points(line, f"{what}: the line, if it is no function from 0 .. 1 to a point,")
    if len(given) < 2:
        raise ModelError(
            f"{what}: give two or more points (x, y, z), or a function from 0 .. 1 to a point, got "
            f"{short(line)}."
        )
    if len(given) == 2:
        return given[0] + np.outer(s, given[1] - given[0]), np.tile(given[1] - given[0], (n + 1, 1))
    chord = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(given, axis=0), axis=1))])
    if (np.diff(chord) <= 0.0).any():
        raise ModelError(f"{what}: two consecutive points coincide.")
    knots = chord / chord[-1]
    at = knots if len(given) == n + 1 else s
    k = np.clip(np.searchsorted(knots, at, "right") - 1, 0, len(knots) - 2)
    a, b, c, d = cubic_spline(knots, given)[:, k]
    u = (at - knots[k])[:, None]
    return ((a * u + b) * u + c) * u + d, (3.0 * a * u + 2.0 * b) * u + c


def _called(function: Callable, s: float, what: str) -> Any:
    """A function of the user at s, or a ModelError with what it raised."""
    try:
        return function(float(s))
    except Exception as error:
        raise ModelError(
            f"{what}: its function raised {type(error).__name__} at {s:g}: {error}."
        ) from error


def _of_curve(curve: Callable, s: np.ndarray, what: str) -> tuple[np.ndarray, np.ndarray]:
    h = 1e-4
    point = {u: numbers(_called(curve, u, what), 3, f"{what}: its curve at {u:g}") for u in s}
    slopes = []
    for u in s:  # of order four, inside the curve
        a = float(np.clip(u, 2 * h, 1 - 2 * h))
        f = [numbers(curve(a + k * h), 3, f"{what}: its curve") for k in (-2, -1, 0, 1, 2)]
        first = (f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * h)
        second, third = (
            (f[1] - 2 * f[2] + f[3]) / h**2,
            (f[4] - 2 * f[3] + 2 * f[1] - f[0]) / (2 * h**3),
        )
        slopes.append(first + (u - a) * second + 0.5 * (u - a) ** 2 * third)
    return np.array([point[u] for u in s]), np.array(slopes)


def _check_line(points: np.ndarray, what: str) -> None:
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    if steps.max(initial=0.0) == 0.0:
        raise ModelError(f"{what} has no length: its points coincide.")
    if steps.min() < 1e-9 * steps.sum():
        k = int(steps.argmin())
        raise ModelError(
            f"{what}: element {k} has no length; nodes {k} and {k + 1} coincide. "
            "Give points that advance along the beam."
        )
    if len(points) <= 400:
        apart = np.linalg.norm(points[:, None] - points[None], axis=2)
        apart[np.abs(np.subtract.outer(range(len(points)), range(len(points)))) < 2] = np.inf
        i, j = np.unravel_index(apart.argmin(), apart.shape)
        closed = {int(i), int(j)} == {0, len(points) - 1}
        if apart[i, j] < 1e-9 * steps.sum() and not closed:
            raise ModelError(
                f"{what}: the line intersects itself at nodes {min(i, j)} and {max(i, j)}. Use two "
                "beams with a joint there, or change the line."
            )


def usual_up(line: Any, elements: int, what: str) -> np.ndarray:
    """The direction of the section's z at the first node, where none is given."""
    return _direction(None, _along(line, elements, what)[1][0], what)


def _direction(up: Any, tangent: np.ndarray, what: str) -> np.ndarray:
    """The direction of the section's z, by default as near to world z as can be."""
    t = tangent / norm(tangent)
    if up is None:
        return np.array([0.0, 0.0, 1.0]) if abs(t[2]) < 0.9 else np.array([0.0, 1.0, 0.0])
    u = numbers(up, 3, f"{what}: up")
    if norm(np.cross(u, t)) <= 1e-9 * norm(u):
        raise ModelError(
            f"{what}: up {tuple(float(c) for c in u)} is parallel to the beam; it must point across it."
        )
    return u


def _frames(
    points: np.ndarray, tangents: np.ndarray, up: np.ndarray, twist: float
) -> tuple[Pose, ...]:
    """Frames along the line, each turned over from the last as little as possible, and twisted
    evenly.
    """
    found, z, before = [], up, tangents[0]
    for k, (p, slope) in enumerate(zip(points, tangents)):
        t = slope / norm(slope)
        if k > 0:
            axis, c = np.cross(before, t), float(product(before, t))
            z = z + np.cross(axis, z) + np.cross(axis, np.cross(axis, z)) / (1.0 + c)
        y = np.cross(z, t)
        y /= norm(y)
        z, before = np.cross(t, y), t
        a = twist * k / (len(points) - 1)
        found.append(
            Pose(np.column_stack([t, cos(a) * y + sin(a) * z, cos(a) * z - sin(a) * y]), p)
        )
    return tuple(found)


def _element(a: Pose, b: Pose, section: Section, damping: float) -> BeamElement:
    """Between two nodes; the length of its line is such that the drawn shape is not stretched."""
    chord = norm(b.p - a.p)
    length = chord * norm(reference_strain(a, b, chord)[:3])
    C, e0, T = (
        element_stiffness(section, length),
        reference_strain(a, b, length),
        shift(centre_of(section), length),
    )
    return BeamElement(
        length,
        C,
        e0,
        damping,
        section.mass * length / 12.0,
        section.inertia * length / 12.0,
        product(T.T, C, T),
        solve(T, e0),
    )


def centre_of(section: Section) -> np.ndarray:
    """The mass centre in the frame of a node."""
    return np.array([0.0, *section.centre])


def reference_strain(a: Pose, b: Pose, length: float) -> np.ndarray:
    """(gamma, length times curvature) between two nodes."""
    return strains(a.p, a.R, b.p, b.R, length)


def node_masses(elements: Sequence[BeamElement], section: Section) -> tuple[np.ndarray, np.ndarray]:
    """Mass and inertia (in its own axes) of every node: half of the elements on both sides."""
    share = np.zeros(len(elements) + 1)
    for k, element in enumerate(elements):
        share[k : k + 2] += 0.5 * element.length
    return section.mass * share, share[:, None, None] * section.inertia


def node_loads(beam: Beam, load: Any, what: str) -> np.ndarray:
    """Forces on the nodes (nodes, 3) of a load per length: three numbers, or a function of 0 .. 1
    along the beam.

    Between two nodes it is taken as linear; each has two thirds of its own part and a third of the
    other's.
    """
    lengths = np.array([e.length for e in beam.elements])
    along = np.concatenate([[0.0], np.cumsum(lengths)]) / lengths.sum()
    at = np.array(
        [
            numbers(
                _called(load, s, what) if callable(load) else load, 3, f"{what}: its load at {s:g}"
            )
            for s in along
        ]
    )
    forces = np.zeros_like(at)
    forces[:-1] += lengths[:, None] / 6.0 * (2.0 * at[:-1] + at[1:])
    forces[1:] += lengths[:, None] / 6.0 * (at[:-1] + 2.0 * at[1:])
    return forces


def _mass(
    nodes: tuple[Pose, ...], elements: Sequence[BeamElement], section: Section
) -> MassProperties:
    """Mass properties of all nodes and elements together."""
    m, J = node_masses(elements, section)
    p = np.array([X.p + product(X.R, centre_of(section)) for X in nodes])
    com = product(m, p) / m.sum()
    I = sum(product(X.R, j, X.R.T) for X, j in zip(nodes, J))
    masses = np.append(m, [-e.mass for e in elements])
    for mass, r in zip(masses, np.vstack([p - com, np.diff(p, axis=0)])):
        I = I + mass * (product(r, r) * np.eye(3) - np.outer(r, r))
    for a, b, e in zip(nodes, nodes[1:], elements):
        I = I - product(b.R - a.R, e.inertia, (b.R - a.R).T)
    return MassProperties(
        float(m.sum()), 0.5 * (I + I.T), com, {"-": tuple(nodes[0].p), "+": tuple(nodes[-1].p)}
    )


def sides_of(beam: Beam) -> tuple[float, float]:
    """Width and height as it is drawn: those of its section, or slender where that has none."""
    slender = 0.02 * beam.length
    return (
        beam.section.width or beam.section.height or slender,
        beam.section.height or beam.section.width or slender,
    )


def frame_at(body: Body, marker: Marker) -> tuple[int, Pose]:
    """The node that carries a marker on a beam, and the marker in its frame."""
    assert isinstance(body, Beam)
    k = body.nearest(marker.X_Bm.p)
    return k, body.nodes[k].inverse @ marker.X_Bm
