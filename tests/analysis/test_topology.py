"""The topology report of a model: the figures that depend on its mechanics."""

import pytest

import kinetree as kt

FLAT = (
    kt.Revolute(axis="y"),
    kt.Planar(axis="y"),
    kt.Translational(axis="x"),
    kt.Screw(axis="y", pitch=0.0),
    kt.PlanarTranslational("x", "z"),
)
SPATIAL = (
    kt.Cylindrical(axis="y"),
    kt.Screw(axis="y", pitch=0.1),
    kt.Spherical(),
    kt.Universal("y", "x"),
    kt.PointOnLine(axis="x"),
    kt.Translational(axis="y"),
    kt.PlanarTranslational("x", "y"),
    kt.SpatialTranslational(),
)


@pytest.mark.parametrize(
    "joint", [*FLAT, *SPATIAL], ids=lambda joint: f"{joint.kind} {list(vars(joint).values())}"
)
def test_a_loop_is_planar_if_all_rotations_are_parallel_and_all_translations_normal_to_them(joint):
    m = kt.Model("loop")
    a, b = m.body("a", kt.rod(1.0, 1.0, along="x")), m.body("b", kt.rod(1.0, 1.0, along="x"))
    m.joint("A", kt.Revolute(axis="y"), m.ground, a.end("-"))
    m.joint("B", joint, a.end("+"), b.end("-"))
    m.joint("C", kt.Revolute(axis="-y"), m.ground.at(2, 0, 0), b.end("+"))
    report = m.topology()
    assert report.planar == (tuple(cut.name for cut in report.tree.cuts) if joint in FLAT else ())


def rods(n: int, stopped: bool) -> kt.Model:
    """A row of cranks joined by rods on ball joints, which rotate idly; a distance from each rod to
    the ground prevents that.
    """
    m = kt.Model("rods")
    for k in range(n):
        crank = m.body(f"crank{k}", kt.box(1.0, (0.1, 0.3, 0.1)), position=(0, k + 0.15, 0))
        rod = m.body(f"rod{k}", kt.box(0.3, (1.0, 0.1, 0.1)), position=(0.5, k + 0.3, 0))
        m.joint(f"A{k}", kt.Revolute(), m.ground, crank, at=(0, k, 0), axis="z")
        m.joint(f"B{k}", kt.Spherical(), crank, rod, at=(0, k + 0.3, 0))
        m.joint(f"C{k}", kt.PointOnLine(), m.ground, rod, at=(1, k + 0.3, 0), axis="x")
        if stopped:
            m.constraint(f"stop{k}", kt.Distance(), m.ground.at(0.5, k, 1.0), rod.at(0, 0.3, 0))
    return m


@pytest.mark.parametrize("n", [1, 3, 90])
def test_a_constraint_on_a_body_removes_its_idle_degree_of_freedom(n):
    """Also with many bodies at once; ninety are solved by sparse algebra."""
    assert rods(n, False).topology().idle == tuple(f"rod{k}" for k in range(n))
    assert rods(n, True).topology().idle == ()
