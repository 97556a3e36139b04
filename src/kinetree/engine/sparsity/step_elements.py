"""What each force element of an open tree acts on, for steps by articulated bodies.

One sweep over the tree solves the equations of a step (integrators/newton/articulated_step.py) if
each element acts on one joint coordinate, on one body, or on a body and its parent. Elements
between other bodies, elements with states of their own and outputs of controllers couple more.
"""

from __future__ import annotations

import numpy as np

from ...elements.joints.sensors import TREE, TURN_X
from ...kernel.tables.records import Tables

NOTHING, ON_JOINT, ON_BODIES = range(3)  # what an element acts on


def element_lists(tables: Tables) -> np.ndarray | None:
    """Lists for `element_matrices.py`, or None if an element couples more than one body."""
    links, sensors = tables.links.view(np.ndarray), tables.sensors.view(np.ndarray)
    counted = int((sensors["kind"] >= TURN_X).sum())  # states on which nothing depends
    if int(tables.settings[0]["ng"]) or int(tables.settings[0]["nx"]) > counted:
        return None
    elements = [_acts_on(tables, force, links) for force in tables.forces.view(np.ndarray)]
    if not all(elements):
        return None
    found = np.array([e for e in elements if e], np.int64).reshape(-1, 3)
    on_bodies = found[found[:, 0] == ON_BODIES]
    bodies = np.zeros((len(links), 2), np.int64)
    bodies[:, 0] = -1
    moved = np.unique(on_bodies[:, 1:])
    moved = moved[moved > 0]
    bodies[moved, 0] = np.arange(len(moved))
    bodies[on_bodies[on_bodies[:, 2] > 0, 1], 1] = 1
    return np.concatenate([found.ravel(), bodies.ravel(), [len(moved)]])


def _acts_on(tables: Tables, force: np.void, links: np.ndarray) -> tuple[int, int, int] | None:
    """What an element acts on, a body, and its parent if it is tied to it; None: something else."""
    if (force["input"] < 0).any():
        return None
    markers = tables.markers.view(np.ndarray)["body"]
    ends = {int(b) for b in markers[force["im"] : force["im"] + force["nm"]]}
    if force["sensor"] >= 0:
        sensor = tables.sensors.view(np.ndarray)[int(force["sensor"])]
        if sensor["kind"] == TREE:
            return None if ends else (ON_JOINT, 0, 0)
        ends |= {int(sensor["i"]), int(sensor["j"])}
    ends -= {0}
    if not ends:
        return NOTHING, 0, 0
    body, parent = max(ends), min(ends)
    if len(ends) == 1:
        return ON_BODIES, body, 0
    tied = len(ends) == 2 and int(links[body]["parent"]) == parent
    return (ON_BODIES, body, parent) if tied else None
