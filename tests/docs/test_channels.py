"""The channels of the reference have meanings that say more than their names."""

import importlib
import re
import sys
from pathlib import Path

import pytest

import kinetree as kt
from kinetree.elements.constraints.catalogue import CONSTRAINTS
from kinetree.elements.forces.catalogue import FORCES
from kinetree.elements.forces.contract import Force
from kinetree.elements.joints.catalogue import JOINTS

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
channels = importlib.import_module("workshop.channels")

EMPTY = {"of", "the", "a", "an", "in", "on", "its", "state", "coordinate", "it", "x", "y", "z"}
KNOWN = {
    **{e.joint.__name__: channels.channels_of_joint(e.joint) for e in JOINTS},
    **{e.force.__name__: channels.channels_of_force(e.force) for e in FORCES},
    **{c.__name__: channels.channels_of_constraint(c) for c in CONSTRAINTS},
}


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower().replace("_", " ")))


@pytest.mark.parametrize("name", KNOWN)
def test_no_channel_merely_repeats_its_name(name):
    empty = {
        label: about
        for label, (_, about) in KNOWN[name].items()
        if len(words(about) - words(label) - EMPTY) < 2
    }
    assert empty == {}


@pytest.mark.parametrize("name", KNOWN)
def test_no_two_channels_of_an_element_share_a_text(name):
    texts = [about for _, about in KNOWN[name].values()]
    assert sorted({text for text in texts if texts.count(text) > 1}) == []


def test_every_reading_and_state_of_a_force_element_has_a_meaning():
    for entry in FORCES:
        made = channels._example(entry.force)
        labels = {label for label, _ in (*made.readings, *made.readings_on(("m",)))}
        labels |= {state.label for state in made.own_states()}
        if entry.force.meaning is Force.meaning:
            assert labels <= set(entry.force.meanings), entry.force.__name__
        else:  # labels with numbers
            assert all(made.meaning(label) != label for label in labels), entry.force.__name__


def test_a_solution_describes_its_channels_with_the_same_meaning():
    model = kt.Model("oscillator", gravity=(0, 0, 0))
    block = model.body("block", kt.box(mass=1.0, sides=(0.1, 0.1, 0.1)))
    model.joint("G", kt.Translational("x"), model.ground, block)
    model.force("stop", kt.BumpStop("G.displacement", at=0.5, stiffness=1e5))
    sol = kt.simulate(model, until=1e-3)
    assert sol.channels["stop.depth"].about.endswith(kt.BumpStop.meanings["depth"])
    assert sol.channels["G.displacement"].about.endswith(kt.Translational.meanings["displacement"])
