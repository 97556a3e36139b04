"""Start values that contradict each other: the assembled position is the nearest to all of them."""

import numpy as np
import pytest

import kinetree as kt


def four_bar(**angles):
    m = kt.Model("four-bar")
    rods = [
        m.body(name, kt.rod(mass=1.0, length=length, along="x"))
        for name, length in (("crank", 0.5), ("coupler", 1.2), ("rocker", 0.75))
    ]
    places = {
        "A": (m.ground, rods[0].end("-")),
        "B": (rods[0].end("+"), rods[1].end("-")),
        "C": (rods[1].end("+"), rods[2].end("+")),
        "D": (m.ground.at(1.1, 0, 0), rods[2].end("-")),
    }
    for name, markers in places.items():
        start = {"angle": angles[name]} if name in angles else {}
        m.joint(name, kt.Revolute(axis="y"), *markers, start=start)
    return m


def rocker_angles(a):
    """The two angles of the rocker at crank angle a, by the law of cosines."""
    x, z = 0.5 * np.cos(a) - 1.1, -0.5 * np.sin(a)
    far = np.hypot(x, z)
    between = np.arccos((0.75**2 + far**2 - 1.2**2) / (2.0 * 0.75 * far))
    return [np.arctan2(-z, x) + s * between for s in (-1.0, 1.0)]


@pytest.mark.parametrize("branch", [0, 1])
@pytest.mark.parametrize("rounding", [1e-6, 1e-3, 1e-2])
def test_rounded_start_values_are_nearly_kept(branch, rounding):
    """Two of three coordinates of a mechanism with one degree of freedom, one of them rounded."""
    d = rocker_angles(-0.6)[branch]
    found = kt.assemble(four_bar(A=-0.6, D=d + rounding)).coordinates
    assert abs(found["A.angle"] + 0.6) < rounding and abs(found["D.angle"] - d) < rounding


@pytest.mark.parametrize("given", [(-0.6, -0.8), (-0.6, -1.0), (-0.4, -0.7), (-0.9, -1.2)])
def test_contradicting_start_values_lead_to_the_nearest_position(given):
    """Compared with a search over all crank angles on this branch."""
    a = np.linspace(-1.5, 0.0, 200_001)
    d = (rocker_angles(a)[1] + np.pi) % (2.0 * np.pi) - np.pi
    best = np.argmin((a - given[0]) ** 2 + (d - given[1]) ** 2)
    found = kt.assemble(four_bar(A=given[0], D=given[1])).coordinates
    # near the minimum the squared distance is flat: 1e-6 of it is about 1e-3 of the angles
    assert found["A.angle"] == pytest.approx(a[best], abs=1e-3)
    assert found["D.angle"] == pytest.approx(d[best], abs=1e-3)


def test_what_was_given_and_found_is_reported():
    text = str(kt.assemble(four_bar(A=-0.6, D=-0.8)))
    assert "A.angle" in text and "D.angle" in text and "-0.8" in text
