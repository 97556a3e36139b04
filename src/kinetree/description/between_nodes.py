"""Warning about joints and forces that act on a beam between two of its nodes.

A marker on a beam belongs to the nearest node and is connected to it by a rigid arm. Offsets across
the beam are intended, such as a bracket. An offset along the beam stiffens it and moves the load.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

from .beam import Beam, frame_at
from .body import Marker
from .model import Model

_FAR = 0.05  # offset along the beam, as a part of the next element, that matters


class BetweenNodes(UserWarning):
    """Warning about an element that acts on a beam between two of its nodes."""


def warn_between_nodes(model: Model) -> None:
    """Warn about the joint, constraint or force that is farthest from its node, if one is far."""
    found = [one for what, marker in _markers(model) if (one := _offset(what, marker)) is not None]
    if not found:
        return
    offset, what, beam, k = max(found, key=lambda one: one[0])
    warnings.warn(
        f"{what} acts on beam {beam.name!r} between two nodes: {offset:.3g} m along the beam from node "
        f"{k}, to which a rigid arm connects it. Choose elements= so that a node is there, or use "
        f"{beam.name}.node(k).",
        BetweenNodes,
        stacklevel=2,
    )


def _markers(model: Model) -> Iterator[tuple[str, Marker]]:
    """Elements with their markers; a joint with six degrees of freedom transmits no force."""
    for name, joint in model.joints.items():
        if joint.joint.nv < 6:
            yield from ((f"joint {name!r}", marker) for marker in (joint.F, joint.M))
    for kind, elements in (("constraint", model.constraints), ("force", model.forces)):
        for name, element in elements.items():
            yield from ((f"{kind} {name!r}", marker) for marker in element.markers)


def _offset(what: str, marker: Marker) -> tuple[float, str, Beam, int] | None:
    """The offset along the beam with its element, beam and node; None if it is small."""
    if not isinstance(marker.body, Beam):
        return None
    beam = marker.body
    k, X = frame_at(beam, marker)
    along = float(X.p[0])
    element = beam.elements[min(max(k if along > 0.0 else k - 1, 0), len(beam.elements) - 1)]
    return (abs(along), what, beam, k) if abs(along) > _FAR * element.length else None
