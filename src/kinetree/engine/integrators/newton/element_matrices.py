"""Matrices of the force elements of a tree, for the sweeps of an implicit step.

An element between a body i and its parent P gives four 6x6 matrices of each kind: (i, i) and (P, P)
add to those of the bodies, (i, P) and (P, i) are stored with i. All are about the origins of the
bodies, which move less than O; `matrix_about_O` moves them.

Entries of C and K: one number per joint velocity, then 108 per body with elements: (i, i), (i, P)
and (P, i). Lists (engine/sparsity/step_elements.py): what each element acts on and its two bodies,
then per body its place among the bodies with elements, or -1, and whether it is tied to its parent;
last the number of bodies with elements.
"""

from ....kernel.algebra.full_inertia import load36
from ....kernel.algebra.spatial import scale6
from ....kernel.decorators import inline
from ...dynamics.anchors import arm
from .matrix import BY_POSITION, BY_VELOCITY

OWN, BY_PARENT, OF_PARENT = 0, 36, 72  # matrices of a body with elements
PER_BODY = 108


@inline
def element_entry(lists, k):
    """(what, i, P) of element k."""
    return lists[3 * k], lists[3 * k + 1], lists[3 * k + 2]


@inline
def place_of(tables, lists, i):
    """Place of body i among those with elements, or -1, and whether it is tied to its parent."""
    first = 3 * tables.forces.shape[0] + 2 * i
    return lists[first], lists[first + 1]


@inline
def entries_of(tables, entries, place, which):
    """One of the matrices at a place, in C or K."""
    first = tables.settings[0].nv + PER_BODY * place + which
    return entries[first : first + 36]


@inline
def row_sum(b, s, other):
    """b + s other."""
    return (
        b[0] + s * other[0],
        b[1] + s * other[1],
        b[2] + s * other[2],
        b[3] + s * other[3],
        b[4] + s * other[4],
        b[5] + s * other[5],
    )


@inline
def row_about_O(b, r):
    """Row of a matrix that multiplies twists about the point r, for twists about O."""
    x, y, z = r
    return (
        b[0] + y * b[5] - z * b[4],
        b[1] + z * b[3] - x * b[5],
        b[2] + x * b[4] - y * b[3],
        b[3],
        b[4],
        b[5],
    )


@inline
def matrix_about_O(C, K, c, r_row, r_column):
    """c C + c^2 K for twists and wrenches about O.

    C and K take twists about the point r_column and give wrenches about the point r_row.
    """
    C, K = load36(C), load36(K)
    f_x = row_about_O(scale6(c, row_sum(C[18:24], c, K[18:24])), r_column)
    f_y = row_about_O(scale6(c, row_sum(C[24:30], c, K[24:30])), r_column)
    f_z = row_about_O(scale6(c, row_sum(C[30:36], c, K[30:36])), r_column)
    n_x = row_about_O(scale6(c, row_sum(C[0:6], c, K[0:6])), r_column)
    n_y = row_about_O(scale6(c, row_sum(C[6:12], c, K[6:12])), r_column)
    n_z = row_about_O(scale6(c, row_sum(C[12:18], c, K[12:18])), r_column)
    x, y, z = r_row
    return (
        row_sum(row_sum(n_x, y, f_z), -z, f_y)
        + row_sum(row_sum(n_y, z, f_x), -x, f_z)
        + row_sum(row_sum(n_z, x, f_y), -y, f_x)
        + f_x
        + f_y
        + f_z
    )


@inline
def tie(tables, work, run, i, which, c):
    """One of the matrices of the elements on body i, about O."""
    place, own, P = place_of(tables, run.lists, i)[0], arm(work.bodies[i]), tables.links[i].parent
    parent = arm(work.bodies[P])
    return matrix_about_O(
        entries_of(tables, run.entries[BY_VELOCITY], place, which),
        entries_of(tables, run.entries[BY_POSITION], place, which),
        c,
        parent if which == OF_PARENT else own,
        parent if which == BY_PARENT else own,
    )
