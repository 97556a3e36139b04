"""The sparsity pattern of M and G: the places of the entries that can differ from zero.

The unknowns u are the velocities of the tree, or the twists of bodies taken out of it, the anchors
(`engine/sparsity/paths.py`). The rows of one joint or constraint form a group; they have the same
unknowns, the support of the group. A group has as many slots in the factorized matrix as it can
have independent rows; the row selection assigns rows to them while the model moves. The slots of
the joints of anchors follow; their rows are always selected.

The arrays are empty if the equations are solved by dense algebra.
"""

from typing import Any, NamedTuple

import numpy as np


class Structure(NamedTuple):
    """All lists; the last six are those of `kernel/algebra/symbolic_factorization.py`."""

    # --- anchors and unknowns
    anchor: np.ndarray  # (nb,) number of the anchor that a body is, or -1; empty without anchors
    dual: np.ndarray  # (sensors,) row of `work.joint_wrenches` of a joint coordinate, or -1
    u_first: np.ndarray  # (nb + 1,) first unknown of each body
    u_dof: np.ndarray  # (nu,) column in `work.dofs`: a velocity, or after these one of an anchor
    u_up: np.ndarray  # (nu,) next unknown inboard, or -1
    u_turns: np.ndarray  # (nu,) 1 for a rotation, 0 for a displacement
    u_floor: np.ndarray  # (nu,) inertia that is rounding of zero
    u_place: np.ndarray  # (nu,) position in the elimination
    # --- packed M
    m_first: np.ndarray  # (nu + 1,) unknown k with itself and all inboard of it
    m_at: np.ndarray  # place of each entry in the matrix
    # --- packed G
    row_group: np.ndarray  # (nr,) group of each row; rows of constraints, then joints of anchors
    group_first: np.ndarray  # (groups + 1,) first row of each group
    support_first: np.ndarray  # (groups + anchors + 1,)
    support: np.ndarray  # unknowns in the rows of a group
    g_first: np.ndarray  # (nr + 1,) a row over its support
    # --- paths from the two bodies of a primitive, of each of its coordinates, or of an anchor,
    # towards the ground
    path_first: np.ndarray
    path_dof: np.ndarray  # columns of the unknowns on them
    path_to: np.ndarray  # and their place in the support
    # --- slots
    slot_first: np.ndarray  # (groups + 1,) first slot of each group
    slot_place: np.ndarray  # (slots,) position in the elimination; the last are of anchors
    at_first: np.ndarray  # (slots + 1,)
    g_at: np.ndarray  # places of the entries of a slot in the matrix, over the support
    slot_at: np.ndarray  # (positions,) slot, or -1
    pad: np.ndarray  # (positions,) inertia that is added to an unknown without inertia
    # --- elimination
    kind: np.ndarray
    first: np.ndarray
    row: np.ndarray
    run_first: np.ndarray
    run_at: np.ndarray
    run_count: np.ndarray


_SHORT = ("row", "run_at", "run_count")  # the long lists
_REAL = ("u_turns", "u_floor", "pad")


def empty_structure() -> Structure:
    """The pattern of a model that is solved by dense algebra."""
    return Structure(
        **{
            name: np.zeros(
                0, np.float64 if name in _REAL else np.int32 if name in _SHORT else np.int64
            )
            for name in Structure._fields
        }
    )


def mass_pairs(structure: Any) -> tuple[np.ndarray, np.ndarray]:
    """The two unknowns of every entry of packed M."""
    depth = np.diff(structure.m_first)
    own = np.repeat(np.arange(len(depth)), depth)
    up = own.copy()
    for level in range(1, int(depth.max(initial=0))):
        at = structure.m_first[:-1][depth > level] + level
        up[at] = structure.u_up[up[at - 1]]
    return own, up


def row_pairs(structure: Any) -> tuple[np.ndarray, np.ndarray]:
    """Row and unknown of every entry of packed G."""
    row = np.repeat(np.arange(len(structure.row_group)), np.diff(structure.g_first))
    return row, supports(structure, structure.row_group)


def supports(structure: Any, groups: np.ndarray) -> np.ndarray:
    """The supports of these groups, one after the other."""
    width = np.diff(structure.support_first)[groups]
    before = np.repeat(np.cumsum(width) - width, width)
    return structure.support[
        np.repeat(structure.support_first[groups], width) + np.arange(width.sum()) - before
    ]
