"""Reading a solution by the names of its joints and bodies, straight from sol.t and sol.y."""

from __future__ import annotations

import numpy as np

from kinetree.assembly.measure import joint_coordinates

from .machine import Machine


def _column(sol, coordinate: str, speeds: bool) -> np.ndarray:
    compiled = sol.assembly.compiled
    joint, label = coordinate.split(".")
    place = compiled.joints[joint]
    q, v, x = compiled.split(sol.y)
    if place.direct is None:
        assert not speeds
        at = place.spec.joint.labels.index(label)
        return (
            x[:, place.turns[label]]
            if label in place.turns
            else np.array([joint_coordinates(place, state.work)[at] for state in states(sol)])
        )
    names = place.spec.joint.speeds if speeds else place.spec.joint.labels
    at, link = names.index(label), compiled.tables.links[place.link]
    if place.reversed:
        at = place.direct[at]
    return v[:, link["iv"] + at] if speeds else q[:, link["iq"] + at]


def coordinate(sol, name: str) -> np.ndarray:
    """A joint coordinate such as "A.angle" over time."""
    return _column(sol, name, False)


def speed(sol, name: str) -> np.ndarray:
    """A joint speed such as "A.angle" or "ball.wx" over time."""
    return _column(sol, name, True)


def states(sol) -> list[Machine]:
    """The machine at every sample."""
    compiled = sol.assembly.compiled
    return [
        Machine(compiled, *(np.array(part) for part in compiled.split(y)), float(t))
        for t, y in zip(sol.t, sol.y)
    ]


def positions(sol, body: str) -> np.ndarray:
    """Position of a body's origin over time."""
    return np.array([state.pose(body).p for state in states(sol)])
