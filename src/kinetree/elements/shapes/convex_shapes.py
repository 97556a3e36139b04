"""Kernels of the convex shapes, by the kind that the pool has before the numbers of a shape.

core(tables, at, R, p, d, inset) -> point     farthest point of the core in the direction d
face(tables, at, R, p, d, out, row) -> count  vertices of the face that lies farthest in the
                                              direction d: 1 of a ball, 2 of a line
axis(tables, at, R, k, way) -> normal         normal k of its faces, of `axes(...)`
"""

from __future__ import annotations

from ...kernel.decorators import inline, internal_kernel, switch
from . import ball, box, capsule, cylinder, hull

CONVEX = (ball, capsule, box, cylinder, hull)  # the order of their kinds

_core = switch("_core", [m.core for m in CONVEX], "tables, at, R, p, d, inset")
_face = switch("_face", [m.face for m in CONVEX], "tables, at, R, p, d, out, row")
_axis = switch("_axis", [m.axis for m in CONVEX], "tables, at, R, k, way")
_axes = switch("_axes", [m.axes for m in CONVEX], "tables, at")
_round = switch("_round", [m.rounding for m in CONVEX], "tables, at")


@inline
def kind_at(tables, at):
    return int(tables.pool[at - 1])


@internal_kernel
def core(tables, at, R, p, d, inset):
    return _core(kind_at(tables, at), tables, at, R, p, d, inset)


@internal_kernel
def face(tables, at, R, p, d, out, row):
    return _face(kind_at(tables, at), tables, at, R, p, d, out, row)


@internal_kernel
def axis(tables, at, R, k, way):
    return _axis(kind_at(tables, at), tables, at, R, k, way)


@inline
def axes(tables, at):
    return _axes(kind_at(tables, at), tables, at)


@inline
def rounding(tables, at):
    """Distance of the surface from the core: the radius of a ball or a capsule."""
    return _round(kind_at(tables, at), tables, at)
