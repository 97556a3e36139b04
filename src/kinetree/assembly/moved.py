"""Sentences about bodies that do not start where they are drawn."""

from __future__ import annotations

from collections.abc import Mapping

from ..description.lowering.compiled import CompiledModel, LoweredModel
from ..description.lowering.flexible import beams_of

# rad, or relative to the model size: larger moves are reported first
FAR = 0.01
_ADVICE = (
    "The markers of a joint override the drawn position: correct the marker, for example "
    "m.ground.at(x, y, z), or give the joint the global point at=(x, y, z)."
)


def displacements(
    compiled: CompiledModel | LoweredModel,
    misplaced: Mapping[str, float],
    turned: Mapping[str, float],
    moved_by: Mapping[str, str],
) -> list[str]:
    """Each displaced body with its distance or angle, and the joint that moved it."""
    beams = {beam.name for beam in beams_of(compiled.model.origin or compiled.model)}
    parts = [
        (
            f"beam {name!r} is {distance:.3g} m from where it is drawn"
            if name in beams
            else f"body {name!r} is {distance:.3g} m from its position"
        )
        + _by(compiled, moved_by.get(name))
        for name, distance in misplaced.items()
    ]
    parts += [
        f"body {name!r} is turned by {angle:.3g} rad from its rotation"
        + _by(compiled, moved_by.get(name))
        for name, angle in turned.items()
    ]
    return parts


def is_far(
    compiled: CompiledModel | LoweredModel,
    misplaced: Mapping[str, float],
    turned: Mapping[str, float],
) -> bool:
    """Whether a body starts farther from its drawing than a hundredth of the size of the model."""
    length = float(compiled.tables.settings[0]["length"])
    return any(d > FAR * length for d in misplaced.values()) or any(
        angle > FAR for angle in turned.values()
    )


def moved_sentence(
    compiled: CompiledModel | LoweredModel,
    misplaced: Mapping[str, float],
    turned: Mapping[str, float],
    moved_by: Mapping[str, str],
) -> str:
    """The bodies that joints moved far from the drawing, with advice; empty if there are none."""
    if not is_far(compiled, misplaced, turned):
        return ""
    parts = displacements(compiled, misplaced, turned, moved_by)
    more = f" and {len(parts) - 4} more" if len(parts) > 4 else ""
    sentence = ", ".join(parts[:4])
    return f"{sentence[0].upper()}{sentence[1:]}{more}. {advice(compiled, moved_by)}".rstrip()


def advice(compiled: CompiledModel | LoweredModel, moved_by: Mapping[str, str]) -> str:
    """What to do if the markers of a joint overrode the drawing; empty otherwise."""
    return _ADVICE if any(name in compiled.joints for name in moved_by.values()) else ""


def _by(compiled: CompiledModel | LoweredModel, name: str | None) -> str:
    if name is None:
        return ""
    return f" (moved by {'joint' if name in compiled.joints else 'constraint'} {name!r})"
