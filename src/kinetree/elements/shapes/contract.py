"""Shapes of bodies for contact.

A shape is described in the frame of its marker by a few numbers in the pool. Kernels of its module
get `tables` and `at`, the index of these numbers, and the rotation R and the position p of the marker
in world axes. Convex shapes have those of convex_shapes.py; from them follow the contacts with all
other convex shapes and with a half-space. catalogue.py lists the shapes and their pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...core.quantities import Place, UserClass


@dataclass(frozen=True)
class Shape(UserClass):
    """Base of the shapes for contact."""

    _shown = ("on",)
    kind: ClassVar[str]

    def on(self, place: Place) -> Placed:
        """Place the shape on a body.

        Parameters
        ----------
        place : Body or Marker
            The marker in whose frame the shape is described; a body stands for its origin.

        Returns
        -------
        Placed
            The shape with its place, for `Model.contact`.

        Examples
        --------
        >>> import kinetree as kt
        >>> m = kt.Model("ball")
        >>> ball = m.body("ball", kt.sphere(mass=1.0, radius=0.1))
        >>> kt.shapes.Ball(0.1).on(ball)
        Ball(radius=0.1) on <body 'ball', 1 kg>
        """
        return Placed(self, place)

    def mirrored(self, S: np.ndarray) -> tuple[Shape, np.ndarray | None]:
        """Return the shape in a mirror of signs S that turns the axes R of its marker to S R S, and a
        further rotation of the marker, if one is needed.
        """
        return self, None

    @property
    def numbers(self) -> tuple[float, ...]:
        """Its numbers in the pool."""
        raise NotImplementedError

    @property
    def thickness(self) -> float:
        """Half of its smallest dimension (m): contacts much shorter than this can be missed."""
        raise NotImplementedError

    @property
    def reach(self) -> float:
        """Largest distance of its points from the origin of its marker (m)."""
        raise NotImplementedError


@dataclass(frozen=True)
class Placed:
    """Shape on a body, made by `Shape.on`.

    Attributes
    ----------
    shape : Shape
        The shape.
    place : Body or Marker
        The body or the marker on which it lies.

    See Also
    --------
    kt.Model.contact : Contact between two placed shapes.

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("floor")
    >>> floor = kt.shapes.HalfSpace().on(m.ground)
    >>> floor.shape
    HalfSpace()
    """

    shape: Shape
    place: Place

    def __repr__(self) -> str:
        return f"{self.shape!r} on {self.place!r}"
