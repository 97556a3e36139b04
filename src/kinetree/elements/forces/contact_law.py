"""Laws of contact: force elements between two shapes, which `Model.contact` gives to them."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from ...errors import ModelError
from ..shapes.catalogue import Pair, kernel_of, pair_of, stored
from ..shapes.contract import Shape
from ..shapes.manifold import ROWS
from .contact_motion import FLAT, SLIDING, STRAIGHT
from .contract import Force

SHORT = (
    1e-3  # of the thickness of a shape: grazing contacts shallower than 1e-7 of it can be missed
)


def motion_of(pair: Pair) -> int:
    """How the gap of a pair changes when the shapes move, a number of contact_motion.py."""
    return STRAIGHT if pair.straight else FLAT if pair.flat else SLIDING


@dataclass(frozen=True)
class ContactLaw(Force):
    """Base of the laws of contact. `shapes` are those of its two markers."""

    markers = (2, 2)
    _internal = ("shapes", "between", "pair", "lower_pair")

    shapes: tuple[Shape, Shape] | None = field(default=None, init=False, repr=False)

    def between(self, a: Shape, b: Shape) -> Self:
        """Return the law for contact of two shapes; raise an error if it cannot act between them."""
        pair_of(a, b)
        law = copy.copy(self)
        object.__setattr__(law, "shapes", (a, b))
        return law

    @property
    def pair(self) -> tuple[Pair, bool, Shape, Shape]:
        """The pair, whether its shapes are exchanged, and the shapes in its own order."""
        if self.shapes is None:
            name = type(self).__name__
            raise ModelError(
                f"a kt.{name} acts between two shapes: add it with m.contact(name, "
                f"kt.shapes.HalfSpace().on(m.ground), kt.shapes.Ball(0.1).on(body), kt.{name}(...))."
            )
        a, b = self.shapes
        pair, swapped = pair_of(a, b)
        return (pair, True, b, a) if swapped else (pair, False, a, b)

    def lower_pair(self, row, to, numbers: Sequence[float]) -> None:
        """Write the numbers of a law into the record, then those of contact_motion.py."""
        pair, swapped, a, b = self.pair
        first, second = stored(a), stored(b)
        least = SHORT * min(a.thickness, b.thickness)
        apart = a.reach + b.reach if a.reach and b.reach else 0.0
        row["mode"], row["count"], to.touch = kernel_of(pair), len(numbers), ROWS
        row["first"] = to.pool(
            [*numbers, least, a.reach + b.reach, apart, motion_of(pair), swapped, len(first)]
        )
        to.pool([*first, *second])

    @property
    def kinks(self) -> Sequence[tuple[str, float]]:
        return (("gap", 0.0),)

    def mirrored(self, S: np.ndarray) -> Self:
        return self  # the shapes and their markers are mirrored themselves
