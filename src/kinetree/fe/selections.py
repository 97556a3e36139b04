"""Where a marker is tied to a part: nodes on cylinders, planes and spheres, in groups, or listed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..core.checks import items, number, numbers, whole, word
from ..errors import ModelError, no_such, short
from ..kernel.frames import unit_vector

if TYPE_CHECKING:
    from .part import Part

NEAR = 1e-3  # of the size of the part, or of the radius: curved faces of a mesh are off a cylinder


class Selection:
    """Some nodes of a part, by cylinder, plane, group or number; lengths are in the unit of the mesh.

    Examples
    --------
    >>> import kinetree as kt
    >>> isinstance(kt.fe.plane((0, 0, 0), "x"), kt.fe.Selection)
    True
    """

    def center(self, X: np.ndarray) -> np.ndarray:
        """The point of the marker if none is given: the middle of the nodes."""
        return 0.5 * (X.min(0) + X.max(0))

    def rows(self, part: Part, X: np.ndarray) -> np.ndarray:
        """Rows of the nodes; X are the nodes in the unit of the mesh."""
        raise NotImplementedError


@dataclass(frozen=True)
class Cylinder(Selection):
    """Nodes on a cylinder; `cylinder` makes it."""

    point: tuple[float, ...]
    axis: tuple[float, ...]
    radius: float
    length: float | None
    tolerance: float | None

    def rows(self, part: Part, X: np.ndarray) -> np.ndarray:
        away = X - np.array(self.point)
        along = away @ np.array(self.axis)
        radial = np.linalg.norm(away - along[:, None] * np.array(self.axis), axis=1)
        near = self.radius * 1e-2 if self.tolerance is None else self.tolerance
        inside = np.abs(radial - self.radius) <= near
        if self.length is not None:
            inside &= np.abs(along) <= 0.5 * self.length + near
        return np.flatnonzero(inside)

    def center(self, X: np.ndarray) -> np.ndarray:
        """On the axis, in the middle of the nodes."""
        axis, point = np.array(self.axis), np.array(self.point)
        along = (X - point) @ axis
        return point + 0.5 * (along.min() + along.max()) * axis


@dataclass(frozen=True)
class Plane(Selection):
    """Nodes in a plane; `plane` makes it."""

    point: tuple[float, ...]
    normal: tuple[float, ...]
    tolerance: float | None

    def rows(self, part: Part, X: np.ndarray) -> np.ndarray:
        size = np.linalg.norm(np.ptp(X, axis=0))
        near = NEAR * size if self.tolerance is None else self.tolerance
        return np.flatnonzero(np.abs((X - np.array(self.point)) @ np.array(self.normal)) <= near)


@dataclass(frozen=True)
class Group(Selection):
    """A named group of nodes or faces of the mesh."""

    name: str

    def rows(self, part: Part, X: np.ndarray) -> np.ndarray:
        if self.name not in part.groups:
            raise no_such("group", self.name, part.groups, f" in the mesh of part {part.name!r}")
        return part.groups[self.name]


@dataclass(frozen=True)
class Nodes(Selection):
    """Nodes by their numbers in the mesh."""

    numbers: tuple[int, ...]

    def rows(self, part: Part, X: np.ndarray) -> np.ndarray:
        row = {int(k): i for i, k in enumerate(part.numbers)}
        missing = [k for k in self.numbers if k not in row]
        if missing:
            raise ModelError(
                f"part {part.name!r} has no node {missing[0]}; its nodes are numbered from "
                f"{part.numbers.min()} to {part.numbers.max()}."
            )
        return np.array([row[k] for k in self.numbers], int)


@dataclass(frozen=True)
class Interface:
    """A selection with the point of its marker and its tie; `kt.fe.interface` makes it.

    Parameters
    ----------
    selection : Selection
        The nodes.
    at : tuple of 3 floats, optional
        Point of the marker, in the unit of the mesh.
    tie : {"rigid", "mean"}, default "rigid"
        How the marker is tied to the nodes.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.fe.interface([1, 2, 3, 4], tie="mean").selection
    Nodes(numbers=(1, 2, 3, 4))
    """

    selection: Selection
    at: tuple[float, ...] | None = None
    tie: str = "rigid"


def cylinder(
    point: Any,
    axis: Any,
    radius: float,
    length: float | None = None,
    tolerance: float | None = None,
) -> Cylinder:
    """Select the nodes on a cylinder: a hole or a pin.

    Parameters
    ----------
    point : sequence of 3 floats
        A point of the axis, in the unit of the mesh. With `length`, its middle.
    axis : str or sequence of 3 floats
        Direction of the axis: "x", "y", "z" or a vector.
    radius : float
        Radius, in the unit of the mesh.
    length : float, optional
        Length along the axis; all along it by default.
    tolerance : float, optional
        Distance from the cylinder within which a node is on it; 1 % of the radius by default.

    Returns
    -------
    Selection
        The marker is on the axis, in the middle of the nodes.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.fe.cylinder((0, 0, 0), "z", radius=25.0).radius
    25.0
    """
    return Cylinder(
        _point(point, "cylinder: point"),
        tuple(unit_vector(axis, "cylinder: axis").tolist()),
        number(radius, "cylinder: radius", positive=True),
        None if length is None else number(length, "cylinder: length", positive=True),
        None if tolerance is None else number(tolerance, "cylinder: tolerance", positive=True),
    )


def plane(point: Any, normal: Any, tolerance: float | None = None) -> Plane:
    """Select the nodes in a plane: a flange or an end face.

    Parameters
    ----------
    point : sequence of 3 floats
        A point of the plane, in the unit of the mesh.
    normal : str or sequence of 3 floats
        Direction of its normal: "x", "y", "z" or a vector.
    tolerance : float, optional
        Distance from the plane within which a node is in it; 0.1 % of the size of the part by
        default.

    Returns
    -------
    Selection
        The marker is in the middle of the nodes.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.fe.plane((0, 0, 0), "x").normal
    (1.0, 0.0, 0.0)
    """
    return Plane(
        _point(point, "plane: point"),
        tuple(unit_vector(normal, "plane: normal").tolist()),
        None if tolerance is None else number(tolerance, "plane: tolerance", positive=True),
    )


def interface(selection: Any, at: Any = None, tie: Literal["rigid", "mean"] = "rigid") -> Interface:
    """Say where the marker of some nodes is, and how it is tied to them.

    Parameters
    ----------
    selection : Selection, str or sequence of int
        A cylinder or plane, the name of a group of the mesh, or numbers of nodes.
    at : sequence of 3 floats, optional
        Point of the marker, in the unit of the mesh.
    tie : {"rigid", "mean"}, default "rigid"
        "rigid": the nodes move as one rigid body with the marker (RBE2), as around a pressed pin.
        "mean": the marker follows the mean motion of the nodes, which it does not stiffen (RBE3),
        as for loads that are spread over a face.

    Returns
    -------
    Interface
        An entry of the markers of `part.reduce`.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.fe.interface("face", tie="mean").tie
    'mean'
    """
    if word(tie, "interface: tie") not in ("rigid", "mean"):
        raise ModelError(f"interface: tie must be 'rigid' or 'mean', got {short(tie)}.")
    return Interface(
        selection_of(selection, "interface"),
        None if at is None else _point(at, "interface: at"),
        tie,
    )


def interface_of(value: Any, what: str) -> Interface:
    return value if isinstance(value, Interface) else Interface(selection_of(value, what))


def selection_of(value: Any, what: str) -> Selection:
    if isinstance(value, Selection):
        return value
    if isinstance(value, str):
        return Group(value)
    if isinstance(value, Iterable) and not isinstance(value, (Mapping, bytes, bytearray)):
        given = items(value, what, "numbers of nodes")
        return Nodes(tuple(whole(k, f"{what}: number of a node") for k in given))
    raise ModelError(
        f"{what}: expected kt.fe.cylinder(...), kt.fe.plane(...), the name of a group of the mesh, or "
        f"numbers of nodes, got {short(value)}."
    )


def chosen(part: Part, selection: Selection, name: str) -> np.ndarray:
    """Rows of the selected nodes; an empty selection is refused with what is near."""
    rows = np.unique(selection.rows(part, part.X / part.scale))
    if len(rows):
        return rows
    X = part.X / part.scale
    low, high = (", ".join(f"{x:.4g}" for x in end(0)) for end in (X.min, X.max))
    raise ModelError(
        f"marker {name!r} of part {part.name!r} has no nodes: none is on the {_words(selection)}. "
        f"The part extends from ({low}) to ({high}) {part.unit}; lengths are in this unit."
        + (f" Groups of the mesh: {', '.join(part.groups)}." if part.groups else "")
    )


def _words(selection: Selection) -> str:
    if isinstance(selection, Cylinder):
        return f"cylinder of radius {selection.radius:g} through {selection.point}"
    if isinstance(selection, Plane):
        return f"plane through {selection.point}"
    return "list" if isinstance(selection, Nodes) else "group"


def _point(value: Any, what: str) -> tuple[float, ...]:
    return tuple(numbers(value, 3, what).tolist())
