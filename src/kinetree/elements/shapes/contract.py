"""Shapes of bodies for contact.

A shape is described in the frame of its marker by a few numbers in the pool. Its kernels return
points and normals in world axes; R and p are the rotation and the position of the marker:

    support(tables, at, R, p, d, k) -> point          the point of place k that lies farthest in the
                                                      direction d: one place for a ball, eight for a box
    nearest(tables, at, R, p, x)    -> gap, normal    signed distance of a point x from the surface,
                                                      and the outward normal there

`at` is the index of the numbers of the shape in the pool. From these two kernels per shape follow
the contacts of all shapes with a half-space and with a ball (pairs.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from ...core.quantities import UserClass


@dataclass(frozen=True)
class Shape(UserClass):
    """Base of the shapes for contact."""

    kind: ClassVar[str]

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


class Entry(NamedTuple):
    """One line of the catalogue: the class, its kernels, and the number of its places."""

    shape: type[Shape]
    support: Callable | None
    nearest: Callable | None
    places: int = 1
