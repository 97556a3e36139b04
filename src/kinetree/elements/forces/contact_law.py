"""Laws of contact: force elements between two shapes, which `Model.contact` gives to them."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from ...errors import ModelError
from ..shapes.catalogue import PAIRS, Pair, pair_of
from ..shapes.contract import Shape
from .contract import Force


@dataclass(frozen=True)
class ContactLaw(Force):
    """Base of the laws of contact. `shapes` are those of its two markers."""

    markers = (2, 2)
    _internal = ("shapes", "between", "pair", "places")

    shapes: tuple[Shape, Shape] | None = field(default=None, init=False, repr=False)

    def between(self, a: Shape, b: Shape) -> Self:
        """Return the law for contact of two shapes; raise an error if it cannot act between them."""
        pair_of(a, b)
        law = copy.copy(self)
        object.__setattr__(law, "shapes", (a, b))
        return law

    @property
    def pair(self) -> tuple[int, bool, Shape, Shape]:
        """Number of the pair, whether its shapes are exchanged, and its shapes in its own order."""
        if self.shapes is None:
            name = type(self).__name__
            raise ModelError(
                f"a kt.{name} acts between two shapes: add it with m.contact(name, "
                f"kt.shapes.HalfSpace().on(m.ground), kt.shapes.Ball(0.1).on(body), kt.{name}(...))."
            )
        a, b = self.shapes
        kind, swapped = pair_of(a, b)
        return (kind, True, b, a) if swapped else (kind, False, a, b)

    @property
    def places(self) -> int:
        """Number of places at which the shapes can touch."""
        return self.kernels.places

    @property
    def kernels(self) -> Pair:
        return PAIRS[self.pair[0]]

    @property
    def kinks(self) -> Sequence[tuple[str, float]]:
        return (("gap", 0.0),)

    def mirrored(self, S: np.ndarray) -> Self:
        return self  # the shapes and their markers are mirrored themselves
