"""Bodies and the markers on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ..core.quantities import Rotation
from ..errors import no_such
from ..kernel.frames import IDENTITY, Pose, numbers, rotation_matrix
from ..kernel.linalg import product
from .look import Outline
from .shapes import MassProperties

if TYPE_CHECKING:
    from .model import Model


@dataclass(frozen=True, slots=True)
class Marker:
    """A frame on a body.

    Made by `Body.at`, `Body.end` and `Body.point`.

    Attributes
    ----------
    body : Body
        The body.
    X_Bm : Pose
        Rotation and position (m) of the frame in body axes.

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("arm")
    >>> rod = m.body("rod", kt.rod(mass=1.0, length=0.5))
    >>> rod.end("+")
    <marker on 'rod' at (0.25, 0, 0)>
    """

    body: Body
    X_Bm: Pose

    def __repr__(self) -> str:
        return "<marker on {!r} at ({:g}, {:g}, {:g})>".format(self.body.name, *(self.X_Bm.p + 0.0))


@dataclass(frozen=True, eq=False, slots=True)
class Body:
    """A rigid body of a model, or its ground.

    Made by `Model.body`; ``model.ground`` is the ground.

    Attributes
    ----------
    name : str
        Its name.
    properties : MassProperties
        Mass, inertia, center of mass and shape.
    model : Model
        The model.
    pose : Pose or None
        Reference pose in world axes, where it was given.
    velocity : ndarray or None, shape (3,)
        Initial velocity of the origin in world axes (m/s), where it was given.
    angular_velocity : ndarray or None, shape (3,)
        Initial angular velocity in world axes (rad/s), where it was given.
    points : dict of str to tuple of float
        Named points in body axes (m).
    look : tuple
        Outlines that are drawn in place of its shape.
    placed : bool
        Whether its position was given, and not its rotation alone.

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("arm")
    >>> rod = m.body("rod", kt.rod(mass=1.0, length=0.5), points={"hook": (0.1, 0.0, -0.05)})
    >>> rod.point("hook")
    <marker on 'rod' at (0.1, 0, -0.05)>
    """

    name: str
    properties: MassProperties
    model: Model
    pose: Pose | None = None
    velocity: np.ndarray | None = None
    angular_velocity: np.ndarray | None = None
    points: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    look: tuple[Outline, ...] = ()  # instead of the outline of its shape
    placed: bool = True  # whether a position was given, not a rotation alone

    def at(self, x: float, y: float, z: float, rotation: Rotation = None) -> Marker:
        """Return a marker at a point of the body.

        Parameters
        ----------
        x, y, z : float
            Point in body axes (m).
        rotation : rotation matrix, quaternion or (str, angles), optional
            Rotation of the marker in body axes, as in `Model.body`; by default none.

        Returns
        -------
        Marker
            The marker.

        Examples
        --------
        >>> import kinetree as kt
        >>> kt.Model("arm").ground.at(1.0, 0.0, 0.0)
        <marker on 'ground' at (1, 0, 0)>
        """
        what = f"body {self.name!r}: marker"
        return Marker(self, Pose(rotation_matrix(rotation, what), numbers((x, y, z), 3, what)))

    def at_global(self, x: float, y: float, z: float) -> Marker:
        """Return a marker at a point of the drawing, given in world axes.

        Parameters
        ----------
        x, y, z : float
            Point in world axes in the reference pose of the body (m), as `at` of `Model.joint`.

        Returns
        -------
        Marker
            The marker.

        Examples
        --------
        >>> import kinetree as kt
        >>> m = kt.Model("arm")
        >>> rod = m.body("rod", kt.rod(mass=1.0, length=0.5), position=(0.25, 0.0, 1.0))
        >>> rod.at_global(0.5, 0.0, 1.0)
        <marker on 'rod' at (0.25, 0, 0)>
        """
        point = numbers((x, y, z), 3, f"body {self.name!r}: marker")
        pose = self.pose or IDENTITY
        return self.at(*product(pose.R.T, point - pose.p))

    def end(self, which: str) -> Marker:
        """Return a marker at an end of a rod, cylinder or beam.

        Parameters
        ----------
        which : {"-", "+"}
            The end at the negative or positive side of the axis.

        Returns
        -------
        Marker
            The marker.

        Raises
        ------
        NameNotFound
            If the shape has no such end.

        Examples
        --------
        >>> import kinetree as kt
        >>> m = kt.Model("arm")
        >>> rod = m.body("rod", kt.rod(mass=1.0, length=0.5, along="x"))
        >>> rod.end("-")
        <marker on 'rod' at (-0.25, 0, 0)>
        """
        ends = self.properties.ends
        if not isinstance(which, str) or which not in ends:
            raise no_such("end", which, ends, f" on body {self.name!r}")
        return self.at(*ends[which])

    def point(self, name: str) -> Marker:
        """Return a marker at a named point.

        Parameters
        ----------
        name : str
            Name of the point, as given to `Model.body`.

        Returns
        -------
        Marker
            The marker.

        Raises
        ------
        NameNotFound
            If the body has no point of that name.

        Examples
        --------
        >>> import kinetree as kt
        >>> m = kt.Model("chair")
        >>> seat = m.body("seat", kt.box(5.0, (0.4, 0.4, 0.1)), points={"back": (-0.2, 0.0, 0.05)})
        >>> seat.point("back")
        <marker on 'seat' at (-0.2, 0, 0.05)>
        """
        if not isinstance(name, str) or name not in self.points:
            raise no_such("point", name, self.points, f" on body {self.name!r}")
        return self.at(*self.points[name])

    @property
    def is_ground(self) -> bool:
        """Whether this is the ground of its model."""
        return self.name == "ground"

    def __repr__(self) -> str:
        return f"<body {self.name!r}, {self.properties.mass:g} kg>"
