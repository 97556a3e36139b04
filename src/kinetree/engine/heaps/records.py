"""Records and arrays of a run with many contacts (engine/heaps/storage.py allocates them).

A *block* is a part of the model whose bodies are connected by joints or constraints: a free body, or
a machine. A free body has six unknowns, its twist about the common point O. The unknowns of a
machine are components along a basis of the velocities that its constraints allow (machines.py).
Shapes belong to sets; shapes of a set touch each other.
"""

import numpy as np

HEAP = np.dtype(
    # one record: counts of the present step, what must grow, constants of the model
    [
        ("pairs", "i8"),
        ("contacts", "i8"),
        ("old_pairs", "i8"),
        ("active", "i8"),  # blocks with contacts
        ("entries", "i8"),  # blocks of the matrix below its diagonal, ...
        ("numbers", "i8"),  # ... their numbers, ...
        ("updates", "i8"),  # ... and the updates of its factorization
        ("same", "i8"),  # 1: the pairs are those of the last step
        ("pattern", "i8"),  # 1: the pattern of the matrix is that of the pairs of the last step
        ("sorted", "i8"),  # 1: the pairs of the last step are in the table
        ("first", "i8"),  # 1: the first step of a run
        ("wanted", "i8", 4),  # pairs, contacts, numbers, updates that need more storage; 0: none
        ("direct", "i8"),  # 1: complete factorization, 0: conjugate gradients
        ("passes", "i8"),  # of the exact law of friction
        ("iterations", "i8"),
        ("products", "i8"),  # of conjugate gradients
        ("capped", "i8"),  # steps that did not converge
        ("O", "f8", 3),  # common point
        ("softness", "f8"),  # regularization, relative to the mobility of a contact
        ("fineness", "f8"),  # tolerance of the velocities, relative to g h
        ("tolerance", "f8"),
        ("deepest", "f8"),  # m
        ("residual", "f8"),  # of the last step, as a velocity
    ],
    align=True,
)

SHAPE = np.dtype(
    # one placed shape: numbers in the pool from `at` on, first state of its wrench, link of the grid
    [
        ("kind", "i8"),
        ("body", "i8"),
        ("at", "i8"),
        ("ix", "i8"),
        ("set", "i8"),
        ("large", "i8"),  # 1: a half-space, or much larger than the others: outside the grid
        ("next", "i8"),
        ("reach", "f8"),
        ("margin", "f8"),
        ("R_B", "f8", 9),
        ("p_B", "f8", 3),
        ("R", "f8", 9),
        ("p", "f8", 3),
        ("force", "f8", 6),  # mean wrench of the step about its origin, torque first
    ],
    align=True,
)

SET = np.dtype(
    # shapes first .. last - 1, large ones before `small`; first state of its totals, its force
    [
        ("first", "i8"),
        ("small", "i8"),
        ("last", "i8"),
        ("ix", "i8"),
        ("force", "i8"),
        ("friction", "f8"),
        ("restitution", "f8"),
        ("count", "f8"),
        ("normal", "f8"),
        ("sliding", "f8"),
        ("gap", "f8"),
        ("work", "f8"),
    ],
    align=True,
)

BLOCK = np.dtype(
    # `body` of a free body, else 0; n coordinates, of which the constraints leave m; first unknown;
    # places of its matrix and of its basis; its bodies, coordinates and primitives in `heap_lists`
    [
        ("body", "i8"),
        ("n", "i8"),
        ("m", "i8"),
        ("row", "i8"),
        ("at", "i8"),
        ("basis", "i8"),
        ("bodies", "i8"),
        ("n_bodies", "i8"),
        ("dofs", "i8"),
        ("primitives", "i8"),
        ("n_primitives", "i8"),
        ("mass", "f8"),
        ("position", "i8"),  # in the order of elimination, or -1
    ],
    align=True,
)

MEMBER = np.dtype(
    # one body: its block or -1, place of its Jacobian; twists about O: at the start of the step, at
    # its end without contacts, at its end, along a direction of search; impulse of the contacts
    [
        ("block", "i8"),
        ("jacobian", "i8"),
        ("touches", "i8"),
        ("mass", "f8"),
        ("center", "f8", 3),
        ("mobility", "f8", 9),  # inverse inertia in world axes, of a free body
        ("before", "f8", 6),
        ("free", "f8", 6),
        ("twist", "f8", 6),
        ("along", "f8", 6),
        ("push", "f8", 6),
        ("reach", "f8"),
    ],
    align=True,
)

PAIR = np.dtype(
    # shapes a and b that touch: their bodies and blocks, first contact, place in the matrix or -1
    [
        ("a", "i8"),
        ("b", "i8"),
        ("body_a", "i8"),
        ("body_b", "i8"),
        ("block_a", "i8"),
        ("block_b", "i8"),
        ("first", "i8"),
        ("entry", "i8"),
    ],
    align=True,
)

CONTACT = np.dtype(
    # p from O; axes: normal and two tangents; b: normal velocity wanted; c: tangential impulse of the
    # step before; slip: of the exact law; known: 1 if the contact existed before
    [
        ("p", "f8", 3),
        ("n", "f8", 3),
        ("t1", "f8", 3),
        ("t2", "f8", 3),
        ("gap", "f8"),
        ("kn", "f8"),
        ("kt", "f8"),
        ("ratio", "f8"),
        ("share", "f8"),
        ("b", "f8"),
        ("c1", "f8"),
        ("c2", "f8"),
        ("slip", "f8"),
        ("mu", "f8"),
        ("known", "f8"),
        ("u", "f8", 3),
        ("du", "f8", 3),
        ("g", "f8", 3),
    ],
    align=True,
)

OLD_PAIR = np.dtype([("a", "i8"), ("b", "i8"), ("first", "i8")], align=True)
OLD_CONTACT = np.dtype([("p", "f8", 3), ("f", "f8", 3)], align=True)
# a column of the matrix by its position: its first entry; block, first unknown, size and pivot
COLUMN = np.dtype(
    [("first", "i8"), ("block", "i8"), ("x", "i8"), ("m", "i8"), ("pivot", "i8")], align=True
)
# a block below the diagonal: its row, place of its numbers; first unknown and size of its row
ENTRY = np.dtype([("row", "i8"), ("at", "i8"), ("x", "i8"), ("m", "i8")], align=True)
# matrix entries (i, k), (j, k) and (i, j): the last one changes when k is eliminated
UPDATE = np.dtype([("ik", "i8"), ("jk", "i8"), ("ij", "i8")], align=True)

# rows of `heap_x`: the unknowns, gradient, right-hand side, step, and vectors of the iteration
Z, GRADIENT, STEP, P, R, DR, Q, DQ, T, DT = range(10)
VECTORS = 10
PAIRS, CONTACTS, NUMBERS, UPDATES = range(4)  # of `wanted`
