"""The report of a model's topology: what its mechanics adds."""

import pytest

import kinetree as kt

FLAT = (kt.Revolute(axis="y"), kt.Planar(axis="y"), kt.Translational(axis="x"), kt.Screw(axis="y", pitch=0.0),
        kt.PlanarTranslational("x", "z"))
SPATIAL = (kt.Cylindrical(axis="y"), kt.Screw(axis="y", pitch=0.1), kt.Spherical(), kt.Universal("y", "x"),
           kt.PointOnLine(axis="x"), kt.Translational(axis="y"), kt.PlanarTranslational("x", "y"), kt.SpatialTranslational())


@pytest.mark.parametrize("joint", [*FLAT, *SPATIAL], ids=lambda joint: f"{joint.kind} {list(vars(joint).values())}")
def test_a_loop_is_planar_where_all_turns_have_one_direction_and_all_slides_lie_across_it(joint):
    m = kt.Model("loop")
    a, b = m.body("a", kt.rod(1.0, 1.0, along="x")), m.body("b", kt.rod(1.0, 1.0, along="x"))
    m.joint("A", kt.Revolute(axis="y"), m.ground, a.end("-"))
    m.joint("B", joint, a.end("+"), b.end("-"))
    m.joint("C", kt.Revolute(axis="-y"), m.ground.at(2, 0, 0), b.end("+"))
    report = m.topology()
    assert report.planar == (tuple(cut.name for cut in report.tree.cuts) if joint in FLAT else ())
