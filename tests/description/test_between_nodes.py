"""Joints and forces that act on a beam between two nodes cause a warning."""

import warnings

import pytest

import kinetree as kt
from kinetree.description.between_nodes import BetweenNodes


def loaded(elements, x, kind="joint"):
    """A clamped beam of 1 m with a weight or a force at x."""
    m = kt.Model("cantilever")
    section = kt.Section.rectangle(0.02, 0.05, E=210e9, density=7850.0, poisson=0.3)
    bar = m.beam("bar", [(0, 0, 0), (1, 0, 0)], section, elements=elements)
    m.joint("clamp", kt.Fixed(), m.ground, bar, at=(0, 0, 0))
    if kind == "joint":
        weight = m.body("weight", kt.box(mass=1.0, sides=(0.1, 0.1, 0.1)), position=(x, 0, 0.1))
        m.joint("bracket", kt.Fixed(), bar, weight, at=(x, 0, 0.1))
    else:
        m.force("push", kt.PointForce((0.0, 0.0, -1.0)), bar.at_global(x, 0, 0))
    return m


@pytest.mark.parametrize("kind, name", [("joint", "joint 'bracket'"), ("force", "force 'push'")])
def test_an_element_between_nodes_is_named_with_its_distance(kind, name):
    with pytest.warns(BetweenNodes, match=f"{name} acts on beam 'bar' .* 0.1 m along the beam"):
        kt.deflect(loaded(5, 0.5, kind))


@pytest.mark.parametrize("elements, x", [(4, 0.5), (5, 0.4), (5, 1.0), (10, 0.502)])
def test_an_element_at_a_node_or_across_the_beam_from_it_causes_no_warning(elements, x):
    with warnings.catch_warnings():
        warnings.simplefilter("error", BetweenNodes)
        kt.deflect(loaded(elements, x))


def test_a_beam_that_floats_causes_no_warning():
    """Its frame is at the middle, between two nodes if the number of elements is odd."""
    m = kt.Model("free beam")
    section = kt.Section.rectangle(0.02, 0.05, E=210e9, density=7850.0, poisson=0.3)
    m.float(m.beam("bar", [(0, 0, 0), (1, 0, 0)], section, elements=5))
    with warnings.catch_warnings():
        warnings.simplefilter("error", BetweenNodes)
        kt.vibrations(m)


def test_the_report_of_a_frame_does_not_state_that_it_stands_still():
    """Two legs and a girder, clamped: rigid they would be six times redundant."""
    m = kt.Model("frame")
    section = kt.Section.rectangle(0.1, 0.1, E=210e9, density=7850.0, poisson=0.3)
    left = m.beam("left", [(0, 0, 0), (0, 0, 3)], section, elements=4)
    top = m.beam("top", [(0, 0, 3), (4, 0, 3)], section, elements=4)
    right = m.beam("right", [(4, 0, 3), (4, 0, 0)], section, elements=4)
    for name, a, b, at in (
        ("foot", m.ground, left, (0, 0, 0)),
        ("corner", left, top, (0, 0, 3)),
        ("other corner", top, right, (4, 0, 3)),
        ("other foot", right, m.ground, (4, 0, 0)),
    ):
        m.joint(name, kt.Fixed(), a, b, at=at)
    report, found = m.topology(), str(kt.assemble(m))
    assert report.mobility == 0 and report.beams == ("left", "top", "right")
    assert "stands still" not in str(report) and "not unique" not in str(report)
    assert "Beams are counted as rigid bodies" in str(report)
    assert "redundant" not in found and "beams count as rigid bodies" in found
