"""Outlines as triangles, polygons and pixels, with known volumes, areas and depths."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kinetree.description import look
from kinetree.viewer.pack import form, packed
from kinetree.viewer.polygon import rounded, triangulated
from kinetree.viewer.raster import covered, rasterised
from kinetree.viewer.triangles import AROUND, surface, tube

L_SHAPE = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 3), (0, 3)], float)  # area 4
# area of the polygon drawn for a circle, relative to that of the circle
ROUND = AROUND / (2 * math.pi) * math.sin(2 * math.pi / AROUND)


def lifted(flat, tilt=0.4):
    """Points of a plane in space."""
    return np.column_stack([flat[:, 0], math.cos(tilt) * flat[:, 1], math.sin(tilt) * flat[:, 1]])


def volume(s) -> float:
    a, b, c = (s.corners[s.triangles[:, k]] for k in range(3))
    return float(np.einsum("ni,ni->", a, np.cross(b, c)) / 6.0)


@pytest.mark.parametrize(
    "shape, expected",
    [
        (look.Cylinder((1, 2, 3), (1, 2, 5), 0.5), ROUND * math.pi * 0.25 * 2),
        (look.Cylinder((1, 2, 3), (0, 2, 3), 0.5, inner=0.3), ROUND * math.pi * (0.25 - 0.09)),
        (look.Cylinder((0, 0, 0), (0, 0, 3), 1.0, top=0.0), ROUND * math.pi),
        (look.Box((1, 2, 3), (4, 5, 6), ("zyx", [0.3, 0.4, 0.5])), 6.0),
        (look.Plate(lifted(L_SHAPE), 0.5), 2.0),
        (look.Plate(lifted(L_SHAPE[::-1]), 0.5), 2.0),
    ],
)
def test_the_surface_of_an_outline_encloses_its_volume_and_faces_outward(shape, expected):
    s = surface(shape)
    assert_allclose(volume(s), expected, rtol=1e-9)
    faces = s.corners[s.triangles]
    normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    drawn = np.linalg.norm(normals, axis=1) > 1e-12
    assert np.all(np.einsum("ni,nki->nk", normals, s.normals[s.triangles])[drawn] > 0.0)


def test_a_sphere_of_triangles_is_nearly_a_sphere():
    s = surface(look.Sphere(2.0, (1, 0, 0)))
    assert_allclose(np.linalg.norm(s.corners - (1, 0, 0), axis=1), 2.0, rtol=1e-12)
    assert 0.93 < volume(s) / (4 / 3 * math.pi * 8) < 1.0  # inscribed, ten rows of twenty


def test_a_tube_along_a_line_is_a_prism():
    s = tube(np.linspace((0, 0, 0), (0, 3, 4), 6), 0.5, around=6)
    # the ends are open, but lie in planes: one through the origin, one 5 m away
    open_ends = volume(s)
    cap = 6 * 0.5 * 0.25 * math.sin(math.pi / 3) * 5 / 3
    assert_allclose(open_ends + cap, 6 * 0.5 * 0.25 * math.sin(math.pi / 3) * 5, rtol=1e-9)


@pytest.mark.parametrize(
    "ring", [L_SHAPE, L_SHAPE[::-1], np.array([(0, 0), (4, 0), (4, 3), (2, 0.5), (0, 3)], float)]
)
def test_triangles_fill_a_polygon_without_overlap(ring):
    plate = look.Plate(lifted(ring), 0.1)
    triangles = triangulated(plate.ring, plate.normal)
    a, b, c = (plate.ring[triangles[:, k]] for k in range(3))
    pieces = 0.5 * np.cross(b - a, c - a) @ plate.normal
    x, y = ring.T
    area = 0.5 * abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))
    assert np.all(pieces > 0.0)
    assert len(triangles) == len(ring) - 2
    assert_allclose(pieces.sum(), area, rtol=1e-12)


def test_a_rounded_ring_keeps_its_distance_from_a_convex_one():
    square = look.Plate(lifted(np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)), 0.1, round=0.2)
    ring = rounded(square)
    inside = square.ring.mean(axis=0)
    nearest = np.array([min(np.linalg.norm(p - q) for q in square.ring) for p in ring])
    assert_allclose(nearest, 0.2, rtol=1e-12)
    assert np.all(np.linalg.norm(ring - inside, axis=1) > 0.5 * math.sqrt(2))


def test_packed_numbers_are_restored_to_half_a_step():
    import base64

    values = np.random.default_rng(1).normal(size=(50, 3)) * (1.0, 1e-6, 1e6)
    values[:, 1] = 7.0  # a constant column
    p = packed(values)
    whole = np.frombuffer(base64.b64decode(p["data"]), "<u2").reshape(-1, 3)
    assert np.all(
        np.abs(p["low"] + whole * np.array(p["step"]) - values)
        <= 0.51 * np.array(p["step"]) + 1e-8 * np.abs(values)
    )


def test_numbers_that_are_not_finite_are_refused():
    with pytest.raises(ValueError, match="finite"):
        packed(np.array([1.0, np.nan]))


def test_every_outline_has_a_form_for_the_page():
    for shape in (
        look.Cylinder((0, 0, 0), (0, 0, 1), 0.1),
        look.Sphere(1.0),
        look.Box((1, 1, 1)),
        look.Plate(lifted(L_SHAPE), 0.1),
        look.Mesh(np.eye(3), [[0, 1, 2]]),
    ):
        assert form(shape)["kind"] == type(shape).__name__.lower()


def flat_triangle(x, y, depth):
    return np.column_stack([x, y, np.full(3, depth)])


def test_a_triangle_covers_the_pixels_whose_center_is_inside():
    # right angle, legs of ten, counterclockwise as seen
    points = np.array([(2.0, 2.0, 0.0), (2.0, 12.0, 0.0), (12.0, 12.0, 0.0)])
    found = rasterised(points, np.array([[0, 1, 2]]), 20, 20)
    x, y = found.pixel % 20, found.pixel // 20
    expected = {
        (i, j)
        for i in range(20)
        for j in range(20)
        if 2 < i + 0.5 and j + 0.5 < 12 and i + 0.5 <= j + 0.5
    }
    assert set(zip(x.tolist(), y.tolist())) == expected
    assert not len(rasterised(points, np.array([[2, 1, 0]]), 20, 20).pixel)  # seen from behind
    assert covered(points, np.array([[2, 1, 0]]), 20, 20).sum() == len(expected)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_nearest_triangle_is_visible(order):
    near = flat_triangle([0, 0, 9], [0, 9, 9], 1.0)
    far = flat_triangle([0, 0, 20], [0, 20, 20], 2.0)
    pieces = [(near, far)[k] for k in order]
    found = rasterised(np.concatenate(pieces), np.array([[0, 1, 2], [3, 4, 5]]), 20, 20)
    at = dict(zip(found.pixel.tolist(), found.triangle.tolist()))
    assert at[5 * 20 + 2] == order.index(0)
    assert at[15 * 20 + 2] == order.index(1)


def test_depth_is_interpolated_over_a_triangle():
    points = np.array([(0.0, 0.0, 0.0), (0.0, 16.0, 16.0), (16.0, 16.0, 32.0)])  # depth x + y
    found = rasterised(points, np.array([[0, 1, 2]]), 16, 16)
    x, y = found.pixel % 16 + 0.5, found.pixel // 16 + 0.5
    assert_allclose(found.depth[found.pixel], x + y, rtol=1e-6)  # single precision
    assert_allclose(found.weights.sum(axis=1), 1.0, rtol=1e-12)
    assert_allclose(np.einsum("nk,k->n", found.weights, points[:, 0]), x, atol=1e-9)
