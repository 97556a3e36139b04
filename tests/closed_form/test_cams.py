"""Cams with flat, roller and curved followers against the eccentric disc, which is known exactly.

    flat      R + e sin(a)
    roller    e sin(a) + sqrt((R + r)^2 - e^2 cos(a)^2)

The spline through n points of a circle of radius R is R h^4 / 384 off, h = 2 pi / n.
"""

import numpy as np
import pytest

import kinetree as kt

R, E, W, M = 0.03, 0.01, 5.0, 0.1
COUNT = 120
SPLINE = 5.0 * R * (2.0 * np.pi / COUNT) ** 4 / 384.0


def disc(radius, shift=0.0, count=COUNT):
    a = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    return np.column_stack([radius * np.cos(a) + shift, radius * np.sin(a)])


def valve(follower, start, **more):
    m = kt.Model("valve", gravity=(0, -9.81, 0))
    cam = m.body("cam", kt.rotor(inertia=1e-4))
    tappet = m.body("tappet", kt.box(M, (0.05, 0.01, 0.02)))
    m.joint("shaft", kt.Revolute(axis="z"), m.ground, cam)
    m.joint("guide", kt.Translational(axis="y"), m.ground, tappet, start={"displacement": start})
    m.constraint("motor", kt.Driver("shaft.angle", kt.Ramp(W)))
    m.constraint("pair", kt.CamFollower(disc(R, E), follower, **more), cam, tappet)
    return m


FOLLOWERS = {
    "flat": (0.0, {}),
    "roller": (0.01, {"radius": 0.01}),
    "curve": (0.01, {"shape": disc(0.01)}),
}


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
@pytest.mark.parametrize("follower", FOLLOWERS)
def test_the_lift_of_an_eccentric_disc(follower, coordinates):
    r, more = FOLLOWERS[follower]
    start = R if follower == "flat" else np.sqrt((R + r) ** 2 - E**2)
    sol = kt.simulate(valve(follower, start, **more), 0.7, coordinates=coordinates)
    a = W * sol.t
    exact = R + E * np.sin(a)
    if follower != "flat":
        exact = E * np.sin(a) + np.sqrt((R + r) ** 2 - E**2 * np.cos(a) ** 2)
    np.testing.assert_allclose(sol["guide.displacement"], exact, atol=10 * SPLINE)
    if follower == "flat":  # the spline's curvature is h^2 / 12 off
        force = M * (9.81 - E * W**2 * np.sin(a))
        np.testing.assert_allclose(sol["pair.force"], force, atol=2e-3)
        torque = force * E * np.cos(a)  # virtual work
        np.testing.assert_allclose(sol["motor.force"], torque, atol=2e-5)


def test_a_rocking_follower_touches_the_disc():
    """A flat lever on a pivot: its angle is that of a tangent of the disc."""
    m = kt.Model("rocker", gravity=(0, 0, 0))
    cam = m.body("cam", kt.rotor(inertia=1e-4))
    lever = m.body("lever", kt.rod(0.2, 0.2, along="x"))
    m.joint("shaft", kt.Revolute(axis="z"), m.ground, cam)
    pivot = kt.Revolute(axis="z")
    m.joint("pivot", pivot, m.ground.at(-0.1, 0.02, 0), lever.at(-0.1, 0, 0))
    m.constraint("motor", kt.Driver("shaft.angle", kt.Ramp(W)))
    m.constraint("pair", kt.CamFollower(disc(R, E), "flat"), cam, lever)
    sol = kt.simulate(m, 0.5)
    x, y = E * np.cos(W * sol.t) + 0.1, E * np.sin(W * sol.t) - 0.02  # center from the pivot
    # distance of the center from the lever: y cos(b) - x sin(b) = -R
    b = np.arctan2(y, x) + np.arcsin(R / np.hypot(x, y))
    np.testing.assert_allclose(sol["pivot.angle"], b, atol=1e-7)


def test_a_profile_that_runs_clockwise_is_the_same_cam():
    first = kt.CamFollower(disc(R, E), "flat").equation.parameters
    second = kt.CamFollower(disc(R, E)[::-1], "flat").equation.parameters
    np.testing.assert_allclose(sorted(first), sorted(second), atol=1e-9)


def test_a_profile_that_is_none_is_refused():
    with pytest.raises(kt.ModelError, match="at least 4 points, got 3"):
        kt.CamFollower(disc(R, count=3))
    with pytest.raises(kt.ModelError, match=r"list of points \(x, y\)"):
        kt.CamFollower([1.0, 2.0])
    with pytest.raises(kt.ModelError, match="shape= has the points of a curved follower"):
        kt.CamFollower(disc(R), "curve")
    with pytest.raises(kt.ModelError, match="must be 'roller', 'flat' or 'curve'"):
        kt.CamFollower(disc(R), "round")
