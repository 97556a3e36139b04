"""Motions of a point on a plane whose solution is written down: a puck on a turntable, a block on a
slope.
"""

import numpy as np
import pytest

import kinetree as kt

RTOL = 1e-11
CLOSE = 1e-8  # local error 1e-11 over some thousand steps
WAYS = {"in the tree": {}, "cut": {"coordinates": "cartesian"}}
ways = pytest.mark.parametrize("way", WAYS)


def run(model, until, way):
    return kt.simulate(
        model, until, rtol=RTOL, output_interval=until / 50, progress=False, **WAYS[way]
    )


@ways
def test_a_puck_on_a_turntable_goes_straight_on(way):
    """Nothing holds it: seen from the table, p = R(-W t) (p0 + (v0 + W x p0) t)."""
    rate, p0, v0 = 1.5, np.array([0.3, 0.1]), np.array([0.2, -0.4])
    m = kt.Model("puck")
    table, puck = m.body("table", kt.cylinder(5.0, 1.0, 0.1)), m.body("puck", kt.sphere(0.2, 0.05))
    m.joint("hub", kt.Revolute(axis="z"), m.ground, table)
    m.constraint("motor", kt.Driver("hub.angle", kt.Ramp(rate)))
    m.joint(
        "P",
        kt.PointOnPlane(axis="z"),
        table,
        puck,
        start=dict(zip("xy", p0)),
        speed=dict(zip("xy", v0)),
    )
    sol = run(m, 1.0, way)
    straight = p0 + sol.t[:, None] * (v0 + rate * np.array([-p0[1], p0[0]]))
    c, s = np.cos(rate * sol.t), np.sin(rate * sol.t)
    np.testing.assert_allclose(sol["P.x"], c * straight[:, 0] + s * straight[:, 1], atol=CLOSE)
    np.testing.assert_allclose(sol["P.y"], c * straight[:, 1] - s * straight[:, 0], atol=CLOSE)
    np.testing.assert_allclose(sol["puck.position.z"], 0.0, atol=CLOSE)


@ways
def test_on_a_slope_the_point_is_held_along_the_normal_alone(way):
    """A ball on a slope: a = g sin(slope) down it, and the force m g cos(slope) along the normal."""
    slope = 0.5
    normal = np.array([np.sin(slope), 0.0, np.cos(slope)])
    m = kt.Model("slope")
    ball = m.body("ball", kt.sphere(2.0, 0.1))
    m.joint("P", kt.PointOnPlane(axis=tuple(normal)), m.ground, ball, speed={"wx": 1.0})
    sol = run(m, 1.0, way)
    down = np.array([np.cos(slope), 0.0, -np.sin(slope)])
    along = 0.5 * 9.81 * np.sin(slope) * sol.t**2
    np.testing.assert_allclose(sol["ball.position"], along[:, None] * down, atol=CLOSE)
    np.testing.assert_allclose(
        sol["P.force"], np.tile(2.0 * 9.81 * np.cos(slope) * normal, (len(sol.t), 1)), atol=CLOSE
    )
    np.testing.assert_allclose(sol["P.torque"], 0.0, atol=CLOSE)
