"""Nodal coordinates: every body and every node of a beam is free, and every joint is cut.

The lowered model has the user's rigid bodies, a body per node named "arm.0", "arm.1", ... , and one
force element per beam (elements/forces/beam.py). Joints, constraints and forces keep their names;
their markers are moved to the nodes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...core.checks import instance
from ...core.display import NameDict
from ...elements.forces.beam import BeamForce
from ...errors import ModelError
from ..beam import Beam, centre_of, frame_at, node_masses, sides_of
from ..between_nodes import warn_between_nodes
from ..body import Body, Marker
from ..look import Cylinder
from ..model import Element, Model
from ..shapes import MassProperties
from ..topology.tree import Tree, rooted
from .compiled import LoweredModel
from .lower import lower
from .trees import free_bodies, graph_of

COORDINATES = "nodes"


def beams_of(model: Model) -> tuple[Beam, ...]:
    return tuple(body for body in model.bodies.values() if isinstance(body, Beam))


def refuse_beams(model: Model, analysis: str, instead: str) -> None:
    """Raise an error if the model has beams, for analyses of rigid bodies only."""
    if beams_of(instance(model, Model, f"{analysis}: model")):
        names = ", ".join(repr(beam.name) for beam in beams_of(model))
        raise ModelError(
            f"{analysis} takes bodies as rigid, and {names} of model {model.name!r} is a beam. "
            f"{instead}"
        )


def with_nodes(model: Model) -> Model:
    """The model with one body per node in place of every beam."""
    where = f" in model {model.name!r}"
    bodies: dict[str, Body] = NameDict("body", where)
    forces: dict[str, Element] = NameDict("force", where)
    twin = model.variant(bodies=bodies, forces=forces)
    twin.origin = model
    for name, body in model.bodies.items():
        bodies.update(_nodes(body, twin) if isinstance(body, Beam) else {name: body})
    twin.joints = _renewed(
        model.joints, model, lambda s: replace(s, F=_moved(s.F, bodies), M=_moved(s.M, bodies))
    )
    for name, force in model.forces.items():
        forces[name] = replace(force, markers=tuple(_moved(m, bodies) for m in force.markers))
    twin.constraints = _renewed(
        model.constraints,
        model,
        lambda e: replace(e, markers=tuple(_moved(m, bodies) for m in e.markers)),
    )
    for beam in beams_of(model):
        markers = tuple(
            bodies[f"{beam.name}.{k}"].at(0.0, 0.0, 0.0) for k in range(len(beam.nodes))
        )
        forces[beam.name] = Element(beam.name, BeamForce(beam.elements, sides_of(beam)), markers)
    return twin


def _renewed(table: dict[str, Any], model: Model, change) -> dict[str, Any]:
    kind = {id(model.joints): "joint", id(model.constraints): "constraint"}[id(table)]
    found: dict[str, Any] = NameDict(kind, f" in model {model.name!r}")
    found.update({name: change(item) for name, item in table.items()})
    return found


def _nodes(beam: Beam, model: Model) -> dict[str, Body]:
    masses, inertias = node_masses(beam.elements, beam.section)
    centre = centre_of(beam.section)
    return {
        f"{beam.name}.{k}": Body(
            f"{beam.name}.{k}",
            MassProperties(float(m), J, centre, outline=_outline(beam, k)),
            model,
        )
        for k, (m, J) in enumerate(zip(masses, inertias))
    }


def _outline(beam: Beam, k: int) -> Cylinder:
    """Outline of a node: half of the elements on both sides, so that all nodes together show the
    deformed beam.
    """
    halves = [
        0.5 * beam.elements[e].length if 0 <= e < len(beam.elements) else 0.0 for e in (k - 1, k)
    ]
    return Cylinder(
        np.array([-halves[0], 0.0, 0.0]), np.array([halves[1], 0.0, 0.0]), 0.5 * max(sides_of(beam))
    )


def _moved(marker: Marker, bodies: dict[str, Body]) -> Marker:
    """The marker, moved from a beam to its nearest node."""
    if not isinstance(marker.body, Beam):
        return marker
    k, X = frame_at(marker.body, marker)
    return Marker(bodies[f"{marker.body.name}.{k}"], X)


def node_tree(model: Model) -> Tree:
    """The tree with a free joint per body and every joint cut."""
    graph = free_bodies(graph_of(model))
    return rooted(graph, set(range(len(graph.bodies))), "nodes")


def lower_nodes(model: Model) -> LoweredModel:
    """Lower a model in nodal coordinates; `resolve` makes it final."""
    warn_between_nodes(model)
    expanded = with_nodes(model)
    return lower(expanded, node_tree(expanded), COORDINATES)
