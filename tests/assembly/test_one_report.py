"""Start values that contradict the model: joints and drivers are satisfied, the nearest start is
taken, one line reports it.
"""

import numpy as np
import pytest

import kinetree as kt
from support.linkages import four_bar

SECTION = kt.Section.tube(0.1, 0.09, E=2.1e11, density=7850.0)
RUN = {"integrator": "rk4", "step": 0.005, "progress": False}


def reported(text: str) -> str:
    """The one line about the start; the receipt must not say the opposite beside it."""
    lines = [
        line.strip() for line in text.splitlines() if "Start values that had to change" in line
    ]
    assert len(lines) == 1 and "drawn position already satisfies all" not in text
    return lines[0]


def crane(line, **pose) -> kt.Model:
    m = kt.Model("crane")
    tower = m.body("tower", kt.cylinder(800.0, 0.3, 3.0, along="z"), position=(0, 0, 1.5))
    m.joint("slew", kt.Revolute(axis="z"), m.ground, tower, at=(0, 0, 0))
    boom = m.beam("boom", line, SECTION, elements=2, **pose)
    m.joint("foot", kt.Fixed(), tower, boom.end("-"))
    return m


@pytest.mark.parametrize(
    "line,pose,far",
    [
        ([(0.3, 0, 3.0), (5, 0, 3.0)], {}, np.hypot(0.3, 1.5)),
        ([(0, 0, 0), (5, 0, 0)], {"position": (0.3, 0, 3.0)}, np.hypot(0.3, 1.5)),
        ([(0, 0, 0), (0, 0, 5)], {}, 1.5),
    ],
    ids=["drawn", "placed", "from the origin"],
)
def test_a_beam_that_starts_elsewhere_than_drawn_is_reported(line, pose, far):
    """The foot is at the middle of the tower, (0, 0, 1.5)."""
    m = crane(line, **pose)
    said = f"beam 'boom' is {far:.3g} m from where it is drawn"
    assert said in reported(str(kt.assemble(m))) and kt.assemble(m).misplaced == pytest.approx(
        {"boom": far}
    )
    assert said in reported(str(kt.simulate(m, 0.01, progress=False)))
    assert said in reported(str(kt.deflect(driven(m))))


def driven(m: kt.Model) -> kt.Model:
    """A shape under load needs a tower that does not turn."""
    m.constraint("brake", kt.Driver("slew.angle", 0.0))
    return m


def test_a_beam_that_its_joint_turns_is_as_far_away_as_its_farthest_node():
    """Fixed by a marker that is turned by a quarter: the tip of 2 m starts sqrt(2) 2 m away."""
    m = kt.Model("turned")
    beam = m.beam("b", [(0, 0, 0), (2, 0, 0)], SECTION, elements=2)
    m.joint("wall", kt.Fixed(), m.ground.at(0, 0, 0, ("z", (0.5 * np.pi,))), beam.end("-"))
    assert kt.assemble(m).misplaced == pytest.approx({"b": 2.0 * np.sqrt(2.0)})


def test_a_beam_joined_where_it_is_drawn_is_not_reported():
    m = crane([(0, 0, 1.5), (5, 0, 1.5)])
    assert kt.assemble(m).told == "" and "drawn position already satisfies all" in str(
        kt.assemble(m)
    )


def test_a_body_that_starts_elsewhere_is_reported_without_a_contradiction():
    m = crane([(0, 0, 1.5), (5, 0, 1.5)])
    bar = m.body("bar", kt.rod(2.0, 1.0), position=(10, 0, 1.5))
    m.joint("j2", kt.Revolute(axis="y"), m.bodies["tower"], bar.end("-"))
    assert "body 'bar' is 9.5 m from its position" in reported(str(kt.assemble(m)))


def test_a_rotation_that_the_joint_contradicts_is_reported():
    m = kt.Model("turned")
    b = m.body("b", kt.box(1.0, (0.1, 0.2, 0.3)), rotation=("z", (0.4,)))
    m.joint("J", kt.Fixed(), m.ground, b)
    assert kt.assemble(m).turned == pytest.approx({"b": 0.4})
    assert "body 'b' is turned by 0.4 rad" in reported(str(kt.simulate(m, 0.01, **RUN)))


def chain(**start) -> kt.Model:
    """Two rods drawn in line, at their reference positions."""
    m = kt.Model("chain")
    a, b = (
        m.body(name, kt.rod(1.0, 1.0, along="x"), position=(x, 0, 0))
        for name, x in (("a", 0.5), ("b", 1.5))
    )
    m.joint("A", kt.Revolute("y"), m.ground, a, at=(0, 0, 0), **start)
    m.joint("B", kt.Revolute("y"), a, b, at=(1, 0, 0))
    return m


def test_a_given_coordinate_moves_the_bodies_of_its_joint_without_a_report():
    assert kt.assemble(chain(start={"angle": 0.5})).told == ""


def test_bodies_that_closing_a_loop_moves_far_are_reported_and_rounded_drawings_are_not():
    """The tip stands on a stay that is 0.1 m too long, or 0.1 mm."""
    for length, said in ((0.6, True), (0.5001, False)):
        m = chain()
        m.constraint("stay", kt.Distance(length), m.ground.at(2, 0, -0.5), m.bodies["b"].end("+"))
        receipt = kt.assemble(m)
        assert bool(receipt.misplaced) == said and receipt.moved
        assert not said or "from its position" in reported(str(receipt))


@pytest.mark.parametrize("coordinates", ["relative", "cartesian"])
@pytest.mark.parametrize("state", [None, {"A.angle": 0.5, "A.rate": 0.1}])
def test_a_driver_prevails_over_start_values_and_states_and_one_line_reports_it(state, coordinates):
    m = four_bar(A=0.7)
    m.constraint("drive", kt.Driver("A.angle", kt.Ramp(2.0, start=0.9)))
    sol = kt.simulate(m, 0.01, state=state, coordinates=coordinates, **RUN)
    given = 0.7 if state is None else 0.5
    line = reported(str(sol))
    assert (
        sol["A.angle"][0] == pytest.approx(0.9) and f"A.angle is 0.9 instead of {given:g}" in line
    )
    assert ("A.angle.rate is 2 instead of 0.1" in line) == (state is not None)


def unreachable() -> kt.Model:
    """A rod whose tip hangs 0.8 m from a point above; at the given start the distance would be 1.39
    m.
    """
    m = kt.Model("held")
    rod = m.body("rod", kt.rod(1.0, 1.0, along="x"))
    m.joint("A", kt.Revolute("y"), m.ground, rod.end("-"), start={"angle": 1.2})
    m.constraint("d", kt.Distance(0.8), m.ground.at(0, 0, 1), rod.end("+"))
    return m


@pytest.mark.parametrize(
    "ask",
    [kt.assemble, lambda m: kt.simulate(m, 0.01, **RUN), kt.linearize, lambda m: kt.modes(m)],
    ids=["assemble", "simulate", "linearize", "modes"],
)
def test_a_start_angle_that_cannot_be_held_is_in_every_print(ask):
    found = kt.assemble(unreachable()).coordinates["A.angle"]
    assert f"A.angle is {found:.6g} instead of 1.2" in reported(str(ask(unreachable())))


def test_velocities_of_bodies_that_cannot_be_satisfied_are_reported_by_name():
    m = kt.Model("slide")
    b = m.body(
        "b",
        kt.box(1.0, (0.1, 0.1, 0.1)),
        velocity=(1.0, 0.0, 2.0),
        angular_velocity=(0.0, 3.0, 0.0),
    )
    m.joint("J", kt.Translational("x"), m.ground, b)
    receipt = kt.assemble(m)
    assert receipt.changed == {
        "b.velocity.z": (2.0, pytest.approx(0.0)),
        "b.angular_velocity.y": (3.0, pytest.approx(0.0)),
    }
    assert "b.velocity.z is 0 instead of 2" in reported(str(receipt))


@pytest.mark.parametrize("size", [1e-7, 1.0, 1e7])
def test_the_tolerance_of_start_values_scales_with_the_model_size(size):
    """A driver holds a slide a thousandth of its size away from its given start."""
    m = kt.Model("slide")
    b = m.body("b", kt.box(1.0, (0.1 * size,) * 3))
    m.joint("J", kt.Translational("x"), m.ground.at(-size, 0, 0), b, start={"displacement": size})
    m.constraint("drive", kt.Driver("J.displacement", 1.001 * size))
    assert kt.assemble(m).changed == {"J.displacement": (size, pytest.approx(1.001 * size))}


def test_a_continued_run_does_not_repeat_the_report_of_the_first_start():
    m = four_bar(A=0.7)
    m.joints["D"].start["angle"] = 0.0
    sol = kt.simulate(m, 0.02, **RUN)
    assert reported(str(sol))
    for state in (sol.at(0.01), kt.equilibrium(m)):
        assert "Had to move" not in str(kt.simulate(m, 0.03, state=state, **RUN))


def test_a_whole_state_that_contradicts_a_driver_is_refused():
    m = four_bar(A=0.7)
    sol = kt.simulate(m, 0.01, **RUN)
    m.constraint("drive", kt.Driver("A.angle", 0.9))
    with pytest.raises(kt.ModelError, match="violates the constraints of 'four-bar'"):
        kt.simulate(m, 0.02, state=sol.at(0.01), **RUN)
