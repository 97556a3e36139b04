"""Hinge columns: motion of the child per unit of a joint velocity, about O in world axes."""

from ...kernel.algebra.spatial import join, store6
from ...kernel.algebra.vec3 import column, cross
from ...kernel.decorators import inline


@inline
def sliding(dof, a):
    """Translation along the direction a."""
    store6(dof.h, join((0.0, 0.0, 0.0), a))


@inline
def turning(dof, a, r):
    """Rotation about the axis a through the point at r from O."""
    store6(dof.h, join(a, cross(r, a)))


@inline
def spinning(first, R_WM, r_M, dofs):
    """Three columns from the first on: rotations about the axes of M, through its origin."""
    for k in range(3):
        turning(dofs[first + k], column(R_WM, k), r_M)
