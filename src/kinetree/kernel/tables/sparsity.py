"""The structure of M and G: where their numbers lie when only those that can differ from zero are
kept.

Unknowns u are the freedoms of the tree, or the twists of bodies taken out of it, anchors
(`engine/sparsity/paths.py`). Rows of G come in groups, those of one joint or constraint, which have the same
unknowns in them, its support. A group has as many slots in the factorised matrix as it can ever
have independent rows; which of its rows are in them is decided while the machine moves. Behind all
these come the rows of the joints of anchors, which are always in use.

Empty arrays where the equations are solved by dense algebra.
"""

from typing import Any, NamedTuple

import numpy as np


class Structure(NamedTuple):
    """All lists; the last six are those of `kernel/algebra/symbolic_factorization.py`."""

    anchor: np.ndarray  # (nb,) number of the anchor that a body is, or -1; empty if there are none
    dual: (
        np.ndarray
    )  # (sensors,) row of `work.basis` that measures a coordinate of the joint of an anchor, or -1
    u_first: np.ndarray  # (nb + 1,) first unknown of each body
    u_dof: (
        np.ndarray
    )  # (nu,) its column in `work.dofs`: a freedom, or behind these one of the six of an anchor
    u_up: np.ndarray  # (nu,) next unknown inboard, or -1
    u_turns: np.ndarray  # (nu,) 1 if it is an angle, 0 if a travel
    u_floor: np.ndarray  # (nu,) inertia that is rounding of zero
    u_place: np.ndarray  # (nu,) position in the elimination
    m_first: np.ndarray  # (nu + 1,) packed M: unknown k with itself and all inboard of it
    m_at: np.ndarray  # where each entry lies in the matrix
    row_group: (
        np.ndarray
    )  # (nr,) group of each row; behind those of the constraints, those of the joints of anchors
    group_first: np.ndarray  # (groups + 1,) first row of each group
    support_first: np.ndarray  # (groups + anchors + 1,)
    support: np.ndarray  # unknowns in the rows of a group
    g_first: np.ndarray  # (nr + 1,) packed G: a row over its support
    # paths from the bodies of a primitive, or of each of its coordinates, towards the ground; of
    # anchors
    walk_first: np.ndarray
    walk_dof: np.ndarray  # columns of the unknowns on them
    walk_to: np.ndarray  # and their place in the support
    slot_first: np.ndarray  # (groups + 1,) first slot of each group
    slot_place: np.ndarray  # (slots,) position in the elimination; the last are of anchors
    at_first: np.ndarray  # (slots + 1,)
    g_at: np.ndarray  # where the entries of a slot lie in the matrix, over the support
    slot_at: np.ndarray  # (positions,) slot, or -1
    pad: np.ndarray  # (positions,) inertia that a freedom gets which has none
    kind: np.ndarray
    first: np.ndarray
    row: np.ndarray
    run_first: np.ndarray
    run_at: np.ndarray
    run_count: np.ndarray


_SHORT = ("row", "run_at", "run_count")  # the long lists
_REAL = ("u_turns", "u_floor", "pad")


def empty_structure() -> Structure:
    """Of a machine solved by dense algebra."""
    return Structure(
        **{
            name: np.zeros(
                0, np.float64 if name in _REAL else np.int32 if name in _SHORT else np.int64
            )
            for name in Structure._fields
        }
    )


def mass_pairs(structure: Any) -> tuple[np.ndarray, np.ndarray]:
    """The two unknowns of every number of packed M: each with itself and all inboard of it."""
    depth = np.diff(structure.m_first)
    own = np.repeat(np.arange(len(depth)), depth)
    up = own.copy()
    for level in range(1, int(depth.max(initial=0))):
        at = structure.m_first[:-1][depth > level] + level
        up[at] = structure.u_up[up[at - 1]]
    return own, up


def row_pairs(structure: Any) -> tuple[np.ndarray, np.ndarray]:
    """Row and unknown of every number of packed G."""
    row = np.repeat(np.arange(len(structure.row_group)), np.diff(structure.g_first))
    return row, supports(structure, structure.row_group)


def supports(structure: Any, groups: np.ndarray) -> np.ndarray:
    """The supports of these groups, one behind the other."""
    width = np.diff(structure.support_first)[groups]
    before = np.repeat(np.cumsum(width) - width, width)
    return structure.support[
        np.repeat(structure.support_first[groups], width) + np.arange(width.sum()) - before
    ]
