"""The structure of M and G: where their numbers lie when only those that can differ from zero are kept.

Unknowns u are the freedoms of the tree, or of bodies taken out of it (`plants/structure.py`). Rows of G come in groups, those of
one joint or constraint, which have the same unknowns in them, its support. A group has as many slots in the factorised matrix
as it can ever have independent rows; which of its rows are in them is decided while the machine moves.

Empty arrays where the equations are solved by dense algebra.
"""

from typing import NamedTuple

import numpy as np


class Structure(NamedTuple):
    """All lists; the last six are those of `num/elimination.py`."""

    u_first: np.ndarray  # (nb + 1,) first unknown of each body
    u_dof: np.ndarray  # (nu,) freedom that the unknown is, or -1 - axis of a body taken out of the tree
    u_up: np.ndarray  # (nu,) next unknown inboard, or -1
    u_body: np.ndarray  # (nu,)
    u_place: np.ndarray  # (nu,) position in the elimination
    m_first: np.ndarray  # (nu + 1,) packed M: unknown k with itself and all inboard of it
    m_at: np.ndarray  # where each entry lies in the matrix
    row_group: np.ndarray  # (nr,) group of each row
    group_first: np.ndarray  # (groups + 1,) first row of each group
    support_first: np.ndarray  # (groups + 1,)
    support: np.ndarray  # unknowns in the rows of a group
    g_first: np.ndarray  # (nr + 1,) packed G: a row over its support
    walk_first: np.ndarray  # (4 np + 1,) paths from the (up to four) bodies of a primitive towards the ground
    walk_u: np.ndarray  # unknowns on them
    walk_to: np.ndarray  # and their place in the support
    slot_first: np.ndarray  # (groups + 1,) first slot of each group
    slot_place: np.ndarray  # (slots,) position in the elimination
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


def empty_structure() -> Structure:
    """Of a machine solved by dense algebra."""
    return Structure(**{name: np.zeros(0, np.float64 if name == "pad" else np.int32 if name in _SHORT else np.int64)
                        for name in Structure._fields})
