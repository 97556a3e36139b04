"""The docstrings of all elements have an equation, signs, units, an example and links that exist."""

import doctest
import importlib
import re
import sys
from pathlib import Path

import pytest

import kinetree as kt
from kinetree.elements.constraints.catalogue import CONSTRAINTS, COUPLINGS
from kinetree.elements.forces.catalogue import FORCES
from kinetree.elements.joints.catalogue import JOINTS
from kinetree.elements.signals.catalogue import SIGNALS
from kinetree.elements.tyres.catalogue import LAWS

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
docstrings = importlib.import_module("workshop.docstrings")
arguments = importlib.import_module("workshop.arguments")

CATALOGUED = [
    *(entry.joint for entry in JOINTS),
    *(entry.force for entry in FORCES),
    *CONSTRAINTS,
    *COUPLINGS,
    *(signal for signal, _ in SIGNALS),
    *(law for law, _ in LAWS),
]
BESIDE = [kt.Polynomial, kt.Characteristic, kt.Valve, kt.Controller, kt.Road, kt.Section]
every = pytest.mark.parametrize("element", [*CATALOGUED, *BESIDE], ids=lambda e: e.__name__)
UNIT = re.compile(r"\((?:rad|N|m|Pa|s|Hz|J|1)\b|unit of")


@every
def test_an_element_has_an_equation_and_states_its_signs_and_units(element):
    text = docstrings.read(element)
    assert text.notes.count(".. math::") >= 1
    assert not re.search(r"^\s*\w[\w']* = ", text.notes.replace(equations(text.notes), ""), re.M)
    assert re.search(r"positive|sign", text.notes)
    assert UNIT.search(text.notes) or UNIT.search(" ".join(text.arguments.values()))


def equations(notes: str) -> str:
    """The typeset equation: the indented lines behind the first directive."""
    return notes.partition(".. math::")[2].partition("\n\n")[0]


@every
def test_an_equation_has_balanced_braces_and_named_parts(element):
    tex = equations(docstrings.read(element).notes)
    assert tex.count("{") == tex.count("}") > -1
    assert tex.count(r"\begin{") == tex.count(r"\end{")
    assert tex.count(r"\bigl") == tex.count(r"\bigr") and tex.count(r"\Bigl") == tex.count(r"\Bigr")


@every
def test_an_example_prints_what_can_be_checked(element):
    examples = doctest.DocTestParser().get_examples(docstrings.read(element).examples)
    assert any(re.search(r"\d|True", example.want) for example in examples)


@every
def test_the_names_below_see_also_exist(element):
    names = [name for name, _ in docstrings.read(element).see_also]
    assert names
    for name in names:
        thing = kt
        for part in name.removeprefix("kt.").split("."):
            thing = getattr(thing, part)


@every
def test_every_parameter_has_a_text_of_its_own(element):
    texts = {a.name: a.text for a in arguments.arguments_of(element)}
    assert [name for name, text in texts.items() if not text] == []
    said = list(texts.values())
    assert [name for name, text in texts.items() if said.count(text) > 1] == []
    bare = {name: re.sub(r"\W", "", docstrings.without_unit(text)) for name, text in texts.items()}
    assert [name for name, text in bare.items() if text.lower() == name.replace("_", "")] == []


@every
def test_a_text_without_its_unit_is_still_a_sentence(element):
    for a in arguments.arguments_of(element):
        left = docstrings.without_unit(a.text)
        assert not re.search(r"\S {2,}\S|\(\)", left), (a.name, left)
        assert not re.search(r"\b\w+\.py\b|the module", a.text), (a.name, a.text)
