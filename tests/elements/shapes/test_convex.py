"""Gaps of convex shapes against another algorithm: the largest separation over all directions."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import minimize

import kinetree as kt
from kinetree.elements.shapes.polytope import INSET
from kinetree.kernel.frames import rotation_matrix
from support.random_models import random_rotation

S = kt.shapes
WEDGE = (
    (0.0, 0.0, 0.0),
    (0.3, 0, 0),
    (0.3, 0, 0.2),
    (0, 0.25, 0),
    (0.3, 0.25, 0),
    (0.3, 0.25, 0.2),
)
CONVEX = {
    "ball": S.Ball(0.1),
    "capsule": S.Capsule(0.05, 0.2),
    "box": S.Box((0.2, 0.3, 0.1)),
    "cylinder": S.Cylinder(0.1, 0.15),
    "hull": S.Hull(np.array(WEDGE) - (0.15, 0.12, 0.08)),
}


def support(shape, d: np.ndarray) -> np.ndarray:
    """Largest n . x over the shape, for directions n = d in its own axes, in rows."""
    d = np.atleast_2d(d)
    across, size = np.hypot(d[:, 0], d[:, 1]), np.linalg.norm(d, axis=1)
    match shape:
        case S.Ball():
            return shape.radius * size
        case S.Capsule():
            return 0.5 * shape.length * abs(d[:, 2]) + shape.radius * size
        case S.Box():
            return 0.5 * np.abs(d) @ np.abs(shape.sides)
        case S.Cylinder():
            return shape.radius * across + 0.5 * shape.length * abs(d[:, 2])
    return (d @ shape.points.T).max(axis=1)


def separation(n, a, R_a, p_a, b, R_b, p_b) -> np.ndarray:
    n = np.atleast_2d(n) / np.linalg.norm(np.atleast_2d(n), axis=1)[:, None]
    return n @ (p_b - p_a) - support(a, n @ R_a) - support(b, -n @ R_b)


def largest_separation(*poses, searches: int = 0) -> float:
    """Distance of two convex sets, or minus the depth, by search over directions."""
    starts = np.random.default_rng(1).normal(size=(4000, 3))
    values = separation(starts, *poses)
    best = values.max()
    for k in np.argsort(-values)[:searches]:
        found = minimize(
            lambda n: -separation(n, *poses)[0],
            starts[k] / np.linalg.norm(starts[k]),
            method="Nelder-Mead",
            options={"xatol": 1e-10, "fatol": 1e-12, "maxiter": 1000},
        )
        best = max(best, -found.fun)
    return float(best)


def gap(a, R_a, p_a, b, R_b, p_b) -> float:
    m = kt.Model("pair", gravity=(0, 0, 0))
    body = m.body("b", kt.sphere(1.0, 0.1), position=p_b, rotation=R_b)
    m.float(body)
    place = m.ground.at(*p_a, rotation=R_a)
    m.contact("touch", a.on(place), b.on(body), kt.Contact(1.0))
    return float(kt.simulate(m, 1e-6)["touch.gap"][0])


@pytest.mark.parametrize("first, second", list(itertools.combinations_with_replacement(CONVEX, 2)))
def test_the_gap_is_the_largest_separation_over_all_directions(first, second):
    rng = np.random.default_rng(len(first) + 10 * len(second))
    a, b = CONVEX[first], CONVEX[second]
    for distance in (0.02, -0.001):
        R_a, R_b = random_rotation(rng), random_rotation(rng)
        p_a, way = rng.normal(size=3), rng.normal(size=3)
        way /= np.linalg.norm(way)
        # move b until the shapes are about as far apart as wanted
        p_b = p_a + 0.3 * way
        for _ in range(3):
            p_b = p_b + (distance - largest_separation(a, R_a, p_a, b, R_b, p_b)) * way
        expected = largest_separation(a, R_a, p_a, b, R_b, p_b, searches=3)
        found = gap(a, R_a, p_a, b, R_b, p_b)
        assert found <= expected + 1e-8  # Nelder-Mead stops within about 1e-10 of the maximum
        # edges and corners of cores are rounded by this
        rounded = isinstance(a, (S.Ball, S.Capsule)) or isinstance(b, (S.Ball, S.Capsule))
        allowed = 1e-8 if rounded else INSET * (a.thickness + b.thickness)
        assert found >= expected - allowed
        assert gap(b, R_b, p_b, a, R_a, p_a) == pytest.approx(
            found,
            abs=1e-8,  # directions along rims are found to about 1e-8
        )


@pytest.mark.parametrize("angle", [0.0, 0.2, 0.7, 1.3])
@pytest.mark.parametrize("name", ["box", "cylinder", "hull"])
def test_a_corner_on_a_face_has_the_gap_of_its_height(name, angle):
    shape = CONVEX[name]
    R = rotation_matrix(("yx", (angle, 0.3)), "R")
    low = support(shape, -R[2])[0]
    m = kt.Model("corner", gravity=(0, 0, 0))
    body = m.body("b", kt.sphere(1.0, 0.1), position=(0.2, 0.1, low - 1e-3), rotation=R)
    m.float(body)
    floor = S.Box((2.0, 2.0, 1.0)).on(m.ground.at(0, 0, -0.5))
    m.contact("touch", floor, shape.on(body), kt.Contact(1.0))
    assert kt.simulate(m, 1e-6)["touch.gap"][0] == pytest.approx(-1e-3, abs=1e-12)


def test_edges_of_two_boxes_that_cross_touch_at_one_place():
    m = kt.Model("crossing", gravity=(0, 0, 0))
    turned = ("zyx", (0.0, 0.0, math.pi / 4))  # an edge along x at the top
    other = ("ZYX", (math.pi / 2, 0.0, math.pi / 4))  # an edge along y at the bottom
    apart = math.sqrt(2.0) * 0.1
    body = m.body("b", kt.sphere(1.0, 0.1), position=(0, 0, apart - 1e-3), rotation=other)
    m.float(body)
    box = S.Box((0.4, 0.1, 0.1))
    m.contact("touch", box.on(m.ground.at(0, 0, 0, rotation=turned)), box.on(body), kt.Contact(1.0))
    sol = kt.simulate(m, 1e-6)
    assert sol["touch.gap"][0] == pytest.approx(apart - 1e-3 - math.sqrt(2.0) * 0.1, abs=1e-12)
    assert sol["touch.count"][0] == 1.0
