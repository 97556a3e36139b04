"""What can move without inertia is refused before the run: by the body, its line and its freedoms,
with the remedy.
"""

import numpy as np
import pytest

import kinetree as kt
from kinetree.assembly.massless import lightest
from kinetree.assembly.prepare import prepare


def rod_between_balls(along, axial: float = 0.0) -> kt.Model:
    """A crank, a rod on two ball joints and a rocker."""
    along = np.array(along, float)
    m, A = kt.Model("ss"), np.array([1.0, 0, 0])
    C = A + along
    a = m.body("a", kt.rod(1, 1, "x"), position=(0.5, 0, 0))
    b = m.body(
        "b",
        kt.rod(1, float(np.linalg.norm(along)), tuple(along), axial=axial),
        position=A + along / 2,
    )
    c = m.body("c", kt.rod(1, 1, "y"), position=C + np.array([0, 0.5, 0]))
    m.joint("A", kt.Revolute(axis="y"), m.ground, a, at=(0, 0, 0))
    m.joint("B", kt.Spherical(), a, b, at=A)
    m.joint("C", kt.Spherical(), b, c, at=C)
    m.joint("D", kt.Revolute(axis="z"), m.ground, c, at=C + np.array([0, 1.0, 0]))
    return m


@pytest.mark.parametrize(
    "along", [(1, 0, 0), (0.3, -0.2, -0.9), (0.189, -0.198, 0.962), (-0.4, 0.7, 1.3)]
)
@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
def test_a_slender_rod_between_ball_joints_is_named_with_its_line_and_the_remedy(
    along, coordinates
):
    sentence = r"body 'b' can turn about .* no inertia about that line.*kt\.rod\(\.\.\., axial="
    with pytest.raises(kt.ModelError, match=sentence) as caught:
        kt.simulate(rod_between_balls(along), until=0.2, coordinates=coordinates)
    line = np.array(str(caught.value).split("about (")[1].split(")")[0].split(","), float)
    unit = np.array(along) / np.linalg.norm(along)
    assert abs(line @ unit) == pytest.approx(1.0, abs=5e-3)  # printed with three digits
    assert "'B.w" in str(caught.value) and "'A.angle'" not in str(caught.value)


@pytest.mark.parametrize("axial", [1e-3, 1e-12])
def test_a_little_inertia_is_inertia(axial):
    prepare(rod_between_balls((0.3, -0.2, -0.9), axial), regular=True)


def test_a_point_mass_that_may_turn_names_the_turning_and_not_what_has_inertia():
    m = kt.Model("p")
    m.joint("P", kt.Planar(axis="z"), m.ground, m.body("b", kt.mass(1.0)))
    with pytest.raises(
        kt.ModelError, match=r"body 'b' can turn about \(0, 0, 1\) \(by 'P\.angle'\).*inertia="
    ):
        kt.simulate(m, until=1.0)


def test_a_body_without_mass_that_may_slide_is_named():
    m = kt.Model("sl")
    m.joint("A", kt.Translational(axis="z"), m.ground, m.body("a", kt.mass(0.0)))
    with pytest.raises(
        kt.ModelError,
        match=r"body 'a' can move along \(0, 0, 1\) \(by 'A\.displacement'\) and has no mass",
    ):
        kt.simulate(m, until=1.0)


def test_a_body_without_mass_that_the_loop_holds_is_welcome():
    m = kt.Model("four-bar")
    crank, coupler, rocker = (
        m.body(name, kt.rod(mass, length))
        for name, mass, length in (
            ("crank", 0.5, 0.5),
            ("coupler", 0.0, 1.2),
            ("rocker", 0.75, 0.75),
        )
    )
    m.joint("A", kt.Revolute(axis="y"), m.ground, crank.end("-"), start={"angle": 0.3})
    m.joint("B", kt.Revolute(axis="y"), crank.end("+"), coupler.end("-"))
    m.joint("C", kt.Revolute(axis="y"), coupler.end("+"), rocker.end("+"))
    m.joint("D", kt.Revolute(axis="y"), m.ground.at(1.1, 0, 0), rocker.end("-"))
    prepare(m, regular=True)


def test_how_light_a_body_is_does_not_matter():
    """A grain of 1e-20 kg beside a hammer of 1e6 kg has inertia."""
    m = kt.Model("scales")
    hammer, grain = m.body("hammer", kt.sphere(1e6, 1.0)), m.body("grain", kt.sphere(1e-20, 1e-4))
    m.joint("A", kt.Revolute(axis="y"), m.ground, hammer.at(0, 0, 2))
    m.joint("B", kt.Spherical(), hammer.at(0, 0, -1), grain)
    prepare(m, regular=True)


def test_a_run_that_stretches_two_massless_links_says_what_has_lost_its_inertia():
    """A point mass on two strings falls freely until they are in line: there it can turn without
    moving the mass.
    """
    m = kt.Model("flail")
    a, b = m.body("a", kt.rod(0.0, 1.0)), m.body("b", kt.mass(1.0))
    m.joint("A", kt.Revolute(axis="y"), m.ground, a.end("-"), start={"angle": 0.3})
    m.joint("B", kt.Revolute(axis="y"), a.end("+"), b.at(-0.5, 0, 0), start={"angle": 0.9})
    with pytest.raises(
        kt.SimulationError, match=r"can turn about \(0, 1, 0\) \(by 'A\.angle', 'B\.angle'\)"
    ) as caught:
        kt.simulate(m, until=3.0, rtol=1e-4)
    assert caught.value.t == pytest.approx(0.2105, abs=1e-3)


def test_the_lightest_motion_of_a_state_is_found_for_a_run_that_meets_it():
    assembly = prepare(rod_between_balls((0.3, -0.2, -0.9), 1e-9))
    found = lightest(assembly.compiled, assembly.y)
    assert found is not None and found.body == "b"
