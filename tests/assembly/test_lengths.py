"""Rods and springs without a direction at the start are refused with that cause; reported gaps of
rods are true lengths.
"""

import pytest

import kinetree as kt


def rod(length, drawn: float = 0.6) -> kt.Model:
    m = kt.Model("rod")
    b = m.body("b", kt.box(1.0, (0.1, 0.1, 0.1)), position=(drawn, 0, 0))
    m.joint("J", kt.Translational("x"), m.ground, b)
    m.constraint("rod", kt.Distance(length), m.ground, b)
    return m


@pytest.mark.parametrize(
    "length,said",
    [
        (kt.Ramp(0.002), "0 m at t = 0 s"),
        (kt.Ramp(0.002, start=1e-12), "1e-12 m at t = 0 s"),
        (lambda t: 0.1 * t, "0 m at t = 0 s"),
        (kt.Ramp(0.002, start=-0.2), "-0.2 m at t = 0 s"),
        (1e-12, "1e-12 m, "),
    ],
)
@pytest.mark.parametrize("drawn,advice", [(0.6, "drawn 0.6 m apart"), (0.0, "kt.Spherical")])
def test_a_length_that_is_not_positive_at_the_start_is_named(length, said, drawn, advice):
    with pytest.raises(kt.AssemblyError, match=f"constraint 'rod': its length is {said}.*{advice}"):
        kt.assemble(rod(length, drawn))


def test_the_length_at_the_time_of_the_start_counts():
    """0 at t = 0 and 0.5 m at t = 5 s, when the run starts."""
    sol = kt.simulate(rod(kt.Ramp(0.1)), 5.1, t0=5.0, progress=False)
    assert sol["J.displacement"][0] == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("length", [1e-4, 1e-6])
def test_a_short_length_is_met_from_a_drawing_far_away(length):
    assert kt.assemble(rod(kt.Ramp(0.0, start=length))).coordinates[
        "J.displacement"
    ] == pytest.approx(length, rel=1e-6)


@pytest.mark.parametrize("length", [0.01, 1e-5])
def test_the_gap_of_a_rod_that_does_not_reach_is_a_length(length):
    """The nearest point of the circle of 0.6 m is 2.4 m from the pin."""
    m = kt.Model("far")
    b = m.body("b", kt.box(1.0, (0.1, 0.1, 0.1)), position=(0.6, 0, 0))
    m.joint("J", kt.Revolute("z"), m.ground, b, at=(0, 0, 0))
    m.constraint("rod", kt.Distance(length), m.ground.at(3, 0, 0), b)
    with pytest.raises(
        kt.AssemblyError, match=r"a gap of 2\.(39|4)\S* m remains at constraint 'rod'"
    ):
        kt.assemble(m)


@pytest.mark.parametrize(
    "spec,why",
    [
        (kt.SpringDamper(100.0, length=0.5), "free length is 0.5 m"),
        (kt.SpringDamper(force=3.0), "pushes with 3 N"),
    ],
)
def test_a_spring_that_pushes_between_points_that_coincide_is_refused(spec, why):
    m = kt.Model("spring")
    b = m.body("b", kt.box(1.0, (0.1, 0.1, 0.1)))
    m.joint("J", kt.Translational("x"), m.ground, b)
    m.force("s", spec, m.ground, b)
    with pytest.raises(kt.AssemblyError, match=f"force 's': its markers coincide.*{why}"):
        kt.assemble(m)


def test_the_reason_for_an_open_loop_is_computed_when_the_message_is_read(monkeypatch):
    from kinetree.assembly import prepare

    asked = []
    real = prepare.open_sentence
    monkeypatch.setattr(prepare, "open_sentence", lambda *a: asked.append(1) or real(*a))
    with pytest.raises(kt.AssemblyError) as caught:
        kt.assemble(_unreachable())
    assert not asked
    assert "cannot be assembled" in str(caught.value) and str(caught.value) and len(asked) == 1


def _unreachable() -> kt.Model:
    m = kt.Model("fixed")
    b = m.body("b", kt.sphere(1.0, 0.1))
    m.joint("J", kt.Fixed(), m.ground, b)
    m.constraint("d", kt.Distance(2.0), m.ground.at(0, 0, 1), b)
    return m
