"""Lower cut joints and constraints to rows of g, force elements to records, and generated equations
to the addresses of their kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...elements.forces.catalogue import KIND
from ...errors import ModelError, counted
from ...kernel.tables.records import FORCE, MARKER
from ..body import Marker
from .compiled import JointPlace
from .states import first_state

if TYPE_CHECKING:
    from .lower import Lowering


def lower_cuts(to: Lowering) -> None:
    """Write the rows of g of all cut joints, and the sensors of their coordinates."""
    for edge in to.tree.cuts:
        spec = to.model.joints[edge.name]
        if spec.inertia:
            raise ModelError(_no_place_for_inertia(to, edge.name))
        place = to.places[edge.name] = to.place(spec)
        for label, sensor in zip(spec.joint.labels, spec.joint.sensors):
            to.frame_sensor(place, label, sensor)
        first = len(to.row_owner)
        for equations in spec.joint.cut:
            equations.lower(to, place)
        rows = tuple(range(first, len(to.row_owner)))
        if len(rows) != edge.equations:
            raise ModelError(
                f"joint {edge.name!r}: a {spec.joint.kind} joint has "
                f"{counted(edge.dofs, 'degree', 'degrees')} of freedom, so it needs "
                f"{counted(edge.equations, 'equation')} when it is cut, but its class has "
                f"{len(rows)}."
            )
        to.places[edge.name] = JointPlace(
            spec, place.i, place.j, place.X_iF, place.X_jM, rows=rows, turns=place.turns
        )


def _no_place_for_inertia(to: Lowering, name: str) -> str:
    """The error message about a cut joint whose coordinates have inertia."""
    why = (
        "which closes a loop and is cut"
        if to.coordinates == "relative"
        else f"which is no coordinate in {to.coordinates} coordinates"
    )
    advice = (
        "Leave it in the spanning tree, with m.cut(...) of another joint of the loop"
        if to.coordinates == "relative"
        else "Use coordinates=\"relative\" and an integrator such as 'adams'"
    )
    return (
        f"joint {name!r} has inertia=, {why}: the inertia has no place in the mass matrix. {advice}; "
        "or model the rotor as a body, with kt.Coupling between its angle and that of the joint."
    )


def lower_constraints(to: Lowering) -> None:
    """Let every constraint write its rows of g."""
    for element in to.model.constraints.values():
        before = len(to.row_owner)
        try:
            element.spec.lower(to, element.name, element.markers)
        except ModelError as error:
            raise type(error)(f"constraint {element.name!r}: {error}") from None
        if len(to.row_owner) == before:
            raise ModelError(
                f"constraint {element.name!r}: a {element.spec.kind} added no equation; its "
                "`lower` must add one with to.primitive(...) or to.relation(...)."
            )


def lower_forces(to: Lowering) -> None:
    """Let every force element write its record."""
    for element in to.model.forces.values():
        row = np.zeros(1, FORCE)[0]
        row["kind"], row["sensor"] = KIND[element.spec.kind], -1
        row["ix"] = first_state(to, element)
        row["im"], row["nm"] = _markers(to, element.markers), len(element.markers)
        try:
            element.spec.lower(row, to)
        except ModelError as error:
            raise type(error)(f"force {element.name!r}: {error}") from None
        to.rows["forces"].append(row)


def _markers(to: Lowering, markers: Sequence[Marker]) -> int:
    """Add markers to their table; return the index of the first."""
    first, bodies = len(to.rows["markers"]), [m.body for m in markers]
    for k, marker in enumerate(markers):
        row = np.zeros(1, MARKER)[0]
        row["body"], X = to.placed(marker)
        row["R"], row["p"], row["again"] = X.R.ravel(), X.p, marker.body in bodies[:k]
        to.rows["markers"].append(row)
    return first


def lower_generated(to: Lowering) -> np.ndarray | None:
    """Addresses of the kernels of generated equations, or None; their numbers come first in the
    pool.
    """
    generated = to.model.generated
    if generated is None:
        return None
    if to.coordinates != "relative":
        raise ModelError(
            f"model {to.model.name!r} has generated equations in relative coordinates: "
            f"coordinates={to.coordinates!r} is not possible."
        )
    return generated.lower(to)
