"""Equations that come with a model, in place of those of its bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...errors import ModelError

if TYPE_CHECKING:
    from .lower import Lowering


def lower_generated(to: Lowering) -> np.ndarray | None:
    """Where the kernels of generated equations lie, if the model has some; their numbers come first
    in the pool.
    """
    generated = to.model.generated
    if generated is None:
        return None
    if to.coordinates != "relative":
        raise ModelError(
            f"model {to.model.name!r} has generated equations, in the coordinates of its joints: "
            f"coordinates={to.coordinates!r} is not possible."
        )
    for name, spec in to.model.joints.items():
        if len(spec.joint.parameters):
            raise ModelError(
                f"model {to.model.name!r} has generated equations, which know no {spec.joint.kind} "
                f"joints: joint {name!r}."
            )
    return generated.lower(to)
