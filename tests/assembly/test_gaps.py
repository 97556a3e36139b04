"""Loops drawn with rounded numbers: gaps in redundant directions are absorbed and reported, all
other gaps are refused.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import kinetree as kt
from kinetree.description.body import Marker
from kinetree.kernel.frames import Pose
from support.linkages import bennett, bricard

both = pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
ANGLE, SIZE = 0.7, 1.2  # rad; the longest arm, from an end to the other of the coupler


def four_bar(off: float = 0.0, tilt: float = 0.0, closing=None) -> kt.Model:
    """A four-bar whose rocker bearing is `off` the plane, with a tilted axis."""
    m = kt.Model("four-bar")
    crank, coupler, rocker = (
        m.body(name, kt.rod(mass, length, along="x"))
        for name, mass, length in (
            ("crank", 0.5, 0.5),
            ("coupler", 1.0, 1.2),
            ("rocker", 0.75, 0.75),
        )
    )
    m.joint(
        "A",
        kt.Revolute(axis="y"),
        m.ground,
        crank.end("-"),
        start={"angle": ANGLE},
        speed={"angle": 1.0},
    )
    m.joint("B", kt.Revolute(axis="y"), crank.end("+"), coupler.end("-"))
    m.joint("C", closing or kt.Revolute(axis="y"), coupler.end("+"), rocker.end("+"))
    m.joint(
        "D", kt.Revolute(axis=(tilt, 1.0, 0.5 * tilt)), m.ground.at(1.1, off, 0), rocker.end("-")
    )
    return m


def rounded(model: kt.Model, size: float) -> kt.Model:
    """Points rounded to so many meters and axes to so many radians, as in a drawing."""
    rng = np.random.default_rng(0)

    def marker(m: Marker) -> Marker:
        turn = Rotation.from_rotvec(size * rng.uniform(-1, 1, 3)).as_matrix()
        return Marker(m.body, Pose(turn @ m.X_Bm.R, np.round(m.X_Bm.p / size) * size))

    return model.variant(
        joints={name: replace(s, F=marker(s.F), M=marker(s.M)) for name, s in model.joints.items()}
    )


@both
@pytest.mark.parametrize("off", [1e-9, 1e-6, 9e-6])
def test_a_hinge_out_of_the_plane_is_absorbed_and_reported(off, coordinates):
    exact, found = (
        kt.assemble(four_bar(), coordinates=coordinates),
        kt.assemble(four_bar(off), coordinates=coordinates),
    )
    assert found.absorbed == pytest.approx(off, rel=1e-6)
    assert found.compiled.tables.settings["absorbed"][0] == found.absorbed
    assert (found.rank, found.mobility, found.redundant) == (
        exact.rank,
        exact.mobility,
        exact.redundant,
    )
    assert found.coordinates["A.angle"] == pytest.approx(ANGLE, abs=1e-10)
    # in the plane nothing has changed
    assert found.coordinates == pytest.approx(exact.coordinates, abs=1e-9)
    np.testing.assert_allclose(found.v, exact.v, atol=2.0 * off + 1e-9)
    assert f"{off:.2g} m at 'C' (a kt.Cylindrical joint would close it)" in str(
        found
    ) and "redundant directions" in str(found)


@both
def test_a_loop_that_closes_has_absorbed_nothing(coordinates):
    found = kt.assemble(four_bar(), coordinates=coordinates)
    assert found.absorbed == 0.0 == found.compiled.tables.settings["absorbed"][
        0
    ] and "Absorbed" not in str(found)


@both
def test_a_tilted_axis_does_not_change_the_mobility(coordinates):
    found = kt.assemble(four_bar(tilt=1e-6), coordinates=coordinates)
    assert found.mobility == 1 and 1e-7 < found.absorbed < 1e-5 and "kt.Spherical" in str(found)
    assert abs(found.v).max() > 0.5  # it still takes the speed asked for


def test_the_suggested_joint_allows_the_gap():
    found = kt.assemble(four_bar(1e-6, closing=kt.Cylindrical(axis="y")))
    assert found.absorbed == 0.0 and found.mobility == 1


def test_a_gap_beyond_the_slack_is_refused_with_its_direction_and_a_remedy():
    with pytest.raises(kt.AssemblyError) as refusal:
        kt.assemble(four_bar(2e-5))
    for words in (
        "a gap of 2e-05 m remains at joint 'C'",
        "redundant",
        "a kt.Cylindrical joint in place of 'C'",
        "slack=1e-05",
        f"({SIZE:g} m)",
    ):
        assert words in str(refusal.value)


def test_the_option_slack_limits_the_absorbed_gap():
    assert kt.assemble(four_bar(1e-4), slack=1e-3).absorbed == pytest.approx(1e-4, rel=1e-3)
    for ask in (
        kt.assemble,
        lambda model, slack: kt.simulate(model, 0.1, slack=slack, progress=False),
    ):
        with pytest.raises(kt.AssemblyError, match="redundant"):
            ask(four_bar(1e-9), slack=0.0)


@pytest.mark.parametrize("name", ["bennett", "bricard"])
@pytest.mark.parametrize("size", [1e-9, 1e-6])
def test_spatial_loops_with_rounded_points_and_axes_keep_their_mobility(name, size):
    make = {"bennett": lambda: bennett(0.9)[0], "bricard": bricard}[name]
    exact, found = kt.assemble(make()), kt.assemble(rounded(make(), size))
    assert (found.rank, found.mobility) == (exact.rank, 1)
    assert 0.0 < found.absorbed < 10.0 * size
    assert found.coordinates == pytest.approx(exact.coordinates, abs=10.0 * size)


@pytest.mark.parametrize("short", [1e-4, 1e-6, 1e-9])
def test_a_rod_that_is_too_short_to_reach_is_no_redundant_gap(short):
    """Two rods of 1 m between points slightly more than 2 m apart: stretched, they lose an equation
    at this position only.
    """
    m = kt.Model("too short")
    a, b = m.body("a", kt.rod(1.0, 1.0, along="x")), m.body("b", kt.rod(1.0, 1.0, along="x"))
    m.joint("A", kt.Revolute(axis="y"), m.ground, a.end("-"))
    m.joint("B", kt.Revolute(axis="y"), a.end("+"), b.end("-"))
    m.joint("C", kt.Revolute(axis="y"), b.end("+"), m.ground.at(2.0 + short, 0, 0))
    with pytest.raises(kt.AssemblyError, match="remain"):
        kt.assemble(m)


def test_a_door_hung_on_hinges_that_are_not_quite_in_line_opens():
    def door(shift: float) -> kt.Model:
        m = kt.Model("door")
        leaf = m.body("leaf", kt.box(20.0, (0.8, 0.04, 2.0)))
        m.joint("low", kt.Revolute(axis="z"), m.ground.at(0, 0, 0.3), leaf.at(-0.4, 0, -0.7))
        m.joint(
            "high", kt.Revolute(axis="z"), m.ground.at(0, 0, 1.7 + shift), leaf.at(-0.4, 0, 0.7)
        )
        return m

    found = kt.assemble(door(1e-6))
    assert found.mobility == 1 and found.absorbed == pytest.approx(1e-6)


def test_start_values_that_do_not_fit_exactly_cause_no_absorbed_gap():
    """Two start values of one degree of freedom, a micrometer apart: the loop closes, and the start
    values change.
    """
    m = four_bar(1e-6)
    exact = kt.assemble(m)
    m.joints["D"].start["angle"] = exact.coordinates["D.angle"] + 2e-6
    found = kt.assemble(m)
    assert found.absorbed == pytest.approx(1e-6, rel=1e-6) and found.violation < 1e-12
    assert found.gaps["C"][0] == pytest.approx(1e-6, rel=1e-6)


@both
@pytest.mark.parametrize("off, tilt", [(1e-6, 0.0), (1e-6, 1e-6)], ids=["off", "off and tilted"])
def test_a_four_bar_with_rounded_points_moves_as_the_exact_one(off, tilt, coordinates):
    """The motions differ by the absorbed gap, magnified by the motion: ten gaps."""
    runs = [
        kt.simulate(
            m, 1.0, coordinates=coordinates, rtol=1e-10, output_interval=0.1, progress=False
        )
        for m in (four_bar(), four_bar(off, tilt))
    ]
    assert all(sol.success for sol in runs) and np.ptp(runs[0]["A.angle"]) > 1.0
    np.testing.assert_allclose(
        runs[1]["A.angle"], runs[0]["A.angle"], atol=10.0 * runs[1].assembly.absorbed
    )
    assert "remain in redundant directions" in str(runs[1]) and "redundant directions" not in str(
        runs[0]
    )


@pytest.mark.parametrize("name", ["bennett", "bricard"])
def test_spatial_loops_with_rounded_points_and_axes_move(name):
    make = {"bennett": lambda: bennett(0.9)[0], "bricard": bricard}[name]
    exact, found = (
        kt.simulate(m, 0.5, output_interval=0.1, progress=False)
        for m in (make(), rounded(make(), 1e-6))
    )
    assert found.success
    # a micrometre, magnified by the loop
    np.testing.assert_allclose(found["R1.angle"], exact["R1.angle"], atol=1e-4)
