"""Wheels and roads are drawn: each road once, as far as the wheels go; wheels of bodies without a
look of their own.
"""

import numpy as np

import kinetree as kt
from kinetree.description.look import Mesh
from kinetree.viewer.colours import ROAD
from kinetree.viewer.scene import scene_of_model


def cart(road: kt.Road, look=None):
    m = kt.Model("cart")
    body = m.body("body", kt.mass(10.0, (1, 1, 1)), position=(0, 0, 0.3), look=look)
    m.float(body)
    for name, x in (("front", 1.0), ("rear", -1.0)):
        m.force(name, kt.Wheel(0.3, 1e5, road=road), body.at(x, 0, 0))
    return m


def surfaces(scene) -> list[Mesh]:
    return [
        solid.shape
        for solid in scene.solids
        if solid.on == 0 and isinstance(solid.shape, Mesh) and solid.paint == ROAD
    ]


def test_an_uneven_road_is_drawn_once_with_its_obstacles():
    (surface,) = surfaces(scene_of_model(cart(kt.Road(obstacles=[kt.roads.HalfRound(1.5, 0.2)]))))
    assert surface.corners[:, 0].min() < -3.0 and surface.corners[:, 0].max() > 3.0
    assert abs(surface.corners[:, 2].max() - 0.2) < 0.01  # lifted by a few millimetres


def test_a_flat_road_lies_just_above_the_floor():
    scene = scene_of_model(cart(kt.Road(-0.2)))
    (surface,) = surfaces(scene)
    assert (
        np.allclose(surface.corners[:, 2], -0.2, atol=0.005)
        and -0.23 < scene.floor < surface.corners[:, 2].min()
    )


def test_wheels_are_drawn_where_their_body_is_not():
    names = [thing.name for thing in scene_of_model(cart(kt.Road())).things]
    assert "front" in names and "rear" in names
    own = scene_of_model(cart(kt.Road(), look=kt.look.Box((2.0, 1.0, 0.5))))
    assert "front" not in [thing.name for thing in own.things]
    assert np.isfinite(own.hull).all()
