"""Arrays of a run with many contacts: found from the tables, allocated, and enlarged between chunks."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...elements.shapes.manifold import COLUMNS, ROWS
from ...kernel.decorators import table
from ...kernel.tables.records import Tables
from .blocks import block_records, joined_bodies, place_jacobians, shape_records
from .collide import BALL
from .groups import groups_of
from .records import (
    BLOCK,
    COLUMN,
    CONTACT,
    ENTRY,
    HEAP,
    MEMBER,
    OLD_CONTACT,
    OLD_PAIR,
    PAIR,
    SET,
    SHAPE,
    UPDATE,
    VECTORS,
)

COMPLETE = 200  # blocks up to which the matrix is factorized completely
FEW = 60  # blocks up to which contacts are hardest
HARD, MIDDLE, SOFT = 1e-4, 1e-2, 0.1  # regularization, relative to the mobility of a contact
FINE, COARSE = 5e-5, 5e-4  # tolerance of the velocities, relative to g h
SCRATCH = 12  # points of a clipped face, at most
CELLS = 8  # of the grid, per shape
GROWTH = 1.5


class ContactArrays(NamedTuple):
    """The arrays of a run with many contacts; names as in `RunArrays`."""

    heap: np.ndarray
    heap_shapes: np.ndarray
    heap_sets: np.ndarray
    heap_blocks: np.ndarray
    heap_members: np.ndarray
    heap_touching: np.ndarray  # bodies that have shapes
    heap_joined: np.ndarray  # (n, 2) bodies that never touch, the lower index first
    heap_lists: np.ndarray  # bodies, coordinates and primitives of the machines
    heap_local: np.ndarray  # per coordinate, its index in its machine
    heap_cells: np.ndarray  # first shape in each cell, or -1
    heap_scratch: np.ndarray  # polygons of two boxes
    heap_places: np.ndarray  # places of a pair of other shapes
    heap_pairs: np.ndarray
    heap_contacts: np.ndarray
    heap_old_pairs: np.ndarray
    heap_old_contacts: np.ndarray
    heap_slots: np.ndarray  # pairs of the last step by their shapes
    heap_columns: np.ndarray  # in the order of elimination
    heap_entries: np.ndarray
    heap_updates: np.ndarray
    heap_update_first: np.ndarray
    heap_adjacent: np.ndarray
    heap_marks: np.ndarray
    heap_x: np.ndarray  # vectors of unknowns
    heap_mass: np.ndarray  # of free bodies
    heap_basis: np.ndarray  # of machines
    heap_jacobians: np.ndarray
    heap_composite: np.ndarray  # (bodies, 21) composite inertias of machines
    heap_row: np.ndarray  # (nv,) one row of G
    heap_scale: np.ndarray  # diagonal of M^-1 of a machine
    heap_work: np.ndarray  # mass matrix of a machine
    heap_small: np.ndarray
    heap_stiffness: np.ndarray
    heap_pivots: np.ndarray
    heap_below: np.ndarray
    heap_factor: np.ndarray


def no_arrays() -> ContactArrays:
    """Arrays of a run without contacts; they define the types."""
    whole, numbers = np.zeros(0, np.int64), np.zeros(0)
    return ContactArrays(
        heap=table(HEAP, 0),
        heap_shapes=table(SHAPE, 0),
        heap_sets=table(SET, 0),
        heap_blocks=table(BLOCK, 0),
        heap_members=table(MEMBER, 0),
        heap_touching=whole,
        heap_joined=np.zeros((0, 2), np.int64),
        heap_lists=whole,
        heap_local=whole,
        heap_cells=whole,
        heap_scratch=np.zeros((0, SCRATCH, 3)),
        heap_places=np.zeros((0, COLUMNS)),
        heap_pairs=table(PAIR, 0),
        heap_contacts=table(CONTACT, 0),
        heap_old_pairs=table(OLD_PAIR, 0),
        heap_old_contacts=table(OLD_CONTACT, 0),
        heap_slots=whole,
        heap_columns=table(COLUMN, 0),
        heap_entries=table(ENTRY, 0),
        heap_updates=table(UPDATE, 0),
        heap_update_first=whole,
        heap_adjacent=np.zeros((0, 0), np.int64),
        heap_marks=np.zeros((0, 0), np.int64),
        heap_x=np.zeros((0, 0)),
        heap_mass=numbers,
        heap_basis=numbers,
        heap_jacobians=numbers,
        heap_composite=np.zeros((0, 21)),
        heap_row=numbers,
        heap_scale=numbers,
        heap_work=numbers,
        heap_small=numbers,
        heap_stiffness=numbers,
        heap_pivots=numbers,
        heap_below=numbers,
        heap_factor=numbers,
    )


def arrays_of(tables: Tables) -> ContactArrays:
    """The arrays of a run of a model."""
    groups = groups_of(tables)
    shapes, sets = shape_records(groups)
    blocks, members, lists, local = block_records(tables, shapes)
    machine, n = blocks.view(np.ndarray)["body"] == 0, blocks.view(np.ndarray)["n"]
    whole = table(HEAP, 1)
    whole[0]["direct"] = len(blocks) <= COMPLETE
    whole[0]["softness"], whole[0]["fineness"] = accuracy(blocks, shapes)
    unknowns, numbers = int(n.sum()), int((n * n).sum())
    largest = int(n.max(initial=6))
    count = len(shapes)
    square = len(blocks) if whole[0]["direct"] else 0
    start = no_arrays()._replace(
        heap=whole,
        heap_shapes=shapes,
        heap_sets=sets,
        heap_blocks=blocks,
        heap_members=members,
        heap_touching=np.unique(shapes.view(np.ndarray)["body"]),
        heap_joined=joined_bodies(tables),
        heap_lists=lists,
        heap_local=local,
        heap_cells=np.full(CELLS * count + 64, -1),
        heap_scratch=np.zeros((3, SCRATCH, 3)),
        heap_places=np.zeros((ROWS, COLUMNS)),
        heap_columns=table(COLUMN, len(blocks) + 1),
        heap_update_first=np.zeros(len(blocks) + 1, np.int64),
        heap_adjacent=np.zeros((square, square), np.int64),
        heap_marks=np.zeros((4, len(blocks) + 1), np.int64),
        heap_x=np.zeros((VECTORS, unknowns)),
        heap_mass=np.zeros(numbers),
        heap_basis=np.zeros(int((n * n)[machine].sum())),
        heap_jacobians=np.zeros(place_jacobians(blocks, members, lists)),
        heap_composite=np.zeros((len(tables.links) if machine.any() else 0, 21)),
        heap_row=np.zeros(len(tables.dof_parent)),
        heap_scale=np.zeros(unknowns),
        heap_work=np.zeros(largest * largest),
        heap_small=np.zeros(largest * largest),
        heap_stiffness=np.zeros(36),
        heap_pivots=np.zeros(numbers),
    )
    return sized(start, 4 * count + 16, 8 * count + 64, 36 * (4 * count + 16), 16 * count + 64)


class ContactLayout(NamedTuple):
    """What the arrays of a run are made from; in place of the matrix of an implicit method."""

    tables: Tables
    newton: int = -1  # the arrays of a run are its own
    per_jacobian: float = 0.0
    per_factors: float = 0.0

    def arrays(self) -> ContactArrays:
        """New arrays for a run."""
        return arrays_of(self.tables) if groups_of(self.tables) else no_arrays()


def contact_layout(tables: Tables) -> Any:
    """The layout of a model, in place of that of a matrix."""
    return ContactLayout(tables)


def accuracy(blocks: np.ndarray, shapes: np.ndarray) -> tuple[float, float]:
    """Regularization and tolerance of a model.

    The depth of a contact is about g h^2 times the regularization times the load in weights of the
    lower body. A small value costs iterations where many contacts change, and nothing at rest.
    """
    if len(blocks) <= FEW:
        return HARD, FINE
    mass = blocks.view(np.ndarray)["mass"]
    kinds = shapes.view(np.ndarray)["kind"]
    soft = SOFT if (kinds == BALL).sum() > 0.5 * len(kinds) else MIDDLE
    return max(HARD, soft * float(mass.min() / mass.max())), COARSE


def sized(
    old: ContactArrays, pairs: int, contacts: int, numbers: int, updates: int
) -> ContactArrays:
    """The arrays with room for so many pairs, contacts, numbers of the matrix, and updates."""
    slots = 64
    while slots < 2 * pairs:
        slots *= 2
    direct = bool(old.heap[0]["direct"])
    return old._replace(
        heap_pairs=_longer(old.heap_pairs, PAIR, pairs + 1),
        heap_contacts=_longer(old.heap_contacts, CONTACT, contacts),
        heap_old_pairs=_longer(old.heap_old_pairs, OLD_PAIR, pairs + 1),
        heap_old_contacts=_longer(old.heap_old_contacts, OLD_CONTACT, contacts),
        heap_slots=np.full(slots, -1),
        heap_entries=table(ENTRY, numbers // 36 + 1),
        heap_updates=table(UPDATE, updates if direct else 0),
        heap_below=np.zeros(numbers),
        heap_factor=np.zeros(max(numbers if direct else 0, len(old.heap_pivots))),
    )


def _longer(old: np.ndarray, dtype: np.dtype, count: int) -> np.ndarray:
    """A longer table with the same first records."""
    if len(old) >= count:
        return old
    new = table(dtype, count)
    new[: len(old)] = old
    return new


def grown(arrays: Any) -> Any:
    """The arrays of a run, larger where the last step found no room; the pattern is found again."""
    heap = arrays.heap[0]
    wanted = heap["wanted"].copy()
    room = (
        len(arrays.heap_pairs) - 1,
        len(arrays.heap_contacts),
        len(arrays.heap_below),
        len(arrays.heap_updates),
    )
    pairs, contacts, numbers, updates = (
        int(GROWTH * want) + 16 if want else have for want, have in zip(wanted, room)
    )
    heap["wanted"], heap["pattern"], heap["sorted"] = 0, 0, 0
    here = ContactArrays(**{name: getattr(arrays, name) for name in ContactArrays._fields})
    new = sized(here, pairs, max(contacts, 2 * pairs), numbers, updates)
    return arrays._replace(**new._asdict())
