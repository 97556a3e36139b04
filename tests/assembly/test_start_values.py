"""Start values that cannot be satisfied: refused where they are impossible, otherwise reported in
one line.
"""

import numpy as np
import pytest

import kinetree as kt
from support.linkages import four_bar

both = pytest.mark.parametrize("coordinates", ["relative", "cartesian"])


def locked_slide(speed: float, size: float = 1.0) -> kt.Model:
    """A slide beside a ball joint between the same two bodies: the slide cannot move, and its rows
    are coupled with all others.
    """
    m = kt.Model("locked slide")
    a = m.body(
        "a",
        kt.box(1.0, (0.1 * size, 0.2 * size, 0.3 * size)),
        position=np.array((0.3, 0.1, 0.2)) * size,
    )
    b = m.body(
        "b",
        kt.box(1.0, (0.1 * size, 0.2 * size, 0.3 * size)),
        position=np.array((0.5, 0.7, 0.2)) * size,
    )
    m.joint("hinge", kt.Revolute((1, 0.3, 0.2)), m.ground, a, at=np.array((0.1, 0, 0)) * size)
    m.joint(
        "slide",
        kt.Translational((1, 2, 3)),
        a,
        b,
        at=np.array((0.2, 0.3, 0)) * size,
        speed={"displacement": speed},
    )
    m.joint("ball", kt.Spherical(), a, b, at=np.array((0.7, -0.4, 0.1)) * size)
    return m


@both
@pytest.mark.parametrize(
    "ask",
    [
        kt.assemble,
        lambda model, coordinates: kt.simulate(
            model, 0.1, coordinates=coordinates, integrator="rk4", step=1e-3, progress=False
        ),
    ],
    ids=["assemble", "simulate"],
)
def test_a_speed_of_a_locked_degree_of_freedom_is_refused_by_name(ask, coordinates):
    with pytest.raises(
        kt.AssemblyError,
        match=r"joint 'slide': a speed 'displacement' of 1 m/s .* lock that degree of freedom",
    ):
        ask(locked_slide(1.0), coordinates=coordinates)


@both
@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_a_locked_degree_of_freedom_at_rest_is_no_contradiction_at_any_size(size, coordinates):
    receipt = kt.assemble(locked_slide(0.0, size), coordinates=coordinates)
    assert np.abs(receipt.v).max() == 0.0 and receipt.told == ""


@pytest.mark.parametrize("size", [1e-6, 1e6])
def test_a_speed_of_a_locked_degree_of_freedom_is_refused_at_any_size(size):
    with pytest.raises(kt.AssemblyError, match="lock that degree of freedom"):
        kt.assemble(locked_slide(size, size))


@both
def test_a_driver_prevails_over_a_speed_and_this_is_reported(coordinates):
    m = four_bar(A=0.7)
    m.constraint("drive", kt.Driver("A.angle", kt.Ramp(2.0, start=0.7)))
    m.joints["A"].speed["angle"] = 0.1
    receipt = kt.assemble(m, coordinates=coordinates)
    assert (
        receipt.changed == {"A.angle.rate": (0.1, pytest.approx(2.0))}
        and "A.angle.rate is 2 instead of 0.1" in receipt.told
    )


@both
def test_speeds_that_contradict_each_other_are_reported_in_one_line(coordinates):
    """One degree of freedom and two speeds: a compromise, reported in print(sol)."""
    m = four_bar(A=0.7)
    m.joints["A"].speed["angle"], m.joints["D"].speed["angle"] = 1.0, -3.0
    sol = kt.simulate(
        m, 0.01, coordinates=coordinates, integrator="rk4", step=0.005, progress=False
    )
    assert set(sol.assembly.changed) == {"A.angle.rate", "D.angle.rate"}
    assert sol.assembly.changed["D.angle.rate"] == pytest.approx((-3.0, sol["D.rate"][0]))
    lines = [line for line in str(sol).splitlines() if "Start values that had to change" in line]
    assert len(lines) == 1 and "A.angle.rate is" in lines[0] and "instead of -3" in lines[0]


@both
def test_start_values_that_contradict_each_other_are_reported_in_one_line(coordinates):
    m = four_bar(A=0.7)
    m.joints["D"].start["angle"] = 0.0
    sol = kt.simulate(
        m, 0.01, coordinates=coordinates, integrator="rk4", step=0.005, progress=False
    )
    assert (
        sol.assembly.changed
        and "Start values that had to change" in str(sol)
        and "had to change" in str(sol.assembly)
    )
    for name, (given, found) in sol.assembly.changed.items():
        assert given == m.joints[name[0]].start["angle"] and found == pytest.approx(sol[name][0])


@both
def test_a_start_that_satisfies_everything_has_no_report(coordinates):
    m = four_bar(A=0.7)
    m.joints["A"].speed["angle"] = 1.0
    sol = kt.simulate(
        m, 0.01, coordinates=coordinates, integrator="rk4", step=0.005, progress=False
    )
    assert sol.assembly.told == "" and "had to change" not in str(sol)


def test_a_turn_given_by_the_opposite_quaternion_is_the_same_turn():
    m = kt.Model("ball")
    b = m.body("b", kt.box(1.0, (0.1, 0.2, 0.3)))
    m.joint(
        "ball",
        kt.Spherical(),
        m.ground,
        b.at(0.5, 0, 0),
        start={"quaternion": (-0.6, 0.0, 0.8, 0.0)},
    )
    assert kt.assemble(m).told == ""


def hanging(**pose) -> kt.Model:
    m = kt.Model("hanging")
    rod = m.body("rod", kt.rod(1.0, 1.0, along="x"), **pose)
    m.joint("hinge", kt.Revolute(axis="y"), m.ground, rod.end("-"))
    return m


def test_a_position_that_contradicts_the_joint_is_reported():
    """Hung by its end at the origin and not turned, the middle of the rod is at (0.5, 0, 0), not at
    (0, 0, -0.5).
    """
    sol = kt.simulate(
        hanging(position=(0, 0, -0.5)), 0.01, integrator="rk4", step=0.005, progress=False
    )
    assert sol.assembly.misplaced == pytest.approx({"rod": np.sqrt(0.5)})
    assert "body 'rod' is 0.707 m from its position" in str(sol)


@pytest.mark.parametrize(
    "pose",
    [
        {},
        {"rotation": ("y", (0.5 * np.pi,))},
        {"position": (0, 0, -0.5), "rotation": ("y", (0.5 * np.pi,))},
    ],
    ids=["none", "rotation", "both"],
)
def test_a_pose_that_fits_the_joint_has_no_report(pose):
    receipt = kt.assemble(hanging(**pose))
    assert receipt.told == "" and receipt.coordinates["hinge.angle"] == pytest.approx(
        0.5 * np.pi if pose else 0.0
    )


def test_a_body_that_nothing_moves_and_a_rod_that_does_not_fit_are_refused_by_name():
    m = kt.Model("fixed")
    b = m.body("b", kt.sphere(1.0, 0.1))
    m.joint("J", kt.Fixed(), m.ground, b)
    m.constraint("d", kt.Distance(2.0), m.ground.at(0, 0, 1), b)
    with pytest.raises(kt.AssemblyError, match=r"a gap of 1 m remains at constraint 'd'"):
        kt.simulate(m, 0.1, progress=False)


def test_a_body_that_nothing_moves_and_a_rod_that_fits_stand_still():
    m = kt.Model("fixed")
    b = m.body("b", kt.sphere(1.0, 0.1))
    m.joint("J", kt.Fixed(), m.ground, b)
    m.constraint("d", kt.Distance(1.0), m.ground.at(0, 0, 1), b)
    sol = kt.simulate(m, 0.1, progress=False)
    assert sol.success and np.abs(sol["b.position"]).max() == 0.0


def test_drivers_that_agree_in_speed_but_not_in_acceleration_are_refused_by_simulate_too():
    m = four_bar(A=0.7)
    m.constraint("even", kt.Driver("A.angle", kt.Ramp(1.0, start=0.7)))
    m.constraint(
        "faster",
        kt.Driver(
            "A.angle",
            kt.Function(lambda t: 0.7 + t + t * t, lambda t: 1.0 + 2.0 * t, lambda t: 2.0),
        ),
    )
    for ask in (kt.assemble, lambda model: kt.simulate(model, 0.1, progress=False)):
        with pytest.raises(
            kt.ModelError, match="no accelerations satisfy all constraints; 'even', 'faster'"
        ):
            ask(m)


def test_success_means_that_constraints_are_closed():
    """The log is overwritten with a gap; a run that leaves a gap reports no success."""
    sol = kt.simulate(four_bar(A=0.7), 0.01, integrator="rk4", step=0.005, progress=False)
    assert sol.success
    sol.result.log["position_error"][-1] = 0.19
    del sol.__dict__["constraint_error"]
    assert not sol.success and "constraints are violated by up to 0.19 m" in sol.message


def test_a_model_far_from_the_origin_is_closed_to_the_rounding_of_its_positions():
    """At 1e9 m numbers are 1e-7 m apart."""
    m = kt.Model("far")
    a, b = (
        m.body("a", kt.rod(1.0, 1.0, along="x", axial=0.01)),
        m.body("b", kt.rod(1.0, 1.0, along="x", axial=0.01)),
    )
    m.joint("A", kt.Revolute(axis="y"), m.ground.at(1e9, 0, 0), a.end("-"), start={"angle": -0.5})
    m.joint("B", kt.Revolute(axis="y"), a.end("+"), b.end("-"))
    m.joint("C", kt.Revolute(axis="y"), b.end("+"), m.ground.at(1e9 + 1.5, 0, 0))
    sol = kt.simulate(m, 0.01, integrator="rk4", step=0.005, progress=False)
    assert sol.success and sol.closed
