"""Flexible bodies of a model: reduced parts (description/reduced), with joints and forces at markers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..core.checks import mapping
from ..core.quantities import Rotation
from ..errors import ModelError, no_such, short
from ..kernel.frames import Pose, number, numbers, rotation_matrix
from ..kernel.linalg import norm
from .body import Body, Marker
from .names import check_name
from .reduced.reduced_part import ReducedPart
from .shapes import MassProperties

NEAR = (
    1e-6  # distance from a marker of the part, relative to the size of the part, that is rounding
)


@dataclass(frozen=True, eq=False)
class FlexibleBody(Body):
    """A flexible body of a model: a reduced part whose modes are coordinates of the model.

    Made by `Model.flexible`. It has the attributes and methods of `Body`. Joints, constraints and
    forces act at the markers of the part.

    Attributes
    ----------
    part : ReducedPart
        The reduced part.
    start : dict of str to float
        Initial values of modal coordinates (m), where they were given.
    speed : dict of str to float
        Initial rates of modal coordinates (m/s), where they were given.
    nodes : dict of str to int
        Named nodes, as rows of ``part.nodes``.
    source : str or None
        File of the part, where it was given by its path.

    Examples
    --------
    >>> from kinetree.models.flexible_crank import flexible_crank
    >>> flexible_crank().bodies["rod"].part.markers
    ('big', 'small')
    """

    part: ReducedPart = None  # type: ignore[assignment]
    start: dict[str, float] = field(default_factory=dict)  # of modal coordinates
    speed: dict[str, float] = field(default_factory=dict)
    nodes: dict[str, int] = field(default_factory=dict)  # rows of named nodes of its surface
    source: str | None = None  # the file of the part, if it was given by its path

    def at(self, x: Any, y: Any = None, z: Any = None, rotation: Rotation = None) -> Marker:
        """Return a marker of the part by its name.

        Parameters
        ----------
        x : str
            Name of the marker. Three coordinates of a marker (m) are also accepted.
        y, z : float, optional
            Remaining coordinates, if x is not a name.
        rotation : rotation matrix, quaternion or (str, angles), optional
            Rotation relative to the marker, or to the body if coordinates are given.

        Returns
        -------
        Marker
            The marker.

        Raises
        ------
        NameNotFound
            If the part has no such marker.

        Examples
        --------
        >>> from kinetree.models.flexible_crank import flexible_crank
        >>> flexible_crank().bodies["rod"].at("big")
        <marker on 'rod' at (0, 0, 0)>
        """
        if not isinstance(x, str):
            return Body.at(self, x, y, z, rotation)
        if x not in self.part.markers:
            raise no_such("marker", x, self.part.markers, f" on body {self.name!r}")
        R = rotation_matrix(rotation, f"body {self.name!r}: marker")
        return Marker(self, marker_pose(self.part, x) @ Pose(R, np.zeros(3)))

    def end(self, which: str) -> Marker:
        """Return a marker of the part by its name, as `at`.

        Parameters
        ----------
        which : str
            Name of the marker.

        Returns
        -------
        Marker
            The marker.

        Examples
        --------
        >>> from kinetree.models.flexible_crank import flexible_crank
        >>> flexible_crank().bodies["rod"].end("big")
        <marker on 'rod' at (0, 0, 0)>
        """
        return self.at(which)

    def __repr__(self) -> str:
        return (
            f"<flexible body {self.name!r}, {self.properties.mass:g} kg, {self.part.n} modes, "
            f"markers {', '.join(self.part.markers)}>"
        )


@dataclass(frozen=True, eq=False)
class FrameBody(Body):
    """A frame that stands for a part of a flexible body while the model is computed."""


@dataclass(frozen=True, eq=False)
class ModesBody(FrameBody):
    """The frame that carries the mass and the modes of a flexible body, with the part seen from it."""

    part: ReducedPart = None  # type: ignore[assignment]
    nodes: dict[str, int] = field(default_factory=dict)


def marker_pose(part: ReducedPart, name: str) -> Pose:
    """An undeformed marker in the frame of the part."""
    k = part.index(name)
    return Pose(np.array(part.rotations[k]), np.array(part.positions[k]))


def properties_of(part: ReducedPart) -> MassProperties:
    return MassProperties(float(part.mass), np.array(part.inertia), np.array(part.com))


def size_of(part: ReducedPart) -> float:
    """A length of the part: the largest distance of its markers, or its radius of gyration."""
    apart = float(np.linalg.norm(part.positions, axis=1).max(initial=0.0))
    return max(apart, float(np.sqrt(np.trace(part.A00) / part.mass)))


def marker_at(body: FlexibleBody, marker: Marker, what: str) -> tuple[str, Pose]:
    """The marker of the part at which a marker of the model is, and that marker in its axes."""
    part = body.part
    apart = [norm(p - marker.X_Bm.p) for p in part.positions]
    k = int(np.argmin(apart))
    if apart[k] > NEAR * size_of(part):
        raise ModelError(
            f"{what}: ({', '.join(f'{c:g}' for c in marker.X_Bm.p)}) is no marker of the flexible "
            f"body {body.name!r}. Joints and forces act at its markers {', '.join(part.markers)}: "
            f"use {body.name}.at({part.markers[0]!r}), or reduce the part with a marker there."
        )
    name = part.markers[k]
    return name, marker_pose(part, name).inverse @ marker.X_Bm


def checked_part(part: object, what: str) -> ReducedPart:
    """The part, read from a file if its path is given."""
    if isinstance(part, ReducedPart):
        if part.n == 0:
            raise ModelError(f"{what}: the part has no modes; use a rigid body.")
        return part
    if isinstance(part, str) or hasattr(part, "__fspath__"):
        from .reduced.storage import read

        return read(part)  # type: ignore[arg-type]
    raise ModelError(
        f"{what}: give a reduced part, from part.reduce(...) or kt.fe.open('rod.h5'), or the path of "
        f"its file, got {short(part)}."
    )


def checked_modes(
    part: ReducedPart, start: Any, speed: Any, what: str
) -> tuple[dict[str, float], dict[str, float]]:
    """Checked copies of given modal coordinates and of their rates."""
    labels = [f"mode{k}" for k in range(1, part.n + 1)]
    found = []
    for given, kind in ((start, "start"), (speed, "speed")):
        values = mapping({} if given is None else given, f"{what}: {kind}", "{'mode1': 0.001}")
        for label in values:
            if label not in labels:
                raise no_such("mode", label, labels, f" of {what}")
        found.append({k: number(x, f"{what}: {kind} of {k}") for k, x in values.items()})
    return found[0], found[1]


def checked_nodes(part: ReducedPart, nodes: Any, what: str) -> dict[str, int]:
    """Rows of named nodes of the surface, from their numbers in the mesh or from points."""
    found = {}
    for name, place in mapping(
        {} if nodes is None else nodes, f"{what}: nodes", "{'mid': 12}"
    ).items():
        label = f"{what}: node {check_name(name, 'node')!r}"
        if not len(part.nodes):
            raise ModelError(f"{label}: the part has no nodes of its surface.")
        if isinstance(place, (int, np.integer)):
            rows = np.flatnonzero(part.numbers == place)
            if not len(rows):
                raise ModelError(f"{label}: the surface has no node {place}.")
            found[name] = int(rows[0])
        else:
            p = numbers(place, 3, label)
            found[name] = int(np.argmin(((part.nodes - p) ** 2).sum(axis=1)))
    return found
