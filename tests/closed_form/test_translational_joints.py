"""Two and three translations: tables and gantries, in the tree, against it and cut; thrown, and
driven.
"""

import numpy as np
import pytest

import kinetree as kt

GRAVITY = np.array([0.3, -0.4, -9.81])
TURN = ("zyx", (0.4, -0.3, 0.7))
JOINTS = (kt.PlanarTranslational("z", "x"), kt.SpatialTranslational("y", (0, 0, -1)))
each_joint = pytest.mark.parametrize("joint", JOINTS, ids=lambda joint: joint.kind)


def thrown(joint, start, speed, against=False) -> kt.Model:
    """A body on a joint whose frame is turned against the world; `against`: told from the body, the
    tree runs against it.
    """
    m = kt.Model("thrown", gravity=tuple(GRAVITY))
    ends = (
        m.ground.at(0.1, 0.2, 0.3, rotation=TURN),
        m.body("body", kt.box(2.0, (0.1, 0.2, 0.3))).at(0.05, 0.0, -0.02),
    )
    m.joint(
        "J",
        joint,
        *(ends[::-1] if against else ends),
        start=dict(zip(joint.labels, start)),
        speed=dict(zip(joint.labels, speed)),
    )
    return m


@each_joint
@pytest.mark.parametrize("way", ["along", "against", "cartesian"])
def test_a_body_falls_along_the_axes_it_is_free_to_move_along(joint, way):
    """x(t) = x0 + v0 t + (g . axis) t^2 / 2  along each axis, and nothing turns; seen from the body
    the ground falls up.
    """
    x0, v0 = np.array([0.2, -0.1, 0.4])[: joint.nq], np.array([1.0, 0.5, -0.7])[: joint.nq]
    m = thrown(joint, x0, v0, way == "against")
    sol = kt.simulate(
        m,
        0.5,
        rtol=1e-9,
        progress=False,
        coordinates="cartesian" if way == "cartesian" else "relative",
    )
    axes = m.ground.at(0, 0, 0, rotation=TURN).X_Bm.R @ joint.frame()
    g = (-1.0 if way == "against" else 1.0) * GRAVITY @ axes
    for k, label in enumerate(joint.labels):
        assert sol.unit(f"J.{label}") == "m"
        np.testing.assert_allclose(
            sol[f"J.{label}"], x0[k] + v0[k] * sol.t + g[k] * sol.t**2 / 2, atol=1e-9
        )
    assert np.abs(sol["body.angular_velocity"]).max() < 1e-12


@each_joint
@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_drivers_carry_the_body_and_feel_its_weight(joint, coordinates):
    """Effort of each driver: m (a - g . axis); the joint itself takes the moment of the weight
    about its frame.
    """
    m = thrown(joint, [0.0] * joint.nq, [0.0] * joint.nq)
    for k, label in enumerate(joint.labels):
        m.constraint(f"drive {label}", kt.Driver(f"J.{label}", kt.Sine(0.1 * (k + 1), 0.5)))
    sol = kt.simulate(m, 0.5, rtol=1e-9, progress=False, coordinates=coordinates)
    g = GRAVITY @ m.ground.at(0, 0, 0, rotation=TURN).X_Bm.R @ joint.frame()
    for k, label in enumerate(joint.labels):
        a = -0.1 * (k + 1) * np.pi**2 * np.sin(np.pi * sol.t)
        np.testing.assert_allclose(sol[f"drive {label}.force"], 2.0 * (a - g[k]), atol=1e-8)
