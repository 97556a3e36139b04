"""Tables without the rows of G that no velocity of the tree changes.

The tree can satisfy by itself what a row demands: a loop of parallel hinges stays in its plane, so
that of the five rows of the joint that closes it two are in use. A row that is zero at random
positions of the tree is zero at all of them, because it depends on the positions analytically. Two
points that coincide in a plane need two rows along directions in it, which body i carries.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...elements.constraints.catalogue import PRIMITIVE_KIND
from ...kernel.linalg import eigh, product
from ...kernel.tables.records import Tables, frozen
from ...kernel.tables.workspace import workspace
from ..dynamics.kinematics import positions
from .choice import sampled_rows
from .layout import to_fill
from .paths import Shape

ZERO = 1e-11  # part of the size of the model up to which entries of a row are rounding of zero
_POINT, _IN_PLANE = PRIMITIVE_KIND["point"], PRIMITIVE_KIND["in-plane"]


class UsedRows(NamedTuple):
    """The tables of a model with the rows in use, and the number of each of them before."""

    tables: Tables
    rows: np.ndarray


def with_used_rows(tables: Tables, q: np.ndarray) -> UsedRows:
    """Tables with the rows in use; q is any position of the model."""
    rows, work = _sampled(tables), workspace(tables, ())
    positions(tables, work, q)
    records, old = list[np.void](), list[int]()
    for p in tables.primitives.view(np.ndarray):
        used = _used(p, rows, ZERO * float(tables.settings[0]["length"]))
        for record, own in _records(p, used, work.bodies["R"][int(p["i"])].reshape(3, 3)):
            records.append(record)
            old += own
    found = np.array(old, np.int64)
    return UsedRows(frozen(_renumbered(tables, records, found)), found)


def _sampled(tables: Tables) -> list[np.ndarray]:
    """Every row at random positions, one after the other."""
    settings = tables.settings.copy()
    settings["sparse"] = 1
    trial = tables._replace(settings=settings, **to_fill(Shape(tables))._asdict())
    ends = trial.group_first.tolist()
    samples = [
        [row for c, (a, b) in enumerate(pairwise(ends)) for row in at[c].reshape(b - a, -1)]
        for at in sampled_rows(trial)
    ]
    return [np.concatenate(parts) for parts in zip(*samples)]


def _used(p: np.void, rows: list[np.ndarray], zero: float) -> list[int] | np.ndarray:
    """The rows of a primitive in use, or the directions of those of two points that coincide."""
    own = list(range(int(p["ig"]), int(p["ig"] + p["ng"])))
    if p["signal"] >= 0 or p["aim"] >= 0 or p["sensors"] > 0:
        return own
    used = np.array([np.abs(rows[r]).max(initial=0.0) > zero for r in own])
    if p["kind"] == _POINT:
        return (
            own
            if (axes := _directions(np.array([rows[r] for r in own]), used, zero)) is None
            else axes
        )
    return own if used.any() else []


def _directions(rows: np.ndarray, used: np.ndarray, zero: float) -> np.ndarray | None:
    """World directions in which two points move relative to each other; None: in all of them."""
    if not used.all():
        return np.eye(3)[used]
    across = eigh(product(rows, rows.T))[1]
    return across[:, 1:].T if np.abs(product(across[:, 0], rows)).max() <= zero else None


def _records(
    p: np.void, used: list[int] | np.ndarray, R_Wi: np.ndarray
) -> list[tuple[np.void, list[int]]]:
    """The records of the rows in use, each with its rows before."""
    if isinstance(used, list):
        return [(p.copy(), used)] if used else []
    found = []
    for k, direction in enumerate(used):
        record = p.copy()
        record["kind"], record["ng"], record["a_i"] = _IN_PLANE, 1, product(R_Wi.T, direction)
        found.append((record, [int(p["ig"]) + k]))
    return found


def _renumbered(tables: Tables, records: list[np.void], old: np.ndarray) -> Tables:
    """Tables with these primitives; rows, owners and paths get new numbers."""
    primitives = np.zeros(len(records), tables.primitives.dtype)
    rows = paths = 0
    first: dict[int, int] = {}
    for k, record in enumerate(records):
        primitives[k] = record
        own = primitives[k]
        own["ig"], own["path"] = rows, paths
        own["owner"] = first.setdefault(int(record["owner"]), rows)
        rows, paths = rows + int(own["ng"]), paths + 2 * max(1, int(own["sensors"]))
    settings = tables.settings.copy()
    settings["ng"], settings["paths"] = rows, paths
    return tables._replace(
        primitives=primitives.view(type(tables.primitives)),
        row_scale=np.array(tables.row_scale)[old],
        settings=settings,
    )
